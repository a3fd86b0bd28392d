//! What is common to operations of loop and kernel: affine accesses, combiners, domains whose points meet,
//! tiles.

pub mod affine;
pub mod combiners;
pub mod groups;
pub mod layout;
pub mod library;
pub mod reinterpret;
pub mod scatters;

/// An attribute of a `cf.assert` that may as well stand later: what follows is safe where it does not hold.
pub const ANY_TIME: &str = "loop.any_time";
