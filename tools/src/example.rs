//! Inputs of the examples: element i of the tensor with seed s is `(splitmix64(s * 2^32 + i) >> 40) / 2^24 -
//! 0.5`, which is exact in f32. `examples/reference.py` makes the same.

use terrace_bundle::hash;
use terrace_tensor::{Dtype, Scalar, Tensor, TensorError};

/// The f32 tensor of a seed.
///
/// # Errors
/// The sizes are too large for memory.
pub fn tensor(seed: u64, sizes: &[i64]) -> Result<Tensor, TensorError> {
    let count: i64 = sizes.iter().product();
    let element = |i: i64| (hash((seed << 32) + i as u64) >> 40) as f64 / f64::from(1 << 24) - 0.5;
    let elements: Vec<Scalar> = (0..count).map(|i| Scalar::Float(element(i))).collect();
    Tensor::from_elements(Dtype::F32, sizes, &elements)
}

/// The inputs of `examples/mlp.mlir`.
///
/// # Errors
/// No memory.
pub fn mlp_inputs() -> Result<Vec<Tensor>, TensorError> {
    let shapes: [&[i64]; 8] =
        [&[128, 256], &[1024, 256], &[1024], &[128, 1024], &[1024], &[1024], &[256, 1024], &[256]];
    shapes.iter().enumerate().map(|(seed, sizes)| tensor(seed as u64, sizes)).collect()
}
