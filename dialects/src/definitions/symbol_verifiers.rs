//! Checks of the symbols that operations use.

pub use crate::definitions::verifiers::launch as kernel_launch;
