//! The loop dialect: domains fit destinations, bodies yield elements, indices fit buffers.

use crate::{
    ir::{
        BlockLike, OperationLike, context,
        shaped::{Shaped, check_sizes},
        types::{is_float, part},
    },
    loops::affine,
    ops::{Combiner, kernel, loop_},
};
use melior::ir::{OperationRef, RegionLike, RegionRef, Type, TypeLike, Value, ValueLike};
use terrace_size::DYNAMIC;

/// The parts that every nest has.
struct Nest<'c, 'a> {
    op: OperationRef<'c, 'a>,
    sizes: Vec<i64>,
    dynamic: usize,
    /// None in a member of a group.
    init: Option<Value<'c, 'a>>,
    /// The sizes that a destination or a result has.
    outer: usize,
    body: RegionRef<'c, 'a>,
    schedule: Schedule,
}

/// Decisions that stand in the operation.
pub(super) struct Schedule {
    pub order: Option<Vec<i64>>,
    pub tile: Option<Vec<i64>>,
}

impl Schedule {
    /// Checks it against a domain, and how many of its dimensions are the destination's.
    pub fn check(&self, sizes: &[i64], outer: usize) -> Result<(), String> {
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
    /// Checks what all nests share; gives what is written or what a member gives, and the yield.
    fn check(&self) -> Result<(Shaped<'c>, loop_::YieldOp<'c, 'a>), String> {
        check_domain(&self.sizes, self.dynamic)?;
        let in_group = self.op.parent_operation().is_some_and(|p| loop_::GroupOp::try_from(p).is_ok());
        let destination = match self.init {
            Some(_) if in_group => {
                return Err(
                    "writes a destination: a member of a group is a value, and a 'loop.insert' at the \
                            group's end says where it goes"
                        .into(),
                );
            }
            _ if in_group && self.schedule.tile.is_some() => {
                return Err(
                    "has a tile: a member of a group runs whole at each point, the group has a tile".into()
                );
            }
            Some(init) => self.destination(init)?,
            None if in_group => self.value()?,
            None => {
                return Err("expects a destination, 'into': only a member of a group is a value".into());
            }
        };
        let block = self.body.first_block().ok_or("has an empty body")?;
        let index = Type::index(context::of(self.op.context()));
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
            let into = if self.init.is_some() { "into a destination" } else { "for a value" };
            return Err(format!("yields {yielded} {into} of {element}"));
        }
        Ok((destination, end))
    }

    /// What has the sizes of a part of the domain.
    fn fits(&self, part: &str) -> String {
        let what = if self.init.is_some() { "destination" } else { "result" };
        format!("a {what} of the {part}'s sizes")
    }

    fn destination(&self, init: Value<'c, 'a>) -> Result<Shaped<'c>, String> {
        let destination = Shaped::expect(init.r#type())?;
        let results = self.op.result_count();
        if results != usize::from(!destination.buffer) {
            return Err(format!(
                "expects one result for a tensor destination and none for a memref, got {results}"
            ));
        }
        if results == 1 && self.op.result_at(0).map_err(|e| e.to_string())?.r#type() != init.r#type() {
            return Err("has a result of another type than its destination".into());
        }
        Ok(destination)
    }

    /// What a member gives: a tensor of the outer domain's sizes; a number where there is no outer domain.
    fn value(&self) -> Result<Shaped<'c>, String> {
        let ty = match self.op.result_at(0) {
            Ok(result) => result.r#type(),
            Err(_) => return Err("has no result: a member of a group is a value".into()),
        };
        match (Shaped::of(ty), self.outer) {
            (None, 0) => Ok(Shaped { shape: vec![], element: ty, buffer: false }),
            (Some(shaped), 1..) if !shaped.buffer => Ok(shaped),
            (_, 0) => Err(format!("expects a number, for there is no outer domain, got {ty}")),
            _ => Err(format!("expects a tensor of its outer domain's sizes, got {ty}")),
        }
    }
}

/// Checks the sizes of a domain.
pub(super) fn check_domain(sizes: &[i64], dynamic: usize) -> Result<(), String> {
    let unknown = sizes.iter().filter(|s| **s == DYNAMIC).count();
    if unknown != dynamic {
        return Err(format!("has {unknown} dynamic sizes but {dynamic} operands for them"));
    }
    match sizes.iter().find(|s| **s < 0 && **s != DYNAMIC) {
        Some(s) => Err(format!("has a domain of negative size {s}")),
        None => Ok(()),
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
    let nest =
        Nest { op, outer: sizes.len(), sizes, dynamic, init: view.init(), body: view.body(), schedule };
    let (destination, end) = nest.check()?;
    check_sizes(&nest.fits("domain"), &nest.sizes, &destination.shape)?;
    nest.schedule.check(&nest.sizes, nest.sizes.len())?;
    no_place(end)
}

/// The domain is the destination's shape; the dimension is one of it; the combiner fits the element type.
pub fn loop_scan(op: OperationRef) -> Result<(), String> {
    let view = loop_::ScanOp::try_from(op).map_err(|_| "is no scan")?;
    let (sizes, dynamic) = (view.sizes(), view.dynamic_sizes().len());
    let schedule = Schedule { order: view.order(), tile: view.tile() };
    let nest =
        Nest { op, outer: sizes.len(), sizes, dynamic, init: view.init(), body: view.body(), schedule };
    let (destination, end) = nest.check()?;
    check_sizes(&nest.fits("domain"), &nest.sizes, &destination.shape)?;
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
    let outer = usize::try_from(view.reduced()).ok().and_then(|r| sizes.len().checked_sub(r));
    let outer = outer.ok_or_else(|| format!("reduces {} of {} dimensions", view.reduced(), sizes.len()))?;
    let nest = Nest { op, outer, sizes, dynamic, init: view.init(), body: view.body(), schedule };
    let (destination, end) = nest.check()?;
    check_sizes(&nest.fits("outer domain"), &nest.sizes[..outer], &destination.shape)?;
    check_combiner(view.combiner(), destination.element)?;
    nest.schedule.check(&nest.sizes, outer)?;
    no_place(end)
}

/// `and` and `or` are of integers, `logaddexp` of floats; complex numbers have no order.
pub(super) fn check_combiner(combiner: Combiner, element: Type) -> Result<(), String> {
    let (float, integer) = (is_float(element), element.is_integer() || element.is_index());
    let bits = matches!(combiner, Combiner::And | Combiner::Or);
    let both = part(element).is_some() && matches!(combiner, Combiner::Add | Combiner::Mul);
    if (integer && combiner != Combiner::LogAddExp) || (float && !bits) || both {
        return Ok(());
    }
    Err(format!("combines {element} by '{}'", combiner.name()))
}

/// Each point says where its element goes; a combiner fits the element type, and knows no order.
pub fn loop_scatter(op: OperationRef) -> Result<(), String> {
    let view = loop_::ScatterOp::try_from(op).map_err(|_| "is no scatter")?;
    let (sizes, dynamic) = (view.sizes(), view.dynamic_sizes().len());
    let schedule = Schedule { order: view.order(), tile: view.tile() };
    let init = Some(view.init());
    let nest = Nest { op, outer: sizes.len(), sizes, dynamic, init, body: view.body(), schedule };
    let (destination, end) = nest.check()?;
    nest.schedule.check(&nest.sizes, nest.sizes.len())?;
    if let Some(combiner) = view.combiner() {
        check_combiner(combiner, destination.element)?;
        if view.ordered().is_some() {
            return Err(
                "is 'ordered' and has a combiner, which takes elements in any order: expects one of them"
                    .into(),
            );
        }
    }
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
