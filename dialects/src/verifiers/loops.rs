//! The loop dialect: domains fit destinations, bodies yield elements, indices fit buffers.

use crate::{
    affine,
    ops::{Combiner, kernel, loop_},
    shaped::{Shaped, check_sizes},
    types::DYNAMIC,
};
use melior::ir::{
    BlockLike, OperationRef, RegionLike, RegionRef, Type, TypeLike, Value, ValueLike,
    operation::OperationLike,
};
use mlir_sys::*;

/// The parts that every nest has.
struct Nest<'c, 'a> {
    op: OperationRef<'c, 'a>,
    sizes: Vec<i64>,
    dynamic: usize,
    init: Value<'c, 'a>,
    body: RegionRef<'c, 'a>,
    schedule: Schedule,
}

/// Decisions that stand in the operation.
struct Schedule {
    order: Option<Vec<i64>>,
    tile: Option<Vec<i64>>,
}

impl Schedule {
    /// Checks it against a domain, and how many of its dimensions are the destination's.
    fn check(&self, sizes: &[i64], outer: usize) -> Result<(), String> {
        if let Some(order) = &self.order {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if !sorted.into_iter().eq(0..sizes.len() as i64) {
                return Err(format!(
                    "has the order {order:?}: expects each dimension of the domain once, 0 to {}",
                    sizes.len().saturating_sub(1)
                ));
            }
        }
        let Some(tile) = &self.tile else { return Ok(()) };
        if tile.len() != outer {
            return Err(format!("has a tile of {} sizes: expects {outer}, one per dimension", tile.len()));
        }
        let fits = |(tile, size): (&i64, &i64)| *tile >= 1 && (*size == DYNAMIC || *tile <= (*size).max(1));
        if !tile.iter().zip(sizes).all(fits) {
            return Err(format!(
                "has the tile {tile:?}: expects sizes of 1 up to those of the domain, {:?}",
                &sizes[..outer]
            ));
        }
        Ok(())
    }
}

