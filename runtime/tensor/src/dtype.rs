//! Element types.
//!
//! A dtype says how an element is stored: its size in bytes, the class of number it holds and, for a float, the
//! grid it is rounded to. Names are the ones used in files and diagnostics (`f32`); eager PyTorch's own names
//! (`Float`) appear in messages that repeat eager's wording.

use std::fmt;
use std::str::FromStr;

/// The type of the elements of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DType {
    /// A byte that is 0 or 1.
    Bool,
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 8 bits.
    I8,
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits.
    I32,
    /// Signed, 64 bits.
    I64,
    /// IEEE half precision.
    F16,
    /// The upper half of an f32.
    Bf16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// Two f32, real part first.
    C64,
    /// Two f64, real part first.
    C128,
}

/// What kind of number a dtype holds; the order is that of type promotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// Truth values.
    Bool,
    /// Integers of any width.
    Integer,
    /// Real floating-point numbers.
    Float,
    /// Complex floating-point numbers.
    Complex,
}

impl DType {
    /// Every dtype, in the order in which messages list them.
    pub const ALL: [DType; 12] = [
        DType::Bool,
        DType::U8,
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::F16,
        DType::Bf16,
        DType::F32,
        DType::F64,
        DType::C64,
        DType::C128,
    ];

    /// The name in files and diagnostics, such as `f32`.
    pub fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::U8 => "u8",
            DType::I8 => "i8",
            DType::I16 => "i16",
            DType::I32 => "i32",
            DType::I64 => "i64",
            DType::F16 => "f16",
            DType::Bf16 => "bf16",
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::C64 => "c64",
            DType::C128 => "c128",
        }
    }

    /// The name in eager PyTorch's messages, such as `Float`.
    pub fn eager_name(self) -> &'static str {
        match self {
            DType::Bool => "Bool",
            DType::U8 => "Byte",
            DType::I8 => "Char",
            DType::I16 => "Short",
            DType::I32 => "Int",
            DType::I64 => "Long",
            DType::F16 => "Half",
            DType::Bf16 => "BFloat16",
            DType::F32 => "Float",
            DType::F64 => "Double",
            DType::C64 => "ComplexFloat",
            DType::C128 => "ComplexDouble",
        }
    }

    /// Bytes of an element.
    pub fn size(self) -> usize {
        match self {
            DType::Bool | DType::U8 | DType::I8 => 1,
            DType::I16 | DType::F16 | DType::Bf16 => 2,
            DType::I32 | DType::F32 => 4,
            DType::I64 | DType::F64 | DType::C64 => 8,
            DType::C128 => 16,
        }
    }

    /// The kind of number.
    pub fn category(self) -> Category {
        match self {
            DType::Bool => Category::Bool,
            DType::U8 | DType::I8 | DType::I16 | DType::I32 | DType::I64 => Category::Integer,
            DType::F16 | DType::Bf16 | DType::F32 | DType::F64 => Category::Float,
            DType::C64 | DType::C128 => Category::Complex,
        }
    }

    /// Whether elements are real floating-point numbers.
    pub fn is_float(self) -> bool {
        self.category() == Category::Float
    }

    /// Whether elements are integers; bool is not one.
    pub fn is_integer(self) -> bool {
        self.category() == Category::Integer
    }

    /// Whether elements are complex numbers.
    pub fn is_complex(self) -> bool {
        self.category() == Category::Complex
    }

    /// The dtype of the parts of a complex number; any other dtype is its own.
    pub fn part(self) -> DType {
        match self {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            other => other,
        }
    }

    /// The distance from 1 to the next float of this dtype, of its parts if it is complex; 0 for other dtypes.
    pub fn epsilon(self) -> f64 {
        match self {
            DType::F16 => f64::from(half::f16::EPSILON),
            DType::Bf16 => f64::from(half::bf16::EPSILON),
            DType::F32 | DType::C64 => f64::from(f32::EPSILON),
            DType::F64 | DType::C128 => f64::EPSILON,
            _ => 0.0,
        }
    }

    /// The smallest positive number of this float dtype, of its parts if it is complex; 0 for other dtypes.
    pub fn smallest(self) -> f64 {
        match self {
            DType::F16 => f64::from(half::f16::MIN_POSITIVE_SUBNORMAL),
            DType::Bf16 => f64::from(half::bf16::MIN_POSITIVE_SUBNORMAL),
            DType::F32 | DType::C64 => f64::from(f32::from_bits(1)),
            DType::F64 | DType::C128 => f64::from_bits(1),
            _ => 0.0,
        }
    }

    /// The dtype that numbers beside elements of this one are kept in: half precisions are computed in f32.
    pub fn opmath(self) -> DType {
        if matches!(self, DType::F16 | DType::Bf16) { DType::F32 } else { self }
    }

    /// The smallest and largest integer of an integer dtype or bool; `None` for other dtypes.
    pub fn integer_range(self) -> Option<(i64, i64)> {
        match self {
            DType::Bool => Some((0, 1)),
            DType::U8 => Some((0, u8::MAX.into())),
            DType::I8 => Some((i8::MIN.into(), i8::MAX.into())),
            DType::I16 => Some((i16::MIN.into(), i16::MAX.into())),
            DType::I32 => Some((i32::MIN.into(), i32::MAX.into())),
            DType::I64 => Some((i64::MIN, i64::MAX)),
            _ => None,
        }
    }

    /// `value` on the grid of this float dtype, ties to even. Half precisions are reached by way of f32, as in
    /// arithmetic that computes in f32 and rounds once more. The identity for f64 and for dtypes that are not floats.
    pub fn round(self, value: f64) -> f64 {
        match self {
            DType::F16 => half::f16::from_f32(value as f32).to_f64(),
            DType::Bf16 => half::bf16::from_f32(value as f32).to_f64(),
            DType::F32 | DType::C64 => f64::from(value as f32),
            _ => value,
        }
    }

    /// All names, for a message that says what would have been right.
    pub fn names() -> String {
        DType::ALL.map(DType::name).join(", ")
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no dtype's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dtype \"{0}\", expected one of {names}", names = DType::names())]
pub struct UnknownDType(pub String);

impl FromStr for DType {
    type Err = UnknownDType;

    fn from_str(name: &str) -> Result<DType, UnknownDType> {
        let found = DType::ALL.into_iter().find(|dtype| dtype.name() == name);
        found.ok_or_else(|| UnknownDType(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for dtype in DType::ALL {
            assert_eq!(dtype.name().parse(), Ok(dtype));
        }
        let message = "f31".parse::<DType>().unwrap_err().to_string();
        assert_eq!(
            message,
            "unknown dtype \"f31\", expected one of bool, u8, i8, i16, i32, i64, f16, bf16, f32, f64, c64, c128"
        );
    }

    #[test]
    fn rounding_is_to_nearest_even() {
        assert_eq!(DType::F32.round(16777217.0), 16777216.0);
        assert_eq!(DType::Bf16.round(1.0 + 1.0 / 256.0), 1.0);
        assert_eq!(DType::Bf16.round(1.0 + 3.0 / 256.0), 1.0 + 4.0 / 256.0);
        assert_eq!(DType::F16.round(65520.0), f64::INFINITY);
        assert_eq!(DType::I32.round(0.1), 0.1);
    }
}
