//! Tensors of which the program changes shape or storage, and that it uses later.
//!
//! The verifier refuses a later use of such a tensor in the same block. Where the change comes from a
//! function that is called, or stands in a block before, the program was valid, and is an error only when it
//! comes to the use. So the use becomes an error at run time before the body goes in the place of the call,
//! and before blocks become one.
//!
//! ```mlir
//! call @f(%x)                     // which has graph.t_ %x
//! %0 = graph.neg %x
//! ```
//!
//! becomes
//!
//! ```mlir
//! %s = graph.alias %x
//! call @f(%x)
//! cf.assert %false, "uses a tensor whose sizes, strides or storage 'graph.t_' has changed: use its result"
//! %0 = graph.neg %s
//! ```

use melior::ir::{BlockRef, OperationRef, RegionLike, Value, ValueLike, r#type::IntegerType};
use std::collections::HashSet;
use terrace_dialects::{
    aten::placement::changes_object,
    definitions::verifiers::{changed, first, follows, later_uses},
    ir::{
        BlockLike, OperationLike,
        cursor::Cursor,
        operations::{arguments, blocks, name_of},
        pass::Failure,
        registry,
        rewrite::set_operand,
    },
};

/// Makes errors of the uses behind a call of what the body of its callee changes.
pub fn by_a_callee<'c: 'a, 'a>(call: OperationRef<'c, 'a>, body: BlockRef<'c, 'a>) -> Result<(), Failure> {
    for change in changes(body) {
        let own = first(change.operand(0)?);
        let Some(place) = arguments(body).position(|argument| argument == own) else { continue };
        for (user, value) in later_uses(call.operand(place)?, |user| follows(user, call)) {
            refuse(user, value, call, name_of(change))?;
        }
    }
    Ok(())
}

/// Makes errors of the uses, in the body of a callee, of an argument behind a change of another one that is
/// the same tensor at this call.
pub fn by_another_argument<'c: 'a, 'a>(
    call: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
) -> Result<(), Failure> {
    let passed: Vec<Value> = call.operands().map(first).collect();
    let own: Vec<Value> = arguments(body).collect();
    for change in all_changes(body) {
        let changed = first(change.operand(0)?);
        let Some(place) = own.iter().position(|argument| *argument == changed) else { continue };
        for (other, argument) in own.iter().enumerate() {
            if other == place || passed[other] != passed[place] {
                continue;
            }
            for (user, value) in later_uses(*argument, |user| follows(user, change)) {
                refuse(user, value, change, name_of(change))?;
            }
        }
    }
    Ok(())
}

/// Makes errors of the uses of what a function changes in a block that comes before theirs wherever the
/// program goes.
pub fn in_blocks_before<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let region = function.region(0)?;
    let Some(entry) = region.first_block().filter(|entry| entry.next_in_region().is_some()) else {
        return Ok(());
    };
    for block in std::iter::successors(Some(entry), |block| block.next_in_region()) {
        let changes = changes(block);
        if changes.is_empty() {
            continue;
        }
        let others = without(entry, block);
        let behind = |user| {
            let at = block_of(user, function);
            at.is_some_and(|at| at != block && !others.contains(&address(at)))
        };
        for change in changes {
            for (user, value) in later_uses(change.operand(0)?, behind) {
                refuse(user, value, change, name_of(change))?;
            }
        }
    }
    Ok(())
}

/// The block of a function that an operation stands in, however deep.
fn block_of<'c, 'a>(op: OperationRef<'c, 'a>, function: OperationRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    let around = std::iter::successors(Some(op), |op| op.parent_operation());
    around.take_while(|op| *op != function).last()?.block()
}

/// Blocks that the program may come to without one.
fn without(entry: BlockRef, block: BlockRef) -> HashSet<usize> {
    let (mut found, mut next) = (HashSet::new(), vec![entry]);
    while let Some(at) = next.pop() {
        if at != block && found.insert(address(at)) {
            next.extend(at.terminator().into_iter().flat_map(|end| end.successors().collect::<Vec<_>>()));
        }
    }
    found
}

fn address(block: BlockRef) -> usize {
    block.to_raw().ptr as usize
}

/// The operations of a block that change shape or storage of a tensor.
fn changes<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let all = std::iter::successors(block.first_operation(), |op| op.next_in_block());
    all.filter(|op| registry::of(*op).is_some_and(changes_object)).collect()
}

/// The operations that do so in a block, however deep.
fn all_changes<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut all = changes(block);
    for op in std::iter::successors(block.first_operation(), |op| op.next_in_block()) {
        all.extend(blocks(op).into_iter().flat_map(all_changes));
    }
    all
}

/// Makes an error of a use of a tensor that was changed: it uses what the tensor was before.
fn refuse<'c: 'a, 'a>(
    user: OperationRef<'c, 'a>,
    value: Value<'c, 'a>,
    before: OperationRef<'c, 'a>,
    by: &str,
) -> Result<(), Failure> {
    let same = Cursor::before(before)?.op("graph.alias", &[value], value.r#type())?;
    let at = Cursor::before(user)?.of(user.location());
    at.assert(at.integer(IntegerType::new(at.context, 1).into(), 0)?, &changed(by))?;
    for place in 0..user.operand_count() {
        if user.operand(place)? == value {
            set_operand(user, place, same);
        }
    }
    Ok(())
}
