//! `kernel.concurrent` for who has no use for it.

use melior::ir::{OperationRef, RegionLike};
use terrace_dialects::ir::{BlockLike, OperationLike, pass::Failure, rewrite::move_before};

/// Takes the launches out of the operation, in order, which is empty then.
pub(crate) fn dissolve(op: OperationRef) -> Result<(), Failure> {
    let body = op.region(0)?.first_block();
    let mut next = body.and_then(|block| block.first_operation());
    while let Some(launch) = next {
        next = launch.next_in_block();
        move_before(launch, op);
    }
    Ok(())
}
