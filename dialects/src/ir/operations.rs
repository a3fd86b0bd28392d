//! Operations as they are found: names, definitions, uses, what is below one, what is wrong with one.

use super::{
    BlockLike, OperationLike, cursor::V, diagnostics::emit_op_error, failure::Failure, strings::text,
};
use melior::ir::{
    Attribute, BlockRef, OperationRef, RegionLike, RegionRef, Value, ValueLike,
    block::BlockArgument,
    operation::{OperationResult, WalkOrder, WalkResult},
};
use mlir_sys::*;

/// The name of an operation.
pub fn name_of<'c>(op: OperationRef<'c, '_>) -> &'c str {
    // SAFETY: names live as long as the context.
    unsafe { text(mlirIdentifierStr(mlirOperationGetName(op.to_raw()))) }
}

/// The result of an operation that a value is; None for an argument of a block.
pub fn result<'c, 'a>(value: V<'c, 'a>) -> Option<OperationResult<'c, 'a>> {
    // SAFETY: it is a result.
    value.is_operation_result().then(|| unsafe { OperationResult::from_raw(value.to_raw()) })
}

/// The argument of a block that a value is; None for a result of an operation.
pub fn argument<'c, 'a>(value: V<'c, 'a>) -> Option<BlockArgument<'c, 'a>> {
    // SAFETY: it is an argument of a block.
    value.is_block_argument().then(|| unsafe { BlockArgument::from_raw(value.to_raw()) })
}

/// What a value is known by: the same for the same value, and for no other.
pub fn key<'c>(value: impl ValueLike<'c>) -> usize {
    value.to_raw().ptr as usize
}

/// The operation that defines a value, None for an argument of a block.
pub fn definition<'c, 'a>(value: V<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    result(value).map(|result| result.owner())
}

/// The only result of an operation, or its first one.
pub fn first_result<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<V<'c, 'a>> {
    op.result_at(0).ok().map(Into::into)
}

/// The block that a value belongs to: that of the operation that defines it, or the one whose argument it is.
pub fn home<'c, 'a>(value: V<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    match definition(value) {
        Some(op) => op.block(),
        // SAFETY: what is no result of an operation is an argument of a block, which lives as long.
        None => Some(unsafe { BlockRef::from_raw(mlirBlockArgumentGetOwner(value.to_raw())) }),
    }
}

/// The arguments of a block.
pub fn arguments<'c, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = V<'c, 'a>> {
    (0..block.argument_count()).filter_map(move |i| block.argument(i).ok().map(Into::into))
}

/// The blocks of an operation's regions.
pub fn blocks<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    let of = |region: RegionRef<'c, 'a>| {
        std::iter::successors(region.first_block(), |block| block.next_in_region())
    };
    op.regions().flat_map(of).collect()
}

/// The operations that use a value, one as often as it has the value as an operand.
pub fn users<'c: 'a, 'a>(value: V<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    uses(value).map(|(op, _)| op)
}

/// The uses of a value: operations, and the number of the operand that it is there. The last use is first.
pub fn uses<'c: 'a, 'a>(value: V<'c, 'a>) -> impl Iterator<Item = (OperationRef<'c, 'a>, usize)> {
    // SAFETY: whoever changes uses collects them before.
    unsafe {
        let some = |raw| (!mlirOpOperandIsNull(raw)).then_some(raw);
        let first = some(mlirValueGetFirstUse(value.to_raw()));
        std::iter::successors(first, move |raw| some(mlirOpOperandGetNextUse(*raw))).map(|raw| {
            let number = mlirOpOperandGetOperandNumber(raw) as usize;
            (OperationRef::from_raw(mlirOpOperandGetOwner(raw)), number)
        })
    }
}

/// An operation and all below it that are wanted, each before what is inside it.
pub fn collect<'c, 'a>(
    root: OperationRef<'c, 'a>,
    wanted: impl Fn(OperationRef<'c, 'a>) -> bool,
) -> Vec<OperationRef<'c, 'a>> {
    collect_within(root, |_| true, wanted)
}

/// [`collect`] that does not look inside of what `enters` does not hold for.
pub fn collect_within<'c, 'a>(
    root: OperationRef<'c, 'a>,
    enters: impl Fn(OperationRef<'c, 'a>) -> bool,
    wanted: impl Fn(OperationRef<'c, 'a>) -> bool,
) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    root.walk(WalkOrder::PreOrder, |op| {
        // SAFETY: it is below the root, and lives as long.
        let op: OperationRef<'c, 'a> = unsafe { OperationRef::from_raw(op.to_raw()) };
        if wanted(op) {
            found.push(op);
        }
        if enters(op) { WalkResult::Advance } else { WalkResult::Skip }
    });
    found
}

/// Reports what is wrong with an operation.
pub fn refuse<'c: 'a, 'a>(op: OperationRef<'c, 'a>, message: &str) -> Failure {
    emit_op_error(&op, message);
    Failure::Reported
}

/// The value of an `arith.constant` number.
pub(crate) fn constant<'c>(value: Value<'c, '_>) -> Option<Attribute<'c>> {
    constant_of(definition(value)?)
}

/// The value that an operation is, where it is `arith.constant`.
pub(crate) fn constant_of<'c>(op: OperationRef<'c, '_>) -> Option<Attribute<'c>> {
    if op.name().as_string_ref().as_str() != Ok("arith.constant") {
        return None;
    }
    op.attribute("value").ok()
}
