//! Changes to IR that is there: uses, operands, operations erased, moved and copied.
//!
//! As with melior's `IRRewriter`, a reference to an operation that was erased, or to a result or a block of
//! it, must not be used again; MLIR aborts where an operation is erased whose results still have uses.
//! Whoever changes what it iterates over collects it before.

use super::{OperationLike, cursor::V, strings::string_ref};
use melior::ir::{Attribute, AttributeLike, Operation, OperationRef, RegionLike, ValueLike};
use mlir_sys::{
    mlirOpOperandIsNull, mlirOperationClone, mlirOperationDestroy, mlirOperationMoveBefore,
    mlirOperationRemoveFromParent, mlirOperationSetAttributeByName, mlirOperationSetOperand,
    mlirRegionTakeBody, mlirValueGetFirstUse, mlirValueReplaceAllUsesOfWith,
};

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
