//! Arithmetic: sums, products, quotients, rests, powers, and the larger and smaller of two.

use super::{DEFAULT, Pointwise, Promotion};
use crate::semantics::{
    complex::{Complex, complex},
    copy::check_representable,
    error::{Error, Result, ensure},
    promotion::{Operand, result_dtype},
};
use libm::fmod;
use terrace_tensor::{Dtype, Scalar};

/// `self + alpha * other`; truth values: or.
pub const ADD: Pointwise = Pointwise {
    name: "add",
    kernel: "add_cpu",
    check: check_alpha,
    float: Some(|v| v[0] + v[2] * v[1]),
    // Eager multiplies by an alpha of 1 as well, which makes nan of the other part of an infinite number.
    complex: Some(|v| v[0] + v[2] * v[1]),
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
    check: check_alpha,
    float: Some(|v| v[0] - v[2] * v[1]),
    complex: Some(|v| v[0] - if v[2] == Complex::ONE { v[1] } else { v[2] * v[1] }),
    int: Some(|v| v[0].wrapping_sub(v[2].wrapping_mul(v[1]))),
    intermediate: |v| v[2] * v[1],
    error: |v, result| scaled(v) + result.abs(),
    ..DEFAULT
};

/// `self * other`; truth values: and.
pub const MUL: Pointwise = Pointwise {
    name: "mul",
    kernel: "mul_cpu",
    keeps_numbers: true,
    float: Some(|v| v[0] * v[1]),
    complex: Some(|v| v[0] * v[1]),
    int: Some(|v| v[0].wrapping_mul(v[1])),
    bool: Some(|v| v[0] & v[1]),
    ..DEFAULT
};

/// `self / other`, the quotient of reals.
pub const DIV: Pointwise = Pointwise {
    whole: false,
    name: "div",
    kernel: "div_true_cpu",
    keeps_numbers: true,
    promotion: Promotion::Float,
    float: Some(|v| v[0] / v[1]),
    piece: Some(|v| (v[1].signum(), f64::INFINITY)),
    complex: Some(|v| v[0] / v[1]),
    ..DEFAULT
};

/// `self / other`, rounded towards zero.
pub const DIV_TRUNC: Pointwise = Pointwise {
    name: "div",
    kernel: "div_trunc_cpu",
    keeps_numbers: true,
    float: Some(|v| (v[0] / v[1]).trunc()),
    piece: Some(|v| (v[1].signum(), f64::INFINITY)),
    single: Some(|v| f64::from((v[0] as f32 / v[1] as f32).trunc())),
    int: Some(|v| v[0].wrapping_div(v[1])),
    ..DEFAULT
};

/// `self / other`, rounded down.
pub const DIV_FLOOR: Pointwise = Pointwise {
    name: "div",
    kernel: "div_floor_cpu",
    keeps_numbers: true,
    float: Some(|v| div_floor(v[0], v[1])),
    piece: Some(|v| (v[1].signum(), f64::INFINITY)),
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
    complex: Some(|v| v[0].pow(v[1])),
    int: Some(|v| pow_int(v[0], v[1])),
    correctly_rounded: false,
    error: |v, result| match v[1] {
        0.0 | 1.0 => 0.0,
        2.0 => result.abs(),
        exponent => (4.0 + (exponent * libm::log(v[0].abs())).abs()) * result.abs(),
    },
    ..DEFAULT
};

/// `self` to the powers of a tensor.
pub const POW_OF_TENSORS: Pointwise = Pointwise { float: Some(|v| libm::pow(v[0], v[1])), ..POW };

/// `-self`.
pub const NEG: Pointwise = Pointwise {
    name: "neg",
    kernel: "neg_cpu",
    check: |operands, _| {
        ensure!(
            operands[0].dtype() != Dtype::Bool,
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        );
        Ok(())
    },
    float: Some(|v| -v[0]),
    complex: Some(|v| -v[0]),
    int: Some(|v| v[0].wrapping_neg()),
    ..DEFAULT
};

