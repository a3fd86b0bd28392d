//! Loads whose elements are read where they are used.

use melior::ir::*;
use mlir_sys::*;
use terrace_dialects::{
    ir::{OperationLike, operations::name_of},
    ops::kernel,
};

/// Whether a tile is only the left side of products that follow with no write in between: its elements are
/// then read one by one into all lanes of a register, which costs nothing beside the product, where picking
/// them out of a register would.
pub(super) fn is_read_later(load: kernel::LoadOp) -> bool {
    let op = load.operation();
    let Ok(result) = op.result_at(0) else { return false };
    let mut uses = vec![];
    let mut next = unsafe { mlirValueGetFirstUse(result.to_raw()) };
    while !next.ptr.is_null() {
        let user = unsafe { OperationRef::from_raw(mlirOpOperandGetOwner(next)) };
        let left = unsafe { mlirOpOperandGetOperandNumber(next) } == 0;
        if !left || kernel::DotOp::try_from(user).is_err() || user.block() != op.block() {
            return false;
        }
        uses.push(user);
        next = unsafe { mlirOpOperandGetNextUse(next) };
    }
    let mut after = op.next_in_block();
    while let Some(op) = after {
        uses.retain(|user| *user != op);
        if uses.is_empty() {
            return load.valid().is_empty();
        }
        let name = name_of(op);
        let reads =
            matches!(name, "kernel.load" | "kernel.gather" | "kernel.dot" | "tensor.splat" | "memref.load");
        if !reads && !name.starts_with("arith.") && !name.starts_with("math.") {
            return false;
        }
        after = op.next_in_block();
    }
    false
}
