//! Changes to IR that is there: uses, operands, operations erased, moved and copied.
//!
//! As with melior's `IRRewriter`, a reference to an operation that was erased, or to a result or a block of
//! it, must not be used again; MLIR aborts where an operation is erased whose results still have uses.
//! Whoever changes what it iterates over collects it before.

use super::{OperationLike, cursor::V, strings::string_ref};
use melior::ir::{
    Attribute, AttributeLike, BlockLike, BlockRef, Location, Operation, OperationRef, RegionLike, Type,
    TypeLike, Value, ValueLike,
};
use mlir_sys::{
    mlirBlockAddArgument, mlirBlockEraseArgument, mlirBlockInsertArgument, mlirOpOperandIsNull,
    mlirOperationClone, mlirOperationDestroy, mlirOperationMoveAfter, mlirOperationMoveBefore,
    mlirOperationRemoveAttributeByName, mlirOperationRemoveDiscardableAttributeByName,
    mlirOperationRemoveFromParent, mlirOperationSetAttributeByName,
    mlirOperationSetDiscardableAttributeByName, mlirOperationSetOperand, mlirOperationSetOperands,
    mlirRegionTakeBody, mlirValueGetFirstUse, mlirValueReplaceAllUsesExcept, mlirValueReplaceAllUsesOfWith,
    mlirValueSetType,
};

pub use super::upstream::erase_arguments;

/// Whether any operation has a value as an operand.
pub fn has_uses<'c>(value: impl ValueLike<'c>) -> bool {
    // SAFETY: whoever asks has the value.
    unsafe { !mlirOpOperandIsNull(mlirValueGetFirstUse(value.to_raw())) }
}

/// Puts one value where another one was used.
pub fn replace_uses<'c>(old: impl ValueLike<'c>, new: impl ValueLike<'c>) {
    // SAFETY: both are alive; uses change, values do not.
    unsafe { mlirValueReplaceAllUsesOfWith(old.to_raw(), new.to_raw()) }
}

/// Puts one value where another one was used, but for the operands of one operation.
pub fn replace_uses_except<'c>(old: impl ValueLike<'c>, new: impl ValueLike<'c>, except: OperationRef) {
    let mut except = except.to_raw();
    // SAFETY: all are alive; uses change, values do not.
    unsafe { mlirValueReplaceAllUsesExcept(old.to_raw(), new.to_raw(), 1, &mut except) }
}

/// Puts values where the results of an operation were used, and erases it.
pub fn replace(op: OperationRef, values: &[V]) {
    debug_assert_eq!(values.len(), op.result_count());
    op.results().zip(values).for_each(|(old, new)| replace_uses(old, *new));
    erase(op);
}

/// Gives an operation another operand.
///
/// # Panics
/// It has not so many.
pub fn set_operand<'c>(op: OperationRef, number: usize, value: impl ValueLike<'c>) {
    assert!(number < op.operand_count(), "operand {number} of {}", op.operand_count());
    // SAFETY: the operation has such an operand, and is alive as the value is.
    unsafe { mlirOperationSetOperand(op.to_raw(), number as isize, value.to_raw()) }
}

/// Gives an operation other operands, as many as may be.
pub fn set_operands(op: OperationRef, values: &[V]) {
    let raw: Vec<_> = values.iter().map(|value| value.to_raw()).collect();
    // SAFETY: the operation and the values are alive.
    unsafe { mlirOperationSetOperands(op.to_raw(), raw.len() as isize, raw.as_ptr()) }
}

/// Gives a value another type.
pub fn set_type<'c>(value: impl ValueLike<'c>, ty: Type<'c>) {
    // SAFETY: value and type are alive, and of one context.
    unsafe { mlirValueSetType(value.to_raw(), ty.to_raw()) }
}

/// Gives an operation an attribute that its definition does not name, or another value of it.
pub fn set_discardable(op: OperationRef, name: &str, value: Attribute) {
    // SAFETY: the operation and the attribute are alive, and of one context.
    unsafe { mlirOperationSetDiscardableAttributeByName(op.to_raw(), string_ref(name), value.to_raw()) }
}

