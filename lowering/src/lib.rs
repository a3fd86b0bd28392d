//! Kernel to upstream dialects to LLVM to x86 and NVPTX; from other dialects to loop, and from loop to scf.
//!
//! What changes IR is in `terrace_dialects::ir`; no module here has `unsafe` code, but for
//! what is generated from `td/`.

#[forbid(unsafe_code)]
pub mod buffers;
#[forbid(unsafe_code)]
pub mod inputs;
#[forbid(unsafe_code)]
pub mod kernel;
#[forbid(unsafe_code)]
pub mod llvm;
#[forbid(unsafe_code)]
pub mod loops;
#[forbid(unsafe_code)]
pub mod nvptx;
#[forbid(unsafe_code)]
pub mod outputs;
#[forbid(unsafe_code)]
pub mod pipeline;
#[forbid(unsafe_code)]
pub mod x86;

include!(concat!(env!("OUT_DIR"), "/passes.rs"));
