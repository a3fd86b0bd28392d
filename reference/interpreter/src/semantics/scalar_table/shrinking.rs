//! Activations that shrink, gate, or take logarithms.

use libm::{exp, log1p};

use super::{APPROXIMATE, DEFAULT, Pointwise, Promotion};

/// Self, 0 within a number of 0.
pub const HARDSHRINK: Pointwise = Pointwise {
    name: "hardshrink",
    kernel: "hardshrink_cpu",
    float: Some(|v| if -v[1] <= v[0] && v[0] <= v[1] { 0.0 } else { v[0] }),
    ..DEFAULT
};

/// Self less a number towards 0, 0 within it.
pub const SOFTSHRINK: Pointwise = Pointwise {
    name: "softshrink",
    kernel: "softshrink_cpu",
    keeps_numbers: true,
    float: Some(|v| match v[0] {
        x if x > v[1] => x - v[1],
        x if x < -v[1] => x + v[1],
        // nan stays.
        x => x * 0.0,
    }),
    ..DEFAULT
};

/// Self, below 0 times a weight.
pub const PRELU: Pointwise = Pointwise {
    name: "prelu",
    kernel: "prelu_cpu",
    float: Some(|v| if v[0] > 0.0 { v[0] } else { v[0] * v[1] }),
    ..DEFAULT
};

/// Self times the logistic function of the other.
pub const GLU: Pointwise = Pointwise {
    name: "glu",
    kernel: "glu_cpu",
    promotion: Promotion::Common,
    float: Some(|v| v[0] / (1.0 + exp(-v[1]))),
    ..APPROXIMATE
};

/// The logarithm of the logistic function.
pub const LOG_SIGMOID: Pointwise = Pointwise {
    name: "log_sigmoid",
    kernel: "log_sigmoid_cpu",
    promotion: Promotion::Common,
    float: Some(|v| if v[0] < 0.0 { v[0] } else { 0.0 } - log1p(exp(-v[0].abs()))),
    error: |_, result| 8.0 * result.abs(),
    ..APPROXIMATE
};

/// The exponential of the negative of magnitudes.
pub const SMALL_EXP: Pointwise = Pointwise { float: Some(|v| exp(-v[0].abs())), ..LOG_SIGMOID };
