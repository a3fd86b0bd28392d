//! Memory effects that depend on operand types: an operation on tensors is pure, on buffers it reads or
//! writes them.

use crate::{
    ir::{BlockLike, OperationLike, registry::Effect, shaped::Shaped},
    loops::{affine, groups, scatters},
    ops::loop_,
};
use melior::ir::{OperationRef, RegionLike, Value, ValueLike};

pub use crate::aten::custom::effects as graph_custom;

fn on_buffer(op: OperationRef, operand: usize, effect: Effect) -> Vec<Effect> {
    let buffer = op.operand(operand).ok().and_then(|v| Shaped::of(v.r#type())).is_some_and(|s| s.buffer);
    if buffer { vec![effect] } else { vec![] }
}

/// The destination, the last operand that is no index, is written. A member of a group has none.
fn nest(op: OperationRef) -> Vec<Effect> {
    let Some(last) = op.operand_count().checked_sub(1) else { return vec![] };
    on_buffer(op, last, Effect::Write(last))
}

/// Writes its destination.
pub fn loop_pointwise(op: OperationRef) -> Vec<Effect> {
    nest(op)
}

/// Writes its destination.
pub fn loop_reduction(op: OperationRef) -> Vec<Effect> {
    nest(op)
}

/// Writes its destination.
pub fn loop_scan(op: OperationRef) -> Vec<Effect> {
    nest(op)
}

/// Writes its destination.
pub fn loop_scatter(op: OperationRef) -> Vec<Effect> {
    nest(op)
}

/// Writes its destination.
pub fn kernel_matmul(op: OperationRef) -> Vec<Effect> {
    nest(op)
}

/// Reads its source.
pub fn loop_load(op: OperationRef) -> Vec<Effect> {
    on_buffer(op, 0, Effect::Read(0))
}

/// Reads its input and writes its destinations.
fn library(op: OperationRef, inits: usize) -> Vec<Effect> {
    let mut effects = on_buffer(op, 0, Effect::Read(0));
    for i in op.operand_count() - inits..op.operand_count() {
        effects.extend(on_buffer(op, i, Effect::Write(i)));
    }
    effects
}

/// Reads its input and writes both destinations.
pub fn loop_sort(op: OperationRef) -> Vec<Effect> {
    library(op, op.operand_count() - 1)
}

/// Reads its input and writes its destination.
pub fn loop_histogram(op: OperationRef) -> Vec<Effect> {
    library(op, 1)
}

/// Reads its input and writes its destination.
pub fn loop_fft(op: OperationRef) -> Vec<Effect> {
    library(op, 1)
}

/// Writes its destinations, and reads those that keep something.
pub fn loop_group(op: OperationRef) -> Vec<Effect> {
    let Ok(group) = loop_::GroupOp::try_from(op) else { return vec![] };
    let first = op.operand_count() - group.inits().len();
    let of = |i: usize| {
        let mut effects = on_buffer(op, i, Effect::Write(i));
        if reads_destination(op, i) {
            effects.extend(on_buffer(op, i, Effect::Read(i)));
        }
        effects
    };
    (first..op.operand_count()).flat_map(of).collect()
}

/// Whether the old value of a destination matters: a scatter keeps what no point writes, and so does a group,
/// which may combine too.
pub fn reads_destination(op: OperationRef, operand: usize) -> bool {
    match loop_::GroupOp::try_from(op) {
        Ok(group) => {
            let first = op.operand_count() - group.inits().len();
            !operand.checked_sub(first).is_some_and(|i| groups::covers(group, i))
        }
        Err(_) => loop_::ScatterOp::try_from(op).is_ok(),
    }
}

/// Whether each point of the operation's domain reads, by `read`, only the element of `written` that it
/// writes: `written[%i, %j]` in a pointwise operation or a scan over `(%i, %j)`. In a group: what no other
/// point writes. In a scatter: what the point writes, where no other point writes it.
pub fn elementwise<'c, 'a>(
    op: OperationRef<'c, 'a>,
    read: OperationRef<'c, 'a>,
    written: Value<'c, 'a>,
) -> bool {
    let Ok(load) = loop_::LoadOp::try_from(read) else { return false };
    if let Ok(group) = loop_::GroupOp::try_from(op) {
        return load.source() == written && groups::reads_own(group, load);
    }
    if let Ok(scatter) = loop_::ScatterOp::try_from(op) {
        return load.source() == written && scatters::reads_own(scatter, load);
    }
    if loop_::PointwiseOp::try_from(op).is_err() && loop_::ScanOp::try_from(op).is_err() {
        return false;
    }
    let Some(block) = op.region(0).ok().and_then(|r| r.first_block()) else { return false };
    let indices = load.indices();
    let exprs = affine::exprs(load.map());
    load.source() == written
        && exprs.len() == block.argument_count()
        && exprs.iter().enumerate().all(|(d, e)| {
            let affine::Expr::Dim(at) = e else { return false };
            indices.get(*at).is_some_and(|v| block.argument(d).is_ok_and(|a| Value::from(a) == *v))
        })
}
