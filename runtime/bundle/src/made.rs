//! Arguments that are made from a hash of their number and of each element's, so that nobody has to store them.
//!
//! `f32[4x8]` has floats of -1 up to 1, `i64[16]:0..100` integers from 0 up to 99; `0.5` and `3` are numbers.

use crate::BundleError;
use std::{fmt, str::FromStr};
use terrace_tensor::{Dtype, Scalar, Tensor, Value};

/// How an argument is made.
#[derive(Debug, Clone, PartialEq)]
pub enum Made {
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
}

/// How far apart the states of [`hash`] are, where it is a generator.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014).
pub fn hash(number: u64) -> u64 {
    let z = number.wrapping_add(STEP);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Made {
    /// A tensor with the usual range: floats of -1 up to 1, integers from 0 up to 7.
    pub fn tensor(dtype: Dtype, sizes: Vec<i64>) -> Self {
        let range = match dtype {
            Dtype::Bool => (0.0, 2.0),
            _ if dtype.is_integer() => (0.0, 8.0),
            _ => (-1.0, 1.0),
        };
        Made::Tensor { dtype, sizes, range }
    }

    /// The argument of a number.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn value(&self, argument: usize) -> Result<Value, BundleError> {
        let (dtype, sizes, (low, high)) = match self {
            Made::Scalar(scalar) => return Ok(Value::Scalar(*scalar)),
            Made::Tensor { dtype, sizes, range } => (*dtype, sizes, *range),
        };
        let tensor = Tensor::zeros(dtype, sizes)?;
        let number = |element: u64| {
            let unit = (hash(((argument as u64) << 40) + element) >> 40) as f64 / (1u64 << 24) as f64;
            low + (high - low) * unit
        };
        for element in 0..tensor.len() as u64 {
            let number = number(element);
            let scalar = match dtype {
                _ if dtype.is_integer() => Scalar::Int(number.floor() as i64),
                Dtype::Bool => Scalar::Bool(number >= 1.0),
                _ => Scalar::Float(number),
            };
            tensor.write(element as i64, scalar);
        }
        Ok(Value::Tensor(tensor))
    }
}

/// The arguments of a list, by their places in it.
///
/// # Errors
/// There is no memory for them.
pub fn made(list: &[Made]) -> Result<Vec<Value>, BundleError> {
    list.iter().enumerate().map(|(argument, made)| made.value(argument)).collect()
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Made::Scalar(scalar) => write!(f, "{scalar}"),
            Made::Tensor { dtype, sizes, range: (low, high) } => {
                let sizes: Vec<_> = sizes.iter().map(i64::to_string).collect();
                write!(f, "{dtype}[{}]:{low}..{high}", sizes.join("x"))
            }
        }
    }
}

impl FromStr for Made {
    type Err = BundleError;

    fn from_str(text: &str) -> Result<Self, BundleError> {
        let wrong =
            || BundleError(format!("{text} is no argument: expected a number, f32[4x8] or i64[16]:0..100"));
        let Some((name, rest)) = text.split_once('[') else {
            return Ok(Made::Scalar(match (text, text.parse::<i64>(), text.parse::<f64>()) {
                ("true", ..) => true.into(),
                ("false", ..) => false.into(),
                (_, Ok(number), _) => number.into(),
                (_, _, Ok(number)) => number.into(),
                _ => return Err(wrong()),
            }));
        };
        let dtype: Dtype = name.trim().parse().map_err(|_| wrong())?;
        let (sizes, range) = rest.split_once(']').ok_or_else(wrong)?;
        let sizes = sizes.split('x').filter(|size| !size.is_empty());
        let sizes = sizes.map(|size| size.trim().parse().map_err(|_| wrong()));
        let Made::Tensor { dtype, sizes, range: usual } =
            Made::tensor(dtype, sizes.collect::<Result<_, _>>()?)
        else {
            return Err(wrong());
        };
        let range = match range.strip_prefix(':').map(|range| range.split_once("..")) {
            None if range.is_empty() => usual,
            Some(Some((low, high))) => match (low.parse(), high.parse()) {
                (Ok(low), Ok(high)) if low < high => (low, high),
                _ => return Err(wrong()),
            },
            _ => return Err(wrong()),
        };
        Ok(Made::Tensor { dtype, sizes, range })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_again() {
        for text in ["f32[4x8]:-1..1", "i64[16]:0..100", "bool[]:0..2", "3", "0.5", "true"] {
            assert_eq!(text.parse::<Made>().unwrap().to_string(), text);
        }
        assert!("f32[4x".parse::<Made>().is_err());
        assert!("f33[4]".parse::<Made>().is_err());
        assert!("i64[4]:3..3".parse::<Made>().is_err());
    }

    #[test]
    fn elements_are_in_their_range_and_differ() {
        let value = "i64[1000]:5..9".parse::<Made>().unwrap().value(3).unwrap();
        let elements: Vec<i64> =
            value.as_tensor().unwrap().to_vec().into_iter().map(Scalar::to_i64).collect();
        for number in 5..9 {
            assert!(elements.contains(&number));
        }
        assert!(elements.iter().all(|element| (5..9).contains(element)));
    }
}
