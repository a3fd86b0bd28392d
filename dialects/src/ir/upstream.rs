//! Questions to upstream that its C interface has no functions for; cpp/Upstream.cpp and cpp/Bridge.cpp ask
//! them.

use super::{BlockLike, strings::text};
use melior::ir::{BlockRef, OperationRef, Value, ValueLike};
use mlir_sys::{MlirAttribute, MlirBlock, MlirOperation, MlirStringRef, MlirValue};
use std::ffi::{c_int, c_void};

unsafe extern "C" {
    fn terrace_linalg_generalize(op: MlirOperation) -> MlirOperation;
    fn terrace_linalg_decompose(op: MlirOperation) -> bool;
    fn terrace_value_forwarded(
        value: MlirValue,
        push: extern "C" fn(MlirOperation, isize, *mut c_void),
        out: *mut c_void,
    );
    fn terrace_op_effects(
        op: MlirOperation,
        push: extern "C" fn(c_int, isize, MlirStringRef, *mut c_void),
        out: *mut c_void,
    ) -> bool;
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

/// The memory effects of an operation itself, in order: a kind (0 for a read, 1 for a write, 2 for an
/// allocation, 3 for a release), what it is on (the number of an operand; -1 for nothing that the operation
/// names; -2 - n for result n), and the name of the resource. None where it does not say them.
pub(crate) fn effects(op: OperationRef) -> Option<Vec<(i32, isize, &'static str)>> {
    extern "C" fn push(kind: c_int, place: isize, resource: MlirStringRef, out: *mut c_void) {
        // SAFETY: `out` is the list below, which nobody else holds during the call; names of resources are
        // never freed.
        unsafe { (*out.cast::<Vec<(i32, isize, &str)>>()).push((kind, place, text(resource))) }
    }
    let mut found = vec![];
    // SAFETY: the operation is live, and `push` gets the list for as long as the call.
    unsafe { terrace_op_effects(op.to_raw(), push, (&raw mut found).cast()) }.then_some(found)
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
    // SAFETY: an `OperationRef` is of a live operation.
    unsafe { terrace_op_is_memory_effect_free(op.to_raw()) }
}

/// A hash of the attributes that an operation's definition names.
pub(crate) fn properties_hash(op: OperationRef) -> usize {
    // SAFETY: an `OperationRef` is of a live operation.
    unsafe { terrace_op_properties_hash(op.to_raw()) }
}

/// Whether two operations of one class have the same attributes, of those that its definition names.
pub(crate) fn properties_equal(a: OperationRef, b: OperationRef) -> bool {
    // SAFETY: both are live and of one class, as whoever asks has seen to.
    unsafe { terrace_op_properties_equal(a.to_raw(), b.to_raw()) }
}
