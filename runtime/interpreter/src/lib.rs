//! The reference interpreter: what a program means.

pub mod semantics;
