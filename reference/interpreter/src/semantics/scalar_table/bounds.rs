//! Elements kept between two others, and mixed.

use super::{DEFAULT, Pointwise};
use crate::semantics::complex::Complex;

/// The first of three, not below the second nor above the third; nan where a bound is.
pub const CLAMP: Pointwise = Pointwise {
    name: "clamp",
    kernel: "clamp_cpu",
    float: Some(
        |v| if v[1].is_nan() || v[2].is_nan() { f64::NAN } else { at_most(at_least(v[0], v[1]), v[2]) },
    ),
    int: Some(|v| v[0].max(v[1]).min(v[2])),
    ..DEFAULT
};

/// Not below a number; nan where that is.
pub const CLAMP_MIN: Pointwise = Pointwise {
    name: "clamp_min",
    kernel: "clamp_min_scalar_cpu",
    float: Some(|v| if v[1].is_nan() { f64::NAN } else { at_least(v[0], v[1]) }),
    int: Some(|v| v[0].max(v[1])),
    ..DEFAULT
};

/// Not above a number; nan where that is.
pub const CLAMP_MAX: Pointwise = Pointwise {
    name: "clamp_max",
    kernel: "clamp_max_scalar_cpu",
    float: Some(|v| if v[1].is_nan() { f64::NAN } else { at_most(v[0], v[1]) }),
    int: Some(|v| v[0].min(v[1])),
    ..DEFAULT
};

/// `self + weight * (end - self)`, from the nearer end.
pub const LERP: Pointwise = Pointwise {
    name: "lerp",
    kernel: "lerp_kernel_tensor",
    float: Some(|v| {
        let [from, to, weight] = [v[0], v[1], v[2]];
        if weight.abs() < 0.5 { from + weight * (to - from) } else { to - (to - from) * (1.0 - weight) }
    }),
    complex: Some(|v| {
        let [from, to, weight] = [v[0], v[1], v[2]];
        let near = weight.abs() < 0.5;
        if near { from + weight * (to - from) } else { to - (to - from) * (Complex::ONE - weight) }
    }),
    correctly_rounded: false,
    keeps_numbers: true,
    error: |v, result| 4.0 * (v[0].abs() + v[1].abs()) * (1.0 + v[2].abs()) + result.abs(),
    ..DEFAULT
};

/// A nan stays, and so does an equal zero.
fn at_least(value: f64, bound: f64) -> f64 {
    if value < bound { bound } else { value }
}

fn at_most(value: f64, bound: f64) -> f64 {
    if bound < value { bound } else { value }
}
