//! A GPU on the processor, for tests: whether kernels compute what they should, where there is no GPU.
//!
//! [`call`] runs a function of a module that was brought down to a `gpu.module` in the LLVM and NVVM dialects: its launches
//! on a [`Gpu`], which is the kernels' LLVM IR compiled for this machine, each thread of a block a fiber. Threads get their
//! turns in one [`Order`] or the other, each until it waits for others: where a barrier is missing, one of them shows it.
//! Time means nothing here, and memory is the processor's: what races within a warp, or between blocks, does not show.

mod gpu;
mod host;

pub use gpu::{Gpu, Order};
pub use host::call;

/// Why a program did not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// It has something that is not emulated.
    #[error("{0} is not emulated")]
    Unknown(String),
    /// It is wrong.
    #[error("{0}")]
    Wrong(String),
}
