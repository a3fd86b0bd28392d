//! Calls, in place: what a called function does is then operations among the others.
//!
//! A function of several blocks stays where it is, and so does one that changes tensor objects of its caller;
//! a call is one operation.

use super::{
    flow::{Form, form},
    program::changes_object,
};
use melior::ir::{BlockRef, OperationRef, RegionLike, operation::Operation};
use rustc_hash::FxHashMap;
use terrace_dialects::ir::{
    BlockLike, OperationLike, attributes as convert, kept,
    operations::{arguments, collect, definition},
    pass::Failure,
    registry,
    rewrite::{self, erase, replace_uses},
};

/// A copy of a function without calls of functions of one block. Recursion was refused before.
pub fn inlined<'c, 'a>(
    function: OperationRef<'c, 'a>,
    functions: &FxHashMap<String, OperationRef<'c, 'a>>,
) -> Result<Operation<'c>, Failure> {
    let copy = rewrite::copy(function);
    let mut calls: Vec<OperationRef<'c, 'a>> = collect(kept::detached(&copy), |op| form(op) == Form::Call);
    while let Some(call) = calls.pop() {
        let name = call.attribute("callee").map(convert::symbol).unwrap_or_default();
        let Some(callee) = functions.get(&name) else { continue };
        let block = callee.region(0)?.first_block().filter(|block| block.next_in_region().is_none());
        if block.is_some_and(|block| !changes_arguments(block)) {
            calls.extend(inline(call, *callee)?);
        }
    }
    Ok(copy)
}

/// Whether a tensor object that comes in gets other sizes, strides or storage: its caller may go on with what
/// it was.
fn changes_arguments(block: BlockRef) -> bool {
    let written = |op: OperationRef| registry::of(op).is_some_and(|class| class.is_in_place());
    let comes_in = |op: OperationRef| {
        let mut at = op;
        loop {
            match at.operand(0).map(definition) {
                // What an in-place operation gives is the tensor that it writes.
                Ok(Some(before)) if written(before) => at = before,
                Ok(found) => return found.is_none(),
                Err(_) => return false,
            }
        }
    };
    std::iter::successors(block.first_operation(), |op| op.next_in_block())
        .any(|op| !collect(op, |op| registry::of(op).is_some_and(changes_object) && comes_in(op)).is_empty())
}

/// Puts the operations of a function in the place of its call; the calls among them.
fn inline<'c, 'a>(
    call: OperationRef<'c, 'a>,
    callee: OperationRef<'c, 'a>,
) -> Result<Vec<OperationRef<'c, 'a>>, Failure> {
    let around = call.block().ok_or("is in no block")?;
    let copy = rewrite::copy(callee);
    let block = copy.region(0)?.first_block().ok_or("has no block")?;
    for (argument, operand) in arguments(block).zip(call.operands()) {
        replace_uses(argument, operand);
    }
    let mut calls = vec![];
    let mut next = block.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        if form(op) == Form::End {
            for (result, value) in call.results().zip(op.operands()) {
                replace_uses(result, value);
            }
            break;
        }
        let moved = around.insert_operation_before(call, rewrite::detach(op));
        calls.extend(collect(kept::operation(moved), |op| form(op) == Form::Call));
    }
    erase(call);
    Ok(calls)
}
