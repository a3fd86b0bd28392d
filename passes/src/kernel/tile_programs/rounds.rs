//! Loops in bodies: `scf.for` of as many rounds at all points, on numbers.
//!
//! It becomes one loop around tiles. What it holds is `arith` and `math`, and such loops again; it reads no
//! memory.

use super::elementwise::is_elementwise;
use melior::ir::{BlockRef, OperationRef, RegionLike};
use terrace_dialects::ir::{
    BlockLike, OperationLike,
    cursor::V,
    operations::{arguments, name_of},
};

/// The block of such a loop; None for any other operation.
pub(crate) fn block<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    if name_of(op) != "scf.for" {
        return None;
    }
    op.region(0).ok()?.first_block()
}

/// The operations in a block, its end included.
pub(crate) fn operations<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect()
}

/// Whether an operation is a loop that a body may hold.
pub(crate) fn is_rounds(op: OperationRef) -> bool {
    let allowed = |op: &OperationRef| name_of(*op) == "scf.yield" || is_elementwise(*op);
    block(op).is_some_and(|block| operations(block).iter().all(allowed))
}

/// The values that an operation brings inside: the arguments of its block, and the results there.
pub(crate) fn inside<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<V<'c, 'a>> {
    let Some(block) = block(op) else { return vec![] };
    let mut values: Vec<V> = arguments(block).collect();
    for op in operations(block) {
        values.extend(op.results().map(V::from));
        values.extend(inside(op));
    }
    values
}

/// The values that an operation uses: its operands, and what its block uses from outside.
pub(crate) fn used<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<V<'c, 'a>> {
    let mut values: Vec<V> = op.operands().collect();
    if let Some(block) = block(op) {
        let own = inside(op);
        let of_block = operations(block).into_iter().flat_map(used);
        values.extend(of_block.filter(|value| !own.contains(value)));
    }
    values
}
