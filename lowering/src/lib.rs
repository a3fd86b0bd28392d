//! Kernel to upstream dialects to LLVM to x86 and NVPTX; from other dialects to loop, and from loop to scf.
//!
//! What changes IR is in `terrace_dialects::ir`; no pass has `unsafe` code.

#![deny(unsafe_code)]

pub mod buffers;
pub mod inputs;
pub mod kernel;
pub mod llvm;
pub mod loops;
pub mod nvptx;
pub mod outputs;
pub mod pipeline;
pub mod x86;

pub use generated::*;

/// The passes as ODS declares them: options, table, registration.
#[allow(unsafe_code)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/passes.rs"));
}
