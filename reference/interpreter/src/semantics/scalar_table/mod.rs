//! The pointwise operators, a row each: how operands are promoted, what becomes of one element in each class
//! of dtypes, and how far an implementation may be off.
//!
//! Element functions get the operands and then the parameters (alpha) in order. The float function works in
//! f64 and is rounded by its caller; comparisons give 1 or 0. The complex function is the same of numbers of
//! two such parts. The integer function works in i64, and wrapping to the dtype is its caller's. A class
//! without a function is one the operator has no kernel for.

mod activations;
mod arithmetic;
mod bounds;
mod functions;
mod gradients;
mod losses;
mod rounding;
mod shrinking;
mod special;
mod truth;

use super::{complex::Complex, error::Result, promotion::Operand};
use terrace_tensor::Scalar;

pub use activations::*;
pub use arithmetic::*;
pub use bounds::*;
pub use functions::*;
pub use gradients::*;
pub use losses::*;
pub use rounding::*;
pub use shrinking::*;
pub use special::*;
pub use truth::*;

/// The dtype of a result, beside the dtype that operands are computed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promotion {
    /// The operands' common dtype.
    Common,
    /// The operands' common dtype, the default float for integers.
    Float,
    /// Truth values, from operands in their common dtype.
    Bool,
    /// The dtype of the parts of complex operands, any other common dtype itself.
    Part,
    /// The same, the default float for integers.
    FloatPart,
}

/// The number of a piece, and how far it is from one of its ends to the other.
pub type Piece = fn(&[f64]) -> (f64, f64);

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
    /// Whether numbers beside half precision, its parameters and a second operand without dimensions, are not
    /// rounded to it.
    pub keeps_numbers: bool,
    /// What operands are refused before anything else.
    pub check: fn(&[Operand], &[Scalar]) -> Result<()>,
    /// One element of a float dtype.
    pub float: Option<fn(&[f64]) -> f64>,
    /// One of a dtype that is computed with in f32, where a result on the way is rounded to it.
    pub single: Option<fn(&[f64]) -> f64>,
    /// One element of a complex dtype; truth is 1 and 0.
    pub complex: Option<fn(&[Complex]) -> Complex>,
    /// One element of an integer dtype.
    pub int: Option<fn(&[i64]) -> i64>,
    /// One truth value, from 0 and 1 to 0 or 1.
    pub bool: Option<fn(&[i64]) -> i64>,
    /// Whether floats are correctly rounded, so that a result that needs no rounding is the same everywhere.
    pub correctly_rounded: bool,
    /// Whether of whole complex numbers it makes ones that every implementation has.
    pub whole: bool,
    /// A result on the way that is rounded too; 0 where there is none.
    pub intermediate: fn(&[f64]) -> f64,
    /// The error of an implementation, in units of epsilon and of magnitude one, from operands and result.
    pub error: fn(&[f64], f64) -> f64,
    /// Where results start again from the other end, as rests of a division do, and quotients where the
    /// divisor passes zero: which piece operands are in, and how far it is from end to end.
    pub piece: Option<Piece>,
}

/// What most rows have.
const DEFAULT: Pointwise = Pointwise {
    name: "",
    kernel: "",
    promotion: Promotion::Common,
    first_decides_layout: false,
    checks_memory: true,
    keeps_numbers: false,
    check: |_, _| Ok(()),
    float: None,
    single: None,
    complex: None,
    int: None,
    bool: None,
    correctly_rounded: true,
    whole: true,
    intermediate: |_| 0.0,
    error: |_, result| result.abs(),
    piece: None,
};

/// A function with float results that is a few units in the last place off.
const APPROXIMATE: Pointwise = Pointwise {
    promotion: Promotion::Float,
    correctly_rounded: false,
    error: |_, result| 4.0 * result.abs(),
    ..DEFAULT
};

/// The operators that have neither attributes nor parameters: the interpreter takes each as it is.
pub const PLAIN: &[&Pointwise] = &[
    &ABS,
    &ACOS,
    &ACOSH,
    &ASIN,
    &ASINH,
    &ATAN,
    &ATAN2,
    &ATANH,
    &BITWISE_AND,
    &BITWISE_NOT,
    &BITWISE_OR,
    &BITWISE_XOR,
    &CEIL,
    &COPYSIGN,
    &COS,
    &COSH,
    &DIGAMMA,
    &EQ,
    &ERF,
    &ERFC,
    &ERFINV,
    &EXP,
    &EXP2,
    &EXPM1,
    &FLOOR,
    &FMAX,
    &FMIN,
    &FMOD,
    &FRAC,
    &GCD,
    &GE,
    &GT,
    &HARDSIGMOID,
    &HARDSWISH,
    &I0,
    &I0E,
    &ISFINITE,
    &ISINF,
    &ISNAN,
    &LCM,
    &LE,
    &LEFT_SHIFT,
    &LGAMMA,
    &LOG,
    &LOG10,
    &LOG1P,
    &LOG2,
    &LOGADDEXP,
    &LOGADDEXP2,
    &LOGICAL_AND,
    &LOGICAL_NOT,
    &LOGICAL_OR,
    &LOGICAL_XOR,
    &LT,
    &MAXIMUM,
    &MINIMUM,
    &MISH,
    &MUL,
    &NDTR,
    &NE,
    &NEG,
    &RECIPROCAL,
    &RELU,
    &REMAINDER,
    &RIGHT_SHIFT,
    &ROUND,
    &RSQRT,
    &SIGMOID,
    &SIGN,
    &SILU,
    &SIN,
    &SINH,
    &SQRT,
    &TAN,
    &TANH,
    &TRUNC,
];
