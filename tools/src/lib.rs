//! What the command-line tools share: reading a module, finding its entry point, checking inputs, running.

pub mod compile;
pub mod entry;
pub mod example;
pub mod module;
pub mod peak;
pub mod run;
