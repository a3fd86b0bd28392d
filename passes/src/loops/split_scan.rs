//! The pass `loop-split-scan`: a long scan of few rows becomes scans of blocks, which run at the same time.
//!
//! ```text
//! x      1 2 3 | 4 5 6 | 7 8 9      blocks of a row
//! sums       6      15      24      a reduction of each
//! before     6      21      45      the scan of these
//! y      1 3 6 | 10 15 21 | 28 36 45, each from what is before its block
//! ```
//!
//! So the row is read twice, and all but the short scan in the middle has a point for each block. The first
//! element of a block is combined with what is before it in the body of the last scan. Blocks depend on sizes
//! alone. Combiners are associative; scans of floats of tensors have no order. Linear in the operations.

use super::{
    operation::{
        copy::Copy,
        place,
        read::{Kind, Loop},
    },
    split_reduction::check,
};
use crate::{
    emit::{Emitted, Emitter, Number},
    options::LoopSplitScan as Options,
};
use melior::ir::{
    OperationRef, Type, ValueLike,
    attribute::{ArrayAttribute, DenseI64ArrayAttribute},
    r#type::RankedTensorType,
};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::V,
        diagnostics::optimization_remark,
        operations::{collect_within, definition},
        pass::Failure,
        rewrite::{erase, replace_uses, set_operand},
        shaped::Shaped,
        types::part,
    },
    loops::{
        affine::{self, Expr},
        combiners,
    },
    ops::{Combiner, loop_},
};

/// Runs the pass below an operation.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    check(options.points, options.lanes, options.least)?;
    let is_group = |op| loop_::GroupOp::try_from(op).is_ok();
    for op in collect_within(op, |op| !is_group(op), |op| loop_::ScanOp::try_from(op).is_ok()) {
        if let Some(split) = Loop::of(op).and_then(|nest| Split::of(nest, options)) {
            let blocks = split.blocks;
            optimization_remark(&op, "loop-split-scan", "split", true, || {
                format!("split into {blocks} blocks")
            });
            split.write()?;
        }
    }
    Ok(())
}

/// A scan that is split.
struct Split<'c, 'a> {
    nest: Loop<'c, 'a>,
    combiner: Combiner,
    /// The dimension of the scan, how many blocks it has, and their size.
    dim: usize,
    blocks: i64,
    size: i64,
}

