//! The pass `convert-copy-to-loop`: a copy of a buffer is computed like anything else.
//!
//! `memref.copy` between strided buffers would be lowered to a call that moves one element at a time; as a
//! loop operation it becomes a kernel, with vectors and threads. Source and destination of a `memref.copy` do
//! not overlap, by its definition.

use melior::{
    Context,
    ir::{Block, OperationRef, Region, RegionLike, Type, Value, ValueLike},
};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        attributes::identity_map,
        context,
        cursor::Cursor,
        operations::{collect, name_of},
        pass::Failure,
        rewrite::erase,
        shaped::Shaped,
    },
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// Replaces every `memref.copy` below an operation.
pub fn run(op: OperationRef, _: &crate::options::ConvertCopyToLoop) -> Result<(), Failure> {
    let context = context::of(op.context());
    collect(op, |op| name_of(op) == "memref.copy").into_iter().try_for_each(|copy| rewrite(context, copy))
}

fn rewrite<'c>(context: &'c Context, copy: OperationRef<'c, '_>) -> Result<(), Failure> {
    let location = copy.location();
    let (source, target) = (copy.operand(0)?, copy.operand(1)?);
    let shaped = Shaped::expect(target.r#type())?;
    let at = Cursor::before(copy)?;
    let mut sizes = vec![];
    for d in (0..shaped.rank()).filter(|d| shaped.shape[*d] == DYNAMIC) {
        sizes.push(at.op("memref.dim", &[target, at.index(d as i64)?], at.index_type())?);
    }
    let block = Block::new(&vec![(Type::index(context), location); shaped.rank()]);
    let mut indices: Vec<Value> = vec![];
    for d in 0..shaped.rank() {
        indices.push(block.argument(d)?.into());
    }
    let identity = identity_map(context, shaped.rank());
    let load = block.append_operation(loop_::load(location, source, &indices, identity, None, None)?);
    block.append_operation(loop_::yield_(location, &[], load.result_at(0)?.into(), &[], None)?);
    let region = Region::new();
    region.append_block(block);
    let nest =
        loop_::pointwise(location, &[], &sizes, &shaped.shape, Some(target), None, None, vec![region])?;
    copy.block().ok_or(internal!("a copy outside of a block"))?.insert_operation_before(copy, nest);
    erase(copy);
    Ok(())
}
