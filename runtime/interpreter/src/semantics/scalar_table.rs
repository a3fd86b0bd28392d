//! The pointwise operators, a row each: how operands are promoted, what becomes of one element in each class of dtypes,
//! and how far an implementation may be off.
//!
//! Element functions get the operands and then the parameters (alpha) in order. The float function works in f64 and is
//! rounded by its caller; comparisons give 1 or 0. The integer function works in i64, and wrapping to the dtype is
//! its caller's. A class without a function is one the operator has no kernel for.

use libm::{cos, erfc, exp, expm1, fmod, log1p, sin, tanh};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};

use terrace_tensor::{DType, Scalar};

use super::error::{Error, Result, ensure};
use super::promotion::Operand;

/// The dtype of a result, beside the dtype that operands are computed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promotion {
    /// The operands' common dtype.
    Common,
    /// The operands' common dtype, the default float for integers.
    Float,
    /// Truth values, from operands in their common dtype.
    Bool,
}

/// A pointwise operator.
pub struct Pointwise {
    /// ATen's base name.
    pub name: &'static str,
    /// The name of the kernel, in eager's refusals.
    pub kernel: &'static str,
    /// The dtype of the result.
    pub promotion: Promotion,
    /// Whether the layout of the result is that of the first operand whatever the others are.
    pub first_decides_layout: bool,
    /// Whether the in-place form looks for elements that share memory, as most do.
    pub checks_memory: bool,
    /// What operands are refused before anything else.
    pub check: fn(&[Operand], &[Scalar]) -> Result<()>,
    /// One element of a float dtype.
    pub float: Option<fn(&[f64]) -> f64>,
    /// One element of an integer dtype.
    pub int: Option<fn(&[i64]) -> i64>,
    /// One truth value, from 0 and 1 to 0 or 1.
    pub bool: Option<fn(&[i64]) -> i64>,
    /// Whether floats are correctly rounded, so that a result that needs no rounding is the same everywhere.
    pub correctly_rounded: bool,
    /// A result on the way that is rounded too; 0 where there is none.
    pub intermediate: fn(&[f64]) -> f64,
    /// The error of an implementation, in units of epsilon and of magnitude one, from operands and result.
    pub error: fn(&[f64], f64) -> f64,
}

/// What most rows have.
const DEFAULT: Pointwise = Pointwise {
    name: "",
    kernel: "",
    promotion: Promotion::Common,
    first_decides_layout: false,
    checks_memory: true,
    check: |_, _| Ok(()),
    float: None,
    int: None,
    bool: None,
    correctly_rounded: true,
    intermediate: |_| 0.0,
    error: |_, result| result.abs(),
};

/// A function with float results that is a few units in the last place off.
const APPROXIMATE: Pointwise = Pointwise {
    promotion: Promotion::Float,
    correctly_rounded: false,
    error: |_, result| 4.0 * result.abs(),
    ..DEFAULT
};

/// `self + alpha * other`; truth values: or.
pub const ADD: Pointwise = Pointwise {
    name: "add",
    kernel: "add_cpu",
    check: check_alpha,
    float: Some(|v| v[0] + v[2] * v[1]),
    int: Some(|v| v[0].wrapping_add(v[2].wrapping_mul(v[1]))),
    bool: Some(|v| v[0] | (v[2] & v[1])),
    intermediate: |v| v[2] * v[1],
    error: |v, result| scaled(v) + result.abs(),
    ..DEFAULT
};

/// `self - alpha * other`.
pub const SUB: Pointwise = Pointwise {
    name: "sub",
    kernel: "sub_cpu",
    check: |operands, parameters| check_sub(operands).and_then(|()| check_alpha(operands, parameters)),
    float: Some(|v| v[0] - v[2] * v[1]),
    int: Some(|v| v[0].wrapping_sub(v[2].wrapping_mul(v[1]))),
    intermediate: |v| v[2] * v[1],
    error: |v, result| scaled(v) + result.abs(),
    ..DEFAULT
};

/// `self * other`; truth values: and.
pub const MUL: Pointwise = Pointwise {
    name: "mul",
    kernel: "mul_cpu",
    float: Some(|v| v[0] * v[1]),
    int: Some(|v| v[0].wrapping_mul(v[1])),
    bool: Some(|v| v[0] & v[1]),
    ..DEFAULT
};

