//! Passes within and between the four dialects: a folder for each dialect that they start from.

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

include!(concat!(env!("OUT_DIR"), "/passes.rs"));
