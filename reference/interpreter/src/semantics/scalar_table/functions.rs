//! Functions of real and complex numbers: exponentials and logarithms, roots, trigonometric functions, the
//! error function.

use libm::{cos, exp, expm1, sin, tanh};

use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

use super::{APPROXIMATE, Pointwise, Promotion};
use crate::semantics::complex::complex;

/// e to the power of self.
pub const EXP: Pointwise = Pointwise {
    name: "exp",
    kernel: "exp_cpu",
    float: Some(|v| exp(v[0])),
    complex: Some(|v| v[0].exp()),
    ..APPROXIMATE
};

/// Hyperbolic tangent.
pub const TANH: Pointwise = Pointwise {
    name: "tanh",
    kernel: "tanh_cpu",
    float: Some(|v| tanh(v[0])),
    complex: Some(|v| v[0].tanh()),
    ..APPROXIMATE
};

/// Square root.
pub const SQRT: Pointwise = Pointwise {
    whole: false,
    name: "sqrt",
    kernel: "sqrt_cpu",
    float: Some(|v| v[0].sqrt()),
    complex: Some(|v| v[0].sqrt()),
    correctly_rounded: true,
    ..APPROXIMATE
};

/// One over the square root.
pub const RSQRT: Pointwise = Pointwise {
    name: "rsqrt",
    kernel: "rsqrt_cpu",
    float: Some(|v| 1.0 / v[0].sqrt()),
    complex: Some(|v| v[0].sqrt().reciprocal()),
    ..APPROXIMATE
};

/// Cosine.
pub const COS: Pointwise = Pointwise {
    name: "cos",
    kernel: "cos_cpu",
    float: Some(|v| cos(v[0])),
    complex: Some(|v| v[0].cos()),
    error: periodic,
    ..APPROXIMATE
};

/// Sine.
pub const SIN: Pointwise = Pointwise {
    name: "sin",
    kernel: "sin_cpu",
    float: Some(|v| sin(v[0])),
    complex: Some(|v| v[0].sin()),
    error: periodic,
    ..APPROXIMATE
};

/// Functions of floats with a name of their own in libm.
macro_rules! function {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $function:path $(, $complex:expr)?) => {
        $(#[$doc])*
        pub const $constant: Pointwise = Pointwise {
            name: $name,
            kernel: concat!($name, "_cpu"),
            float: Some(|v| $function(v[0])),
            $(complex: Some($complex),)?
            ..APPROXIMATE
        };
    };
}

function!(
    /// Natural logarithm.
    LOG, "log", libm::log, |v| v[0].log());
function!(
    /// Logarithm to base 2.
    LOG2, "log2", libm::log2, |v| v[0].log().scale(LOG2_E));
function!(
    /// Logarithm to base 10.
    LOG10, "log10", libm::log10, |v| v[0].log().scale(LOG10_E));
function!(
    /// `log(1 + self)`.
    LOG1P, "log1p", libm::log1p, |v| v[0].log1p());
function!(
    /// `exp(self) - 1`.
    EXPM1, "expm1", expm1, |v| v[0].expm1());
function!(
    /// 2 to the power of self.
    EXP2, "exp2", libm::exp2, |v| v[0].scale(LN_2).exp());
function!(
    /// The error function.
    ERF, "erf", libm::erf);
function!(
    /// `1 - erf(self)`.
    ERFC, "erfc", libm::erfc);
function!(
    /// Arc sine.
    ASIN, "asin", libm::asin, |v| v[0].asin());
function!(
    /// Arc cosine.
    ACOS, "acos", libm::acos, |v| v[0].acos());
function!(
    /// Arc tangent.
    ATAN, "atan", libm::atan, |v| v[0].atan());
function!(
    /// Hyperbolic sine.
    SINH, "sinh", libm::sinh, |v| v[0].sinh());
function!(
    /// Hyperbolic cosine.
    COSH, "cosh", libm::cosh, |v| v[0].cosh());
function!(
    /// Inverse of the hyperbolic sine.
    ASINH, "asinh", libm::asinh, |v| v[0].asinh());
