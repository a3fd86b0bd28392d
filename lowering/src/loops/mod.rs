//! What the ways in and out share: loop operations written.

pub mod write;
