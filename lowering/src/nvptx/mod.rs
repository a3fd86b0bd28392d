//! Kernels for NVPTX, and their launches by the host.

pub mod convert_gpu_launch_to_runtime;
pub mod convert_kernel_to_nvptx;
