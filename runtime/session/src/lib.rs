//! Compiles lowered modules to machine code and calls them
