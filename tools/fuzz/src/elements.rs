//! Elements of storages.

use terrace_tensor::{Dtype, Scalar};
use terrace_tools::random::Random;

/// Elements of memory from the first to the last of a layout, both included.
pub fn extent(sizes: &[i64], strides: &[i64]) -> i64 {
    1 + sizes.iter().zip(strides).map(|(size, stride)| (size - 1) * stride).sum::<i64>()
}

/// Elements of a dtype. Half of the storages of floats hold small integers and halves, on which much
/// arithmetic is exact, so that comparisons and conversions find operands.
pub fn elements(random: &mut Random, dtype: Dtype, count: i64) -> Vec<Scalar> {
    let exact = random.percent(50);
    let element = |_| match dtype {
        Dtype::Bool => Scalar::Bool(random.percent(50)),
        Dtype::U8 => Scalar::Int(random.choose(&[0, 1, 2, 3, 5, 128, 200, 255])),
        _ if !dtype.is_float() => Scalar::Int(random.between(-4, 5)),
        _ if exact => Scalar::Float(random.between(-8, 8) as f64 / 2.0),
        _ => Scalar::Float(dtype.round(random.float(2.0))),
    };
    (0..count).map(element).collect()
}
