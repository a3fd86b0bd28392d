//! Gradients of functions of one element.

use super::{DEFAULT, Pointwise};

/// The gradient of a threshold, from the operand and what comes in: that where the operand is above it.
pub const THRESHOLD_BACKWARD: Pointwise = Pointwise {
    name: "threshold_backward",
    kernel: "threshold_cpu",
    keeps_numbers: true,
    float: Some(|v| if v[0] <= v[2] { 0.0 } else { v[1] }),
    int: Some(|v| if v[0] <= v[2] { 0 } else { v[1] }),
    ..DEFAULT
};

/// The gradient of the hyperbolic tangent, from its result.
pub const TANH_BACKWARD: Pointwise = Pointwise {
    name: "tanh_backward",
    kernel: "tanh_backward_cpu",
    float: Some(|v| v[0] * (1.0 - v[1] * v[1])),
    correctly_rounded: false,
    // The square is rounded before it is taken from 1.
    error: |v, result| 2.0 * result.abs() + (v[0] * (1.0 + v[1] * v[1])).abs(),
    ..DEFAULT
};

/// The gradient of the logistic function, from its result.
pub const SIGMOID_BACKWARD: Pointwise = Pointwise {
    name: "sigmoid_backward",
    kernel: "sigmoid_backward_cpu",
    float: Some(|v| v[0] * (1.0 - v[1]) * v[1]),
    correctly_rounded: false,
    error: |_, result| 4.0 * result.abs(),
    ..DEFAULT
};
