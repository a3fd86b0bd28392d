//! The pass `loop-split-reduction`: a long reduction to few elements becomes one of blocks, and one of their results.
//!
//! A sum of everything has one point, and so one grid point. Split into blocks of equal size, the blocks are points of the outer
//! domain, which run at the same time; what they give is combined by a second reduction. Blocks depend on sizes alone, so the
//! result depends neither on timing nor on the number of threads. What is left over behind the last whole block is a third reduction.
//!
//! The sum of each of three columns has lanes for three elements. Rows lie one behind the other, so 16 of them are 48 neighbours: a
//! block then gives 16 sums for each column, which the second reduction combines as well.
//!
//! Combiners are associative; sums of floats of tensors have no order. Linear in the operations.

use super::operation::{
    copy::Copy,
    place,
    read::{Kind, Loop},
};
use crate::{
    emit::{Emitted, Emitter},
    options::LoopSplitReduction as Options,
};
use melior::ir::{
    OperationRef, ValueLike,
    operation::{OperationMutLike, OperationRefMut},
    r#type::RankedTensorType,
};
use mlir_sys::mlirValueReplaceAllUsesOfWith;
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::V,
        diagnostics::optimization_remark,
        operations::{collect_within, definition, erase},
        pass::Failure,
        shaped::Shaped,
    },
    loops::{affine::Expr, combiners},
    ops::{Combiner, loop_},
};
use terrace_size::DYNAMIC;

/// Sizes of blocks above this are multiples of it.
const WHOLE: i64 = 64;

/// Runs the pass below an operation.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    check(options.points, options.lanes, options.least)?;
    let is_group = |op| loop_::GroupOp::try_from(op).is_ok();
    for op in collect_within(op, |op| !is_group(op), |op| loop_::ReductionOp::try_from(op).is_ok()) {
        if let Some(split) = Loop::of(op).and_then(|nest| Split::of(nest, options)) {
            let blocks = split.blocks;
            optimization_remark(&op, "loop-split-reduction", "split", true, || {
                format!("split into {blocks} blocks")
            });
            split.write()?;
        }
    }
    Ok(())
}

/// Refuses options that are no limits: of points, of lanes and of elements.
pub(super) fn check(points: i64, lanes: i64, least: i64) -> Result<(), Failure> {
    if points >= 1 && lanes >= 1 && least >= 0 {
        return Ok(());
    }
    Err(format!(
        "expects a point and a lane or more and a limit that is not negative, got points {points}, lanes {lanes}, least {least}"
    )
    .into())
}

/// A reduction that is split.
struct Split<'c, 'a> {
    nest: Loop<'c, 'a>,
    combiner: Combiner,
    /// The dimension of the domain that is split, how many whole blocks there are, and their size.
    dim: usize,
    blocks: i64,
    size: i64,
    /// Indices of a block whose results are combined later, so that what they read are neighbours.
    rows: i64,
}

