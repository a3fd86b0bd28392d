//! Arguments that are made from a hash of their number and of each element's, so that nobody has to store
//! them.
//!
//! `f32[4x8]` has floats of -1 up to 1, `i64[16]:0..100` integers from 0 up to 99, `i64[3]=7,0,2` these
//! elements; `same=0` is argument 0 once more; `0.5` and `3` are numbers. `tools/import/fill.py` makes the
//! same numbers for PyTorch.

use crate::BundleError;
use std::{fmt, str::FromStr};
use terrace_tensor::{Dtype, Scalar, Tensor, Value};

/// How an argument is made.
#[derive(Debug, Clone, PartialEq)]
pub enum Generated {
    /// A number.
    Scalar(Scalar),
    /// A row-major tensor on a storage of its own.
    Tensor {
        /// The type of its elements.
        dtype: Dtype,
        /// Elements a dimension.
        sizes: Vec<i64>,
        /// The least element, and what all are below.
        range: (f64, f64),
    },
    /// The same of these elements.
    Listed {
        /// Their type.
        dtype: Dtype,
        /// Elements a dimension.
        sizes: Vec<i64>,
        /// All of them, in row-major order.
        elements: Vec<Scalar>,
    },
    /// The argument of a lower number.
    Same(usize),
}

/// How far apart the states of [`hash`] are, where it is a generator.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014).
pub fn hash(state: u64) -> u64 {
    let z = state.wrapping_add(STEP);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Generated {
    /// A tensor with the usual range: floats of -1 up to 1, integers from 0 up to 7.
    pub fn tensor(dtype: Dtype, sizes: Vec<i64>) -> Self {
        Generated::Tensor { dtype, sizes, range: usual(dtype) }
    }

    /// The argument that comes behind others.
    fn value(&self, before: &[Value]) -> Result<Value, BundleError> {
        let (dtype, sizes, (low, high)) = match self {
            Generated::Scalar(scalar) => return Ok(Value::Scalar(*scalar)),
            Generated::Tensor { dtype, sizes, range } => (*dtype, sizes, *range),
            Generated::Listed { dtype, sizes, elements } => {
                return Ok(Value::Tensor(Tensor::from_elements(*dtype, sizes, elements)?));
            }
            Generated::Same(number) => {
                let known = before.get(*number).cloned();
                return known.ok_or_else(|| BundleError(format!("{self}: that argument comes no earlier")));
            }
        };
        let tensor = Tensor::zeros(dtype, sizes)?;
        let bits = |element: u64| hash((((before.len() as u64) << 40) + element).wrapping_mul(STEP));
        let float = |element: u64| low + (high - low) * ((bits(element) >> 40) as f64 / (1u64 << 24) as f64);
        let integer = |element: u64| low as i64 + (bits(element) % (high - low) as u64) as i64;
        let elements = 0..tensor.len() as u64;
        if dtype == Dtype::F32 {
            // The usual one, and there may be millions.
            let bytes: Vec<u8> = elements.flat_map(|element| (float(element) as f32).to_le_bytes()).collect();
            tensor.storage().write_bytes(0, &bytes);
            return Ok(Value::Tensor(tensor));
        }
        for element in elements {
            let scalar = match dtype {
                Dtype::Bool => Scalar::Bool(integer(element) != 0),
                _ if dtype.is_integer() => Scalar::Int(integer(element)),
                _ => Scalar::Float(float(element)),
            };
            tensor.write(element as i64, scalar);
        }
        Ok(Value::Tensor(tensor))
    }
}

/// The least element, and what all are below, where nobody says.
fn usual(dtype: Dtype) -> (f64, f64) {
    match dtype {
        Dtype::Bool => (0.0, 2.0),
        _ if dtype.is_integer() => (0.0, 8.0),
        _ => (-1.0, 1.0),
    }
}

/// The arguments of a list.
///
/// # Errors
/// There is no memory for them, or one is the same as one that comes no earlier.
pub fn generate(list: &[Generated]) -> Result<Vec<Value>, BundleError> {
    let mut values = vec![];
    for made in list {
        values.push(made.value(&values)?);
    }
    Ok(values)
}

fn list<T: fmt::Display>(all: &[T], between: &str) -> String {
    all.iter().map(T::to_string).collect::<Vec<_>>().join(between)
}

/// The number that a text is.
fn number(text: &str) -> Option<Scalar> {
    Some(match (text, text.parse::<i64>(), text.parse::<f64>()) {
        ("true", ..) => true.into(),
        ("false", ..) => false.into(),
        (_, Ok(number), _) => number.into(),
        (_, _, number) => number.ok()?.into(),
    })
}

impl fmt::Display for Generated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Generated::Scalar(scalar) => write!(f, "{scalar}"),
            Generated::Tensor { dtype, sizes, range: (low, high) } => {
                write!(f, "{dtype}[{}]:{low}..{high}", list(sizes, "x"))
            }
            Generated::Listed { dtype, sizes, elements } => {
                write!(f, "{dtype}[{}]={}", list(sizes, "x"), list(elements, ","))
            }
            Generated::Same(number) => write!(f, "same={number}"),
        }
    }
}

