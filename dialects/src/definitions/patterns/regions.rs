//! Parts of tensors: what a scatter wrote is read back, overwritten, or left alone.
//!
//! Each of `select`, `slice`, `diagonal` and `as_strided` names a region of a tensor, and its scatter names
//! the same one. Two operations that name one region in normal form meet; regions that can be told apart in
//! one dimension do not.

use super::{Replaced, Replacement, source, tensor, wrap};
use crate::{
    aten::rules::slice_size,
    ir::{OperationLike, kept, rewrite},
    ops::functional,
};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_size::DYNAMIC;

/// A part of a tensor, in normal form.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Region {
    /// Indices `start`, `start + step`, ... of a dimension, `length` in all; `kept`: the dimension stays.
    Range { dim: usize, start: i64, length: i64, step: i64, kept: bool },
    /// The diagonal of two dimensions.
    Diagonal { offset: i64, dim1: usize, dim2: usize },
    /// Places in row-major order.
    Strided { sizes: Vec<i64>, strides: Vec<i64>, offset: i64 },
}

/// An operation on a region: the whole tensor, and what is put into the region where the operation is a
/// scatter.
pub(super) struct Part<'c, 'a> {
    whole: Value<'c, 'a>,
    pub region: Region,
    src: Option<Value<'c, 'a>>,
}

/// The only entry of a list, where it is static.
fn one(list: Vec<i64>) -> Option<i64> {
    match list[..] {
        [n] if n != DYNAMIC => Some(n),
        _ => None,
    }
}

fn known(list: Vec<i64>) -> Option<Vec<i64>> {
    (!list.contains(&DYNAMIC)).then_some(list)
}

fn select(shape: &[i64], dim: Option<i64>, index: Vec<i64>) -> Option<Region> {
    let dim = wrap(dim.unwrap_or(0), shape.len());
    let index = one(index)?;
    let start = if index < 0 { index + shape[dim] } else { index };
    Some(Region::Range { dim, start, length: 1, step: 1, kept: false })
}

fn slice(shape: &[i64], dim: Option<i64>, bounds: [Vec<i64>; 3]) -> Option<Region> {
    let dim = wrap(dim.unwrap_or(0), shape.len());
    let [start, end, step] = bounds.map(one);
    let (start, end, step) = (start?, end?, step?);
    let size = shape[dim];
    let length = slice_size(size, start, end, step);
    let start = if start < 0 { start.saturating_add(size) } else { start }.clamp(0, size);
    let step = if length <= 1 { 1 } else { step };
    Some(Region::Range { dim, start, length, step, kept: true })
}

fn diagonal(shape: &[i64], offset: Option<i64>, dims: [Option<i64>; 2]) -> Region {
    let [dim1, dim2] = [dims[0].unwrap_or(0), dims[1].unwrap_or(1)].map(|d| wrap(d, shape.len()));
    Region::Diagonal { offset: offset.unwrap_or(0), dim1, dim2 }
}

fn strided(sizes: Vec<i64>, strides: Vec<i64>, offset: Vec<i64>) -> Option<Region> {
    Some(Region::Strided { sizes: known(sizes)?, strides: known(strides)?, offset: one(offset)? })
}

/// What an operation reads or writes of a tensor of static sizes.
pub(super) fn part<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<Part<'c, 'a>> {
    use functional as f;
    let whole = op.operand(0).ok()?;
    let shape = tensor(whole)?.shape;
    let (region, src) = if let Ok(o) = f::SelectOp::try_from(op) {
        (select(&shape, o.dim(), o.index())?, None)
    } else if let Ok(o) = f::SelectScatterOp::try_from(op) {
        (select(&shape, o.dim(), o.index())?, Some(o.src()))
    } else if let Ok(o) = f::SliceOp::try_from(op) {
        (slice(&shape, o.dim(), [o.start(), o.end(), o.step()])?, None)
    } else if let Ok(o) = f::SliceScatterOp::try_from(op) {
        (slice(&shape, o.dim(), [o.start(), o.end(), o.step()])?, Some(o.src()))
    } else if let Ok(o) = f::DiagonalOp::try_from(op) {
        (diagonal(&shape, o.offset(), [o.dim1(), o.dim2()]), None)
    } else if let Ok(o) = f::DiagonalScatterOp::try_from(op) {
        (diagonal(&shape, o.offset(), [o.dim1(), o.dim2()]), Some(o.src()))
    } else if let Ok(o) = f::AsStridedOp::try_from(op) {
        (strided(o.size(), o.stride(), o.storage_offset())?, None)
    } else if let Ok(o) = f::AsStridedScatterOp::try_from(op) {
        (strided(o.size(), o.stride(), o.storage_offset())?, Some(o.src()))
    } else {
        return None;
    };
    Some(Part { whole, region, src })
}

