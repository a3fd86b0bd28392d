//! How much a grid point of a kernel has to do, in element operations: an addition on a tile of 64 elements is 64.

use crate::tiles::known;
use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, ValueLike,
    operation::{OperationLike, OperationResult},
};
use terrace_dialects::{cursor::V, operations::name_of, ops::kernel, shaped::Shaped};

/// What an element costs, by the name of the operation.
fn weight(name: &str) -> i64 {
    match name {
        "arith.constant" | "kernel.return" | "scf.yield" => 0,
        "arith.divf" | "arith.divsi" | "arith.remsi" | "math.sqrt" | "kernel.gather" | "kernel.scatter" => 4,
        "math.absf" | "math.copysign" | "math.fma" | "math.floor" | "math.ceil" | "math.roundeven" => 1,
        _ if name.starts_with("math.") => 16,
        _ => 1,
    }
}

/// The element operations of a block.
pub(super) fn work(block: BlockRef) -> i64 {
    let mut total = 0i64;
    let mut next = block.first_operation();
    while let Some(op) = next {
        let inside = op.regions().filter_map(|r| r.first_block()).map(work).fold(0, i64::saturating_add);
        let own = elements(op).saturating_mul(weight(name_of(op)));
        total = total.saturating_add(own).saturating_add(inside.saturating_mul(trips(op)));
        next = op.next_in_block();
    }
    total
}

/// The elements that an operation works on.
fn elements(op: OperationRef) -> i64 {
    if let Ok(dot) = kernel::DotOp::try_from(op) {
        let inner = Shaped::of(dot.rhs().r#type()).map_or(1, |s| s.shape[0]);
        return size(dot.acc()).saturating_mul(inner);
    }
    op.operands().chain(op.results().map(Into::into)).map(size).max().unwrap_or(1)
}

fn size(value: V) -> i64 {
    Shaped::of(value.r#type()).filter(|s| !s.buffer).and_then(|s| s.elements()).unwrap_or(1)
}

/// How often a loop runs its body; 1 where that is not to be seen.
fn trips(op: OperationRef) -> i64 {
    if name_of(op) != "scf.for" {
        return 1;
    }
    let (Ok(from), Ok(to), Ok(step)) = (op.operand(0), op.operand(1), op.operand(2)) else { return 1 };
    let step = known(step).unwrap_or(1).max(1);
    match (known(from), known(to)) {
        (Some(from), Some(to)) => (to.saturating_sub(from).max(0) as u64).div_ceil(step as u64) as i64,
        _ => distance(from, to).map_or(1, |n| (n.max(0) as u64).div_ceil(step as u64) as i64),
    }
}

/// `n` where `to` is `from + n`, or that within a limit.
fn distance(from: V, to: V) -> Option<i64> {
    let op = OperationResult::try_from(to).ok()?.owner();
    match name_of(op) {
        "arith.minsi" => (0..2).find_map(|i| distance(from, op.operand(i).ok()?)),
        "arith.addi" => {
            let (a, b) = (op.operand(0).ok()?, op.operand(1).ok()?);
            if a == from { known(b) } else { known(a).filter(|_| b == from) }
        }
        _ => None,
    }
}
