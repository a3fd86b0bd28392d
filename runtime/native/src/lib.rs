//! Compiles lowered modules to machine code and calls them.
//!
//! The way of a module that stands in the LLVM dialect:
//!
//! * [`signatures`] are read off its functions *before* they are lowered, while memref types still say what a
//!   pointer is;
//! * [`Code`] is the module as optimized LLVM IR for one [`Cpu`], to be printed, assembled, or written as an
//!   object;
//! * [`Loaded`] is that object loaded into the process, its entry points called with tensors, or with
//!   [`Arg`]s;
//! * [`c_header`] declares the entry points of an object to a C program;
//! * [`kernels`] and [`GpuCode`] take GPU modules to PTX, [`Ptxas`] assembles it and reports registers and
//!   spills;
//! * [`gpu_program`] loads a program whose kernels a [`Device`] has: [`Cuda`] is NVIDIA's driver.
//!
//! How it is called is the crate `terrace-call`'s affair, whose names are here too.
//!
//! `_terrace_entry_NAME` takes a [`Context`], a pointer for what is returned, numbers by value and memrefs as
//! pointers to descriptors, as MLIR's C interface has them, and says how the call went. Beside each stands
//! `_terrace_packed_NAME`, which takes everything behind the context through one array of pointers, so that
//! callers need a single function type.

mod code;
mod cpu;
mod entry;
mod error;
mod header;
mod jit;
mod library;
mod loaded;
mod nvdisasm;
mod parts;
mod ptx;
mod ptxas;
mod shared;
mod signature;
mod translate;

use terrace_link as _;

pub use code::{Code, OptLevel};
pub use cpu::{Cpu, Level};
pub use error::Error;
pub use header::c_header;
pub use library::load_library;
pub use loaded::{Loaded, gpu_program};
pub use nvdisasm::Nvdisasm;
pub use ptx::{GPU_ARCHITECTURES, GpuCode, kernels};
pub use ptxas::{KernelReport, Ptxas};
pub use shared::{Library, link_library};
pub use signature::{export, signatures};
pub use terrace_call::{
    Arg, Buffer, Context, Cuda, Device, DeviceError, Element, Entries, Error as CallError, Gpu, GpuProgram,
    Kernel, MemRef, MemRefOutput, MemRefType, Offset, Output, Owner, PACKED, Packed, Signature, ValueType,
    free_with_call, resizing, to_device,
};
