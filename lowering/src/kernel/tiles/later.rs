//! Loads whose elements are read where they are used.

use terrace_dialects::{
    ir::{
        OperationLike,
        operations::{first_result, name_of, uses},
    },
    ops::kernel,
};

/// Whether a tile is only the left side of products that follow with no write in between: its elements are
/// then read one by one into all lanes of a register, which costs nothing beside the product, where picking
/// them out of a register would.
pub(super) fn is_read_later(load: kernel::LoadOp) -> bool {
    let op = load.operation();
    let Some(result) = first_result(op) else { return false };
    let mut users = vec![];
    for (user, operand) in uses(result) {
        if operand != 0 || kernel::DotOp::try_from(user).is_err() || user.block() != op.block() {
            return false;
        }
        users.push(user);
    }
    let mut after = op.next_in_block();
    while let Some(op) = after {
        users.retain(|user| *user != op);
        if users.is_empty() {
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
