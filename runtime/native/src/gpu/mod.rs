//! Programs whose kernels run on a GPU.
//!
//! The function that launches is machine code of this processor, as in a [`Loaded`](crate::Loaded); what it does with
//! buffers it asks for here ([`host`]), and a [`Device`] does it: [`Cuda`], the driver of NVIDIA's GPUs, or whoever else
//! has memory and runs kernels. A [`GpuProgram`] brings arguments to the device and results back.

mod cuda;
mod device;
mod host;
mod program;

pub use cuda::{Cuda, Gpu};
pub use device::{Device, DeviceError};
pub use program::GpuProgram;
