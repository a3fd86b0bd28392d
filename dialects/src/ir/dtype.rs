//! Dtypes as element types of MLIR.

use super::types::complex;
use Dtype::*;
use melior::{
    Context,
    ir::{Type, TypeLike, r#type::IntegerType},
};
use mlir_sys::*;
pub use terrace_layout::dtype::*;

/// The element type that a dtype stands for.
pub trait ElementType: Sized {
    /// The dtype of an element type.
    fn of(ty: Type) -> Option<Self>;

    /// The element type.
    fn to_type(self, context: &Context) -> Type<'_>;
}

impl ElementType for Dtype {
    fn of(ty: Type) -> Option<Self> {
        // SAFETY: integers and complex numbers are asked for their parts only where they are such.
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

    fn to_type(self, context: &Context) -> Type<'_> {
        match self {
            Bool => IntegerType::new(context, 1).into(),
            U8 => IntegerType::unsigned(context, 8).into(),
            I8 => IntegerType::new(context, 8).into(),
            I16 => IntegerType::new(context, 16).into(),
            I32 => IntegerType::new(context, 32).into(),
            I64 => IntegerType::new(context, 64).into(),
            F16 => Type::float16(context),
            BF16 => Type::bfloat16(context),
            F32 => Type::float32(context),
            F64 => Type::float64(context),
            C64 | C128 => complex(self.part().to_type(context)),
        }
    }
}