/// `self / other`, the quotient of reals.
pub const DIV: Pointwise = Pointwise {
    name: "div",
    kernel: "div_true_cpu",
    promotion: Promotion::Float,
    float: Some(|v| v[0] / v[1]),
    ..DEFAULT
};

/// `self / other`, rounded towards zero.
pub const DIV_TRUNC: Pointwise = Pointwise {
    name: "div",
    kernel: "div_trunc_cpu",
    float: Some(|v| (v[0] / v[1]).trunc()),
    int: Some(|v| v[0].wrapping_div(v[1])),
    ..DEFAULT
};

/// `self / other`, rounded down.
pub const DIV_FLOOR: Pointwise = Pointwise {
    name: "div",
    kernel: "div_floor_cpu",
    float: Some(|v| div_floor(v[0], v[1])),
    int: Some(|v| {
        let (quotient, rest) = (v[0].wrapping_div(v[1]), v[0].wrapping_rem(v[1]));
        quotient - i64::from(rest != 0 && (rest < 0) != (v[1] < 0))
    }),
    ..DEFAULT
};

/// `self` to the power of a number.
pub const POW: Pointwise = Pointwise {
    name: "pow",
    kernel: "pow",
    first_decides_layout: true,
    check: check_pow,
    float: Some(|v| pow(v[0], v[1])),
    int: Some(|v| pow_int(v[0], v[1])),
    correctly_rounded: false,
    error: |v, result| match v[1] {
        0.0 | 1.0 => 0.0,
        2.0 => result.abs(),
        exponent => (4.0 + (exponent * libm::log(v[0].abs())).abs()) * result.abs(),
    },
    ..DEFAULT
};

/// Comparisons of two operands.
macro_rules! comparison {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $operator:tt) => {
        $(#[$doc])*
        pub const $constant: Pointwise = Pointwise {
            name: $name,
            kernel: concat!($name, "_cpu"),
            promotion: Promotion::Bool,
            float: Some(|v| f64::from(u8::from(v[0] $operator v[1]))),
            int: Some(|v| i64::from(v[0] $operator v[1])),
            bool: Some(|v| i64::from(v[0] $operator v[1])),
            ..DEFAULT
        };
    };
}

comparison!(
    /// Equal; nan is not equal to itself.
    EQ, "eq", ==);
comparison!(
    /// Not equal.
    NE, "ne", !=);
comparison!(
    /// Less.
    LT, "lt", <);
comparison!(
    /// Less or equal.
    LE, "le", <=);
comparison!(
    /// Greater.
    GT, "gt", >);
comparison!(
    /// Greater or equal.
    GE, "ge", >=);

/// Whether an element is zero.
pub const LOGICAL_NOT: Pointwise = Pointwise {
    name: "logical_not",
    kernel: "logical_not_cpu",
    promotion: Promotion::Bool,
    float: Some(|v| f64::from(u8::from(v[0] == 0.0))),
    int: Some(|v| i64::from(v[0] == 0)),
    bool: Some(|v| 1 - v[0]),
    ..DEFAULT
};

/// And, bit by bit.
pub const BITWISE_AND: Pointwise = Pointwise {
    name: "bitwise_and",
    kernel: "bitwise_and_cpu",
    int: Some(|v| v[0] & v[1]),
    bool: Some(|v| v[0] & v[1]),
    ..DEFAULT
};

/// Not, bit by bit.
pub const BITWISE_NOT: Pointwise = Pointwise {
    name: "bitwise_not",
    kernel: "bitwise_not_cpu",
    int: Some(|v| !v[0]),
    bool: Some(|v| 1 - v[0]),
    ..DEFAULT
};

/// `1 / (1 + exp(-self))`.
pub const SIGMOID: Pointwise =
    Pointwise { name: "sigmoid", kernel: "sigmoid_cpu", float: Some(|v| sigmoid(v[0])), ..APPROXIMATE };

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
        ensure!(operands[0].dtype() != DType::Bool, "Boolean inputs not supported for relu");
        Ok(())
    },
    float: Some(|v| if v[0] < 0.0 { 0.0 } else { v[0] }),
    int: Some(|v| v[0].max(0)),
    ..DEFAULT
};

