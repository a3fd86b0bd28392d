//! What structured control flow forwards: which operands become a result of an operation with regions, or an
//! argument of these. MLIR's RegionBranchOpInterface says it.

use crate::ir::{
    cursor::V,
    operations::{definition, name_of},
};
use melior::ir::OperationRef;

pub use crate::ir::upstream::forwarded;

/// The operands that a value is one of, forwarded or selected: upstream makes `arith.select` of branches that
/// only forward.
pub fn chosen_of<'c: 'a, 'a>(value: V<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, usize)> {
    match definition(value) {
        Some(op) if is_select(op) => vec![(op, 1), (op, 2)],
        _ => forwarded(value),
    }
}

/// Whether an operation selects one of two values.
pub fn is_select(op: OperationRef) -> bool {
    name_of(op) == "arith.select"
}

/// What upstream makes where a branch has no value to forward.
pub const POISON: &str = "ub.poison";

/// Whether a value is any.
pub fn is_poison(value: V) -> bool {
    definition(value).is_some_and(|op| name_of(op) == POISON)
}
