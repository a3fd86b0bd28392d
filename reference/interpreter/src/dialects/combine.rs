//! Combiners of reductions: what they give for numbers of a dtype.
//!
//! The order of combination is free; here it is that of the elements, in f64 for floats, rounded once.

use terrace_dialects::ops::Combiner;
use terrace_tensor::{Dtype, Scalar};

use super::elementwise::{Word, from_bits};
use crate::semantics::{
    complex::{Complex, complex},
    scalar_table::log_add_exp,
};

/// Combines numbers of a dtype; the combiner's identity where there are none.
pub(super) fn combine(combiner: Combiner, dtype: Dtype, numbers: impl Iterator<Item = Scalar>) -> Scalar {
    if dtype.is_complex() {
        let numbers = numbers.map(|number| number.to_complex()).map(|(re, im)| complex(re, im));
        let total = match combiner {
            Combiner::Mul => numbers.fold(Complex::ONE, |a, b| a * b),
            _ => numbers.fold(complex(0.0, 0.0), |a, b| a + b),
        };
        return Scalar::Complex(total.re, total.im).cast(dtype);
    }
    if dtype.is_float() {
        let (identity, step): (f64, fn(f64, f64) -> f64) = match combiner {
            Combiner::Add => (0.0, |a, b| a + b),
            Combiner::Mul => (1.0, |a, b| a * b),
            Combiner::Max => (f64::NEG_INFINITY, |a, b| if a.is_nan() || a > b { a } else { b }),
            Combiner::Min => (f64::INFINITY, |a, b| if a.is_nan() || a < b { a } else { b }),
            Combiner::LogAddExp => (f64::NEG_INFINITY, log_add_exp),
            Combiner::And | Combiner::Or => unreachable!("verified to combine integers"),
        };
        return Scalar::Float(dtype.round(numbers.map(Scalar::to_f64).fold(identity, step)));
    }
    // A truth value and an unsigned integer are compared as what they are.
    let signed = |number: Scalar| match dtype {
        Dtype::Bool | Dtype::U8 => number.to_i64(),
        _ => Word::of(number, dtype).signed,
    };
    let (low, high) = dtype.integer_range().unwrap_or((i64::MIN, i64::MAX));
    let (identity, step): (i64, fn(i64, i64) -> i64) = match combiner {
        Combiner::Add => (0, i64::wrapping_add),
        Combiner::Mul => (1, i64::wrapping_mul),
        Combiner::Max => (low, i64::max),
        Combiner::Min => (high, i64::min),
        Combiner::And => (-1, |a, b| a & b),
        Combiner::Or => (0, |a, b| a | b),
        Combiner::LogAddExp => unreachable!("verified to combine floats"),
    };
    from_bits(numbers.map(signed).fold(identity, step), dtype)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(combiner: Combiner, dtype: Dtype, numbers: &[Scalar]) -> Scalar {
        combine(combiner, dtype, numbers.iter().copied())
    }

    #[test]
    fn nothing_gives_the_identity() {
        assert_eq!(of(Combiner::Max, Dtype::F32, &[]), Scalar::Float(f64::NEG_INFINITY));
        assert_eq!(of(Combiner::Max, Dtype::I8, &[]), Scalar::Int(-128));
        assert_eq!(of(Combiner::Min, Dtype::Bool, &[]), Scalar::Bool(true));
        assert_eq!(of(Combiner::And, Dtype::Bool, &[]), Scalar::Bool(true));
        assert_eq!(of(Combiner::And, Dtype::I32, &[]), Scalar::Int(-1));
        assert_eq!(of(Combiner::Mul, Dtype::I64, &[]), Scalar::Int(1));
    }

    #[test]
    fn integers_wrap_and_nan_stays() {
        assert_eq!(of(Combiner::Add, Dtype::I8, &[Scalar::Int(100), Scalar::Int(100)]), Scalar::Int(-56));
        let nan = [Scalar::Float(f64::NAN), Scalar::Float(1.0)];
        assert!(of(Combiner::Max, Dtype::F32, &nan).to_f64().is_nan());
        assert_eq!(of(Combiner::Or, Dtype::Bool, &[false.into(), true.into()]), Scalar::Bool(true));
    }
}
