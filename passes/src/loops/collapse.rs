//! The pass `loop-collapse`: dimensions of a buffer that an index runs through together are one.
//!
//! A reshape between two operators leaves places such as `%x[%k floordiv 309, %k mod 309]`: an index that is
//! taken apart. Elements of a row-major buffer lie in that order anyway, so the place in the buffer with both
//! dimensions collapsed is `%y[%k]`, a range of lanes and no gather. Dimensions are collapsed where the place
//! has a division before and none afterwards.
//!
//! The same algebra joins dimensions of a [`domain`], those of the [`members`] of a group, and its short
//! [`rows`] with those in front of them. Linear in the loads.

mod domain;
mod insert;
mod members;
mod rows;

use super::operation::{
    copy::load_at,
    merged::{collapsed, mergeable},
    place, range_of,
    read::Loop,
};
use crate::{emit::Emitter, options::LoopCollapse as Options};
use melior::ir::OperationRef;
use terrace_dialects::{
    analysis::memory::Memory,
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        operations::{collect, first_result, home, name_of},
        pass::Failure,
        rewrite::{erase, replace_uses},
    },
    loops::affine::{Expr, Range},
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// Runs the pass below an operation.
pub fn run(op: OperationRef, _: &Options) -> Result<(), Failure> {
    for op in collect(op, |op| loop_::GroupOp::try_from(op).is_ok()) {
        rows::join(op)?;
        members::join(op)?;
    }
    for op in collect(op, |op| Loop::of(op).is_some()) {
        domain::join(op)?;
    }
    for op in collect(op, |op| loop_::LoadOp::try_from(op).is_ok()) {
        if let Ok(load) = loop_::LoadOp::try_from(op) {
            collapse(load)?;
        }
    }
    Ok(())
}

/// Dimensions of a buffer, how many from the first on, and the place along all of them.
struct Group {
    first: usize,
    count: usize,
    place: Expr,
}

/// Lets a load read the collapsed buffer, where its place there takes no division.
fn collapse<'c: 'a, 'a>(load: loop_::LoadOp<'c, 'a>) -> Result<(), Failure> {
    let (source, op) = (load.source(), load.operation());
    let Some(shape) = mergeable(source) else { return Ok(()) };
    let (exprs, operands) = place::of(load);
    let ranges: Vec<Range> = operands.iter().map(|operand| range_of(*operand)).collect();
    // A value that is several operands is one dimension.
    let first = |operand: &V<'c, 'a>| operands.iter().position(|other| other == operand).unwrap_or_default();
    let dims: Vec<Expr> = operands.iter().map(|operand| Expr::Dim(first(operand))).collect();
    let exprs: Vec<Expr> = exprs.iter().map(|expr| expr.substitute(&dims).simplify(&ranges)).collect();
    if exprs.iter().all(|expr| expr.linear().is_some()) || is_inside(source) || is_written_around(load) {
        return Ok(());
    }
    let groups = groups(&shape, &exprs, &ranges);
    if groups.len() == exprs.len() {
        return Ok(());
    }
    let merged: Vec<_> = groups.iter().map(|group| (group.first, group.count)).collect();
    let collapsed = collapsed(&Emitter::before(outermost(op))?, source, &merged)?;
    let places: Vec<Expr> = groups.into_iter().map(|group| group.place).collect();
    let value = load_at(&Emitter::before(op)?, collapsed, &places, &operands, load.mask(), load.other())?;
    replace(load, value);
    Ok(())
}

/// Puts a value in the place of a load, in front of which it stands.
fn replace<'c: 'a, 'a>(load: loop_::LoadOp<'c, 'a>, value: V<'c, 'a>) {
    if let Some(old) = first_result(load.operation()) {
        replace_uses(old, value);
        erase(load.operation());
    }
}

/// The dimensions in groups: from one with a division as many together as it takes to lose it.
fn groups(shape: &[i64], exprs: &[Expr], ranges: &[Range]) -> Vec<Group> {
    let mut groups = vec![];
    let mut first = 0;
    while first < exprs.len() {
        // The first digit of an index that is taken apart is a quotient.
        let others = if exprs[first].linear().is_none() { first + 1..exprs.len() } else { 0..0 };
        let joined = others.into_iter().find_map(|last| {
            let place = joined(&shape[first..=last], &exprs[first..=last])?.simplify(ranges);
            place.linear().is_some().then_some(Group { first, count: last + 1 - first, place })
        });
        let group = joined.unwrap_or_else(|| Group { first, count: 1, place: exprs[first].clone() });
        first += group.count;
        groups.push(group);
    }
    groups
}

/// The place in dimensions of these sizes that are one; None where a size is not known.
fn joined(shape: &[i64], exprs: &[Expr]) -> Option<Expr> {
    let mut place = exprs[0].clone();
    for (size, expr) in shape.iter().zip(exprs).skip(1) {
        if *size == DYNAMIC {
            return None;
        }
        let whole = Expr::Mul(Box::new(place), Box::new(Expr::Constant(*size)));
        place = Expr::Add(Box::new(whole), Box::new(expr.clone()));
    }
    Some(place)
}

/// The outermost loop operation around an operation.
fn outermost<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> OperationRef<'c, 'a> {
    let around =
        |op: &OperationRef<'c, 'a>| op.parent_operation().filter(|op| name_of(*op).starts_with("loop."));
    std::iter::successors(Some(op), around).last().unwrap_or(op)
}

/// Whether a value belongs to a loop operation.
fn is_inside(value: V) -> bool {
    home(value).and_then(|block| block.parent_operation()).is_some_and(|op| name_of(op).starts_with("loop."))
}

/// Whether a load in a group reads what the group writes: who asks whether another point has written there
/// compares the places of both, in one buffer.
fn is_written_around(load: loop_::LoadOp) -> bool {
    let source = Memory::of(load.source());
    let group = loop_::GroupOp::try_from(outermost(load.operation()));
    group.is_ok_and(|group| group.inits().iter().any(|init| Memory::of(*init).is(&source)))
}
