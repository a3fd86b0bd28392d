//! Where what the members of a group give stands in memory.
//!
//! A tensor that is inserted as it is stands in its part of the destination from the start, if nobody reads
//! there what was before; any other is in scratch memory of the grid point, under its own name. Accesses to
//! the first kind become accesses to the destination here.

use super::access::Access;
use melior::{
    Context,
    ir::{AffineExpr, AffineMap},
};
use std::collections::HashMap;
use terrace_dialects::{
    ir::{attributes, cursor::V, operations::key},
    loops::{affine, groups::Insert},
};

/// A part of a buffer.
#[derive(Clone)]
pub(crate) struct Place<'c, 'a> {
    context: &'c Context,
    buffer: V<'c, 'a>,
    /// Where an element is: the dimensions are its indices in the part, then the operands.
    exprs: Vec<AffineExpr<'c>>,
    operands: Vec<V<'c, 'a>>,
}

/// The places of tensors, by their keys.
pub(crate) type Places<'c, 'a> = HashMap<usize, Place<'c, 'a>>;

impl<'c, 'a> Place<'c, 'a> {
    /// The part of `buffer` that an insert writes.
    pub fn of(context: &'c Context, insert: &Insert<'c, 'a>, buffer: V<'c, 'a>) -> Self {
        let whole = insert.op.whole();
        let rank = whole.iter().filter(|all| **all).count();
        let operands = insert.operands.clone();
        let behind: Vec<_> = (0..operands.len()).map(|i| AffineExpr::dim(context, rank + i)).collect();
        let behind = AffineMap::new(context, rank + operands.len(), 0, &behind);
        // SAFETY: the attribute of an insert is a map.
        let map = attributes::map(insert.op.map());
        let (mut own, mut fixed) = (0..rank, 0..map.result_count());
        let expr = |all: bool| match all {
            true => own.next().map(|d| AffineExpr::dim(context, d)),
            false => fixed.next().and_then(|i| map.result(i).ok()).map(|e| e.compose(behind)),
        };
        Self { context, buffer, exprs: whole.into_iter().filter_map(expr).collect(), operands }
    }

    /// The row of `buffer` that a point at this index has, where the first row is that of index `first`, of a
    /// tensor of this rank.
    pub fn row(context: &'c Context, buffer: V<'c, 'a>, rank: usize, [index, first]: [V<'c, 'a>; 2]) -> Self {
        let dim = |d: usize| AffineExpr::dim(context, d);
        let row = dim(rank) + dim(rank + 1) * AffineExpr::constant(context, -1);
        let exprs = std::iter::once(row).chain((0..rank).map(dim)).collect();
        Self { context, buffer, exprs, operands: vec![index, first] }
    }

    /// An access to the tensor, as one to the buffer.
    pub fn access(&self, to: Access<'c, 'a>) -> Access<'c, 'a> {
        let (own, context) = (to.operands.len(), self.context);
        // SAFETY: the attribute of an access is a map.
        let map = attributes::map(to.map);
        let mut inner: Vec<_> = (0..map.result_count()).filter_map(|i| map.result(i).ok()).collect();
        inner.extend((0..self.operands.len()).map(|i| AffineExpr::dim(context, own + i)));
        let inner = AffineMap::new(context, own + self.operands.len(), 0, &inner);
        let exprs: Vec<_> = self.exprs.iter().map(|e| e.compose(inner)).collect();
        let values = [&to.operands[..], &self.operands].concat();
        let (operands, map) = affine::access(context, &exprs, &values);
        Access { mask: to.mask, other: to.other, ..Access::new(self.buffer, map, operands) }
    }
}

/// An access where its buffer has a place, or the access itself.
pub(crate) fn placed<'c, 'a>(places: &Places<'c, 'a>, access: Access<'c, 'a>) -> Access<'c, 'a> {
    match places.get(&key(access.buffer)) {
        Some(place) => place.access(access),
        None => access,
    }
}
