//! Element types, and type promotion as ATen does it.
//!
//! Source: PyTorch's documentation of `torch.result_type`: categories bool < integer < float < complex; dimensioned tensors
//! outrank 0-dim ones, which outrank numbers, unless the lower rank has a higher category.

use melior::{
    Context,
    ir::{Type, TypeLike, r#type::IntegerType},
};
use mlir_sys::*;

/// The dtypes of the graph dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

impl Dtype {
    /// The dtype of an element type.
    pub fn of(ty: Type) -> Option<Self> {
        unsafe {
            let raw = ty.to_raw();
            if mlirTypeIsAInteger(raw) {
                return Some(match (mlirIntegerTypeGetWidth(raw), mlirIntegerTypeIsSignless(raw)) {
                    (1, true) => Bool,
                    (8, true) => I8,
                    (16, true) => I16,
                    (32, true) => I32,
                    (64, true) => I64,
                    (8, false) if mlirIntegerTypeIsUnsigned(raw) => U8,
                    _ => return None,
                });
            }
            if mlirTypeIsAComplex(raw) {
                return match Dtype::of(Type::from_raw(mlirComplexTypeGetElementType(raw)))? {
                    F32 => Some(C64),
                    F64 => Some(C128),
                    _ => None,
                };
            }
            if mlirTypeIsAF32(raw) {
                Some(F32)
            } else if mlirTypeIsAF64(raw) {
                Some(F64)
            } else if mlirTypeIsAF16(raw) {
                Some(F16)
            } else if mlirTypeIsABF16(raw) {
                Some(BF16)
            } else {
                None
            }
        }
    }

    /// The element type.
    pub fn to_type(self, context: &Context) -> Type<'_> {
        let c = context.to_raw();
        match self {
            Bool => IntegerType::new(context, 1).into(),
            U8 => IntegerType::unsigned(context, 8).into(),
            I8 => IntegerType::new(context, 8).into(),
            I16 => IntegerType::new(context, 16).into(),
            I32 => IntegerType::new(context, 32).into(),
            I64 => IntegerType::new(context, 64).into(),
            F16 => unsafe { Type::from_raw(mlirF16TypeGet(c)) },
            BF16 => unsafe { Type::from_raw(mlirBF16TypeGet(c)) },
            F32 => Type::float32(context),
            F64 => Type::float64(context),
            C64 | C128 => unsafe {
                Type::from_raw(mlirComplexTypeGet(self.part().to_type(context).to_raw()))
            },
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

    /// The least and the largest integer of an integer dtype.
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
}
