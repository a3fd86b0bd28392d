//! What the ways in and out share: loop operations written, and dependence between points.

pub mod dependence;
pub mod write;
