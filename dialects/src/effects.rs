//! Memory effects that depend on operand types: an operation on tensors is pure, on buffers it reads or writes them.

use crate::{affine, ops::loop_, registry::Effect, shaped::Shaped};
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike, operation::OperationLike};

fn on_buffer(op: OperationRef, operand: usize, effect: Effect) -> Vec<Effect> {
    let buffer = op.operand(operand).ok().and_then(|v| Shaped::of(v.r#type())).is_some_and(|s| s.buffer);
    if buffer { vec![effect] } else { vec![] }
}

/// The destination, the last operand, is written.
fn nest(op: OperationRef) -> Vec<Effect> {
    let last = op.operand_count() - 1;
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

/// Whether each point of the operation's domain reads, by `read`, only the element of `written` that it writes:
/// `written[%i, %j]` in a pointwise operation or a scan over `(%i, %j)`.
pub fn elementwise(op: OperationRef, read: OperationRef, written: Value) -> bool {
    let Ok(load) = loop_::LoadOp::try_from(read) else { return false };
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
