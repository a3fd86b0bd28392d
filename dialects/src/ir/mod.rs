//! MLIR as Rust sees it: operations, types, attributes, places where operations are written, passes,
//! diagnostics.
//!
//! Knows what the table of operations says of each ([`registry`]), and no operation by itself.

pub mod annotations;
pub mod args;
pub mod arguments;
pub mod attributes;
pub mod builder;
pub mod context;
pub mod cursor;
pub mod descriptor;
pub mod device;
pub mod diagnostics;
pub mod dtype;
pub mod extent;
pub mod failure;
pub mod kept;
pub mod lists;
pub mod location;
mod operation;
pub mod operations;
pub mod operator;
pub mod panics;
pub mod parameters;
pub mod pass;
pub mod pattern;
pub mod raw;
pub mod reassociation;
pub mod refusal;
pub mod registry;
pub mod rewrite;
pub mod shaped;
pub mod stress;
pub mod strings;
pub mod types;
pub mod upstream;
pub mod view;

pub use operation::*;