/// Takes an attribute from an operation that its definition does not name; whether it had it.
pub fn remove_discardable(op: OperationRef, name: &str) -> bool {
    // SAFETY: the operation is alive.
    unsafe { mlirOperationRemoveDiscardableAttributeByName(op.to_raw(), string_ref(name)) }
}

/// Takes an attribute from an operation; whether it had it.
pub fn remove_attribute(op: OperationRef, name: &str) -> bool {
    // SAFETY: the operation is alive.
    unsafe { mlirOperationRemoveAttributeByName(op.to_raw(), string_ref(name)) }
}

/// Gives an operation an attribute, or another value of it.
pub fn set_attribute(op: OperationRef, name: &str, value: Attribute) {
    // SAFETY: the operation and the attribute are alive, and of one context.
    unsafe { mlirOperationSetAttributeByName(op.to_raw(), string_ref(name), value.to_raw()) }
}

/// Removes an operation, whose results are not used any more, with all that is inside.
pub fn erase(op: OperationRef) {
    // SAFETY: it is alive, and its owner is the block it stands in, or nobody.
    unsafe { mlirOperationDestroy(op.to_raw()) }
}

/// Moves an operation in front of another one.
pub fn move_before(op: OperationRef, other: OperationRef) {
    // SAFETY: both are alive; only the place of the one changes.
    unsafe { mlirOperationMoveBefore(op.to_raw(), other.to_raw()) }
}

/// Moves an operation behind another one.
pub fn move_after(op: OperationRef, other: OperationRef) {
    // SAFETY: both are alive; only the place of the one changes.
    unsafe { mlirOperationMoveAfter(op.to_raw(), other.to_raw()) }
}

/// Takes an operation out of its block, to be inserted elsewhere.
pub fn detach<'c>(op: OperationRef<'c, '_>) -> Operation<'c> {
    // SAFETY: nobody owns it once it is in no block.
    unsafe {
        mlirOperationRemoveFromParent(op.to_raw());
        Operation::from_raw(op.to_raw())
    }
}

/// A copy of an operation, with all that is inside, in no block.
pub fn copy<'c>(op: OperationRef<'c, '_>) -> Operation<'c> {
    // SAFETY: the copy is new, and nobody else's.
    unsafe { Operation::from_raw(mlirOperationClone(op.to_raw())) }
}

/// Moves the blocks of a region into another one, which loses its own.
pub fn take_body<'c: 'a, 'a>(into: &impl RegionLike<'c, 'a>, from: &impl RegionLike<'c, 'a>) {
    // SAFETY: both are alive; blocks change their owner.
    unsafe { mlirRegionTakeBody(into.to_raw(), from.to_raw()) }
}

/// Gives a block another argument, behind those that it has.
pub fn add_argument<'c, 'a>(block: BlockRef<'c, 'a>, ty: Type<'c>, location: Location<'c>) -> V<'c, 'a> {
    // SAFETY: the argument is the block's, and lives as long.
    unsafe { Value::from_raw(mlirBlockAddArgument(block.to_raw(), ty.to_raw(), location.to_raw())) }
}

/// Gives a block another argument, which has this number then.
pub fn insert_argument<'c, 'a>(
    block: BlockRef<'c, 'a>,
    number: usize,
    ty: Type<'c>,
    location: Location<'c>,
) -> V<'c, 'a> {
    assert!(number <= block.argument_count(), "argument {number} of {}", block.argument_count());
    // SAFETY: the argument is the block's, and lives as long.
    unsafe {
        let (ty, location) = (ty.to_raw(), location.to_raw());
        Value::from_raw(mlirBlockInsertArgument(block.to_raw(), number as isize, ty, location))
    }
}

/// Takes an argument from a block, which is not used any more.
///
/// # Panics
/// It has not so many.
pub fn erase_argument(block: BlockRef, number: usize) {
    assert!(number < block.argument_count(), "argument {number} of {}", block.argument_count());
    // SAFETY: the block has it.
    unsafe { mlirBlockEraseArgument(block.to_raw(), number as u32) }
}
