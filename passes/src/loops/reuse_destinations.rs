//! The pass `loop-reuse-destinations`: an element-by-element operation may write over what it reads.
//!
//! A `loop.pointwise` into a `tensor.empty` that reads a tensor of the same type at its own point only takes
//! that tensor as destination. The meaning stays: a pointwise operation does not read its destination's old
//! value as such. Bufferization then works in place where nobody needs the old value, and allocates where
//! somebody does; it never copies, for the old contents are not read. What stands in the caller's memory is
//! not taken: that is written where a result goes at most, and a group that also reads it otherwise would
//! have it copied. Nor is a tensor of another block: in a loop the next round would read what this one wrote;
//! nor one whose sizes, known when the program runs, may be others than those of the domain.
//!
//! Of several such tensors the first that nobody else uses is taken, else the first. Linear in the
//! operations.

use crate::emit::{Number, known};
use melior::ir::{OperationRef, RegionLike, Value, ValueLike};
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike,
        operations::{collect, definition, home, name_of, users},
        pass::Failure,
        rewrite::set_operand,
        shaped::Shaped,
    },
    loops::affine,
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// Gives every pointwise operation below an operation a destination that it reads, where there is one.
pub fn run(op: OperationRef, _: &crate::options::LoopReuseDestinations) -> Result<(), Failure> {
    for op in collect(op, |op| loop_::PointwiseOp::try_from(op).is_ok()) {
        if let Some(destination) = loop_::PointwiseOp::try_from(op).ok().and_then(reusable) {
            let last = op.operand_count() - 1;
            set_operand(op, last, destination);
        }
    }
    Ok(())
}

/// Whether the sizes of a tensor that its type does not say are these.
fn has_sizes<'c, 'a>(tensor: Value<'c, 'a>, sizes: &[Value<'c, 'a>]) -> bool {
    if sizes.is_empty() {
        return true;
    }
    // Each asks the tensor itself for its next open dimension.
    let shape = Shaped::of(tensor.r#type()).map_or(vec![], |shaped| shaped.shape);
    let open = (0..shape.len()).filter(|d| shape[*d] == DYNAMIC);
    let asked = |(size, d): (&Value<'c, 'a>, usize)| {
        definition(*size).is_some_and(|op| {
            let dim = op.operand(1).ok().and_then(known);
            name_of(op) == "tensor.dim"
                && op.operand(0).is_ok_and(|own| own == tensor)
                && dim == Some(Number::Int(d as i64))
        })
    };
    if sizes.iter().zip(open).all(asked) {
        return true;
    }
    let Some(op) = definition(tensor) else { return false };
    if name_of(op) == "tensor.empty" {
        return op.operands().eq(sizes.iter().copied());
    }
    let init = loop_::PointwiseOp::try_from(op)
        .ok()
        .and_then(|op| op.init())
        .or_else(|| loop_::ReductionOp::try_from(op).ok()?.init())
        .or_else(|| loop_::ScanOp::try_from(op).ok()?.init())
        .or_else(|| Some(loop_::ScatterOp::try_from(op).ok()?.init()));
    init.is_some_and(|init| has_sizes(init, sizes))
}

/// Whether a tensor is not a constant, nor what stands in memory of the caller. A tensor that is given as one
/// may be donated.
fn may_be_ours(tensor: Value) -> bool {
    let Some(op) = definition(tensor) else { return true };
    match name_of(op) {
        "bufferization.to_tensor" | "arith.constant" => false,
        "tensor.collapse_shape" | "tensor.expand_shape" | "tensor.cast" => {
            op.operand(0).is_ok_and(may_be_ours)
        }
        _ => true,
    }
}

/// The tensor that an operation may write over.
fn reusable<'c, 'a>(nest: loop_::PointwiseOp<'c, 'a>) -> Option<Value<'c, 'a>> {
    let init = nest.init()?;
    if name_of(definition(init)?) != "tensor.empty" {
        return None;
    }
    let (own, block) = (nest.operation(), nest.body().first_block()?);
    let mut found: Vec<(Value, usize)> = vec![];
    let mut elsewhere: Vec<Value> = vec![];
    let mut next = block.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        let Ok(load) = loop_::LoadOp::try_from(op) else { continue };
        let source = load.source();
        let indices = load.indices();
        let at_point = affine::exprs(load.map()).iter().enumerate().all(|(d, e)| {
            let affine::Expr::Dim(at) = e else { return false };
            indices.get(*at).is_some_and(|v| block.argument(d).is_ok_and(|a| Value::from(a) == *v))
        });
        if !at_point {
            elsewhere.push(source);
        } else if let Some(known) = found.iter_mut().find(|(v, _)| *v == source) {
            known.1 += 1;
        } else if source.r#type() == init.r#type()
            && home(source) == own.block()
            && may_be_ours(source)
            && has_sizes(source, &nest.dynamic_sizes())
        {
            found.push((source, 1));
        }
    }
    found.retain(|(v, _)| !elsewhere.contains(v));
    let alone = found.iter().find(|(v, loads)| users(*v).take(*loads + 1).count() == *loads);
    alone.or(found.first()).map(|(v, _)| *v)
}