/// `-self`.
pub const NEG: Pointwise = Pointwise {
    name: "neg",
    kernel: "neg_cpu",
    check: |operands, _| {
        ensure!(
            operands[0].dtype() != DType::Bool,
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        );
        Ok(())
    },
    float: Some(|v| -v[0]),
    int: Some(|v| v[0].wrapping_neg()),
    ..DEFAULT
};

/// Absolute value.
pub const ABS: Pointwise = Pointwise {
    name: "abs",
    kernel: "abs_cpu",
    float: Some(|v| v[0].abs()),
    int: Some(|v| v[0].wrapping_abs()),
    ..DEFAULT
};

/// e to the power of self.
pub const EXP: Pointwise =
    Pointwise { name: "exp", kernel: "exp_cpu", float: Some(|v| exp(v[0])), ..APPROXIMATE };

/// Hyperbolic tangent.
pub const TANH: Pointwise =
    Pointwise { name: "tanh", kernel: "tanh_cpu", float: Some(|v| tanh(v[0])), ..APPROXIMATE };

/// Square root.
pub const SQRT: Pointwise = Pointwise {
    name: "sqrt",
    kernel: "sqrt_cpu",
    float: Some(|v| v[0].sqrt()),
    correctly_rounded: true,
    ..APPROXIMATE
};

/// One over the square root.
pub const RSQRT: Pointwise =
    Pointwise { name: "rsqrt", kernel: "rsqrt_cpu", float: Some(|v| 1.0 / v[0].sqrt()), ..APPROXIMATE };

/// Cosine.
pub const COS: Pointwise =
    Pointwise { name: "cos", kernel: "cos_cpu", float: Some(|v| cos(v[0])), error: periodic, ..APPROXIMATE };

/// Sine.
pub const SIN: Pointwise =
    Pointwise { name: "sin", kernel: "sin_cpu", float: Some(|v| sin(v[0])), error: periodic, ..APPROXIMATE };

/// Functions of floats with a name of their own in libm.
macro_rules! function {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $function:path) => {
        $(#[$doc])*
        pub const $constant: Pointwise = Pointwise {
            name: $name,
            kernel: concat!($name, "_cpu"),
            float: Some(|v| $function(v[0])),
            ..APPROXIMATE
        };
    };
}

function!(
    /// Natural logarithm.
    LOG, "log", libm::log);
function!(
    /// Logarithm to base 2.
    LOG2, "log2", libm::log2);
function!(
    /// Logarithm to base 10.
    LOG10, "log10", libm::log10);
function!(
    /// `log(1 + self)`.
    LOG1P, "log1p", libm::log1p);
function!(
    /// `exp(self) - 1`.
    EXPM1, "expm1", expm1);
function!(
    /// 2 to the power of self.
    EXP2, "exp2", libm::exp2);
function!(
    /// The error function.
    ERF, "erf", libm::erf);
function!(
    /// `1 - erf(self)`.
    ERFC, "erfc", libm::erfc);
function!(
    /// Arc sine.
    ASIN, "asin", libm::asin);
function!(
    /// Arc cosine.
    ACOS, "acos", libm::acos);
function!(
    /// Arc tangent.
    ATAN, "atan", libm::atan);
function!(
    /// Hyperbolic sine.
    SINH, "sinh", libm::sinh);
function!(
    /// Hyperbolic cosine.
    COSH, "cosh", libm::cosh);
function!(
    /// Inverse of the hyperbolic sine.
    ASINH, "asinh", libm::asinh);
function!(
    /// Inverse of the hyperbolic cosine.
    ACOSH, "acosh", libm::acosh);
function!(
    /// Inverse of the hyperbolic tangent.
    ATANH, "atanh", libm::atanh);

/// Tangent.
pub const TAN: Pointwise = Pointwise {
    name: "tan",
    kernel: "tan_cpu",
    float: Some(|v| libm::tan(v[0])),
    // Near its poles an error of the reduced argument counts with the derivative.
    error: |v, result| 4.0 * result.abs() + if v[0].abs() > 1.0 { 1.0 + result * result } else { 0.0 },
    ..APPROXIMATE
};

