//! Programs whose kernels run on a GPU.
//!
//! The function that launches is machine code of this processor, one of the [`Entries`](crate::Entries); what
//! it does with buffers it asks for here ([`host`]), and a [`Device`] does it: [`Cuda`], the driver of
//! NVIDIA's GPUs, or whoever else has memory and runs kernels. A [`GpuProgram`] calls it; what arguments have
//! on the device is a [`Resident`]'s.

mod cuda;
mod device;
mod host;
mod program;
mod resident;

pub use cuda::{Cuda, Gpu};
pub use device::{Device, DeviceError, Kernel};
pub use host::{free_with_call, symbols};
pub use program::GpuProgram;
pub use resident::Resident;
