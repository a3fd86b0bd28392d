//! Calls compiled code: arguments are checked and laid out, results read back. Neither MLIR nor LLVM is
//! needed for it.
//!
//! * A [`Signature`] says what an entry point takes and returns; [`Entries`] are the entry points of loaded
//!   code, which [`Entries::call`] calls with [`Arg`]s and [`Entries::run`] with tensors;
//! * a [`GpuProgram`] calls code that launches kernels: a [`Device`] runs them, and [`Cuda`] is NVIDIA's
//!   driver.
//!
//! Whoever loads the code keeps it: an object in the process, or a shared library.

mod call;
mod entries;
mod error;
mod gpu;
mod memref;
mod signature;
mod values;

pub use call::{Arg, Output, Packed, result_bytes};
pub use entries::{Entries, LINK, PACKED};
pub use error::Error;
pub use gpu::{Cuda, Device, DeviceError, Gpu, GpuProgram, Kernel, free_with_call, symbols, to_device};
pub use memref::{Buffer, Element, Free, MemRef, MemRefOutput, Owner};
pub use signature::{MemRefType, Signature, ValueType};
pub use terrace_rt::context::Context;
pub use values::{Offset, resizing};
