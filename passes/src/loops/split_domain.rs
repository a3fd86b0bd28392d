//! The pass `loop-split-domain`: what is computed of joined tensors is computed part by part.
//!
//! A concatenation writes each of its operands into a part of one tensor. An operation that reads each
//! element of that tensor once, at its own point, is split at the borders of the parts, so that each part is
//! computed from what it was made of and written once; the tensor that was joined is gone. The same holds for
//! a tensor into which a part is written over what was there before (`pad`, `slice_scatter`): the operation
//! is computed of that first, then once more where the part is. Where the operation writes a part itself, as
//! a concatenation of concatenations does, each element goes from where it comes from to its place at once.
//!
//! Points of a `loop.pointwise`, and of a part, run in any order and do not see each other, so their domain
//! may be split anywhere. A part is a `loop.scatter` whose index moves one dimension of its place by one;
//! nobody else reads what the parts are written into. This is index-set splitting. Linear in the parts.

use super::operation::{
    copy::{Copy, Local},
    place,
    read::Loop,
};
use crate::{
    emit::{Emitter, Typed},
    options::LoopSplitDomain as Options,
};
use melior::ir::ValueLike;
use std::collections::HashMap;
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::V,
        diagnostics::optimization_remark,
        operations::{collect, definition, key, name_of, users},
        pass::Failure,
        rewrite::{erase, replace_uses, set_operand},
        shaped::Shaped,
    },
    loops::{
        affine::{self, Expr},
        scatters::Meeting,
    },
    ops::loop_,
};

/// Operations of all the bodies together beyond which nothing is split.
const LONGEST: usize = 256;

/// Runs the pass below an operation.
pub fn run(op: melior::ir::OperationRef, _: &Options) -> Result<(), Failure> {
    let is_nest = |op| loop_::PointwiseOp::try_from(op).is_ok() || loop_::ScatterOp::try_from(op).is_ok();
    for op in collect(op, is_nest) {
        let Some(split) = Loop::of(op).and_then(Split::of) else { continue };
        let number = split.parts.len();
        optimization_remark(&op, "loop-split-domain", "split", true, || {
            format!("computed in {number} part{}", if number == 1 { "" } else { "s" })
        });
        split.write()?;
    }
    Ok(())
}

/// A box of a tensor, and what is written there.
struct Part<'c, 'a> {
    scatter: Loop<'c, 'a>,
    /// Where each point goes, over the indices of the scatter and then `offsets`.
    place: Vec<Expr>,
    offsets: Vec<V<'c, 'a>>,
}

/// An operation that is split.
struct Split<'c, 'a> {
    nest: Loop<'c, 'a>,
    /// Where each point goes, over its indices and then the offsets of the second.
    place: (Vec<Expr>, Vec<V<'c, 'a>>),
    /// What it reads, and will not be.
    joined: V<'c, 'a>,
    /// What the parts were written over; None where nothing was there.
    before: Option<V<'c, 'a>>,
    /// In the order in which they are written.
    parts: Vec<Part<'c, 'a>>,
    /// The destination; None: a new one.
    init: Option<V<'c, 'a>>,
}

impl<'c: 'a, 'a> Part<'c, 'a> {
    /// The part that an operation writes; None where it is no box, or another operation may see what it does.
    fn of(scatter: Loop<'c, 'a>) -> Option<Self> {
        let op = loop_::ScatterOp::try_from(scatter.op).ok()?;
        let reads_memory = scatter.loads().any(|load| is_buffer(load.source()));
        if Meeting::of(op) != Meeting::Alike || !scatter.is_plain() || reads_memory {
            return None;
        }
        let (exprs, operands) = (affine::exprs(scatter.end.map()?), scatter.end.indices());
        let (mut dims, mut offsets) = (vec![], vec![]);
        for operand in operands {
            let own = scatter.indices.iter().position(|index| *index == operand);
            if own.is_none() && scatter.body.iter().any(|op| op.results().any(|r| V::from(r) == operand)) {
                return None;
            }
            dims.push(Expr::Dim(own.unwrap_or_else(|| {
                offsets.push(operand);
                scatter.indices.len() + offsets.len() - 1
            })));
        }
        let place: Vec<Expr> = exprs.iter().map(|expr| expr.substitute(&dims)).collect();
        let moves = |expr: &Expr| {
            let linear = expr.linear()?;
            Some((0..scatter.indices.len()).map(|d| linear.factor(d)).collect::<Vec<_>>())
        };
        let moved = place.iter().map(moves).collect::<Option<Vec<_>>>()?;
        // One index at most in each expression, and each in one: no two points meet.
        let is_box = moved.iter().flatten().all(|factor| [0, 1].contains(factor))
            && moved.iter().all(|factors| factors.iter().sum::<i64>() <= 1)
            && (0..scatter.indices.len()).all(|d| moved.iter().map(|factors| factors[d]).sum::<i64>() == 1);
        is_box.then_some(Self { scatter, place, offsets })
    }
}