impl Region {
    /// Whether the region is the whole tensor in its own shape and order.
    fn is_all(&self, shape: &[i64]) -> bool {
        match self {
            Self::Range { dim, start, length, kept, .. } => *kept && *start == 0 && *length == shape[*dim],
            Self::Diagonal { .. } => false,
            Self::Strided { sizes, strides, offset } => {
                let mut expected = 1;
                *offset == 0
                    && sizes == shape
                    && (0..shape.len()).rev().all(|d| {
                        let fits = sizes[d] == 1 || strides[d] == expected;
                        expected *= sizes[d];
                        fits
                    })
            }
        }
    }

    /// Whether no element stands in the region twice.
    fn is_injective(&self) -> bool {
        let Self::Strided { sizes, strides, .. } = self else { return true };
        let mut dims: Vec<(i64, i64)> =
            strides.iter().copied().zip(sizes.iter().copied()).filter(|(_, n)| *n > 1).collect();
        dims.sort_unstable();
        let mut reach = 0i64;
        dims.into_iter().all(|(s, n)| {
            let above = s > reach;
            reach = reach.saturating_add(s.saturating_mul(n - 1));
            above
        })
    }

    /// Whether the regions are told apart by the indices of one dimension.
    fn is_disjoint(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Range { dim: d, start: a, length: n, step: s, .. },
                Self::Range { dim: e, start: b, length: m, step: t, .. },
            ) if d == e => {
                let last = |start: &i64, length: &i64, step: &i64| start + (length - 1) * step;
                let interleaved = s == t && (a - b) % s != 0;
                *n == 0 || *m == 0 || last(a, n, s) < *b || last(b, m, t) < *a || interleaved
            }
            _ => false,
        }
    }
}

/// The operation on another tensor of the same type.
fn on<'c, 'a>(op: OperationRef<'c, 'a>, whole: Value<'c, 'a>) -> Replaced<'c, 'a> {
    if op.operand(0).ok()?.r#type() != whole.r#type() {
        return None;
    }
    let copy = rewrite::copy(op);
    rewrite::set_operand(kept::detached(&copy), 0, whole);
    Some(Replacement::Operation(copy))
}

/// Reads of the whole; of what a scatter wrote; past a scatter to another region.
pub fn read<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let own = part(op)?;
    if own.region.is_all(&tensor(own.whole)?.shape) {
        return Some(Replacement::Value(own.whole));
    }
    let scatter = part(source(own.whole)?)?;
    let src = scatter.src?;
    if own.region == scatter.region && own.region.is_injective() {
        return Some(Replacement::Value(src));
    }
    if own.region.is_disjoint(&scatter.region) { on(op, scatter.whole) } else { None }
}

/// Scatters to the whole; of what was read there; over an earlier one to the same region.
pub fn scatter<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let own = part(op)?;
    let src = own.src?;
    if own.region.is_all(&tensor(own.whole)?.shape) {
        return Some(Replacement::Value(src));
    }
    if let Some(read) = source(src).and_then(part)
        && read.src.is_none()
        && read.whole == own.whole
        && read.region == own.region
    {
        return Some(Replacement::Value(own.whole));
    }
    let earlier = part(source(own.whole)?)?;
    if earlier.src.is_some() && earlier.region == own.region { on(op, earlier.whole) } else { None }
}
