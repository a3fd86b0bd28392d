//! Checks that ODS can't state and that are no matter of type inference.

mod kernels;
mod loops;
mod values;

pub use kernels::*;
pub use loops::*;
pub use values::*;