/// The argument that a text says; None: it says none.
fn parse(text: &str) -> Option<Generated> {
    if let Some(same) = text.strip_prefix("same=") {
        return same.parse().map(Generated::Same).ok();
    }
    let Some((name, rest)) = text.split_once('[') else { return number(text).map(Generated::Scalar) };
    let dtype: Dtype = name.trim().parse().ok()?;
    let (sizes, rest) = rest.split_once(']')?;
    let sizes = sizes.split('x').filter(|size| !size.is_empty());
    let sizes: Vec<i64> = sizes.map(|size| size.trim().parse().ok()).collect::<Option<_>>()?;
    let count = sizes.iter().try_fold(1i64, |count, size| count.checked_mul(*size).filter(|_| *size >= 0))?;
    if let Some(elements) = rest.strip_prefix('=') {
        let elements = elements.split(',').filter(|element| !element.is_empty());
        let elements: Vec<Scalar> = elements.map(|element| number(element.trim())).collect::<Option<_>>()?;
        return (count == elements.len() as i64).then_some(Generated::Listed { dtype, sizes, elements });
    }
    if rest.is_empty() {
        return Some(Generated::tensor(dtype, sizes));
    }
    let (low, high) = rest.strip_prefix(':')?.split_once("..")?;
    let (low, high): (f64, f64) = (low.parse().ok()?, high.parse().ok()?);
    // Integers from one that is below the end on.
    let rounds = |number: f64| if dtype.is_integer() { number.fract() == 0.0 } else { number.is_finite() };
    (low < high && rounds(low) && rounds(high)).then_some(Generated::Tensor {
        dtype,
        sizes,
        range: (low, high),
    })
}

impl FromStr for Generated {
    type Err = BundleError;

    fn from_str(text: &str) -> Result<Self, BundleError> {
        parse(text).ok_or_else(|| {
            BundleError(format!("{text} is no argument: expected a number, f32[4x8] or i64[16]:0..100"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_again() {
        let texts = [
            "f32[4x8]:-1..1",
            "i64[16]:0..100",
            "bool[]:0..2",
            "i64[2x2]=1,-2,3,4",
            "f32[3]=0.5,inf,NaN",
            "f64[0]=",
            "same=2",
            "3",
            "0.5",
            "true",
        ];
        for text in texts {
            assert_eq!(text.parse::<Generated>().unwrap().to_string(), text);
        }
        for text in
            ["f32[4x", "f33[4]", "i64[4]:3..3", "i64[4]:0..0.5", "i64[2]=1", "f32[-1]", "same=x", "f32[2]+"]
        {
            assert!(text.parse::<Generated>().is_err(), "{text}");
        }
    }

    #[test]
    fn elements_are_in_their_range_and_differ() {
        let list = ["3", "i64[1000]:5..9", "same=1"].map(|text| text.parse::<Generated>().unwrap());
        let values = generate(&list).unwrap();
        let tensors = [1, 2].map(|number: usize| values[number].as_tensor().unwrap());
        assert!(tensors[0].is_same(tensors[1]));
        assert!(generate(&list[2..]).is_err());
        let elements: Vec<i64> = tensors[0].to_vec().into_iter().map(Scalar::to_i64).collect();
        for number in 5..9 {
            assert!(elements.contains(&number));
        }
        assert!(elements.iter().all(|element| (5..9).contains(element)));
    }
}
