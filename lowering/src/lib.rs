//! Kernel to upstream dialects to LLVM to x86 and NVPTX; from other dialects to loop, and from loop to scf.

pub mod buffers;
pub mod inputs;
pub mod kernel;
pub mod llvm;
pub mod loops;
pub mod nvptx;
pub mod outputs;
pub mod pipeline;
pub mod x86;

include!(concat!(env!("OUT_DIR"), "/passes.rs"));