impl<'c: 'a, 'a> Split<'c, 'a> {
    /// Decides.
    fn of(nest: Loop<'c, 'a>) -> Option<Self> {
        let init = nest.result().and(nest.init)?;
        let mut sources: Vec<V> = nest.loads().map(|load| load.source()).collect();
        sources.sort_by_key(|source| key(*source));
        sources.dedup();
        if !nest.is_plain() || sources.iter().any(|source| is_buffer(*source)) {
            return None;
        }
        let joined = sources.iter().copied().find(|source| is_part(*source))?;
        let is_scatter = loop_::ScatterOp::try_from(nest.op).is_ok();
        let place = if is_scatter {
            Part::of(Loop::of(nest.op)?).map(|part| (part.place, part.offsets))?
        } else {
            ((0..nest.indices.len()).map(Expr::Dim).collect(), vec![])
        };
        let own = |load: loop_::LoadOp| load.source() != joined || place::is_own(load, &nest);
        let alone = users(joined).all(|user| user == nest.op || user.parent_operation() == Some(nest.op));
        let others = users(joined).filter(|user| *user == nest.op).count();
        if !alone || others != usize::from(init == joined) || !nest.loads().all(own) {
            return None;
        }
        let (mut parts, mut before) = (vec![], joined);
        while let Some(part) = definition(before).and_then(Loop::of).and_then(Part::of) {
            let below = part.scatter.init?;
            if part.scatter.op.block() != nest.op.block() || before != joined && users(before).count() > 1 {
                return None;
            }
            parts.push(part);
            before = below;
        }
        parts.reverse();
        if !covers(&nest, joined, before) {
            return None;
        }
        let nothing = definition(before).is_some_and(|op| name_of(op) == "tensor.empty");
        let init = if init == joined { before } else { init };
        // Parts would read what the first of them writes over: of what was computed here it may be another
        // destination.
        let read = parts.iter().map(|part| &part.scatter).chain([&nest]).any(|own| reads(own, init));
        // What a scatter does not write stays as it was.
        let stays = is_scatter || definition(init).and_then(Loop::of).is_none();
        if read && stays {
            return None;
        }
        let init = (!read).then_some(init);
        let length = parts.iter().map(|part| part.scatter.body.len() + nest.body.len()).sum::<usize>();
        let before = (!nothing).then_some(before);
        (!parts.is_empty() && length <= LONGEST).then_some(Self { nest, place, joined, before, parts, init })
    }

    /// Where each point of a part goes in the end, over its indices and then the offsets.
    fn through(&self, part: &Part<'c, 'a>) -> (Vec<Expr>, Vec<V<'c, 'a>>) {
        let (place, offsets) = &self.place;
        let first = part.scatter.indices.len() + part.offsets.len();
        let own = (0..offsets.len()).map(|n| Expr::Dim(first + n));
        let dims: Vec<Expr> = part.place.iter().cloned().chain(own).collect();
        let place = place.iter().map(|expr| expr.substitute(&dims)).collect();
        (place, [&part.offsets[..], offsets].concat())
    }

    /// Puts the parts in the place of the operation.
    fn write(self) -> Result<(), Failure> {
        let nest = &self.nest;
        let result = nest.result().ok_or(internal!("it was there"))?;
        let e = Emitter::before(nest.op)?;
        let ty = result.r#type();
        let init = self.init.unwrap_or_else(|| e.empty(Typed { ty, extents: nest.extents.clone() }));
        let mut made = init;
        if let Some(before) = self.before {
            let whole = e.insert((*nest.op).clone());
            let inside = Loop::of(whole).ok_or(internal!("a copy is the same"))?;
            let place = (0..whole.operand_count()).find(|i| whole.operand(*i).ok() == nest.init);
            let mut over: Vec<_> = place.map(|i| (whole, i, init)).into_iter().collect();
            let loads = inside.loads().filter(|load| load.source() == self.joined);
            over.extend(loads.map(|load| (load.operation(), 0, before)));
            for (op, operand, value) in over {
                set_operand(op, operand, value);
            }
            made = whole.result_at(0)?.into();
        }
        for part in &self.parts {
            let (place, offsets) = self.through(part);
            let exprs: Vec<_> = place.iter().map(|expr| expr.write(e.context)).collect();
            let at = e.of(part.scatter.op.location());
            made = at.scatter(made, &part.scatter.extents, &exprs, &offsets, |e, point| {
                let mut copy = Copy::new(*e, point);
                for (d, index) in part.scatter.indices.iter().enumerate() {
                    copy.index(*index, Expr::Dim(d));
                }
                copy.write(&part.scatter.body)?;
                let element = copy.value(part.scatter.end.value())?;
                let values = [point, &part.offsets[..]].concat();
                let e = e.of(nest.op.location());
                let element = HashMap::from([(key(self.joined), Local { value: element, dims: vec![] })]);
                let mut copy = Copy::new(e, &values).with_locals(element);
                for (index, expr) in nest.indices.iter().zip(&part.place) {
                    copy.index(*index, expr.clone());
                }
                copy.write(&nest.body)?;
                copy.value(nest.end.value())
            })?;
        }
        replace_uses(result, made);
        erase(nest.op);
        self.parts.iter().rev().for_each(|part| erase(part.scatter.op));
        Ok(())
    }
}

/// Whether a scatter gave a value.
fn is_part(value: V) -> bool {
    definition(value).is_some_and(|made| loop_::ScatterOp::try_from(made).is_ok())
}

/// Whether a domain is all of what was joined, not a window of it: sizes of the run are those by which it was
/// made.
fn covers<'c: 'a, 'a>(nest: &Loop<'c, 'a>, joined: V<'c, 'a>, before: V<'c, 'a>) -> bool {
    let open: Vec<V> = nest.extents.iter().filter_map(|extent| extent.value()).collect();
    let made = || definition(before).filter(|op| name_of(*op) == "tensor.empty");
    Shaped::of(joined.r#type()).is_some_and(|shaped| shaped.shape == nest.sizes)
        && (open.is_empty() || made().is_some_and(|op| op.operands().eq(open.iter().copied())))
}

/// Whether a body loads from a value.
fn reads<'c: 'a, 'a>(nest: &Loop<'c, 'a>, value: V<'c, 'a>) -> bool {
    nest.loads().any(|load| load.source() == value)
}

fn is_buffer(value: V) -> bool {
    Shaped::of(value.r#type()).is_none_or(|shaped| shaped.buffer)
}
