//! Operations that do nothing but give what nobody needs, however many of them hand it on to each other.
//!
//! A canonicalizer takes them out, and with them what refuses them when the program runs: an index out of bounds, sizes that do not fit.

use melior::ir::{BlockRef, OperationRef, Value};
use std::collections::HashSet;
use terrace_dialects::{
    ir::{BlockLike, OperationLike},
    operations::{blocks, collect, users},
    pass::Failure,
    touches::{self, Touch},
};

/// The operations of a function that nobody needs, in the order of the program.
///
/// # Errors
/// The function has no body.
pub(super) fn of<'c, 'a>(function: OperationRef<'c, 'a>) -> Result<Vec<OperationRef<'c, 'a>>, Failure> {
    let mut needed = HashSet::new();
    for block in blocks(function).into_iter().rev() {
        need(block, &mut needed);
    }
    Ok(collect(function, |op| op != function && !needed.contains(&key(op))))
}

fn key(op: OperationRef) -> usize {
    op.to_raw().ptr as usize
}

/// Takes in what is needed in a block that is: from the end, as users stand behind what they use.
fn need(block: BlockRef, needed: &mut HashSet<usize>) {
    let mut all: Vec<OperationRef> =
        std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect();
    let mut end = true;
    while let Some(op) = all.pop() {
        let is_used =
            || op.results().any(|result| users(Value::from(result)).any(|user| needed.contains(&key(user))));
        if std::mem::take(&mut end) || acts(op) || is_used() {
            needed.insert(key(op));
            blocks(op).into_iter().for_each(|inner| need(inner, needed));
        }
    }
}

/// Whether an operation, or one in it, does more than to give results.
fn acts(op: OperationRef) -> bool {
    match touches::of(op) {
        Some(effects) => effects.iter().any(|(touch, _)| matches!(touch, Touch::Write | Touch::Other)),
        None if op.region_count() > 0 => blocks(op)
            .into_iter()
            .any(|block| std::iter::successors(block.first_operation(), |op| op.next_in_block()).any(acts)),
        None => true,
    }
}
