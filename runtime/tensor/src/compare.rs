//! Whether two results agree.
//!
//! Integers, truth values, dtypes, sizes and strides must be equal. A float may differ from the expected one
//! by the error bounds of both sides and a tolerance that the caller adds; two nans are equal whatever their
//! bits, and a bound of infinity accepts anything. A float that overflows to infinity agrees with one that
//! lies within its bound of overflowing.

use crate::{layout::positions, scalar::Scalar, tensor::Tensor, value::Value};
use terrace_layout::dtype::Dtype;

/// How far floats may differ beyond their bounds: by `absolute + relative * |expected|`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tolerance {
    /// In units of the element.
    pub absolute: f64,
    /// As a fraction of the expected value.
    pub relative: f64,
}

/// The first place where two results differ.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Mismatch {
    /// Two different kinds of value, dtypes or sizes.
    #[error("expected {expected}, got {actual}")]
    Kind {
        /// In words.
        expected: String,
        /// In words.
        actual: String,
    },
    /// Two different elements.
    #[error("at {index:?}: expected {expected}, got {actual}, allowed difference {allowed:e}")]
    Element {
        /// Where; empty for a number that stands alone.
        index: Vec<i64>,
        /// The expected number.
        expected: Scalar,
        /// The actual number.
        actual: Scalar,
        /// How far they might have been apart.
        allowed: f64,
    },
}

/// Compares two values.
///
/// # Errors
/// The first difference: in dtype or sizes, else of elements in row-major order.
pub fn compare(expected: &Value, actual: &Value, tolerance: Tolerance) -> Result<(), Mismatch> {
    match (expected, actual) {
        (Value::Tensor(expected), Value::Tensor(actual)) => compare_tensors(expected, actual, tolerance),
        (Value::Scalar(expected), Value::Scalar(actual)) => {
            let allowed = allowed(*expected, Dtype::F64, 0.0, tolerance);
            let (expected, actual) = (*expected, *actual);
            let agree = agree(expected, actual, Dtype::F64, allowed);
            agree.then_some(()).ok_or(Mismatch::Element { index: Vec::new(), expected, actual, allowed })
        }
        _ => Err(Mismatch::Kind { expected: kind(expected), actual: kind(actual) }),
    }
}

/// Compares dtype, sizes and elements of two tensors; strides and storages may differ.
///
/// # Errors
/// As [`compare`].
pub fn compare_tensors(expected: &Tensor, actual: &Tensor, tolerance: Tolerance) -> Result<(), Mismatch> {
    if expected.dtype() != actual.dtype() || expected.sizes() != actual.sizes() {
        return Err(Mismatch::Kind { expected: tensor_kind(expected), actual: tensor_kind(actual) });
    }
    // Elements beyond the end of a storage are none.
    match (expected.within(), actual.within()) {
        (Ok(()), Ok(())) => {}
        (Err(_), Err(_)) => return Ok(()),
        _ => return Err(Mismatch::Kind { expected: tensor_kind(expected), actual: tensor_kind(actual) }),
    }
    let places = positions(expected.sizes());
    for (index, (at, other)) in places.zip(expected.offsets().zip(actual.offsets())) {
        let (left, right) = (expected.read(at), actual.read(other));
        let allowed = allowed(left, expected.dtype(), expected.bound(at) + actual.bound(other), tolerance);
        if !agree(left, right, expected.dtype(), allowed) {
            return Err(Mismatch::Element { index, expected: left, actual: right, allowed });
        }
    }
    Ok(())
}

fn allowed(expected: Scalar, dtype: Dtype, bound: f64, tolerance: Tolerance) -> f64 {
    if dtype.epsilon() == 0.0 {
        return 0.0;
    }
    let (re, im) = expected.to_complex();
    bound + tolerance.absolute + tolerance.relative * re.hypot(im)
}

fn agree(expected: Scalar, actual: Scalar, dtype: Dtype, allowed: f64) -> bool {
    let real = |expected: f64, actual: f64| {
        let overflows = |finite: f64, infinite: f64| {
            infinite.is_infinite() && dtype.part().round(finite + allowed.copysign(infinite)) == infinite
        };
        expected == actual
            || (expected.is_nan() && actual.is_nan())
            || allowed == f64::INFINITY
            || (expected - actual).abs() <= allowed
            || overflows(expected, actual)
            || overflows(actual, expected)
    };
    match (expected, actual) {
        (Scalar::Float(expected), Scalar::Float(actual)) => real(expected, actual),
        (Scalar::Complex(re, im), Scalar::Complex(re2, im2)) => real(re, re2) && real(im, im2),
        _ => expected == actual,
    }
}

fn kind(value: &Value) -> String {
    match value {
        Value::Tensor(tensor) => tensor_kind(tensor),
        Value::Scalar(scalar) => format!("the number {scalar}"),
    }
}

fn tensor_kind(tensor: &Tensor) -> String {
    let beyond = if tensor.within().is_err() { ", with elements beyond the end of its storage" } else { "" };
    format!("a {} tensor of sizes {:?}{beyond}", tensor.dtype(), tensor.sizes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(elements: &[f64]) -> Tensor {
        Tensor::from_elements(Dtype::F32, &[elements.len() as i64], elements).unwrap()
    }

    #[test]
    fn elements_beyond_a_storage_are_equal_only_among_themselves() {
        let shortened = || {
            let tensor = floats(&[1.0, 2.0]);
            tensor.storage().resize(4).unwrap();
            tensor
        };
        assert!(compare_tensors(&shortened(), &shortened(), Tolerance::default()).is_ok());
        let why = compare_tensors(&floats(&[1.0, 2.0]), &shortened(), Tolerance::default()).unwrap_err();
        assert!(why.to_string().contains("beyond the end of its storage"), "{why}");
    }

    #[test]
    fn exact_unless_a_bound_allows_more() {
        let (left, right) = (floats(&[1.0, f64::NAN]), floats(&[1.5, f64::NAN]));
        let error = compare_tensors(&left, &right, Tolerance::default()).unwrap_err();
        assert_eq!(error.to_string(), "at [0]: expected 1.0, got 1.5, allowed difference 0e0");
        left.set_bound(0, 0.5);
        assert_eq!(compare_tensors(&left, &right, Tolerance::default()), Ok(()));
    }

    #[test]
    fn overflow_within_the_bound_agrees() {
        let (left, right) = (floats(&[3.4e38]), floats(&[f64::INFINITY]));
        assert!(compare_tensors(&left, &right, Tolerance::default()).is_err());
        left.set_bound(0, 1e37);
        assert_eq!(compare_tensors(&left, &right, Tolerance::default()), Ok(()));
        assert!(compare_tensors(&left, &floats(&[f64::NEG_INFINITY]), Tolerance::default()).is_err());
    }

    #[test]
    fn integers_have_no_tolerance() {
        let of = |value| Value::from(Tensor::from_elements(Dtype::I32, &[1, 1], &[value]).unwrap());
        let tolerance = Tolerance { absolute: 10.0, relative: 1.0 };
        let error = compare(&of(1), &of(2), tolerance).unwrap_err();
        assert_eq!(error.to_string(), "at [0, 0]: expected 1, got 2, allowed difference 0e0");
        let error = compare(&of(1), &Scalar::Int(1).into(), tolerance).unwrap_err();
        assert_eq!(error.to_string(), "expected a i32 tensor of sizes [1, 1], got the number 1");
    }
}