/// The angle of the point (other, self).
pub const ATAN2: Pointwise =
    Pointwise { name: "atan2", kernel: "atan2_cpu", float: Some(|v| libm::atan2(v[0], v[1])), ..APPROXIMATE };

/// `1 / self`.
pub const RECIPROCAL: Pointwise = Pointwise {
    name: "reciprocal",
    kernel: "reciprocal_cpu",
    float: Some(|v| 1.0 / v[0]),
    correctly_rounded: true,
    error: |_, result| result.abs(),
    ..APPROXIMATE
};

/// Rounding of floats to whole numbers; integers are whole.
macro_rules! rounding {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $function:path) => {
        $(#[$doc])*
        pub const $constant: Pointwise = Pointwise {
            name: $name,
            kernel: concat!($name, "_vml_cpu"),
            float: Some(|v| $function(v[0])),
            int: Some(|v| v[0]),
            ..DEFAULT
        };
    };
}

rounding!(
    /// The next whole number above.
    CEIL, "ceil", f64::ceil);
rounding!(
    /// The next whole number below.
    FLOOR, "floor", f64::floor);
rounding!(
    /// The nearest whole number, the even one of two.
    ROUND, "round", f64::round_ties_even);
rounding!(
    /// The next whole number towards zero.
    TRUNC, "trunc", f64::trunc);

/// What `trunc` takes off.
pub const FRAC: Pointwise =
    Pointwise { name: "frac", kernel: "frac_cpu", float: Some(|v| v[0] - v[0].trunc()), ..DEFAULT };

/// -1, 0 or 1; 0 for nan.
pub const SIGN: Pointwise = Pointwise {
    name: "sign",
    kernel: "sign_cpu",
    float: Some(|v| f64::from(u8::from(v[0] > 0.0)) - f64::from(u8::from(v[0] < 0.0))),
    int: Some(|v| v[0].signum()),
    bool: Some(|v| v[0]),
    ..DEFAULT
};

/// The rest of a division towards zero: it has the sign of self.
pub const FMOD: Pointwise = Pointwise {
    name: "fmod",
    kernel: "fmod_cpu",
    float: Some(|v| fmod(v[0], v[1])),
    int: Some(|v| v[0].wrapping_rem(v[1])),
    ..DEFAULT
};

/// The rest of a division downwards: it has the sign of other.
pub const REMAINDER: Pointwise = Pointwise {
    name: "remainder",
    kernel: "remainder_cpu",
    float: Some(|v| {
        let rest = fmod(v[0], v[1]);
        if rest != 0.0 && (rest < 0.0) != (v[1] < 0.0) { rest + v[1] } else { rest }
    }),
    int: Some(|v| {
        let rest = v[0].wrapping_rem(v[1]);
        if rest != 0 && (rest < 0) != (v[1] < 0) { rest + v[1] } else { rest }
    }),
    error: |v, result| result.abs() + v[1].abs(),
    ..DEFAULT
};

/// Or, bit by bit.
pub const BITWISE_OR: Pointwise = Pointwise {
    name: "bitwise_or",
    kernel: "bitwise_or_cpu",
    int: Some(|v| v[0] | v[1]),
    bool: Some(|v| v[0] | v[1]),
    ..DEFAULT
};

/// Exclusive or, bit by bit.
pub const BITWISE_XOR: Pointwise = Pointwise {
    name: "bitwise_xor",
    kernel: "bitwise_xor_cpu",
    int: Some(|v| v[0] ^ v[1]),
    bool: Some(|v| v[0] ^ v[1]),
    ..DEFAULT
};

/// Operators of the truth of their operands: whether they are not zero.
macro_rules! logical {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $operator:tt) => {
        $(#[$doc])*
        pub const $constant: Pointwise = Pointwise {
            name: $name,
            kernel: concat!($name, "_cpu"),
            promotion: Promotion::Bool,
            float: Some(|v| f64::from(u8::from((v[0] != 0.0) $operator (v[1] != 0.0)))),
            int: Some(|v| i64::from((v[0] != 0) $operator (v[1] != 0))),
            bool: Some(|v| v[0] $operator v[1]),
            ..DEFAULT
        };
    };
}

