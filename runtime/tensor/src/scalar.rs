//! Single numbers.
//!
//! A [`Scalar`] is both the exact value of an element of any dtype and a number that stands alone: an operand
//! of a program, a fill value. Conversions follow C++ as eager PyTorch does: integers wrap, floats truncate
//! towards zero, anything but zero is true. Where C++ leaves a float to integer conversion undefined (out of
//! range, nan), the result saturates and nan becomes 0.

use std::fmt;

use terrace_layout::dtype::Dtype;

/// A number: an element's value, or an operand of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A real number.
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
}

impl Scalar {
    /// The dtype eager gives to a tensor made of this number alone, with f32 the default float.
    pub fn default_dtype(self) -> Dtype {
        match self {
            Scalar::Bool(_) => Dtype::Bool,
            Scalar::Int(_) => Dtype::I64,
            Scalar::Float(_) => Dtype::F32,
            Scalar::Complex(..) => Dtype::C64,
        }
    }

    /// The number as an integer: truncated, saturated; the real part of a complex one.
    pub fn to_i64(self) -> i64 {
        match self {
            Scalar::Bool(value) => i64::from(value),
            Scalar::Int(value) => value,
            Scalar::Float(value) | Scalar::Complex(value, _) => value as i64,
        }
    }

    /// The number as a float, rounded to nearest; the real part of a complex one.
    pub fn to_f64(self) -> f64 {
        match self {
            Scalar::Bool(value) => f64::from(u8::from(value)),
            Scalar::Int(value) => value as f64,
            Scalar::Float(value) | Scalar::Complex(value, _) => value,
        }
    }

    /// The number as real and imaginary part.
    pub fn to_complex(self) -> (f64, f64) {
        match self {
            Scalar::Complex(re, im) => (re, im),
            other => (other.to_f64(), 0.0),
        }
    }

    /// Whether the number is anything but zero.
    pub fn to_bool(self) -> bool {
        match self {
            Scalar::Bool(value) => value,
            Scalar::Int(value) => value != 0,
            Scalar::Float(value) => value != 0.0,
            Scalar::Complex(re, im) => re != 0.0 || im != 0.0,
        }
    }

    /// The value an element of `dtype` has after this number was converted to it.
    pub fn cast(self, dtype: Dtype) -> Scalar {
        match dtype {
            Dtype::Bool => Scalar::Bool(self.to_bool()),
            Dtype::U8 => Scalar::Int(self.wrap(|v| v as u8 as i64, |v| v as u8 as i64)),
            Dtype::I8 => Scalar::Int(self.wrap(|v| v as i8 as i64, |v| v as i8 as i64)),
            Dtype::I16 => Scalar::Int(self.wrap(|v| v as i16 as i64, |v| v as i16 as i64)),
            Dtype::I32 => Scalar::Int(self.wrap(|v| v as i32 as i64, |v| v as i32 as i64)),
            Dtype::I64 => Scalar::Int(self.to_i64()),
            Dtype::F16 | Dtype::BF16 | Dtype::F32 | Dtype::F64 => Scalar::Float(self.to_float(dtype)),
            Dtype::C64 | Dtype::C128 => {
                let im = if let Scalar::Complex(_, im) = self { dtype.part().round(im) } else { 0.0 };
                Scalar::Complex(self.to_float(dtype.part()), im)
            }
        }
    }

    /// Negated; integers wrap, a truth value stays.
    pub fn negated(self) -> Scalar {
        match self {
            Scalar::Bool(_) => self,
            Scalar::Int(value) => Scalar::Int(value.wrapping_neg()),
            Scalar::Float(value) => Scalar::Float(-value),
            Scalar::Complex(re, im) => Scalar::Complex(-re, -im),
        }
    }

    /// The complex conjugate; a real number is its own.
    pub fn conjugated(self) -> Scalar {
        match self {
            Scalar::Complex(re, im) => Scalar::Complex(re, -im),
            other => other,
        }
    }

    /// On the grid of a float dtype; an integer is rounded once, not by way of f64.
    fn to_float(self, dtype: Dtype) -> f64 {
        match self {
            Scalar::Int(value) if dtype != Dtype::F64 => dtype.round(f64::from(value as f32)),
            other => dtype.round(other.to_f64()),
        }
    }

    fn wrap(self, of_int: fn(i64) -> i64, of_float: fn(f64) -> i64) -> i64 {
        match self {
            Scalar::Float(value) | Scalar::Complex(value, _) => of_float(value),
            other => of_int(other.to_i64()),
        }
    }

