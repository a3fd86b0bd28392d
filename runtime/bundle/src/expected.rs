//! What a value has to be: whole where it is small, else by samples, its sum and its largest magnitude.
//!
//! Integers and truth values have to be equal. A float may be off by [`slack`] steps of its type at the
//! largest magnitude: a GPU adds in another order. The sum of n elements may be off by the square root of n
//! times as much, which a single wrong element is more than.

use crate::{BundleError, generated::hash};
use terrace_tensor::{Dtype, Scalar, Storage, Tensor, Value};

/// Bytes of a value that is kept whole, at most.
const WHOLE: usize = 1 << 16;
/// Elements of one that is not.
const SAMPLES: usize = 4096;

/// Which value of a call it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A result.
    Result(usize),
    /// An argument, after the call.
    Argument(usize),
}

/// What a value has to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// Which value it is.
    pub place: Place,
    /// The type of its elements; None: it is a number.
    pub dtype: Option<Dtype>,
    /// Elements a dimension.
    pub sizes: Vec<i64>,
    /// All elements in row-major order, or samples, as they lie in memory.
    pub values: Vec<u8>,
    /// The sum of the finite elements, how many are not finite, and the largest magnitude of those that are.
    pub sum: f64,
    /// How many are not.
    pub infinite: usize,
    /// The largest magnitude of those that are.
    pub largest: f64,
}

/// How many steps of a float type at the largest magnitude a result may be off.
fn slack(dtype: Dtype) -> f64 {
    if dtype.part().bytes() == 2 { 4.0 } else { 256.0 }
}

/// The places of the elements that are compared, in row-major order.
fn samples(count: usize, dtype: Dtype) -> Vec<usize> {
    match count * dtype.bytes() <= WHOLE {
        true => (0..count).collect(),
        false => (0..SAMPLES as u64).map(|sample| (hash(sample) % count as u64) as usize).collect(),
    }
}

/// Sum, number of those that are not finite, and largest magnitude.
fn summary(tensor: &Tensor) -> (f64, usize, f64) {
    let (mut sum, mut infinite, mut largest) = (0.0, 0, 0.0f64);
    for place in tensor.offsets() {
        let (re, im) = tensor.read(place).to_complex();
        match re.is_finite() && im.is_finite() {
            true => (sum, largest) = (sum + re + im, largest.max(re.abs()).max(im.abs())),
            false => infinite += 1,
        }
    }
    (sum, infinite, largest)
}

/// The tensor that a value is, or has the number of.
fn tensor(value: &Value) -> Result<Tensor, BundleError> {
    Ok(match value {
        Value::Tensor(tensor) => tensor.clone(),
        Value::Scalar(scalar) => Tensor::from_elements(scalar.default_dtype(), &[], &[*scalar])?,
    })
}

