//! Element types, and type promotion as ATen does it.
//!
//! Source: PyTorch's documentation of `torch.result_type`: categories bool < integer < float < complex;
//! dimensioned tensors outrank 0-dim ones, which outrank numbers, unless the lower rank has a higher
//! category.

/// The type of the elements of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Dtype {
    Bool,
    U8,
    I8,
    I16,
    I32,
    I64,
    F16,
    BF16,
    F32,
    F64,
    /// Two f32, the real part first.
    C64,
    /// Two f64.
    C128,
}

/// What decides a promotion first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Category {
    Bool,
    Integer,
    Float,
    Complex,
}

use Dtype::*;
use std::{fmt, str::FromStr};

impl Dtype {
    /// Every dtype, in the order in which messages list them.
    pub const ALL: [Dtype; 12] = [
        Dtype::Bool,
        Dtype::U8,
        Dtype::I8,
        Dtype::I16,
        Dtype::I32,
        Dtype::I64,
        Dtype::F16,
        Dtype::BF16,
        Dtype::F32,
        Dtype::F64,
        Dtype::C64,
        Dtype::C128,
    ];

    /// The name in files and diagnostics, such as `f32`.
    pub fn name(self) -> &'static str {
        match self {
            Dtype::Bool => "bool",
            Dtype::U8 => "u8",
            Dtype::I8 => "i8",
            Dtype::I16 => "i16",
            Dtype::I32 => "i32",
            Dtype::I64 => "i64",
            Dtype::F16 => "f16",
            Dtype::BF16 => "bf16",
            Dtype::F32 => "f32",
            Dtype::F64 => "f64",
            Dtype::C64 => "c64",
            Dtype::C128 => "c128",
        }
    }

    /// Bool, integer, float or complex.
    pub fn category(self) -> Category {
        match self {
            Bool => Category::Bool,
            U8 | I8 | I16 | I32 | I64 => Category::Integer,
            F16 | BF16 | F32 | F64 => Category::Float,
            C64 | C128 => Category::Complex,
        }
    }

    /// Whether elements are integers; bool is not one.
    pub fn is_integer(self) -> bool {
        self.category() == Category::Integer
    }

    /// Whether elements are complex numbers.
    pub fn is_complex(self) -> bool {
        self.category() == Category::Complex
    }

    /// Whether elements are real or complex floating-point numbers.
    pub fn is_inexact(self) -> bool {
        self.category() >= Category::Float
    }

    /// The dtype of the parts of complex elements; any other dtype is its own.
    pub fn part(self) -> Self {
        match self {
            C64 => F32,
            C128 => F64,
            other => other,
        }
    }

    /// The dtype of complex numbers whose parts have this dtype, bf16 widened; None where there is none.
    pub fn complex(self) -> Option<Self> {
        match self {
            BF16 | F32 | C64 => Some(C64),
            F64 | C128 => Some(C128),
            _ => None,
        }
    }

    /// Whether elements are real floating-point numbers.
    pub fn is_float(self) -> bool {
        self.category() == Category::Float
    }

    /// The dtype that numbers beside elements of this one are kept in: half precisions are computed in f32.
    pub fn opmath(self) -> Self {
        if matches!(self, F16 | BF16) { F32 } else { self }
    }

    /// The widest dtype of its category: what a number out of a tensor of this one is.
    pub fn widest(self) -> Self {
        match self.category() {
            Category::Bool => Bool,
            Category::Integer => I64,
            Category::Float => F64,
            Category::Complex => C128,
        }
    }

    /// The dtype that compiled code computes elements in: i32 for u8, f32 for half precision.
    pub fn computed(self) -> Self {
        if self == U8 { I32 } else { self.opmath() }
    }

    /// Bytes of an element in memory; a bool is a byte.
    pub fn bytes(self) -> usize {
        match self {
            Bool | U8 | I8 => 1,
            I16 | F16 | BF16 => 2,
            I32 | F32 => 4,
            I64 | F64 | C64 => 8,
            C128 => 16,
        }
    }

    /// The name in ATen's messages.
    pub fn aten_name(self) -> &'static str {
        match self {
            Bool => "Bool",
            U8 => "Byte",
            I8 => "Char",
            I16 => "Short",
            I32 => "Int",
            I64 => "Long",
            F16 => "Half",
            BF16 => "BFloat16",
            F32 => "Float",
            F64 => "Double",
            C64 => "ComplexFloat",
            C128 => "ComplexDouble",
        }
    }

    /// The name of the C++ type in ATen's messages.
    pub fn c_name(self) -> &'static str {
        match self {
            Bool => "bool",
            U8 => "unsigned char",
            I8 => "signed char",
            I16 => "short int",
            I32 => "int",
            I64 => "long int",
            F16 => "c10::Half",
            BF16 => "c10::BFloat16",
            F32 => "float",
            F64 => "double",
            C64 => "c10::complex<float>",
            C128 => "c10::complex<double>",
        }
    }

    /// The least and the largest integer of an integer dtype; None for bool and all others.
    pub fn range(self) -> Option<(i64, i64)> {
        Some(match self {
            U8 => (0, u8::MAX.into()),
            I8 => (i8::MIN.into(), i8::MAX.into()),
            I16 => (i16::MIN.into(), i16::MAX.into()),
            I32 => (i32::MIN.into(), i32::MAX.into()),
            I64 => (i64::MIN, i64::MAX),
            _ => return None,
        })
    }

    /// [`Self::range`], and that of bool: 0 and 1.
    pub fn integer_range(self) -> Option<(i64, i64)> {
        if self == Bool { Some((0, 1)) } else { self.range() }
    }

    /// The largest finite number of a floating-point dtype, of the parts of a complex one.
    pub fn largest(self) -> Option<f64> {
        Some(match self {
            F16 => 65504.0,
            BF16 => f32::from_bits(0x7f7f_0000).into(),
            F32 | C64 => f32::MAX.into(),
            F64 | C128 => f64::MAX,
            _ => return None,
        })
    }

    /// The distance from 1 to the next float of this dtype, of its parts if it is complex; 0 for other
    /// dtypes.
    pub fn epsilon(self) -> f64 {
        match self {
            Dtype::F16 => f64::from(half::f16::EPSILON),
            Dtype::BF16 => f64::from(half::bf16::EPSILON),
            Dtype::F32 | Dtype::C64 => f64::from(f32::EPSILON),
            Dtype::F64 | Dtype::C128 => f64::EPSILON,
            _ => 0.0,
        }
    }

    /// The smallest positive number of this float dtype, of its parts if it is complex; 0 for other dtypes.
    pub fn smallest(self) -> f64 {
        match self {
            Dtype::F16 => f64::from(half::f16::MIN_POSITIVE_SUBNORMAL),
            Dtype::BF16 => f64::from(half::bf16::MIN_POSITIVE_SUBNORMAL),
            Dtype::F32 | Dtype::C64 => f64::from(f32::from_bits(1)),
            Dtype::F64 | Dtype::C128 => f64::from_bits(1),
            _ => 0.0,
        }
    }

    /// `value` on the grid of this float dtype, ties to even. Half precisions are reached by way of f32, as
    /// in arithmetic that computes in f32 and rounds once more. The identity for f64 and for dtypes that are
    /// not floats.
    pub fn round(self, value: f64) -> f64 {
        match self {
            Dtype::F16 => half::f16::from_f32(value as f32).to_f64(),
            Dtype::BF16 => half::bf16::from_f32(value as f32).to_f64(),
            Dtype::F32 | Dtype::C64 => f64::from(value as f32),
            _ => value,
        }
    }

    /// The name of a CPU tensor's type in ATen's messages; some have no name of old.
    pub fn tensor_name(self) -> String {
        match self {
            Bool | BF16 | C64 | C128 => format!("CPU{}Type", self.aten_name()),
            _ => format!("torch.{}Tensor", self.aten_name()),
        }
    }

    /// The dtype of both: the least one that holds the values of either.
    pub fn promote(self, other: Self) -> Self {
        let (a, b) = if self.category() <= other.category() { (self, other) } else { (other, self) };
        if a == b {
            return b;
        }
        if a.category() < b.category() {
            // A float keeps its width beside a complex number.
            return if (a, b) == (F64, C64) { C128 } else { b };
        }
        match (a, b) {
            (F16, BF16) | (BF16, F16) => F32,
            (U8, I8) | (I8, U8) => I16,
            _ if a.bytes() >= b.bytes() => a,
            _ => b,
        }
    }

    /// Whether a result of this dtype may be stored in `to`: ATen's canCast.
    pub fn casts_to(self, to: Self) -> bool {
        self.category() <= to.category()
    }

    /// All names, for a message that says what would have been right.
    pub fn names() -> String {
        Dtype::ALL.map(Dtype::name).join(", ")
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no dtype's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dtype \"{0}\", expected one of {names}", names = Dtype::names())]
pub struct UnknownDtype(pub String);

impl FromStr for Dtype {
    type Err = UnknownDtype;

    fn from_str(name: &str) -> Result<Dtype, UnknownDtype> {
        let found = Dtype::ALL.into_iter().find(|dtype| dtype.name() == name);
        found.ok_or_else(|| UnknownDtype(name.to_owned()))
    }
}

/// One argument of a promotion.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A tensor with dimensions.
    Dimensioned(Dtype),
    /// A 0-dim tensor.
    ZeroDim(Dtype),
    /// A number.
    Number(Category),
}

