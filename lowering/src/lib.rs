//! Kernel to upstream dialects to LLVM to x86 and NVPTX

pub mod add_call_context;
pub mod apart;
mod carry_in_place;
pub mod convert_affine_to_loop;
pub mod convert_bf16_to_bits;
pub mod convert_bool_buffers;
pub mod convert_copy_to_loop;
pub mod convert_gpu_launch_to_runtime;
pub mod convert_graph_boundary_to_memref;
pub mod convert_kernel_to_nvptx;
pub mod convert_kernel_to_x86;
pub mod convert_linalg_to_loop;
pub mod convert_loop_to_scf;
pub mod convert_unsigned_buffers;
pub mod dependence;
pub mod expand_half_conversions;
pub mod expand_vector_math;
pub mod isa;
pub mod kernel_assign_layouts;
pub mod loops;
pub mod math;
pub mod pipeline;
pub mod place_deallocations;
pub mod protect_arguments;
mod retype;
mod stays;
mod text;
mod tiles;

include!(concat!(env!("OUT_DIR"), "/passes.rs"));