impl Expected {
    /// That of a value that is right.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn of(place: Place, value: &Value) -> Result<Self, BundleError> {
        let own = tensor(value)?;
        let offsets: Vec<i64> = own.offsets().collect();
        let places = samples(own.len(), own.dtype());
        let elements: Vec<Scalar> = places.iter().map(|at| own.read(offsets[*at])).collect();
        let values = Tensor::from_elements(own.dtype(), &[places.len() as i64], &elements)?;
        let (sum, infinite, largest) = summary(&own);
        let (sizes, values) = (own.sizes().to_vec(), values.storage().to_bytes());
        let dtype = value.as_tensor().map(Tensor::dtype);
        Ok(Self { place, dtype, sizes, values, sum, infinite, largest })
    }

    /// Compares a value, and says by how much of the largest magnitude it is off.
    ///
    /// # Errors
    /// It is off by too much; the text says where.
    pub fn compare(&self, value: &Value) -> Result<f64, BundleError> {
        let name = match self.place {
            Place::Result(number) => format!("result {number}"),
            Place::Argument(number) => format!("argument {number}"),
        };
        let wrong = |why: String| Err(BundleError(format!("{name}: {why}")));
        let own = tensor(value)?;
        let dtype = self.dtype.unwrap_or(own.dtype());
        if value.as_tensor().map(Tensor::dtype) != self.dtype || own.sizes() != self.sizes {
            return wrong(format!("expected {dtype}{:?}, got {}{:?}", self.sizes, own.dtype(), own.sizes()));
        }
        let places = samples(own.len(), dtype);
        let expected = Storage::from_bytes(&self.values)?;
        let expected = Tensor::new(expected, dtype, vec![places.len() as i64], vec![1], 0)?;
        let offsets: Vec<i64> = own.offsets().collect();
        let epsilon = if dtype.is_integer() || dtype == Dtype::Bool { 0.0 } else { dtype.epsilon() };
        let allowed = slack(dtype) * epsilon * self.largest;
        let mut error = 0.0f64;
        for (sample, place) in places.iter().enumerate() {
            let (left, right) = (expected.read(sample as i64), own.read(offsets[*place]));
            let difference = distance(left, right);
            if difference > allowed {
                return wrong(format!("element {place}: expected {left}, got {right}"));
            }
            error = error.max(difference);
        }
        let (sum, infinite, _) = summary(&own);
        if infinite != self.infinite {
            return wrong(format!("expected {} elements that are not finite, got {infinite}", self.infinite));
        }
        let rounding = f64::EPSILON * self.largest * own.len() as f64;
        if (sum - self.sum).abs() > allowed * (own.len() as f64).sqrt() + rounding {
            return wrong(format!("expected a sum of {}, got {sum}", self.sum));
        }
        Ok(if self.largest > 0.0 { error / self.largest } else { error })
    }
}

/// How far apart two numbers are; infinite where one of them is not finite, and the other is another.
fn distance(left: Scalar, right: Scalar) -> f64 {
    if let (Scalar::Int(left), Scalar::Int(right)) = (left, right) {
        return if left == right { 0.0 } else { left.abs_diff(right) as f64 };
    }
    let ((a, b), (c, d)) = (left.to_complex(), right.to_complex());
    let part = |x: f64, y: f64| match (x - y).abs() {
        _ if x == y || (x.is_nan() && y.is_nan()) => 0.0,
        difference if difference.is_finite() => difference,
        _ => f64::INFINITY,
    };
    part(a, c).max(part(b, d))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(count: i64, change: &[(i64, f64)]) -> Value {
        let tensor = Tensor::zeros(Dtype::F32, &[count]).unwrap();
        for i in 0..count {
            tensor.write(i, ((i % 17) as f64 - 8.0).into());
        }
        for (place, value) in change {
            tensor.write(*place, (*value).into());
        }
        Value::Tensor(tensor)
    }

    #[test]
    fn a_single_wrong_element_is_found_where_it_is_no_sample() {
        let count = 200_000;
        let expected = Expected::of(Place::Result(0), &floats(count, &[])).unwrap();
        assert_eq!(expected.values.len(), 4 * SAMPLES);
        assert_eq!(expected.compare(&floats(count, &[])).unwrap(), 0.0);
        for place in [0, 1, 99_999, count - 1] {
            let why = expected.compare(&floats(count, &[(place, 100.0)])).unwrap_err().to_string();
            assert!(why.starts_with("result 0: expected a sum") || why.contains("element"), "{why}");
            expected.compare(&floats(count, &[(place, f64::NAN)])).unwrap_err();
        }
    }

    #[test]
    fn integers_are_equal_or_wrong() {
        let tensor = |last: i64| {
            Value::Tensor(Tensor::from_elements(Dtype::I64, &[3], &[1i64, 1 << 40, last]).unwrap())
        };
        let expected = Expected::of(Place::Argument(1), &tensor(5)).unwrap();
        expected.compare(&tensor(5)).unwrap();
        let why = expected.compare(&tensor(6)).unwrap_err().to_string();
        assert_eq!(why, "argument 1: element 2: expected 5, got 6");
    }

    #[test]
    fn floats_may_be_off_by_little() {
        let expected = Expected::of(Place::Result(0), &floats(100, &[])).unwrap();
        assert!(expected.compare(&floats(100, &[(4, -4.000_01)])).unwrap() < 1e-5);
        expected.compare(&floats(100, &[(4, -4.01)])).unwrap_err();
    }
}
