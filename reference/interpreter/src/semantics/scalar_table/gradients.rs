//! Gradients of functions of one element.

use libm::{erf, exp, tanh};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI, SQRT_2};

use super::{DEFAULT, Pointwise};
use crate::semantics::complex::Complex;

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
    complex: Some(|v| v[0] * (Complex::ONE - v[1] * v[1]).conj()),
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
    complex: Some(|v| v[0] * ((Complex::ONE - v[1]) * v[1]).conj()),
    correctly_rounded: false,
    error: |_, result| 4.0 * result.abs(),
    ..DEFAULT
};

/// What most gradients of activations have: the gradient comes in first, then the operand or the result, then
/// numbers.
const OF_ACTIVATION: Pointwise = Pointwise {
    keeps_numbers: true,
    correctly_rounded: false,
    error: |v, result| 8.0 * (result.abs() + v[0].abs()),
    ..DEFAULT
};

/// The gradient of gelu by way of erf.
pub const GELU_BACKWARD: Pointwise = Pointwise {
    name: "gelu_backward",
    kernel: "GeluBackwardKernelImpl",
    float: Some(|v| {
        let x = v[1];
        let density = exp(-0.5 * x * x) / (2.0 * PI).sqrt();
        v[0] * (0.5 * (1.0 + erf(x * FRAC_1_SQRT_2)) + x * density)
    }),
    ..OF_ACTIVATION
};

/// The gradient of gelu by way of tanh.
pub const GELU_TANH_BACKWARD: Pointwise = Pointwise {
    float: Some(|v| {
        let (x, beta) = (v[1], FRAC_2_SQRT_PI / SQRT_2);
        let inner = tanh(beta * (x + 0.044715 * x * x * x));
        let slope = beta * (1.0 + 3.0 * 0.044715 * x * x);
        v[0] * (0.5 * (1.0 + inner) + 0.5 * x * (1.0 - inner * inner) * slope)
    }),
    ..GELU_BACKWARD
};

/// The gradient of `self * sigmoid(self)`.
pub const SILU_BACKWARD: Pointwise = Pointwise {
    name: "silu_backward",
    kernel: "silu_backward_cpu",
    float: Some(|v| {
        let sigmoid = 1.0 / (1.0 + exp(-v[1]));
        v[0] * sigmoid * (1.0 + v[1] * (1.0 - sigmoid))
    }),
    ..OF_ACTIVATION
};

/// The gradient of hardtanh: what comes in where the operand lies between the bounds.
pub const HARDTANH_BACKWARD: Pointwise = Pointwise {
    name: "hardtanh_backward",
    kernel: "hardshrink_backward_cpu",
    float: Some(|v| if v[1] <= v[2] || v[1] >= v[3] { 0.0 } else { v[0] }),
    correctly_rounded: true,
    ..OF_ACTIVATION
};

/// The gradient of leaky_relu, the operand first.
pub const LEAKY_RELU_BACKWARD: Pointwise = Pointwise {
    name: "leaky_relu_backward",
    kernel: "leaky_relu_backward_cpu",
    float: Some(|v| if v[0] > 0.0 { v[1] } else { v[1] * v[2] }),
    error: |_, result| result.abs(),
    ..OF_ACTIVATION
};

/// The gradient of elu, from its operand: alpha, the scale of the result and that of the operand.
pub const ELU_BACKWARD: Pointwise = Pointwise {
    name: "elu_backward",
    kernel: "elu_backward_cpu",
    float: Some(|v| {
        let (negative, positive) = (v[2] * v[3], v[3]);
        if v[1] <= 0.0 { v[0] * v[4] * negative * exp(v[1] * v[4]) } else { v[0] * positive }
    }),
    error: |_, result| 8.0 * result.abs(),
    ..OF_ACTIVATION
};

/// The gradient of elu, from its result.
pub const ELU_BACKWARD_OF_RESULT: Pointwise = Pointwise {
    float: Some(|v| {
        let (negative, positive) = (v[2] * v[3], v[3]);
        if v[1] <= 0.0 { v[0] * v[4] * (v[1] + negative) } else { v[0] * positive }
    }),
    error: |v, result| 8.0 * (result.abs() + (v[0] * v[2] * v[3] * v[4]).abs()),
    ..ELU_BACKWARD
};

/// The gradient of softplus: beta, and the threshold behind which it is what comes in.
pub const SOFTPLUS_BACKWARD: Pointwise = Pointwise {
    name: "softplus_backward",
    kernel: "softplus_backward_cpu",
    float: Some(|v| {
        let scaled = v[1] * v[2];
        let power = exp(scaled);
        if scaled > v[3] { v[0] } else { v[0] * power / (power + 1.0) }
    }),
    error: |v, result| (8.0 + (v[1] * v[2]).abs()) * result.abs(),
    ..OF_ACTIVATION
};

/// The gradient of hardswish.
pub const HARDSWISH_BACKWARD: Pointwise = Pointwise {
    name: "hardswish_backward",
    kernel: "hardswish_backward_cpu",
    float: Some(|v| {
        if v[1] <= -3.0 {
            0.0
        } else if v[1] < 3.0 {
            v[0] * (v[1] / 3.0 + 0.5)
        } else {
            v[0]
        }
    }),
    ..OF_ACTIVATION
};

/// Eager has it as f32.
const SIXTH: f64 = (1.0f32 / 6.0) as f64;

/// The gradient of hardsigmoid.
pub const HARDSIGMOID_BACKWARD: Pointwise = Pointwise {
    name: "hardsigmoid_backward",
    kernel: "hardsigmoid_backward",
    float: Some(|v| if v[1] > -3.0 && v[1] < 3.0 { v[0] * SIXTH } else { 0.0 }),
    error: |_, result| 2.0 * result.abs(),
    ..OF_ACTIVATION
};
