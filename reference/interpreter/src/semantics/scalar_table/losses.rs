//! Losses of single elements, and their gradients, of floats.

use libm::{exp, log, log1p};

use super::{DEFAULT, Pointwise};

/// What losses have: the operand, then the target, then numbers.
const LOSS: Pointwise = Pointwise {
    keeps_numbers: true,
    correctly_rounded: false,
    error: |v, result| 8.0 * (result.abs() + v[0].abs() + v[1].abs()),
    ..DEFAULT
};

/// The square of the difference.
pub const MSE_LOSS: Pointwise = Pointwise {
    name: "mse_loss",
    kernel: "mse_cpu",
    float: Some(|v| (v[0] - v[1]) * (v[0] - v[1])),
    correctly_rounded: true,
    intermediate: |v| v[0] - v[1],
    error: |v, result| 2.0 * result.abs() + (v[0] - v[1]).abs() * (v[0].abs() + v[1].abs()),
    ..LOSS
};

/// The difference without its sign, less a half of beta; half its square over beta where it is below beta.
pub const SMOOTH_L1_LOSS: Pointwise = Pointwise {
    name: "smooth_l1_loss",
    kernel: "smooth_l1_cpu",
    float: Some(|v| {
        let z = (v[0] - v[1]).abs();
        if z < v[2] { 0.5 * z * z / v[2] } else { z - 0.5 * v[2] }
    }),
    ..LOSS
};

/// Half the square of the difference; delta times what of it is beyond half of delta, where it is not below
/// delta.
pub const HUBER_LOSS: Pointwise = Pointwise {
    name: "huber_loss",
    kernel: "huber_cpu",
    float: Some(|v| {
        let z = (v[0] - v[1]).abs();
        if z < v[2] { 0.5 * z * z } else { v[2] * (z - 0.5 * v[2]) }
    }),
    error: |v, result| 8.0 * (result.abs() + v[2] * (v[0].abs() + v[1].abs())),
    ..LOSS
};

/// How far a distribution, given by logarithms, is from its target, which comes first.
pub const KL_DIV: Pointwise = Pointwise {
    name: "kl_div",
    kernel: "kl_div",
    float: Some(|v| {
        let entropy = match v[0] {
            0.0 => 0.0,
            t => t * log(t),
        };
        entropy - v[0] * v[1]
    }),
    error: |v, result| 8.0 * (result.abs() + (v[1] * v[0]).abs() + v[0].abs()),
    ..LOSS
};

/// The same of a target given by logarithms.
pub const KL_DIV_LOG: Pointwise = Pointwise {
    float: Some(|v| exp(v[0]) * (v[0] - v[1])),
    error: |v, result| 8.0 * (result.abs() + exp(v[0]) * (v[0].abs() + v[1].abs())),
    ..KL_DIV
};

/// The cross entropy of a probability and its target; logarithms end at -100.
pub const BINARY_CROSS_ENTROPY: Pointwise = Pointwise {
    name: "binary_cross_entropy",
    kernel: "binary_cross_entropy",
    float: Some(|v| {
        let (positive, negative) = (log(v[0]).max(-100.0), log1p(-v[0]).max(-100.0));
        (v[1] - 1.0) * negative - v[1] * positive
    }),
    error: |v, result| 8.0 * (result.abs() + (1.0 + v[1].abs()) * 100.0),
    ..LOSS
};

/// The same of a logit: the third operand weighs the positive ones.
pub const BINARY_CROSS_ENTROPY_WITH_LOGITS: Pointwise = Pointwise {
    name: "binary_cross_entropy_with_logits",
    kernel: "log_sigmoid_cpu",
    float: Some(|v| {
        let logistic = v[0].min(0.0) - log1p(exp(-v[0].abs()));
        let weight = (v[2] - 1.0) * v[1] + 1.0;
        (1.0 - v[1]) * v[0] - weight * logistic
    }),
    error: |v, result| 8.0 * (result.abs() + (1.0 + v[1].abs()) * (1.0 + v[0].abs()) * (1.0 + v[2].abs())),
    ..LOSS
};

/// The gradient of [`MSE_LOSS`]: the factor of the mean comes last.
pub const MSE_LOSS_BACKWARD: Pointwise = Pointwise {
    name: "mse_loss_backward",
    kernel: "mse_backward_cpu_out",
    float: Some(|v| 2.0 * v[3] * (v[0] - v[1]) * v[2]),
    error: |v, result| 8.0 * (result.abs() + v[3] * v[2].abs() * (v[0].abs() + v[1].abs())),
    ..LOSS
};

/// The gradient of [`SMOOTH_L1_LOSS`]: beta, and the factor of the mean.
pub const SMOOTH_L1_LOSS_BACKWARD: Pointwise = Pointwise {
    name: "smooth_l1_loss_backward",
    kernel: "smooth_l1_backward_cpu_out",
    float: Some(|v| {
        let x = v[0] - v[1];
        let slope = match v[3] {
            beta if x <= -beta => -1.0,
            beta if x >= beta => 1.0,
            beta => x / beta,
        };
        v[4] * slope * v[2]
    }),
    error: |v, result| 8.0 * (result.abs() + v[4] * v[2].abs() * (v[0].abs() + v[1].abs())),
    ..LOSS
};

/// The gradient of [`HUBER_LOSS`]: delta, and the factor of the mean.
pub const HUBER_LOSS_BACKWARD: Pointwise = Pointwise {
    name: "huber_loss_backward",
    kernel: "huber_backward_cpu_out",
    float: Some(|v| {
        let (x, delta) = (v[0] - v[1], v[3]);
        v[4] * v[2]
            * if x < -delta {
                -delta
            } else if x > delta {
                delta
            } else {
                x
            }
    }),
    error: |v, result| 8.0 * (result.abs() + v[4] * v[2].abs() * (v[0].abs() + v[1].abs())),
    ..LOSS
};

/// Eager has it as f32.
const LEAST: f64 = 1e-12f32 as f64;

/// The gradient of [`BINARY_CROSS_ENTROPY`], the gradient last: a product below 1e-12 counts as that.
pub const BINARY_CROSS_ENTROPY_BACKWARD: Pointwise = Pointwise {
    name: "binary_cross_entropy_backward",
    kernel: "binary_cross_entropy_backward",
    float: Some(|v| v[2] * (v[0] - v[1]) / ((1.0 - v[0]) * v[0]).max(LEAST)),
    error: |v, result| {
        8.0 * (result.abs() + v[2].abs() * (v[0].abs() + v[1].abs()) / ((1.0 - v[0]) * v[0]).max(LEAST))
    },
    ..LOSS
};