logical!(
    /// Both.
    LOGICAL_AND, "logical_and", &);
logical!(
    /// Either.
    LOGICAL_OR, "logical_or", |);
logical!(
    /// One of them.
    LOGICAL_XOR, "logical_xor", ^);

/// Questions of one float; `$other` is the answer for what is no float.
macro_rules! kind_of_float {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $function:path, $other:literal) => {
        $(#[$doc])*
        pub const $constant: Pointwise = Pointwise {
            name: $name,
            kernel: concat!($name, "_cpu"),
            promotion: Promotion::Bool,
            float: Some(|v| f64::from(u8::from($function(v[0])))),
            int: Some(|_| $other),
            bool: Some(|_| $other),
            ..DEFAULT
        };
    };
}

kind_of_float!(
    /// Whether self is nan.
    ISNAN, "isnan", f64::is_nan, 0);
kind_of_float!(
    /// Whether self is infinite.
    ISINF, "isinf", f64::is_infinite, 0);
kind_of_float!(
    /// Whether self is neither nan nor infinite.
    ISFINITE, "isfinite", f64::is_finite, 1);

/// `self * sigmoid(self)`.
pub const SILU: Pointwise = Pointwise {
    name: "silu",
    kernel: "silu_cpu",
    promotion: Promotion::Common,
    float: Some(|v| v[0] / (1.0 + exp(-v[0]))),
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
    error: |_, result| 8.0 * result.abs(),
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
    promotion: Promotion::Common,
    float: Some(|v| if v[0] > 0.0 { v[0] } else { v[0] * v[1] }),
    ..APPROXIMATE
};

/// Exponential below 0; alpha, the scale of the result and that of self.
pub const ELU: Pointwise = Pointwise {
    name: "elu",
    kernel: "elu_cpu",
    promotion: Promotion::Common,
    float: Some(|v| if v[0] < 0.0 { expm1(v[0] * v[3]) * (v[1] * v[2]) } else { v[0] * v[2] }),
    error: |_, result| 8.0 * result.abs(),
    ..APPROXIMATE
};

/// `log(1 + exp(beta * self)) / beta`, self beyond a threshold.
pub const SOFTPLUS: Pointwise = Pointwise {
    name: "softplus",
    kernel: "softplus_cpu",
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
    checks_memory: false,
    float: Some(|v| if v[0] <= v[1] { v[2] } else { v[0] }),
    int: Some(|v| if v[0] <= v[1] { v[2] } else { v[0] }),
    ..DEFAULT
};

/// `self + value * tensor1 * tensor2`.
pub const ADDCMUL: Pointwise = Pointwise {
    name: "addcmul",
    kernel: "addcmul_cpu_out",
    float: Some(|v| v[0] + v[3] * v[1] * v[2]),
    correctly_rounded: false,
    int: Some(|v| v[0].wrapping_add(v[3].wrapping_mul(v[1]).wrapping_mul(v[2]))),
    error: |v, result| 3.0 * (v[3] * v[1] * v[2]).abs() + result.abs(),
    ..DEFAULT
};

/// `self + value * tensor1 / tensor2`.
pub const ADDCDIV: Pointwise = Pointwise {
    name: "addcdiv",
    kernel: "addcdiv_cpu_out",
    check: |operands, _| {
        let is_float = |operand: &Operand| operand.dtype().is_float();
        ensure!(
            operands[1..].iter().any(is_float),
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes."
        );
        Ok(())
    },
    float: Some(|v| v[0] + v[3] * v[1] / v[2]),
    correctly_rounded: false,
    error: |v, result| 3.0 * (v[3] * v[1] / v[2]).abs() + result.abs(),
    ..DEFAULT
};

/// The larger operand; nan if either is.
pub const MAXIMUM: Pointwise = Pointwise {
    name: "maximum",
    kernel: "maximum_cpu",
    float: Some(|v| larger(v[0], v[1])),
    int: Some(|v| v[0].max(v[1])),
    bool: Some(|v| v[0] | v[1]),
    ..DEFAULT
};

