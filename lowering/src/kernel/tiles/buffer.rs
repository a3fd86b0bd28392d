//! A memref in memory: each of its elements has a place, `offset + Σ index · stride`, in one dimension that
//! has all the memory behind it.

use super::{known, tile::broadcast};
use melior::ir::{
    OperationRef, TypeLike, ValueLike,
    attribute::DenseI32ArrayAttribute,
    r#type::{IntegerType, MemRefType},
};
use terrace_dialects::ir::{
    cursor::{Cursor, V},
    descriptor::Descriptor,
    operations::refuse,
    pass::Failure,
    shaped::{Shaped, strides_and_offset},
};
use terrace_size::DYNAMIC;

/// A number that is known, or a value.
#[derive(Clone, Copy)]
pub(super) enum Number<'c, 'a> {
    Known(i64),
    Value(V<'c, 'a>),
}

/// A memref, and where its elements are.
pub(super) struct Buffer<'c, 'a> {
    pub(super) memref: V<'c, 'a>,
    shaped: Shaped<'c>,
    pub(super) strides: Vec<Number<'c, 'a>>,
    pub(super) offset: Number<'c, 'a>,
}

impl<'c, 'a> Number<'c, 'a> {
    pub(super) fn value(self, at: &Cursor<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        match self {
            Self::Known(n) => at.index(n),
            Self::Value(v) => Ok(v),
        }
    }
}

pub(super) fn add<'c, 'a>(at: &Cursor<'c, 'a>, a: V<'c, 'a>, b: i64) -> Result<V<'c, 'a>, Failure> {
    if b == 0 { Ok(a) } else { at.op("arith.addi", &[a, at.index(b)?], a.r#type()) }
}

/// A value, or a vector of values, times a number.
pub(super) fn scale<'c, 'a>(
    at: &Cursor<'c, 'a>,
    value: V<'c, 'a>,
    by: Number<'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    if let Number::Known(1) = by {
        return Ok(value);
    }
    let mut by = by.value(at)?;
    if value.r#type().is_vector() {
        by = broadcast(at, by, value.r#type())?;
    }
    at.op("arith.muli", &[value, by], value.r#type())
}

impl<'c, 'a> Buffer<'c, 'a> {
    /// Looks at a memref; `op` is what accesses it.
    pub(super) fn of(
        at: &Cursor<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memref: V<'c, 'a>,
    ) -> Result<Self, Failure> {
        let ty = memref.r#type();
        let shaped = Shaped::expect(ty)?;
        if shaped.element == IntegerType::new(at.context, 1).into() {
            let why = "has a buffer of i1: bool is a byte in memory, run 'convert-bool-buffers' first";
            return Err(refuse(op, why));
        }
        let Some((strides, offset)) = strides_and_offset(ty) else {
            return Err(refuse(op, &format!("expects a buffer with strides, got {ty}")));
        };
        if !strides.contains(&DYNAMIC) && offset != DYNAMIC {
            let strides = strides.into_iter().map(Number::Known).collect();
            return Ok(Self { memref, shaped, strides, offset: Number::Known(offset) });
        }
        let parts = Descriptor::of(at, memref)?;
        let number = |known: i64, value| match known {
            DYNAMIC => Number::Value(value),
            known => Number::Known(known),
        };
        let strides =
            strides.into_iter().zip(parts.strides).map(|(known, value)| number(known, value)).collect();
        Ok(Self { memref, shaped, strides, offset: number(offset, parts.offset) })
    }

    /// The place of an element.
    pub(super) fn place(&self, at: &Cursor<'c, 'a>, indices: &[V<'c, 'a>]) -> Result<V<'c, 'a>, Failure> {
        let mut place: Option<V> = match self.offset {
            Number::Known(0) => None,
            offset => Some(offset.value(at)?),
        };
        for (index, stride) in indices.iter().zip(&self.strides) {
            if known(*index) == Some(0) {
                continue;
            }
            let term = scale(at, *index, *stride)?;
            place = Some(match place {
                Some(sum) => at.op("arith.addi", &[sum, term], at.index_type())?,
                None => term,
            });
        }
        place.map_or_else(|| at.index(0), Ok)
    }

    /// The places from its first element to behind its last, where they are known.
    pub(super) fn reach(&self) -> Option<[i64; 2]> {
        let Number::Known(offset) = self.offset else { return None };
        let extent = self.strides.iter().zip(&self.shaped.shape).try_fold(1, |sum, (stride, size)| {
            let Number::Known(stride @ 0..) = stride else { return None };
            (*size > 0).then(|| sum + (size - 1) * stride)
        });
        Some([offset, offset + extent?])
    }

    /// All memory behind the memref in one dimension.
    pub(super) fn linear(&self, at: &Cursor<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let extent = self.strides.iter().zip(&self.shaped.shape).try_fold(1, |sum, (stride, size)| {
            let Number::Known(stride) = stride else { return None };
            (*size != DYNAMIC).then(|| sum + (size - 1).max(0) * stride)
        });
        let size = match (extent, self.offset) {
            (Some(extent), Number::Known(offset)) => Some(extent + offset),
            _ => None,
        };
        let ty = MemRefType::new(self.shaped.element, &[size.unwrap_or(DYNAMIC)], None, None);
        let mut operands = vec![self.memref];
        if size.is_none() {
            // At most so many; no access depends on it.
            let mut sum = self.offset.value(at)?;
            for (d, stride) in self.strides.iter().enumerate() {
                let size = match self.shaped.shape[d] {
                    DYNAMIC => at.op("memref.dim", &[self.memref, at.index(d as i64)?], at.index_type())?,
                    size => at.index(size)?,
                };
                sum = at.op("arith.addi", &[sum, scale(at, size, *stride)?], at.index_type())?;
            }
            operands.push(sum);
        }
        let segments = DenseI32ArrayAttribute::new(at.context, &[1, 0, operands.len() as i32 - 1, 0]);
        let attributes = [
            at.named("operandSegmentSizes", segments),
            at.named("static_offsets", at.numbers(&[0])),
            at.named("static_sizes", at.numbers(&[size.unwrap_or(DYNAMIC)])),
            at.named("static_strides", at.numbers(&[1])),
        ];
        at.with("memref.reinterpret_cast", &operands, ty.into(), &attributes)
    }
}
