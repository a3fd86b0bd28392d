//! Programs whose kernels run on a GPU.
//!
//! The function that launches is machine code of this processor, one of the [`Entries`](crate::Entries); what
//! it does with buffers it asks for here ([`host`]), and a [`Device`] does it: [`Cuda`], the driver of
//! NVIDIA's GPUs, or whoever else has memory and runs kernels. A [`GpuProgram`] calls it, with tensors of
//! this process or of the device ([`to_device`]).

mod cuda;
mod device;
mod host;
mod memory;
mod program;

pub use cuda::{Cuda, Gpu};
pub use device::{Device, DeviceError, Kernel};
pub use host::{free_with_call, symbols};
pub use memory::to_device;
pub use program::GpuProgram;