impl<'c, 'a> Nest<'c, 'a> {
    /// Checks what all nests share; gives the destination and the yield.
    fn check(&self) -> Result<(Shaped<'c>, loop_::YieldOp<'c, 'a>), String> {
        let unknown = self.sizes.iter().filter(|s| **s == DYNAMIC).count();
        if unknown != self.dynamic {
            return Err(format!("has {unknown} dynamic sizes but {} operands for them", self.dynamic));
        }
        if let Some(s) = self.sizes.iter().find(|s| **s < 0 && **s != DYNAMIC) {
            return Err(format!("has a domain of negative size {s}"));
        }
        let destination = Shaped::expect(self.init.r#type())?;
        let results = self.op.result_count();
        if results != usize::from(!destination.buffer) {
            return Err(format!(
                "expects one result for a tensor destination and none for a memref, got {results}"
            ));
        }
        if results == 1 && self.op.result(0).map_err(|e| e.to_string())?.r#type() != self.init.r#type() {
            return Err("has a result of another type than its destination".into());
        }
        let block = self.body.first_block().ok_or("has an empty body")?;
        let index = unsafe { Type::from_raw(mlirIndexTypeGet(mlirOperationGetContext(self.op.to_raw()))) };
        let indices = (0..block.argument_count())
            .filter(|i| block.argument(*i).is_ok_and(|a| a.r#type() == index))
            .count();
        if block.argument_count() != self.sizes.len() || indices != self.sizes.len() {
            return Err(format!(
                "expects a body with {} indices, one per dimension of the domain",
                self.sizes.len()
            ));
        }
        let end = block.terminator().ok_or("has a body without a yield")?;
        let end = loop_::YieldOp::try_from(end).map_err(|_| "expects its body to end with 'loop.yield'")?;
        let (yielded, element) = (end.value().r#type(), destination.element);
        if yielded != element {
            return Err(format!("yields {yielded} into a destination of {element}"));
        }
        Ok((destination, end))
    }
}

fn no_place(end: loop_::YieldOp) -> Result<(), String> {
    if end.map().is_some() {
        Err("yields 'at' a place: only a scatter chooses where an element goes".into())
    } else {
        Ok(())
    }
}

/// The domain is the destination's shape.
pub fn loop_pointwise(op: OperationRef) -> Result<(), String> {
    let view = loop_::PointwiseOp::try_from(op).map_err(|_| "is no pointwise")?;
    let (sizes, dynamic) = (view.sizes(), view.dynamic_sizes().len());
    let schedule = Schedule { order: view.order(), tile: view.tile() };
    let nest = Nest { op, sizes, dynamic, init: view.init(), body: view.body(), schedule };
    let (destination, end) = nest.check()?;
    check_sizes("a destination of the domain's sizes", &nest.sizes, &destination.shape)?;
    nest.schedule.check(&nest.sizes, nest.sizes.len())?;
    no_place(end)
}

/// The domain is the destination's shape; the dimension is one of it; the combiner fits the element type.
pub fn loop_scan(op: OperationRef) -> Result<(), String> {
    let view = loop_::ScanOp::try_from(op).map_err(|_| "is no scan")?;
    let (sizes, dynamic) = (view.sizes(), view.dynamic_sizes().len());
    let schedule = Schedule { order: view.order(), tile: view.tile() };
    let nest = Nest { op, sizes, dynamic, init: view.init(), body: view.body(), schedule };
    let (destination, end) = nest.check()?;
    check_sizes("a destination of the domain's sizes", &nest.sizes, &destination.shape)?;
    if !usize::try_from(view.dim()).is_ok_and(|dim| dim < nest.sizes.len()) {
        return Err(format!("scans along dimension {} of {}", view.dim(), nest.sizes.len()));
    }
    check_combiner(view.combiner(), destination.element)?;
    nest.schedule.check(&nest.sizes, nest.sizes.len())?;
    let dim = view.dim() as usize;
    if nest.schedule.tile.as_ref().is_some_and(|tile| tile[dim] < nest.sizes[dim]) {
        return Err(format!("has a tile that divides dimension {dim}, along which it scans"));
    }
    no_place(end)
}

/// The outer domain is the destination's shape; the combiner fits the element type.
pub fn loop_reduction(op: OperationRef) -> Result<(), String> {
    let view = loop_::ReductionOp::try_from(op).map_err(|_| "is no reduction")?;
    let (sizes, dynamic) = (view.sizes(), view.dynamic_sizes().len());
    let schedule = Schedule { order: view.order(), tile: view.tile() };
    let nest = Nest { op, sizes, dynamic, init: view.init(), body: view.body(), schedule };
    let (destination, end) = nest.check()?;
    let outer = usize::try_from(view.reduced()).ok().and_then(|r| nest.sizes.len().checked_sub(r));
    let outer =
        outer.ok_or_else(|| format!("reduces {} of {} dimensions", view.reduced(), nest.sizes.len()))?;
    check_sizes("a destination of the outer domain's sizes", &nest.sizes[..outer], &destination.shape)?;
    check_combiner(view.combiner(), destination.element)?;
    nest.schedule.check(&nest.sizes, outer)?;
    no_place(end)
}

/// `and` and `or` are of integers.
pub(super) fn check_combiner(combiner: Combiner, element: Type) -> Result<(), String> {
    let raw = element.to_raw();
    let (float, integer) =
        unsafe { (mlirTypeIsAFloat(raw), mlirTypeIsAInteger(raw) || mlirTypeIsAIndex(raw)) };
    let bits = matches!(combiner, Combiner::And | Combiner::Or);
    if integer || (float && !bits) {
        return Ok(());
    }
    Err(format!("combines {element} by '{}'", combiner.name()))
}

/// Each point says where its element goes.
pub fn loop_scatter(op: OperationRef) -> Result<(), String> {
    let view = loop_::ScatterOp::try_from(op).map_err(|_| "is no scatter")?;
    let (sizes, dynamic) = (view.sizes(), view.dynamic_sizes().len());
    let schedule = Schedule { order: view.order(), tile: view.tile() };
    let nest = Nest { op, sizes, dynamic, init: view.init(), body: view.body(), schedule };
    let (destination, end) = nest.check()?;
    nest.schedule.check(&nest.sizes, nest.sizes.len())?;
    let map = end.map().ok_or("expects its yield to say where the element goes: 'at [...]'")?;
    check_access(affine::results(map), affine::dims(map), end.indices().len(), destination.rank())
}

pub(super) fn check_access(results: usize, dims: usize, indices: usize, rank: usize) -> Result<(), String> {
    if results != rank {
        return Err(format!("expects {rank} indices, one per dimension, got {results}"));
    }
    if dims != indices {
        return Err(format!("has a map of {dims} dimensions but {indices} operands for them"));
    }
    Ok(())
}

/// An index per dimension; a masked load has another value.
pub fn loop_load(op: OperationRef) -> Result<(), String> {
    let view = loop_::LoadOp::try_from(op).map_err(|_| "is no load")?;
    let source = Shaped::expect(view.source().r#type())?;
    check_access(affine::results(view.map()), affine::dims(view.map()), view.indices().len(), source.rank())?;
    match (view.mask(), view.other()) {
        (None, None) => Ok(()),
        (Some(_), Some(other)) if other.r#type() == source.element => Ok(()),
        (Some(_), Some(other)) => {
            Err(format!("has {} where the mask is off, for elements of {}", other.r#type(), source.element))
        }
        _ => Err("expects a mask together with the value where it is off".into()),
    }
}

/// A place has as many operands as its map has dimensions.
pub fn loop_yield(op: OperationRef) -> Result<(), String> {
    let view = loop_::YieldOp::try_from(op).map_err(|_| "is no yield")?;
    let dims = view.map().map_or(0, affine::dims);
    let operands = view.indices().len();
    if dims != operands {
        return Err(format!("has a map of {dims} dimensions but {operands} operands for them"));
    }
    let inside = op.parent_operation().is_some_and(|parent| {
        loop_::PointwiseOp::try_from(parent).is_ok()
            || loop_::ReductionOp::try_from(parent).is_ok()
            || loop_::ScatterOp::try_from(parent).is_ok()
            || loop_::ScanOp::try_from(parent).is_ok()
            || kernel::MatmulOp::try_from(parent).is_ok()
    });
    if inside { Ok(()) } else { Err("expects to be in a loop operation or a template".into()) }
}
