//! Passes within and between the four dialects: a folder for each dialect that they start from.
//!
//! What changes IR is in `terrace_dialects::ir`; no module here has `unsafe` code, but for
//! what is generated from `td/`.

#[forbid(unsafe_code)]
mod emit;
#[forbid(unsafe_code)]
pub mod functional;
#[forbid(unsafe_code)]
mod functions;
#[forbid(unsafe_code)]
pub mod graph;
#[forbid(unsafe_code)]
mod kernel;
#[forbid(unsafe_code)]
mod loops;

pub use functional::{
    convert_to_loop::{is_pointwise, is_read_through},
    decompose::decomposed,
};

include!(concat!(env!("OUT_DIR"), "/passes.rs"));