/// The smaller operand; nan if either is.
pub const MINIMUM: Pointwise = Pointwise {
    name: "minimum",
    kernel: "minimum_cpu",
    float: Some(|v| smaller(v[0], v[1])),
    int: Some(|v| v[0].min(v[1])),
    bool: Some(|v| v[0] & v[1]),
    ..DEFAULT
};

/// `div` with a rounding mode, none for the quotient of reals.
///
/// # Errors
/// When there is no such mode.
pub fn div(rounding_mode: Option<&str>) -> Result<&'static Pointwise> {
    match rounding_mode {
        None => Ok(&DIV),
        Some("trunc") => Ok(&DIV_TRUNC),
        Some("floor") => Ok(&DIV_FLOOR),
        Some(other) => Err(Error::new(format!(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{other}'"
        ))),
    }
}

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

/// The magnitude of `alpha * other`, which is rounded unless alpha is 1.
fn scaled(v: &[f64]) -> f64 {
    if v[2] == 1.0 { 0.0 } else { (v[2] * v[1]).abs() }
}

/// Far from 0 the reduction of the argument has an error of its own.
fn periodic(v: &[f64], result: f64) -> f64 {
    4.0 * result.abs() + if v[0].abs() > 1.0 { 1.0 } else { 0.0 }
}

/// The larger number; nan if either is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// The smaller number; nan if either is.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

fn sigmoid(x: f64) -> f64 {
    if x < 0.0 { exp(x) / (1.0 + exp(x)) } else { 1.0 / (1.0 + exp(-x)) }
}

fn hard_sigmoid(x: f64) -> f64 {
    // clamp leaves nan.
    (x + 3.0).clamp(0.0, 6.0) / 6.0
}

fn pow(base: f64, exponent: f64) -> f64 {
    // Roots of negative numbers are nan, infinity's included.
    if exponent == 0.5 {
        base.sqrt()
    } else if exponent == -0.5 {
        1.0 / base.sqrt()
    } else {
        libm::pow(base, exponent)
    }
}

/// A power of integers, which wraps; to a negative exponent 0, but for 1 and -1.
pub(crate) fn pow_int(mut base: i64, mut exponent: i64) -> i64 {
    if exponent < 0 {
        return match base {
            1 => 1,
            -1 => 1 - 2 * (exponent & 1),
            _ => 0,
        };
    }
    let mut power = 1i64;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    power
}

/// The quotient rounded down, exact where a rounded quotient would land on the next integer.
fn div_floor(a: f64, b: f64) -> f64 {
    if b == 0.0 {
        return a / b;
    }
    let rest = fmod(a, b);
    let adjust = rest != 0.0 && (b < 0.0) != (rest < 0.0);
    let quotient = (a - rest) / b - f64::from(u8::from(adjust));
    if quotient == 0.0 { 0.0f64.copysign(a / b) } else { (quotient + 0.5).floor() }
}

fn check_alpha(operands: &[Operand], parameters: &[Scalar]) -> Result<()> {
    let dtype = super::promotion::result_dtype(operands);
    let alpha = parameters[0];
    ensure!(
        dtype == DType::Bool || !matches!(alpha, Scalar::Bool(_)),
        "Boolean alpha only supported for Boolean results."
    );
    ensure!(
        dtype.is_float() || dtype.is_complex() || !matches!(alpha, Scalar::Float(_) | Scalar::Complex(..)),
        "For integral input tensors, argument alpha must not be a floating point number."
    );
    Ok(())
}

fn check_sub(operands: &[Operand]) -> Result<()> {
    let bools = operands.iter().filter(|operand| operand.dtype() == DType::Bool).count();
    ensure!(
        bools < 2,
        "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
    );
    ensure!(
        bools == 0,
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
    );
    Ok(())
}

fn check_pow(operands: &[Operand], _: &[Scalar]) -> Result<()> {
    if let [base, Operand::Scalar(Scalar::Int(exponent))] = operands {
        ensure!(
            *exponent >= 0 || base.dtype().is_float() || base.dtype().is_complex(),
            "Integers to negative integer powers are not allowed."
        );
    }
    if let [_, Operand::Scalar(exponent)] = operands {
        let dtype = super::promotion::result_dtype(operands);
        if dtype.is_integer() {
            super::copy::check_representable(*exponent, dtype)?;
        }
    }
    Ok(())
}
