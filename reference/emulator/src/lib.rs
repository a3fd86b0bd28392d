//! The kernels of a GPU as machine code of this machine, for tests where there is no GPU.
//!
//! [`gpu`] compiles the LLVM IR of kernels into the process and gives a [`Gpu`] that runs them, [`library`]
//! makes a shared library of them, which a stand-in for NVIDIA's driver loads, [`counting`] runs some blocks
//! to count what they ask of memory. What runs them is the crate `terrace-threads`.

mod code;
mod ir;

pub use code::{beside, counting, gpu, library};
pub use terrace_threads::{Gpu, Launch, Order, Requests, Traffic};
