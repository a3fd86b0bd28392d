//! The pass `loop-split-reduction`: a long reduction to few elements becomes one of blocks, and one of their
//! results.
//!
//! A sum of everything has one point, and so one grid point. Split into blocks of equal size, the blocks are
//! points of the outer domain, which run at the same time; what they give is combined by a second reduction.
//! Blocks depend on sizes alone, so the result depends neither on timing nor on the number of threads. What
//! is left over behind the last whole block is a third reduction.
//!
//! The sum of each of three columns has lanes for three elements. Rows lie one behind the other, so 16 of
//! them are 48 neighbours: a block then gives 16 sums for each column, which the second reduction combines as
//! well.
//!
//! ```text
//! y[g] = sum of x[r, 4 * g + c] over c < 4 and r         p[g, c] = sum of x[r, 4 * g + c] over r
//!                                                        y[g] = sum of p[g, c] over c
//! ```
//!
//! Of 8 such groups, as group norm of channels last has them, only 4 elements lie side by side along a
//! dimension, too few for lanes. With `c` in the outer domain it is 32. So a *short run* is reduced later, by
//! few groups or many.
//!
//! Combiners are associative; sums of floats of tensors have no order. Linear in the operations.

use super::operation::{
    copy::Copy,
    place,
    read::{Kind, Loop},
    runs::short_run,
};
use crate::{
    emit::{Emitted, Emitter},
    options::LoopSplitReduction as Options,
};
use melior::ir::{OperationRef, ValueLike, r#type::RankedTensorType};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::V,
        diagnostics::optimization_remark,
        operations::{collect_within, definition},
        pass::Failure,
        rewrite::{erase, replace_uses, set_operand},
        shaped::Shaped,
    },
    loops::{affine::Expr, combiners},
    ops::{Combiner, loop_},
};
use terrace_size::DYNAMIC;

/// Sizes of blocks above this are multiples of it.
const WHOLE: i64 = 64;
/// Registers of a tile: lanes for one of them are enough.
const REGISTERS: i64 = 4;
/// Terms for each of a short run from which on it pays to reduce that later.
const LONG: i64 = 16;