impl<'c: 'a, 'a> Split<'c, 'a> {
    /// Decides.
    fn of(nest: Loop<'c, 'a>, options: &Options) -> Option<Self> {
        let Kind::Reduction(combiner) = nest.kind else { return None };
        let (outer, inner) = nest.sizes.split_at(nest.outer);
        if !nest.is_static() || !nest.is_plain() || nest.is_contraction() {
            return None;
        }
        if nest.points()? < options.least || nest.sizes.contains(&0) {
            return None;
        }
        // Operations that know its sizes make no tensor of a type that leaves them open.
        if Shaped::of(nest.init?.r#type())?.shape.contains(&DYNAMIC) {
            return None;
        }
        let elements: i64 = outer.iter().product();
        let points = if has_outer_lanes(&nest) { elements / options.lanes } else { elements }.max(1);
        if points >= options.points {
            return None;
        }
        // Two for each point that is wanted: what takes longer in one is made up for.
        let wanted = (2 * options.points + points - 1) / points;
        // The outermost that is long enough: a block is one run of memory.
        let longest = (0..inner.len()).max_by_key(|d| inner[*d])?;
        // As many rows as there are lanes for.
        let rows = |d: usize| {
            let most = (options.lanes / elements).min(nest.sizes[d] / wanted);
            (most > 1).then(|| (d - nest.outer, 1 << most.ilog2()))
        };
        let long_enough = || inner.iter().position(|size| *size >= wanted).unwrap_or(longest);
        let (split, rows) =
            rows_beside(&nest).filter(|_| elements > 1).and_then(rows).unwrap_or_else(|| (long_enough(), 1));
        let size = (inner[split] + wanted - 1) / wanted;
        let whole = if size > WHOLE { WHOLE.max(rows) } else { rows };
        let size = (size + whole - 1) / whole * whole;
        let blocks = inner[split] / size;
        (blocks > 1).then_some(Self { dim: nest.outer + split, combiner, nest, blocks, size, rows })
    }

    /// Puts the reductions in the place of the one.
    fn write(self) -> Result<(), Failure> {
        // Blocks of what is in memory already would need memory of their own.
        let Some(result) = self.nest.result() else { return Ok(()) };
        let e = Emitter::before(self.nest.op)?.of(self.nest.op.location());
        let (ty, outer) = (result.r#type(), self.nest.outer);
        let Shaped { shape, element, .. } = Shaped::expect(ty)?;
        let times = |d: usize, by: i64| Expr::Mul(Box::new(Expr::Dim(d)), Box::new(Expr::Constant(by)));
        let plus = |a: Expr, b: Expr| Expr::Add(Box::new(a), Box::new(b));
        let split = match self.rows {
            1 => vec![self.blocks],
            rows => vec![self.blocks, rows],
        };
        let sizes: Vec<u64> = split.iter().chain(&shape).map(|size| *size as u64).collect();
        let parts: melior::ir::Type = RankedTensorType::new(&sizes, element, None).into();
        let partial = e.reduction(parts, self.combiner, &self.inner(self.size / self.rows), |e, i| {
            let (before, own) = (split.len(), split.len() + self.dim);
            let index = match self.rows {
                1 => plus(times(0, self.size), Expr::Dim(own)),
                rows => plus(plus(times(0, self.size), times(own, rows)), Expr::Dim(1)),
            };
            self.element(e, i, before, index)
        })?;
        let mut made = e.reduction(ty, self.combiner, &split, |e, i| {
            let place: Vec<_> = (outer..outer + split.len()).chain(0..outer).map(|d| e.dim(d)).collect();
            e.load(partial, &place, i, None)
        })?;
        let rest = self.nest.sizes[self.dim] - self.blocks * self.size;
        if rest > 0 {
            let behind = Expr::Constant(self.blocks * self.size);
            let index = plus(behind, Expr::Dim(self.dim));
            let rest =
                e.reduction(ty, self.combiner, &self.inner(rest), |e, i| self.element(e, i, 0, index))?;
            let name = combiners::operation(self.combiner, element);
            made = e.pointwise(ty, |e, i| {
                let place: Vec<_> = (0..outer).map(|d| e.dim(d)).collect();
                Ok(e.same(name, &[e.load(made, &place, i, None)?, e.load(rest, &place, i, None)?]))
            })?;
        }
        if let (Some(last), Some(init)) = (definition(made), self.nest.init) {
            // SAFETY: the destination stands in front of the reduction, and has its result's type; nobody else holds on to the operations.
            unsafe {
                OperationRefMut::from_raw(last.to_raw()).set_operand(last.operand_count() - 1, init);
                mlirValueReplaceAllUsesOfWith(result.to_raw(), made.to_raw());
                erase(self.nest.op);
            }
        }
        Ok(())
    }

    /// The sizes of the inner domain, where the split dimension has this one.
    fn inner(&self, size: i64) -> Vec<i64> {
        let own = |d: usize| if d == self.dim { size } else { self.nest.sizes[d] };
        (self.nest.outer..self.nest.sizes.len()).map(own).collect()
    }

    /// The body at a point whose indices come after `before` others; that of the split dimension is `split`.
    fn element(
        &self,
        e: &Emitter<'c, 'a>,
        point: &[V<'c, 'a>],
        before: usize,
        split: Expr,
    ) -> Emitted<'c, 'a> {
        let mut copy = Copy::new(*e, point);
        for (d, index) in self.nest.indices.iter().enumerate() {
            copy.index(*index, if d == self.dim { split.clone() } else { Expr::Dim(before + d) });
        }
        copy.write(&self.nest.body)?;
        copy.value(self.nest.end.value())
    }
}

/// The dimension of the inner domain along which rows lie one behind the other in what is read, each a point of the outer domain
/// beside the other, without gaps.
fn rows_beside<'c: 'a, 'a>(nest: &Loop<'c, 'a>) -> Option<usize> {
    let all = |load: loop_::LoadOp<'c, 'a>| {
        let shape = Shaped::of(load.source().r#type())?.shape;
        let first = shape.len().checked_sub(nest.outer)?;
        let whole = (0..nest.outer)
            .all(|d| place::is_index(load, first + d, nest, d) && shape[first + d] == nest.sizes[d]);
        let rows = place::index(load, first.checked_sub(1).filter(|_| whole)?)?;
        (nest.outer..nest.sizes.len()).find(|d| nest.indices[*d] == rows)
    };
    nest.loads().find_map(all)
}

/// Whether what a load reads lies side by side along an index of the outer domain, where the inner domain moves it too.
fn has_outer_lanes<'c: 'a, 'a>(nest: &Loop<'c, 'a>) -> bool {
    let (outer, inner) = nest.indices.split_at(nest.outer);
    nest.loads().any(|load| {
        let rank = terrace_dialects::loops::affine::results(load.map());
        let last = rank.checked_sub(1).and_then(|last| place::index(load, last));
        last.is_some_and(|index| outer.contains(&index))
            && load.indices().iter().any(|index| inner.contains(index))
    })
}