/// The dtypes that the operands of each class come to: tensors with dimensions, 0-dim ones, numbers.
fn classes(operands: &[Operand]) -> [Option<Dtype>; 3] {
    let (mut dimensioned, mut zero_dim, mut number): (Option<Dtype>, Option<Dtype>, Option<Dtype>) =
        (None, None, None);
    let join = |slot: &mut Option<Dtype>, d: Dtype| *slot = Some(slot.map_or(d, |s| s.promote(d)));
    for operand in operands {
        match *operand {
            Operand::Dimensioned(d) => join(&mut dimensioned, d),
            Operand::ZeroDim(d) => join(&mut zero_dim, d),
            Operand::Number(c) => join(
                &mut number,
                match c {
                    Category::Bool => Bool,
                    Category::Integer => I64,
                    Category::Float => F32,
                    Category::Complex => C64,
                },
            ),
        }
    }
    [dimensioned, zero_dim, number]
}

/// Whether a promotion asks for complex numbers of half precision, which there are none of.
pub fn is_half_complex(operands: &[Operand]) -> bool {
    classes(operands).into_iter().flatten().next() == Some(F16) && promote(operands).is_complex()
}

/// The result dtype of a promotion, as `torch.result_type` gives it.
pub fn promote(operands: &[Operand]) -> Dtype {
    classes(operands)
        .into_iter()
        .flatten()
        .reduce(|high, low| match (high.category(), low.category()) {
            (Category::Float, Category::Complex) => high.complex().unwrap_or(C64),
            (own, other) if other > own => low,
            _ => high,
        })
        .unwrap_or(F32)
}

