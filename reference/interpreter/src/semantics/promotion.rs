//! Type promotion.
//!
//! Operands fall into three classes: tensors with dimensions, tensors without, and numbers. The dtype of the
//! result is the promotion of the dtypes in the first class that has an operand; a later class matters only
//! when it holds a higher category of number, and then gives that category's dtype. A number that stands
//! alone is a "wrapped number": it has the default dtype of its category. The default float is f32.
//!
//! Source: PyTorch, "Tensor Attributes", type promotion; `c10::promoteTypes`.

use terrace_tensor::{Category, Dtype, Scalar, Tensor, Value};

/// An operand of a pointwise operator.
#[derive(Debug, Clone, Copy)]
pub enum Operand<'a> {
    /// A tensor.
    Tensor(&'a Tensor),
    /// A wrapped number.
    Scalar(Scalar),
}

impl<'a> From<&'a Value> for Operand<'a> {
    fn from(value: &'a Value) -> Operand<'a> {
        match value {
            Value::Tensor(tensor) => Operand::Tensor(tensor),
            Value::Scalar(scalar) => Operand::Scalar(*scalar),
        }
    }
}

impl<'a> Operand<'a> {
    /// The tensor, if it is one.
    pub fn tensor(self) -> Option<&'a Tensor> {
        match self {
            Operand::Tensor(tensor) => Some(tensor),
            Operand::Scalar(_) => None,
        }
    }

    /// The element type, a number's default one included.
    pub fn dtype(self) -> Dtype {
        match self {
            Operand::Tensor(tensor) => tensor.dtype(),
            Operand::Scalar(scalar) => scalar.default_dtype(),
        }
    }

    /// Elements per dimension; a number has none.
    pub fn sizes(self) -> &'a [i64] {
        self.tensor().map_or(&[], Tensor::sizes)
    }
}

impl<'a> From<&'a Tensor> for Operand<'a> {
    fn from(tensor: &'a Tensor) -> Operand<'a> {
        Operand::Tensor(tensor)
    }
}

impl From<Scalar> for Operand<'_> {
    fn from(scalar: Scalar) -> Self {
        Operand::Scalar(scalar)
    }
}

/// The smallest dtype that two dtypes both convert to.
pub fn promote(a: Dtype, b: Dtype) -> Dtype {
    if a == b {
        return a;
    }
    let (low, high) = if a.category() <= b.category() { (a, b) } else { (b, a) };
    if low.category() < high.category() {
        // A float keeps its width beside a complex number: f64 and c64 make c128.
        return if high == Dtype::C64 && low == Dtype::F64 { Dtype::C128 } else { high };
    }
    match high.category() {
        Category::Bool => Dtype::Bool,
        Category::Integer => promote_integers(a, b),
        // Neither half precision holds the other.
        Category::Float if a.bytes() == b.bytes() => Dtype::F32,
        _ if a.bytes() > b.bytes() => a,
        _ => b,
    }
}

fn promote_integers(a: Dtype, b: Dtype) -> Dtype {
    let (small, large) = if a.bytes() <= b.bytes() { (a, b) } else { (b, a) };
    // u8 and i8 are the only two of one size.
    if small.bytes() == large.bytes() { Dtype::I16 } else { large }
}

/// The dtype in which operands are brought together.
pub fn result_dtype(operands: &[Operand]) -> Dtype {
    let mut classes: [Option<Dtype>; 3] = [None; 3];
    for operand in operands {
        let class = match operand {
            Operand::Tensor(tensor) if tensor.rank() > 0 => 0,
            Operand::Tensor(_) => 1,
            Operand::Scalar(_) => 2,
        };
        let dtype = operand.dtype();
        classes[class] = Some(classes[class].map_or(dtype, |known| promote(known, dtype)));
    }
    let combined = classes.into_iter().flatten().reduce(|higher, lower| {
        match lower.category() <= higher.category() {
            true => higher,
            // A float keeps its width beside a complex number.
            false if higher.is_float() && lower.is_complex() => promote(higher, Dtype::C64),
            false => promote(higher, lower),
        }
    });
    combined.unwrap_or(Dtype::F32)
}

/// Whether a result of one dtype may be stored in a tensor of another.
pub fn can_cast(from: Dtype, to: Dtype) -> bool {
    from.category() <= to.category()
}

/// The default float where an operator that has only float results gets integers.
pub(crate) fn float_dtype(dtype: Dtype) -> Dtype {
    if dtype.category() < Category::Float { Dtype::F32 } else { dtype }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Dtype::*;

    #[test]
    fn pairs() {
        for (a, b, both) in [
            (Bool, U8, U8),
            (U8, I8, I16),
            (U8, I64, I64),
            (I64, F16, F16),
            (F16, BF16, F32),
            (BF16, F32, F32),
            (F64, C64, C128),
            (F32, C64, C64),
            (I64, C64, C64),
            (C64, C128, C128),
        ] {
            assert_eq!((promote(a, b), promote(b, a)), (both, both), "{a} {b}");
        }
    }

    #[test]
    fn dimensions_come_before_category() {
        let tensor = |dtype, sizes: &[i64]| Tensor::zeros(dtype, sizes).unwrap();
        let (ints, floats) = (tensor(I32, &[2]), tensor(F32, &[2]));
        let (wide, double) = (tensor(I64, &[]), tensor(F64, &[]));
        let of = |operands: &[Operand]| result_dtype(operands);
        assert_eq!(of(&[(&ints).into(), (&wide).into()]), I32);
        assert_eq!(of(&[(&floats).into(), (&double).into()]), F32);
        assert_eq!(of(&[(&ints).into(), (&double).into()]), F64);
        assert_eq!(of(&[(&ints).into(), Scalar::Int(1 << 40).into()]), I32);
        assert_eq!(of(&[(&ints).into(), Scalar::Float(1.0).into()]), F32);
        assert_eq!(of(&[(&double).into(), Scalar::Float(1.0).into()]), F64);
        assert_eq!(of(&[Scalar::Bool(true).into(), Scalar::Int(1).into()]), I64);
    }

    #[test]
    fn results_go_to_the_same_category_or_a_higher_one() {
        assert!(can_cast(F64, F16) && can_cast(Bool, I8) && can_cast(I64, U8));
        assert!(!can_cast(F32, I64) && !can_cast(I8, Bool) && !can_cast(C64, F64));
    }
}
