//! Checks of the symbols that operations use.

pub use crate::verifiers::launch as kernel_launch;