#[cfg(test)]
mod tests {
    use super::{Operand::*, *};

    // Values of torch.result_type, from PyTorch's documentation of type promotion.
    #[test]
    fn promotion_follows_categories_then_dimensions() {
        assert_eq!(promote(&[Dimensioned(I32), Number(Category::Integer)]), I32);
        assert_eq!(promote(&[Dimensioned(I32), Number(Category::Float)]), F32);
        assert_eq!(promote(&[Dimensioned(F32), ZeroDim(F64)]), F32);
        assert_eq!(promote(&[Dimensioned(I32), ZeroDim(F64)]), F64);
        assert_eq!(promote(&[ZeroDim(I32), ZeroDim(I64)]), I64);
        assert_eq!(promote(&[Dimensioned(U8), Dimensioned(I8)]), I16);
        assert_eq!(promote(&[Dimensioned(F16), Dimensioned(BF16)]), F32);
        assert_eq!(promote(&[Dimensioned(Bool), Number(Category::Integer)]), I64);
        assert_eq!(promote(&[Dimensioned(I64), Dimensioned(F16)]), F16);
        assert_eq!(promote(&[ZeroDim(F64), Number(Category::Float)]), F64);
        assert_eq!(promote(&[Dimensioned(F64), Dimensioned(C64)]), C128);
        assert_eq!(promote(&[Dimensioned(C64), ZeroDim(F64)]), C64);
        assert_eq!(promote(&[Dimensioned(F32), ZeroDim(C128)]), C64);
        assert_eq!(promote(&[Dimensioned(F64), Number(Category::Complex)]), C128);
        assert_eq!(promote(&[Dimensioned(I64), Number(Category::Complex)]), C64);
    }

    #[test]
    fn names_round_trip() {
        for dtype in Dtype::ALL {
            assert_eq!(dtype.name().parse(), Ok(dtype));
        }
        let message = "f31".parse::<Dtype>().unwrap_err().to_string();
        assert_eq!(
            message,
            "unknown dtype \"f31\", expected one of bool, u8, i8, i16, i32, i64, f16, bf16, f32, f64, c64, c128"
        );
    }

    #[test]
    fn rounding_is_to_nearest_even() {
        assert_eq!(Dtype::F32.round(16777217.0), 16777216.0);
        assert_eq!(Dtype::BF16.round(1.0 + 1.0 / 256.0), 1.0);
        assert_eq!(Dtype::BF16.round(1.0 + 3.0 / 256.0), 1.0 + 4.0 / 256.0);
        assert_eq!(Dtype::F16.round(65520.0), f64::INFINITY);
        assert_eq!(Dtype::I32.round(0.1), 0.1);
    }
}
