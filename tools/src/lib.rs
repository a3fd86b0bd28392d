//! terrace-opt, terrace-run, terrace-compile
