//! The dtypes of programs, and how MLIR spells them.

use terrace_tensor::Dtype;

/// As MLIR spells it.
pub fn element_type(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::Bool => "i1",
        Dtype::U8 => "ui8",
        Dtype::C64 => "complex<f32>",
        Dtype::C128 => "complex<f64>",
        other => other.name(),
    }
}

/// The dtypes of a program.
pub const DTYPES: [Dtype; 10] = [
    Dtype::F32,
    Dtype::F64,
    Dtype::F16,
    Dtype::BF16,
    Dtype::I64,
    Dtype::I32,
    Dtype::I16,
    Dtype::I8,
    Dtype::U8,
    Dtype::Bool,
];
