//! What structured control flow hands on: which operands become a result of an operation of scf, or an
//! argument of its regions.

use crate::ir::{
    BlockLike, OperationLike,
    cursor::V,
    operations::{argument, blocks, definition, home, name_of},
};
use melior::ir::{OperationRef, RegionLike, Value};

/// The operands, by operation and number, that a value is one of, in the order in which they are handed on
/// first: what comes into a loop stands in front. None of what no structured control flow gives.
pub fn handed_on<'c: 'a, 'a>(value: V<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, usize)> {
    all(value).unwrap_or_default()
}

/// The same, and of what is selected, which upstream makes of ways that do nothing but hand on.
pub fn chosen_of<'c: 'a, 'a>(value: V<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, usize)> {
    match definition(value) {
        Some(op) if is_select(op) => vec![(op, 1), (op, 2)],
        _ => handed_on(value),
    }
}

/// Whether an operation selects one of two values.
pub fn is_select(op: OperationRef) -> bool {
    name_of(op) == "arith.select"
}

/// What upstream makes where a way has no value to hand on.
pub const POISON: &str = "ub.poison";

/// Whether a value is any.
pub fn is_poison(value: V) -> bool {
    definition(value).is_some_and(|op| name_of(op) == POISON)
}

fn all<'c: 'a, 'a>(value: V<'c, 'a>) -> Option<Vec<(OperationRef<'c, 'a>, usize)>> {
    let end = |op: OperationRef<'c, 'a>, region: usize| op.region(region).ok()?.first_block()?.terminator();
    if let Some(argument) = argument(value) {
        let (block, number) = (home(value)?, argument.argument_number());
        let op = block.parent_operation()?;
        let first = op.region(0).ok()?.first_block()? == block;
        return match name_of(op) {
            "scf.for" => Some(vec![(op, number + 2), (end(op, 0)?, number.checked_sub(1)?)]),
            "scf.while" if first => Some(vec![(op, number), (end(op, 1)?, number)]),
            "scf.while" => Some(vec![(end(op, 0)?, number + 1)]),
            _ => None,
        };
    }
    let op = definition(value)?;
    let number = op.results().position(|result| Value::from(result) == value)?;
    match name_of(op) {
        "scf.execute_region" if blocks(op).len() == 1 => Some(vec![(end(op, 0)?, number)]),
        "scf.if" | "scf.index_switch" => {
            (0..op.region_count()).map(|region| Some((end(op, region)?, number))).collect()
        }
        "scf.for" => Some(vec![(op, number + 3), (end(op, 0)?, number)]),
        "scf.while" => Some(vec![(end(op, 0)?, number + 1)]),
        _ => None,
    }
}