/// Absolute value.
pub const ABS: Pointwise = Pointwise {
    name: "abs",
    kernel: "abs_cpu",
    float: Some(|v| v[0].abs()),
    complex: Some(|v| complex(v[0].abs(), 0.0)),
    promotion: Promotion::Part,
    int: Some(|v| v[0].wrapping_abs()),
    ..DEFAULT
};

/// The rest of a division towards zero: it has the sign of self.
pub const FMOD: Pointwise = Pointwise {
    name: "fmod",
    kernel: "fmod_cpu",
    float: Some(|v| fmod(v[0], v[1])),
    piece: Some(|v| ((v[0] / v[1]).trunc(), v[1].abs())),
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
    piece: Some(|v| ((v[0] / v[1]).floor(), v[1].abs())),
    ..DEFAULT
};

/// `self + value * tensor1 * tensor2`.
pub const ADDCMUL: Pointwise = Pointwise {
    name: "addcmul",
    kernel: "addcmul_cpu_out",
    keeps_numbers: true,
    check: check_factor,
    float: Some(|v| v[0] + v[3] * v[1] * v[2]),
    correctly_rounded: false,
    complex: Some(|v| v[0] + v[3] * v[1] * v[2]),
    int: Some(|v| v[0].wrapping_add(v[3].wrapping_mul(v[1]).wrapping_mul(v[2]))),
    error: |v, result| 3.0 * (v[3] * v[1] * v[2]).abs() + result.abs(),
    ..DEFAULT
};

/// `self + value * tensor1 / tensor2`.
pub const ADDCDIV: Pointwise = Pointwise {
    name: "addcdiv",
    kernel: "addcdiv_cpu_out",
    keeps_numbers: true,
    check: |operands, parameters| {
        let is_float = |operand: &Operand| operand.dtype().is_float() || operand.dtype().is_complex();
        ensure!(
            operands[1..].iter().any(is_float),
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes."
        );
        check_factor(operands, parameters)
    },
    float: Some(|v| v[0] + v[3] * v[1] / v[2]),
    piece: Some(|v| (v[2].signum(), f64::INFINITY)),
    complex: Some(|v| v[0] + v[3] * v[1] / v[2]),
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

/// The magnitude of `alpha * other`, which is rounded unless alpha is 1.
fn scaled(v: &[f64]) -> f64 {
    if v[2] == 1.0 { 0.0 } else { (v[2] * v[1]).abs() }
}

/// The larger number; nan if either is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// The smaller number; nan if either is.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
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
    let dtype = result_dtype(operands);
    let alpha = parameters[0];
    ensure!(
        dtype.is_complex() || !matches!(alpha, Scalar::Complex(..)),
        "For non-complex input tensors, argument alpha must not be a complex number."
    );
    ensure!(
        dtype == Dtype::Bool || !matches!(alpha, Scalar::Bool(_)),
        "Boolean alpha only supported for Boolean results."
    );
    ensure!(
        dtype.is_float() || dtype.is_complex() || !matches!(alpha, Scalar::Float(_) | Scalar::Complex(..)),
        "For integral input tensors, argument alpha must not be a floating point number."
    );
    Ok(())
}

/// The number is one that is computed with.
fn check_factor(operands: &[Operand], parameters: &[Scalar]) -> Result<()> {
    parameters.iter().try_for_each(|number| check_representable(*number, result_dtype(operands).opmath()))
}

fn check_pow(operands: &[Operand], _: &[Scalar]) -> Result<()> {
    if let [base, Operand::Scalar(Scalar::Int(exponent))] = operands {
        ensure!(
            *exponent >= 0 || base.dtype().is_float() || base.dtype().is_complex(),
            "Integers to negative integer powers are not allowed."
        );
    }
    if let [_, Operand::Scalar(exponent)] = operands {
        let dtype = result_dtype(operands);
        if dtype.is_integer() {
            check_representable(*exponent, dtype)?;
        }
    }
    Ok(())
}
