//! Kernels for x86.

pub mod convert_kernel_to_x86;
pub mod isa;
