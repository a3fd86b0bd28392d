//! The operations of loop that have no body: calls of the runtime on a CPU.

use crate::ir::operations::name_of;
use melior::ir::OperationRef;

/// Whether an operation is one of these.
pub fn is_library(op: OperationRef) -> bool {
    matches!(name_of(op), "loop.sort" | "loop.histogram" | "loop.fft")
}
