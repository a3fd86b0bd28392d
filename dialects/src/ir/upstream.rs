//! Questions to upstream that its C interface has no functions for; cpp/Upstream.cpp and cpp/Bridge.cpp ask
//! them.

use super::BlockLike;
use melior::ir::{BlockRef, OperationRef, Value, ValueLike};
use mlir_sys::{MlirAttribute, MlirBlock, MlirOperation, MlirValue};
use std::ffi::c_void;

unsafe extern "C" {
    fn terrace_linalg_generalize(op: MlirOperation) -> MlirOperation;
    fn terrace_linalg_decompose(op: MlirOperation) -> bool;
    fn terrace_value_forwarded(
        value: MlirValue,
        push: extern "C" fn(MlirOperation, isize, *mut c_void),
        out: *mut c_void,
    );
    fn terrace_op_attributes(op: MlirOperation) -> MlirAttribute;
    fn terrace_block_erase_arguments(block: MlirBlock, count: isize);
    fn terrace_op_is_memory_effect_free(op: MlirOperation) -> bool;
    fn terrace_op_properties_hash(op: MlirOperation) -> usize;
    fn terrace_op_properties_equal(a: MlirOperation, b: MlirOperation) -> bool;
}

/// Puts the `linalg.generic` that a named linalg operation stands for in its place; None, with nothing
/// changed, for any other operation.
/// Where it gives something, the operation is gone.
pub fn generalize<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: what it gives stands where the operation stood.
    unsafe { OperationRef::from_option_raw(terrace_linalg_generalize(op.to_raw())) }
}

/// Puts operations of linalg and tensor in the place of one that is made of several (softmax, pack, unpack,
/// winograd), and says so; false, with nothing changed, for any other operation.
/// Where it says so, the operation is gone.
pub fn decompose(op: OperationRef) -> bool {
    // SAFETY: the operation is alive.
    unsafe { terrace_linalg_decompose(op.to_raw()) }
}

/// The operands, by operation and number, that structured control flow makes a value of
/// (RegionBranchOpInterface): of a result, or of an argument of a region's first block. What an operation
/// itself forwards stands in front of what its regions do. Empty for any other value.
pub fn forwarded<'c, 'a>(value: Value<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, usize)> {
    extern "C" fn push(op: MlirOperation, operand: isize, out: *mut c_void) {
        // SAFETY: `out` is the list below, which nobody else holds during the call.
        unsafe { &mut *out.cast::<Vec<(MlirOperation, usize)>>() }.push((op, operand as usize));
    }
    let mut found: Vec<(MlirOperation, usize)> = vec![];
    // SAFETY: whoever asks has the value, and with it the operations around.
    unsafe {
        terrace_value_forwarded(value.to_raw(), push, (&raw mut found).cast());
        found.into_iter().map(|(op, operand)| (OperationRef::from_raw(op), operand)).collect()
    }
}

/// All attributes of an operation, a dictionary.
pub(crate) fn attributes(op: MlirOperation) -> MlirAttribute {
    // SAFETY: whoever asks has the operation.
    unsafe { terrace_op_attributes(op) }
}

/// Erases the first arguments of a block, all at once: one by one each moves all behind it. They have no
/// uses.
///
/// # Panics
/// It has not so many.
pub fn erase_arguments(block: BlockRef, count: usize) {
    assert!(count <= block.argument_count(), "{count} arguments of {}", block.argument_count());
    // SAFETY: the block has them.
    unsafe { terrace_block_erase_arguments(block.to_raw(), count as isize) }
}

/// Whether an operation, and what is inside it, neither reads nor writes memory, nor allocates.
pub fn is_memory_effect_free(op: OperationRef) -> bool {
    unsafe { terrace_op_is_memory_effect_free(op.to_raw()) }
}

/// A hash of the attributes that an operation's definition names.
pub(crate) fn properties_hash(op: OperationRef) -> usize {
    unsafe { terrace_op_properties_hash(op.to_raw()) }
}

/// Whether two operations of one class have the same attributes, of those that its definition names.
pub(crate) fn properties_equal(a: OperationRef, b: OperationRef) -> bool {
    unsafe { terrace_op_properties_equal(a.to_raw(), b.to_raw()) }
}
