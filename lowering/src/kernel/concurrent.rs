//! `kernel.concurrent` for who has no use for it.

use melior::ir::{OperationRef, RegionLike};
use mlir_sys::mlirOperationMoveBefore;
use terrace_dialects::ir::{BlockLike, OperationLike, pass::Failure};

/// Takes the launches out of the operation, in order, which is empty then.
pub(crate) fn dissolve(op: OperationRef) -> Result<(), Failure> {
    let body = op.region(0)?.first_block();
    let mut next = body.and_then(|block| block.first_operation());
    while let Some(launch) = next {
        next = launch.next_in_block();
        // SAFETY: both are there, and what the launch uses comes before the operation.
        unsafe { mlirOperationMoveBefore(launch.to_raw(), op.to_raw()) };
    }
    Ok(())
}
