//! Questions to upstream that its C interface has no functions for; cpp/Upstream.cpp asks them.

use melior::ir::OperationRef;
use mlir_sys::MlirOperation;

unsafe extern "C" {
    fn terrace_linalg_generalize(op: MlirOperation) -> MlirOperation;
}

/// Puts the `linalg.generic` that a named linalg operation stands for in its place; None, with nothing changed, for any
/// other operation.
///
/// # Safety
/// Where it gives something, the operation is gone.
pub unsafe fn generalize<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    unsafe { OperationRef::from_option_raw(terrace_linalg_generalize(op.to_raw())) }
}
