//! A value that becomes two buffers: the second is a copy.
//!
//! New tensors are storages of their own, also where the same is computed for both (`cse` makes one value of
//! them; that they are two says an attribute of their buffers). One-shot bufferization would give one buffer
//! to all.

use crate::buffers::carry_in_place::copy;
use melior::ir::{OperationRef, ValueLike};
use std::collections::HashSet;
use terrace_dialects::ir::{
    OperationLike, cursor::Cursor, operations::name_of, pass::Failure, rewrite::set_operand,
};

/// Copies what becomes a buffer again, of the operations of bufferization in their order.
pub fn separate(all: &[OperationRef]) -> Result<(), Failure> {
    let is_buffer =
        |op: &OperationRef| name_of(*op) == "bufferization.to_buffer" && op.attribute("read_only").is_err();
    let mut known = HashSet::new();
    for buffer in all.iter().copied().filter(is_buffer) {
        let value = buffer.operand(0)?;
        if known.insert(value.to_raw().ptr) {
            continue;
        }
        let copy = copy(&Cursor::before(buffer)?, value)?;
        set_operand(buffer, 0, copy);
    }
    Ok(())
}
