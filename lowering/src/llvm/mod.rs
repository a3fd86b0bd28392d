//! What upstream's conversions to LLVM leave: element types without instructions, math functions, texts.

pub mod convert_bf16_to_bits;
pub mod convert_bool_buffers;
pub mod convert_unsigned_buffers;
pub mod expand_half_conversions;
pub mod expand_vector_math;
pub mod math;
pub mod merge_interfaces;
pub(crate) mod retype;
pub(crate) mod text;

/// What the name of a C interface starts with, in front of that of its entry point.
pub(crate) const C_INTERFACE: &str = "_mlir_ciface_";
