//! Checks that ODS can't state and that are no matter of type inference.

mod checks;
mod data;
mod groups;
mod kernels;
mod library;
mod loops;
mod metadata;
mod random;
mod templates;
mod values;

pub use checks::*;
pub use data::*;
pub use groups::*;
pub use kernels::*;
pub use library::*;
pub use loops::*;
pub use metadata::*;
pub use random::*;
pub use templates::*;
pub use values::*;