/// Runs the pass below an operation.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    check(options.points, options.lanes, options.least)?;
    let is_group = |op| loop_::GroupOp::try_from(op).is_ok();
    for op in collect_within(op, |op| !is_group(op), |op| loop_::ReductionOp::try_from(op).is_ok()) {
        if let Some(split) = Loop::of(op).and_then(|nest| Split::of(nest, options)) {
            let blocks = split.blocks;
            let later = if split.run.is_some() { ", a short run reduced later" } else { "" };
            optimization_remark(&op, "loop-split-reduction", "split", true, || {
                format!("split into {blocks} blocks{later}")
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
    /// The dimension of the domain that is split, how many whole blocks there are, and their size; one block
    /// is not split.
    dim: usize,
    blocks: i64,
    size: i64,
    /// Indices of a block whose results are combined later, so that what they read are neighbours.
    rows: i64,
    /// The dimension of the inner domain that is reduced later.
    run: Option<usize>,
}

impl<'c: 'a, 'a> Split<'c, 'a> {
    /// Decides.
    fn of(nest: Loop<'c, 'a>, options: &Options) -> Option<Self> {
        let Kind::Reduction(combiner) = nest.kind else { return None };
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
        let terms: i64 = nest.sizes[nest.outer..].iter().product();
        let pays = |(run, next): &(usize, usize)| {
            let neighbours = nest.sizes[*run] * nest.sizes[*next];
            *run >= nest.outer && terms / nest.sizes[*run] >= LONG && neighbours >= options.lanes / REGISTERS
        };
        let run = short_run(&nest).filter(pays).map(|(run, _)| run);
        let inner = || (nest.outer..nest.sizes.len()).filter(|d| Some(*d) != run);
        let elements: i64 = nest.sizes[..nest.outer].iter().chain(run.map(|d| &nest.sizes[d])).product();
        let has_lanes = run.is_some() || has_outer_lanes(&nest);
        let points = if has_lanes { elements / options.lanes } else { elements }.max(1);
        let longest = inner().max_by_key(|d| nest.sizes[*d])?;
        if points >= options.points {
            let size = nest.sizes[longest];
            return run.map(|_| Self { dim: longest, combiner, nest, blocks: 1, size, rows: 1, run });
        }
        // Two for each point that is wanted: what takes longer in one is made up for.
        let wanted = (2 * options.points + points - 1) / points;
        // As many rows as there are lanes for.
        let rows = |d: usize| {
            let most = (options.lanes / elements).min(nest.sizes[d] / wanted);
            (most > 1).then(|| (d, 1 << most.ilog2()))
        };
        // The outermost that is long enough: a block is one run of memory.
        let long_enough = || inner().find(|d| nest.sizes[*d] >= wanted).unwrap_or(longest);
        let beside = rows_beside(&nest).filter(|_| elements > 1 && run.is_none());
        let (dim, rows) = beside.and_then(rows).unwrap_or_else(|| (long_enough(), 1));
        let size = (nest.sizes[dim] + wanted - 1) / wanted;
        let whole = if size > WHOLE { WHOLE.max(rows) } else { rows };
        let size = (size + whole - 1) / whole * whole;
        let blocks = nest.sizes[dim] / size;
        match blocks {
            2.. => Some(Self { dim, combiner, nest, blocks, size, rows, run }),
            _ => run.map(|_| Self { dim, combiner, size: nest.sizes[dim], nest, blocks: 1, rows: 1, run }),
        }
    }

    /// Puts the reductions in the place of the one.
    fn write(self) -> Result<(), Failure> {
        // Blocks of what is in memory already would need memory of their own.
        let Some(result) = self.nest.result() else { return Ok(()) };
        let e = Emitter::before(self.nest.op)?.of(self.nest.op.location());
        let blocks = match (self.blocks, self.rows) {
            (1, _) => vec![],
            (blocks, 1) => vec![blocks],
            (blocks, rows) => vec![blocks, rows],
        };
        let (ty, covered) = (result.r#type(), self.blocks * self.size);
        let mut made = self.part(&e, ty, &blocks, self.size, 0)?;
        let rest = self.nest.sizes[self.dim] - covered;
        if rest > 0 {
            let rest = self.part(&e, ty, &[], rest, covered)?;
            let element = Shaped::expect(ty)?.element;
            made = e.pointwise(ty, |e, i| {
                let place: Vec<_> = (0..self.nest.outer).map(|d| e.dim(d)).collect();
                let both = (e.load(made, &place, i, None)?, e.load(rest, &place, i, None)?);
                combiners::combine(e, self.combiner, element, both)
            })?;
        }
        if let (Some(last), Some(init)) = (definition(made), self.nest.init) {
            set_operand(last, last.operand_count() - 1, init);
            replace_uses(result, made);
            erase(self.nest.op);
        }
        Ok(())
    }

    /// The reduction of blocks of the split dimension, each of so many elements, from the element `first` on;
    /// without blocks of so many elements alone. The outer domain of what is reduced first has the blocks,
    /// the dimensions of the result, and the short run.
    fn part(
        &self,
        e: &Emitter<'c, 'a>,
        ty: melior::ir::Type<'c>,
        blocks: &[i64],
        size: i64,
        first: i64,
    ) -> Emitted<'c, 'a> {
        let (nest, outer, before) = (&self.nest, self.nest.outer, blocks.len());
        let rows = blocks.get(1).copied().unwrap_or(1);
        let run: Vec<i64> = self.run.map(|d| nest.sizes[d]).into_iter().collect();
        let inner: Vec<usize> = (outer..nest.sizes.len()).filter(|d| Some(*d) != self.run).collect();
        let sizes: Vec<i64> =
            inner.iter().map(|d| if *d == self.dim { size / rows } else { nest.sizes[*d] }).collect();
        let times = |d: usize, by: i64| Expr::Mul(Box::new(Expr::Dim(d)), Box::new(Expr::Constant(by)));
        let plus = |a: Expr, b: Expr| Expr::Add(Box::new(a), Box::new(b));
        let index = |d: usize| {
            let Some(place) = inner.iter().position(|own| *own == d) else {
                return Expr::Dim(if d < outer { before + d } else { before + outer });
            };
            let own = before + outer + run.len() + place;
            match (d == self.dim, blocks) {
                (false, _) => Expr::Dim(own),
                (true, []) if first == 0 => Expr::Dim(own),
                (true, []) => plus(Expr::Constant(first), Expr::Dim(own)),
                (true, [_]) => plus(times(0, size), Expr::Dim(own)),
                (true, _) => plus(plus(times(0, size), times(own, rows)), Expr::Dim(1)),
            }
        };
        let element = |e: &Emitter<'c, 'a>, point: &[V<'c, 'a>]| {
            let mut copy = Copy::new(*e, point);
            for (d, own) in nest.indices.iter().enumerate() {
                copy.index(*own, index(d));
            }
            copy.write(&nest.body)?;
            copy.value(nest.end.value())
        };
        if blocks.is_empty() && run.is_empty() {
            return e.reduction(ty, self.combiner, &sizes, element);
        }
        let Shaped { shape, element: scalar, .. } = Shaped::expect(ty)?;
        let all: Vec<u64> = blocks.iter().chain(&shape).chain(&run).map(|size| *size as u64).collect();
        let parts: melior::ir::Type = RankedTensorType::new(&all, scalar, None).into();
        let partial = e.reduction(parts, self.combiner, &sizes, element)?;
        e.reduction(ty, self.combiner, &[blocks, &run].concat(), |e, i| {
            let of_run = (outer + before..).take(run.len());
            let place: Vec<_> =
                (outer..outer + before).chain(0..outer).chain(of_run).map(|d| e.dim(d)).collect();
            e.load(partial, &place, i, None)
        })
    }
}

/// The dimension of the inner domain along which rows lie one behind the other in what is read, each a point
/// of the outer domain beside the other, without gaps.
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

/// Whether what a load reads lies side by side along an index of the outer domain, where the inner domain
/// moves it too.
fn has_outer_lanes<'c: 'a, 'a>(nest: &Loop<'c, 'a>) -> bool {
    let (outer, inner) = nest.indices.split_at(nest.outer);
    nest.loads().any(|load| {
        let rank = terrace_dialects::loops::affine::results(load.map());
        let last = rank.checked_sub(1).and_then(|last| place::index(load, last));
        last.is_some_and(|index| outer.contains(&index))
            && load.indices().iter().any(|index| inner.contains(index))
    })
}
