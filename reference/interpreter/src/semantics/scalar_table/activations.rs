//! Activations of neural networks.

use libm::{erfc, exp, expm1, log1p, tanh};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};

use terrace_tensor::Dtype;

use super::{APPROXIMATE, DEFAULT, Pointwise, Promotion};
use crate::semantics::error::{Error, Result, ensure};

/// `1 / (1 + exp(-self))`.
pub const SIGMOID: Pointwise = Pointwise {
    name: "sigmoid",
    kernel: "sigmoid_cpu",
    float: Some(|v| sigmoid(v[0])),
    complex: Some(|v| v[0].sigmoid()),
    ..APPROXIMATE
};

/// The Gaussian error linear unit, by way of erf.
pub const GELU: Pointwise = Pointwise {
    name: "gelu",
    kernel: "GeluKernelImpl",
    promotion: Promotion::Common,
    float: Some(|v| 0.5 * v[0] * erfc(-v[0] * FRAC_1_SQRT_2)),
    // 1 + erf cancels where self is negative.
    error: |v, result| 2.0 * (v[0].abs() + result.abs()),
    ..APPROXIMATE
};

/// The Gaussian error linear unit, approximated by tanh.
pub const GELU_TANH: Pointwise = Pointwise {
    float: Some(|v| {
        let x = v[0];
        0.5 * x * (1.0 + tanh(FRAC_2_SQRT_PI / SQRT_2 * (x + 0.044715 * x * x * x)))
    }),
    // tanh's argument is off in proportion to its size, where tanh still moves.
    error: |v, result| 4.0 * (v[0].abs() + result.abs()),
    ..GELU
};

/// The larger of self and 0; nan stays.
pub const RELU: Pointwise = Pointwise {
    name: "relu",
    kernel: "relu",
    check: |operands, _| {
        ensure!(operands[0].dtype() != Dtype::Bool, "Boolean inputs not supported for relu");
        Ok(())
    },
    float: Some(|v| if v[0] < 0.0 { 0.0 } else { v[0] }),
    int: Some(|v| v[0].max(0)),
    ..DEFAULT
};

/// `self * sigmoid(self)`.
pub const SILU: Pointwise = Pointwise {
    name: "silu",
    kernel: "silu_cpu",
    promotion: Promotion::Common,
    float: Some(|v| v[0] / (1.0 + exp(-v[0]))),
    complex: Some(|v| v[0] * v[0].sigmoid()),
    // Where exp overflows in f32 nothing is left of a result that is next to nothing.
    error: |v, result| 4.0 * result.abs() + if v[0] < -80.0 { 4e-30 } else { 0.0 },
    ..APPROXIMATE
};

/// `self * tanh(log(1 + exp(self)))`.
pub const MISH: Pointwise = Pointwise {
    name: "mish",
    kernel: "mish_cpu",
    promotion: Promotion::Common,
    float: Some(|v| v[0] * tanh(log1p(exp(v[0])))),
    // Where exp is a denormal of f32 it is off by one, of which there are as many as self says.
    error: |v, result| {
        let denormals = if v[0] < -80.0 { v[0].abs() * f64::from(f32::MIN_POSITIVE) } else { 0.0 };
        8.0 * result.abs() + denormals
    },
    ..APPROXIMATE
};

/// `self + 3` within 0 and 6, as a part of 6.
pub const HARDSIGMOID: Pointwise = Pointwise {
    name: "hardsigmoid",
    kernel: "hardsigmoid_cpu",
    promotion: Promotion::Common,
    float: Some(|v| hard_sigmoid(v[0])),
    error: |_, _| 2.0,
    ..APPROXIMATE
};

/// `self * hardsigmoid(self)`.
pub const HARDSWISH: Pointwise = Pointwise {
    name: "hardswish",
    kernel: "hardswish_cpu",
    promotion: Promotion::Common,
    float: Some(|v| v[0] * hard_sigmoid(v[0])),
    error: |v, _| 4.0 * v[0].abs(),
    ..APPROXIMATE
};

/// Self, a part of it below 0.
pub const LEAKY_RELU: Pointwise = Pointwise {
    name: "leaky_relu",
    kernel: "leaky_relu_cpu",
    keeps_numbers: true,
    float: Some(|v| if v[0] > 0.0 { v[0] } else { v[0] * v[1] }),
    ..DEFAULT
};

/// Exponential below 0; alpha, the scale of the result and that of self.
pub const ELU: Pointwise = Pointwise {
    name: "elu",
    kernel: "elu_cpu",
    keeps_numbers: true,
    promotion: Promotion::Common,
    float: Some(|v| if v[0] < 0.0 { expm1(v[0] * v[3]) * (v[1] * v[2]) } else { v[0] * v[2] }),
    error: |_, result| 8.0 * result.abs(),
    ..APPROXIMATE
};

/// `log(1 + exp(beta * self)) / beta`, self beyond a threshold.
pub const SOFTPLUS: Pointwise = Pointwise {
    name: "softplus",
    kernel: "softplus_cpu",
    keeps_numbers: true,
    promotion: Promotion::Common,
    float: Some(|v| if v[0] * v[1] > v[2] { v[0] } else { log1p(exp(v[0] * v[1])) / v[1] }),
    // exp passes on the rounding of its argument.
    error: |v, result| (8.0 + (v[0] * v[1]).abs()) * result.abs(),
    ..APPROXIMATE
};

/// The second parameter where self is not above the first.
pub const THRESHOLD: Pointwise = Pointwise {
    name: "threshold",
    kernel: "threshold_cpu",
    keeps_numbers: true,
    checks_memory: false,
    float: Some(|v| if v[0] <= v[1] { v[2] } else { v[0] }),
    int: Some(|v| if v[0] <= v[1] { v[2] } else { v[0] }),
    ..DEFAULT
};

/// `gelu` by the name of its approximation.
///
/// # Errors
/// When there is no such approximation.
pub fn gelu(approximate: &str) -> Result<&'static Pointwise> {
    match approximate {
        "none" => Ok(&GELU),
        "tanh" => Ok(&GELU_TANH),
        _ => Err(Error::new("approximate argument must be either none or tanh.")),
    }
}

fn sigmoid(x: f64) -> f64 {
    if x < 0.0 { exp(x) / (1.0 + exp(x)) } else { 1.0 / (1.0 + exp(-x)) }
}

fn hard_sigmoid(x: f64) -> f64 {
    // clamp leaves nan.
    (x + 3.0).clamp(0.0, 6.0) / 6.0
}