    /// The value stored in `bytes`, which are those of one element of `dtype`.
    pub(crate) fn from_bytes(dtype: Dtype, bytes: &[u8]) -> Scalar {
        match dtype {
            Dtype::Bool => Scalar::Bool(bytes[0] != 0),
            Dtype::U8 => Scalar::Int(bytes[0].into()),
            Dtype::I8 => Scalar::Int((bytes[0] as i8).into()),
            Dtype::I16 => Scalar::Int(i16::from_ne_bytes(array(bytes)).into()),
            Dtype::I32 => Scalar::Int(i32::from_ne_bytes(array(bytes)).into()),
            Dtype::I64 => Scalar::Int(i64::from_ne_bytes(array(bytes))),
            Dtype::F16 => Scalar::Float(half::f16::from_ne_bytes(array(bytes)).to_f64()),
            Dtype::BF16 => Scalar::Float(half::bf16::from_ne_bytes(array(bytes)).to_f64()),
            Dtype::F32 => Scalar::Float(f32::from_ne_bytes(array(bytes)).into()),
            Dtype::F64 => Scalar::Float(f64::from_ne_bytes(array(bytes))),
            Dtype::C64 => {
                let (re, im) =
                    (f32::from_ne_bytes(array(&bytes[..4])), f32::from_ne_bytes(array(&bytes[4..])));
                Scalar::Complex(re.into(), im.into())
            }
            Dtype::C128 => Scalar::Complex(
                f64::from_ne_bytes(array(&bytes[..8])),
                f64::from_ne_bytes(array(&bytes[8..])),
            ),
        }
    }

    /// Converts to `dtype` and stores the element; returns its bytes and how many of them count.
    pub(crate) fn to_bytes(self, dtype: Dtype) -> ([u8; 16], usize) {
        let mut bytes = [0; 16];
        let mut put = |at: usize, part: &[u8]| bytes[at..at + part.len()].copy_from_slice(part);
        match (dtype, self.cast(dtype)) {
            (Dtype::I16, Scalar::Int(v)) => put(0, &(v as i16).to_ne_bytes()),
            (Dtype::I32, Scalar::Int(v)) => put(0, &(v as i32).to_ne_bytes()),
            (Dtype::I64, Scalar::Int(v)) => put(0, &v.to_ne_bytes()),
            (Dtype::F16, Scalar::Float(v)) => put(0, &half::f16::from_f32(v as f32).to_ne_bytes()),
            (Dtype::BF16, Scalar::Float(v)) => put(0, &half::bf16::from_f32(v as f32).to_ne_bytes()),
            (Dtype::F32, Scalar::Float(v)) => put(0, &(v as f32).to_ne_bytes()),
            (Dtype::F64, Scalar::Float(v)) => put(0, &v.to_ne_bytes()),
            (Dtype::C64, Scalar::Complex(re, im)) => {
                put(0, &(re as f32).to_ne_bytes());
                put(4, &(im as f32).to_ne_bytes());
            }
            (Dtype::C128, Scalar::Complex(re, im)) => {
                put(0, &re.to_ne_bytes());
                put(8, &im.to_ne_bytes());
            }
            // What is left takes one byte: bool, u8, i8.
            (_, value) => put(0, &[value.to_i64() as u8]),
        }
        (bytes, dtype.bytes())
    }
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|i| bytes[i])
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool(value) => write!(f, "{value}"),
            Scalar::Int(value) => write!(f, "{value}"),
            Scalar::Float(value) => write!(f, "{value:?}"),
            Scalar::Complex(re, im) => write!(f, "({re:?}, {im:?})"),
        }
    }
}

impl From<bool> for Scalar {
    fn from(value: bool) -> Scalar {
        Scalar::Bool(value)
    }
}

impl From<i64> for Scalar {
    fn from(value: i64) -> Scalar {
        Scalar::Int(value)
    }
}

impl From<f64> for Scalar {
    fn from(value: f64) -> Scalar {
        Scalar::Float(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_follow_c() {
        assert_eq!(Scalar::Int(300).cast(Dtype::U8), Scalar::Int(44));
        assert_eq!(Scalar::Int(200).cast(Dtype::I8), Scalar::Int(-56));
        assert_eq!(Scalar::Float(-2.9).cast(Dtype::I32), Scalar::Int(-2));
        assert_eq!(Scalar::Float(f64::NAN).cast(Dtype::Bool), Scalar::Bool(true));
        assert_eq!(Scalar::Float(0.1).cast(Dtype::F32), Scalar::Float(f64::from(0.1f32)));
        assert_eq!(Scalar::Bool(true).cast(Dtype::C64), Scalar::Complex(1.0, 0.0));
    }

    #[test]
    fn an_integer_becomes_a_float_in_one_rounding() {
        // 2^54 + 2^30 + 1 would round down by way of f64, to a tie that goes to even.
        let value = (1i64 << 54) + (1 << 30) + 1;
        assert_eq!(Scalar::Int(value).cast(Dtype::F32), Scalar::Float(f64::from(value as f32)));
        assert_ne!(Scalar::Int(value).cast(Dtype::F32), Scalar::Float(f64::from(value as f64 as f32)));
    }

    #[test]
    fn bytes_round_trip() {
        let values =
            [(Dtype::Bool, Scalar::Bool(true)), (Dtype::I8, Scalar::Int(-3)), (Dtype::U8, Scalar::Int(250))];
        let floats = [Dtype::F16, Dtype::BF16, Dtype::F32, Dtype::F64].map(|d| (d, Scalar::Float(-1.5)));
        let complex = [Dtype::C64, Dtype::C128].map(|d| (d, Scalar::Complex(0.5, -2.0)));
        let ints = [Dtype::I16, Dtype::I32, Dtype::I64].map(|d| (d, Scalar::Int(-1000)));
        for (dtype, value) in values.into_iter().chain(floats).chain(complex).chain(ints) {
            let (bytes, size) = value.to_bytes(dtype);
            assert_eq!(Scalar::from_bytes(dtype, &bytes[..size]), value, "{dtype}");
        }
    }
}
