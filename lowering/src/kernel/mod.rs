//! Tiles as vectors, and how they are spread over threads: the part of the targets that is the same for all.

pub(crate) mod concurrent;
pub mod disjoint;
pub mod kernel_assign_layouts;
pub(crate) mod tiles;
