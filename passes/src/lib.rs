//! Passes within and between the four dialects: a folder for each dialect that they start from.
//!
//! What changes IR is in `terrace_dialects::ir`; no pass has `unsafe` code.

#![deny(unsafe_code)]

mod emit;
pub mod functional;
mod functions;
pub mod graph;
mod kernel;
mod loops;

pub use functional::{
    convert_to_loop::{is_pointwise, is_read_through},
    decompose::decomposed,
};

pub use generated::*;

/// The passes as ODS declares them: options, table, registration.
#[allow(unsafe_code)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/passes.rs"));
}
