//! IR that is kept longer than the borrow that it was found by.
//!
//! A walk, an inserted operation or a region lends what is inside for as long as it is looked at. MLIR's
//! values, operations and blocks stay where they are until somebody erases them: whoever writes a function
//! keeps them. As with [`super::rewrite`], what was erased must not be used again.

use super::{BlockLike, OperationLike};
use melior::ir::{BlockRef, Operation, OperationRef, Value, ValueLike};
use mlir_sys::{MlirOperation, MlirValue};

/// A value that is kept in a table.
#[derive(Clone, Copy)]
pub struct Kept(MlirValue);

impl Kept {
    /// Keeps a value.
    pub fn of<'c>(value: impl ValueLike<'c>) -> Self {
        Self(value.to_raw())
    }

    /// The value.
    pub fn value<'c, 'a>(self) -> Value<'c, 'a> {
        // SAFETY: it came from a value, which whoever kept it has not erased.
        unsafe { Value::from_raw(self.0) }
    }
}

/// The same value.
pub fn value<'c, 'a>(value: impl ValueLike<'c>) -> Value<'c, 'a> {
    Kept::of(value).value()
}

/// The same operation.
pub fn operation<'c, 'a>(op: OperationRef<'c, '_>) -> OperationRef<'c, 'a> {
    // SAFETY: it is alive, and whoever keeps it has not erased it.
    unsafe { OperationRef::from_raw(op.to_raw()) }
}

/// An operation that is in no block.
pub fn detached<'c, 'a>(op: &Operation<'c>) -> OperationRef<'c, 'a> {
    // SAFETY: whoever owns it keeps it for as long.
    unsafe { OperationRef::from_raw(op.to_raw()) }
}

/// The operation at an address, as guards name who asked; None for 0.
pub fn operation_at<'c, 'a>(address: usize) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: the address is one of an operation, which whoever kept it has not erased.
    unsafe { OperationRef::from_option_raw(MlirOperation { ptr: address as *mut _ }) }
}

/// The same block.
pub fn block<'c, 'a>(block: BlockRef<'c, '_>) -> BlockRef<'c, 'a> {
    // SAFETY: it is alive, and whoever keeps it has not erased it.
    unsafe { BlockRef::from_raw(block.to_raw()) }
}
