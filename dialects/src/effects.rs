//! Memory effects that depend on operand types: an operation on tensors is pure, on buffers it writes them.

use melior::ir::{OperationRef, Value};

/// Whether each point of the operation's domain reads, by `read`, only the element of `written` that it writes.
#[allow(dead_code)]
pub fn elementwise(_op: OperationRef, _read: OperationRef, _written: Value) -> bool {
    false
}
