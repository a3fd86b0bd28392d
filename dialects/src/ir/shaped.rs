//! What tensors and memrefs have in common: sizes and an element type.

use super::types::Shape;
use melior::{
    Context,
    ir::{Type, TypeLike, r#type::IntegerType},
};
use mlir_sys::*;
use terrace_size::DYNAMIC;

/// A ranked shaped type, taken apart; its element type may be any.
#[derive(Clone, Debug, PartialEq)]
pub struct Shaped<'c> {
    /// Sizes; [`DYNAMIC`] where unknown.
    pub shape: Vec<i64>,
    /// Element type.
    pub element: Type<'c>,
    /// Whether it is a memref.
    pub buffer: bool,
}

impl<'c> Shaped<'c> {
    /// Takes a type apart; None where it is no ranked tensor or memref.
    pub fn of(ty: Type<'c>) -> Option<Self> {
        // SAFETY: only a memref or a ranked tensor is asked for its sizes, as many as its rank.
        unsafe {
            let raw = ty.to_raw();
            let buffer = mlirTypeIsAMemRef(raw);
            if !buffer && !mlirTypeIsARankedTensor(raw) {
                return None;
            }
            let shape =
                (0..mlirShapedTypeGetRank(raw)).map(|i| mlirShapedTypeGetDimSize(raw, i as isize)).collect();
            Some(Self { shape, element: Type::from_raw(mlirShapedTypeGetElementType(raw)), buffer })
        }
    }

    /// [`Shaped::of`] with an error that names the type.
    pub fn expect(ty: Type<'c>) -> Result<Self, String> {
        Self::of(ty).ok_or_else(|| format!("expects a ranked tensor or memref, got {ty}"))
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements, where known.
    pub fn elements(&self) -> Option<i64> {
        if self.shape.contains(&DYNAMIC) { None } else { Some(self.shape.iter().product()) }
    }
}

/// Truth values, as many as a vector or a tile has elements; one of any other type.
pub fn truths<'c>(ty: Type<'c>, context: &'c Context) -> Type<'c> {
    let truth: Type = IntegerType::new(context, 1).into();
    // SAFETY: only a vector or a ranked tensor is asked for its sizes, as many as its rank, and the new type
    // has the context of the old one.
    unsafe {
        let raw = ty.to_raw();
        let vector = mlirTypeIsAVector(raw);
        if !vector && !mlirTypeIsARankedTensor(raw) {
            return truth;
        }
        let rank = mlirShapedTypeGetRank(raw) as isize;
        let sizes: Vec<i64> = (0..rank).map(|d| mlirShapedTypeGetDimSize(raw, d)).collect();
        Type::from_raw(match vector {
            true => mlirVectorTypeGet(rank, sizes.as_ptr(), truth.to_raw()),
            false => mlirRankedTensorTypeGet(rank, sizes.as_ptr(), truth.to_raw(), mlirAttributeGetNull()),
        })
    }
}

/// Strides and offset of a memref; [`DYNAMIC`] where they are known at run time only. None of a memref whose
/// elements lie in another way, and of any other type.
pub fn strides_and_offset(ty: Type) -> Option<(Vec<i64>, i64)> {
    let shaped = Shaped::of(ty).filter(|shaped| shaped.buffer)?;
    let (mut strides, mut offset) = (vec![0; shaped.rank()], 0);
    let strided =
        // SAFETY: it is a memref, and there is room for as many strides as its rank.
        unsafe { mlirMemRefTypeGetStridesAndOffset(ty.to_raw(), strides.as_mut_ptr(), &mut offset) };
    (strided.value != 0).then_some((strides, offset))
}

/// Whether two lists of sizes may be the same, else why not.
pub fn check_sizes(what: &str, expected: &[i64], got: &[i64]) -> Result<(), String> {
    let same = expected.len() == got.len()
        && expected.iter().zip(got).all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC);
    if same { Ok(()) } else { Err(format!("expects {what} {}, got {}", Shape(expected), Shape(got))) }
}