impl<'c: 'a, 'a> Split<'c, 'a> {
    /// Decides.
    fn of(nest: Loop<'c, 'a>, options: &Options) -> Option<Self> {
        let (scan, Kind::Scan(dim)) = (loop_::ScanOp::try_from(nest.op).ok()?, nest.kind) else {
            return None;
        };
        if scan.exclusive().is_some() || scan.reverse().is_some() || !nest.is_plain() {
            return None;
        }
        // What is on memory has no result: its blocks would need memory of their own.
        let element = Shaped::of(nest.result()?.r#type())?.element;
        if part(element).is_some() || nest.points()? < options.least || nest.sizes.contains(&0) {
            return None;
        }
        let rows: i64 = nest.sizes.iter().enumerate().filter(|(d, _)| *d != dim).map(|(_, n)| n).product();
        // Lanes are along what is side by side: rows, or the scan itself.
        let beside = has_lanes_beside(&nest, dim);
        let points = if beside { rows / options.lanes } else { rows }.max(1);
        if points >= options.points {
            return None;
        }
        let wanted = (2 * options.points + points - 1) / points;
        let length = nest.sizes[dim];
        let least = ((length + wanted - 1) / wanted).max(if beside { 1 } else { options.lanes });
        let size = (least..least.saturating_mul(4)).find(|size| length % size == 0)?;
        (size < length).then_some(Self { combiner: scan.combiner(), dim, blocks: length / size, size, nest })
    }

    /// Puts a reduction and two scans in the place of the one.
    fn write(self) -> Result<(), Failure> {
        let Some(result) = self.nest.result() else { return Ok(()) };
        let (e, dim) = (Emitter::before(self.nest.op)?.of(self.nest.op.location()), self.dim);
        let Shaped { shape, element, .. } = Shaped::expect(result.r#type())?;
        let tensor = |sizes: &[i64]| -> Type<'c> {
            let sizes: Vec<u64> = sizes.iter().map(|size| *size as u64).collect();
            RankedTensorType::new(&sizes, element, None).into()
        };
        let rank = shape.len();
        let mut blocks = shape.clone();
        blocks[dim] = self.blocks;
        let sums = e.reduction(tensor(&blocks), self.combiner, &[self.size], |e, i| {
            self.element(e, i, (dim, rank), |d| d)
        })?;
        let before = e.scan(tensor(&blocks), self.combiner, dim, |e, i| {
            let place: Vec<_> = (0..rank).map(|d| e.dim(d)).collect();
            e.load(sums, &place, i, None)
        })?;
        let mut split = blocks;
        split.insert(dim + 1, self.size);
        let own = |d: usize| if d > dim { d + 1 } else { d };
        let group = |d: usize| match d {
            d if d == dim => vec![d as i64, d as i64 + 1],
            d => vec![own(d) as i64],
        };
        let groups: Vec<_> = (0..rank).map(|d| e.number_list(&group(d))).collect();
        let groups = ArrayAttribute::new(e.context, &groups).into();
        let sizes = DenseI64ArrayAttribute::new(e.context, &split).into();
        let scanned = e.scan(tensor(&split), self.combiner, dim + 1, |e, i| {
            let element = self.element(e, i, (dim, dim + 1), own)?;
            // The first of a block that is not the first one.
            let last = e.same("arith.addi", &[i[dim], e.index(-1)]);
            let follows = e.inside(last, e.index(self.blocks));
            let first = e.and(e.inside(i[dim + 1], e.index(1)), follows);
            let place: Vec<_> =
                (0..rank).map(|d| if d == dim { e.dim(d) + e.number(-1) } else { e.dim(own(d)) }).collect();
            let none = e.constant(element.r#type(), Number::Int(0));
            let start = e.load(before, &place, i, Some((first, none)))?;
            let both = combiners::combine(e, self.combiner, element.r#type(), (start, element))?;
            Ok(e.select(first, both, element))
        })?;
        // The last scan writes where the one wrote.
        if let (Some(last), Some(init)) = (definition(scanned), self.nest.init) {
            let attributes = [("reassociation", groups), ("static_output_shape", sizes)];
            let init = Emitter::before(last)?.op("tensor.expand_shape", &[init], tensor(&split), &attributes);
            set_operand(last, last.operand_count() - 1, init);
        }
        let whole = e.op("tensor.collapse_shape", &[scanned], result.r#type(), &[("reassociation", groups)]);
        replace_uses(result, whole);
        erase(self.nest.op);
        Ok(())
    }

    /// The body at a point that has the number of a block and an index in it in these two dimensions; `own`
    /// says where the others are.
    fn element(
        &self,
        e: &Emitter<'c, 'a>,
        point: &[V<'c, 'a>],
        (block, inside): (usize, usize),
        own: impl Fn(usize) -> usize,
    ) -> Emitted<'c, 'a> {
        let mut copy = Copy::new(*e, point);
        for (d, index) in self.nest.indices.iter().enumerate() {
            let whole = Expr::Mul(Box::new(Expr::Dim(block)), Box::new(Expr::Constant(self.size)));
            copy.index(
                *index,
                match d {
                    d if d == self.dim => Expr::Add(Box::new(whole), Box::new(Expr::Dim(inside))),
                    d => Expr::Dim(own(d)),
                },
            );
        }
        copy.write(&self.nest.body)?;
        copy.value(self.nest.end.value())
    }
}

/// Whether what a load reads lies side by side along another dimension than that of the scan.
fn has_lanes_beside<'c: 'a, 'a>(nest: &Loop<'c, 'a>, dim: usize) -> bool {
    nest.loads().any(|load| {
        let last = affine::results(load.map()).checked_sub(1).and_then(|last| place::index(load, last));
        last.and_then(|index| nest.indices.iter().position(|own| *own == index)).is_some_and(|d| d != dim)
    })
}
