//! A GPU on the processor, for tests: whether kernels compute what they should, where there is no GPU.
//!
//! A [`Gpu`] is a [`Device`](terrace_session::Device) as a real one is, so that all but the driver is what runs there: it
//! has the kernels' LLVM IR compiled for this machine, each thread of a block a fiber. Threads get their turns in one
//! [`Order`] or the other, each until it waits for others: where a barrier is missing, one of them shows it. Time means
//! nothing here, and memory is the processor's: what races within a warp, or between blocks, does not show.

mod gpu;
mod memory;

pub use gpu::{Gpu, Order};