function!(
    /// Inverse of the hyperbolic cosine.
    ACOSH, "acosh", acosh, |v| v[0].acosh());
function!(
    /// Inverse of the hyperbolic tangent.
    ATANH, "atanh", libm::atanh, |v| v[0].atanh());

/// libm's is no nan far below 1.
fn acosh(x: f64) -> f64 {
    if x < 1.0 { f64::NAN } else { libm::acosh(x) }
}

/// Tangent.
pub const TAN: Pointwise = Pointwise {
    name: "tan",
    kernel: "tan_cpu",
    float: Some(|v| libm::tan(v[0])),
    complex: Some(|v| v[0].tan()),
    // Near its poles an error of the reduced argument counts with the derivative.
    error: |v, result| 4.0 * result.abs() + if v[0].abs() > 1.0 { 1.0 + result * result } else { 0.0 },
    ..APPROXIMATE
};

/// The angle of the point (other, self).
pub const ATAN2: Pointwise =
    Pointwise { name: "atan2", kernel: "atan2_cpu", float: Some(|v| libm::atan2(v[0], v[1])), ..APPROXIMATE };

/// `1 / self`.
pub const RECIPROCAL: Pointwise = Pointwise {
    whole: false,
    name: "reciprocal",
    kernel: "reciprocal_cpu",
    float: Some(|v| 1.0 / v[0]),
    piece: Some(|v| (v[0].signum(), f64::INFINITY)),
    complex: Some(|v| v[0].reciprocal()),
    correctly_rounded: true,
    error: |_, result| result.abs(),
    ..APPROXIMATE
};

/// The angle of a complex number; of a real one that of its sign.
pub const ANGLE: Pointwise = Pointwise {
    name: "angle",
    kernel: "angle_cpu",
    promotion: Promotion::FloatPart,
    float: Some(|v| {
        if v[0] < 0.0 {
            std::f64::consts::PI
        } else if v[0].is_nan() {
            v[0]
        } else {
            0.0
        }
    }),
    complex: Some(|v| complex(v[0].angle(), 0.0)),
    ..APPROXIMATE
};

/// Far from 0 the reduction of the argument has an error of its own.
fn periodic(v: &[f64], result: f64) -> f64 {
    4.0 * result.abs() + if v[0].abs() > 1.0 { 1.0 } else { 0.0 }
}

/// The logarithm of the sum of two exponentials.
pub const LOGADDEXP: Pointwise = Pointwise {
    name: "logaddexp",
    kernel: "logaddexp_cpu",
    float: Some(|v| log_add_exp(v[0], v[1])),
    complex: Some(|v| {
        let (a, b) = if v[0].re < v[1].re { (v[1], v[0]) } else { (v[0], v[1]) };
        a + (b - a).exp().log1p()
    }),
    error: error_of_sum,
    ..APPROXIMATE
};

/// The logarithm of the sum of two powers of 2.
pub const LOGADDEXP2: Pointwise = Pointwise {
    name: "logaddexp2",
    kernel: "logaddexp2_cpu",
    float: Some(|v| log_of_sum(v[0], v[1], f64::exp2, |x| libm::log1p(x) / LN_2)),
    error: error_of_sum,
    ..APPROXIMATE
};

/// What the smaller one adds has an error of its own, which stays where the larger one takes most of it away.
fn error_of_sum(v: &[f64], result: f64) -> f64 {
    let added = (result - v[0].max(v[1])).abs();
    4.0 * result.abs() + if added.is_finite() { 4.0 * added } else { 0.0 }
}

/// `log(exp(a) + exp(b))`.
pub fn log_add_exp(a: f64, b: f64) -> f64 {
    log_of_sum(a, b, f64::exp, libm::log1p)
}

/// The larger one and what the smaller one adds to it.
fn log_of_sum(a: f64, b: f64, exp: fn(f64) -> f64, log1p: fn(f64) -> f64) -> f64 {
    if a == b && a.is_infinite() {
        return a;
    }
    let largest = if a.is_nan() || a > b { a } else { b };
    largest + log1p(exp(-(a - b).abs()))
}
