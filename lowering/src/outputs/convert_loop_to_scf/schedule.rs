//! How a domain is run through, as `order` and `tile` behind a loop operation say.
//!
//! `order [1, 0]` has the loop over dimension 1 outside of that over dimension 0; with `tile [8, 8]` the
//! points of a tile run one after the other, and tiles in any order. The inner domain of a reduction stays
//! inside, for its sum is a number: what an order says of it holds among its own dimensions.

use super::write::{Body, bound, parallel};
use crate::loops::write::Size;
use melior::ir::OperationRef;
use terrace_dialects::ir::{
    OperationLike, attributes,
    cursor::{Cursor, V},
    pass::Failure,
};

/// An order of dimensions, and tiles.
#[derive(Default)]
pub struct Schedule {
    order: Option<Vec<usize>>,
    tile: Option<Vec<i64>>,
}

impl Schedule {
    /// What an operation says.
    pub fn of(op: OperationRef) -> Self {
        let said = |name: &str| op.attribute(name).ok().map(attributes::i64s);
        let order = said("order").map(|dims| dims.into_iter().map(|d| d as usize).collect());
        Self { order, tile: said("tile") }
    }

    /// Dimensions from the outermost loop on.
    pub fn order(&self, dims: &[usize]) -> Vec<usize> {
        let Some(order) = &self.order else { return dims.to_vec() };
        order.iter().copied().filter(|d| dims.contains(d)).collect()
    }

    /// Whether one of the inner domain's dimensions is to run outside of one of the outer domain.
    pub fn turns_inside_out(&self, outer: usize) -> bool {
        let order = self.order.as_deref().unwrap_or_default();
        order.iter().skip_while(|d| **d < outer).any(|d| *d < outer)
    }

    /// Runs over some dimensions of a domain; the body is given their indices in the order of `dims`.
    pub fn run<'c: 'a, 'a>(
        &self,
        at: Cursor<'c, 'a>,
        sizes: &[Size<'c, 'a>],
        dims: &[usize],
        mut body: impl FnMut(Cursor<'c, 'a>, &[V<'c, 'a>]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let order = self.order(dims);
        let place =
            |d: usize| order.iter().position(|other| *other == d).ok_or("has an order of other dimensions");
        let places = dims.iter().map(|d| place(*d)).collect::<Result<Vec<_>, _>>()?;
        let ordered: Vec<Size> = order.iter().map(|d| sizes[*d]).collect();
        let tile = |d: &usize| self.tile.as_ref().and_then(|tile| tile.get(*d)).copied().unwrap_or(1).max(1);
        let tiles: Vec<i64> = order.iter().map(tile).collect();
        parallel(at, &ordered, &tiles, |at, starts| {
            let all: Vec<_> = ordered.iter().copied().zip(&tiles).zip(starts).collect();
            within(at, &all, &[], &mut |at, found| {
                body(at, &places.iter().map(|p| found[*p]).collect::<Vec<_>>())
            })
        })
    }
}

/// Runs over the points of a tile, one after the other: sizes of the domain, those of the tile and where it
/// begins.
fn within<'c: 'a, 'a>(
    at: Cursor<'c, 'a>,
    dims: &[((Size<'c, 'a>, &i64), &V<'c, 'a>)],
    found: &[V<'c, 'a>],
    body: Body<'_, 'c, 'a>,
) -> Result<(), Failure> {
    let Some((((size, tile), start), rest)) = dims.split_first() else { return body(at, found) };
    if **tile == 1 {
        return within(at, rest, &[found, &[**start]].concat(), body);
    }
    let mut end = at.op("arith.addi", &[**start, at.index(**tile)?], at.index_type())?;
    if size.known().is_none_or(|size| size % **tile != 0) {
        end = at.op("arith.minsi", &[end, bound(at, *size)?], at.index_type())?;
    }
    at.repeat(**start, end, |at, i| within(at, rest, &[found, &[i]].concat(), body))
}
