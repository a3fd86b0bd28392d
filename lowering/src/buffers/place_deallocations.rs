//! The pass `place-deallocations`: a buffer is freed after its last use.
//!
//! For each `memref.alloc` the aliases are followed through operations whose results view an operand. If none
//! of them leaves its block, `memref.dealloc` goes behind the last operation of the block that uses one. One
//! that an `arith.select`, or a branch of an `scf.if`, may choose to be returned is freed in front of the
//! return where it was not chosen. Where each branch of an `scf.if` or `scf.index_switch` gives what it has
//! allocated, the result is freed like an allocation. Linear in the uses.
//!
//! Upstream's ownership-based deallocation decides at run time who owns a buffer; here no buffer changes
//! hands inside a function, so the place is known.

use melior::ir::{
    Block, OperationRef, Region, RegionLike, TypeLike, Value, ValueLike, operation::OperationBuilder,
    r#type::IntegerType,
};
use terrace_dialects::{
    analysis::{
        flow::{forwarded, is_select},
        memory::is_view,
    },
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::Cursor,
        operations::{collect, definition, name_of, users},
        pass::Failure,
    },
};
use terrace_size::symbols::Predicate;

/// Places a deallocation for every allocation below an operation that does not leave its block.
pub fn run(op: OperationRef, _: &crate::options::PlaceDeallocations) -> Result<(), Failure> {
    let new = |op| matches!(name_of(op), "memref.alloc" | "scf.if" | "scf.index_switch");
    for op in collect(op, new) {
        op.results().map(Value::from).filter(|result| is_new(*result)).try_for_each(|new| place(op, new))?;
    }
    Ok(())
}

/// Whether a buffer is allocated by the operation that gives it, in every branch, and by no other name.
fn is_new(buffer: Value) -> bool {
    let Some(op) = definition(buffer) else { return false };
    let ways = forwarded(buffer);
    let alone = |(end, number): &(OperationRef, usize)| {
        let Ok(given) = end.operand(*number).map(viewed) else { return false };
        let here = definition(given).is_some_and(|op| op.block() == end.block());
        let may_be_it = |other: &Value| {
            let other = viewed(*other);
            other == given || is_buffer(other) && definition(other).is_some_and(is_select)
        };
        here && is_new(given) && end.operands().filter(may_be_it).count() == 1
    };
    name_of(op) == "memref.alloc" || is_buffer(buffer) && !ways.is_empty() && ways.iter().all(alone)
}

/// The buffer that a value is a view of, or is.
fn viewed<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Value<'c, 'a> {
    while let Some(of) = definition(value).filter(|op| is_view(*op)).and_then(|op| op.operand(0).ok()) {
        value = of;
    }
    value
}

fn place<'c: 'a, 'a>(allocation: OperationRef<'c, 'a>, buffer: Value<'c, 'a>) -> Result<(), Failure> {
    let block = allocation.block().ok_or(internal!("an allocation outside of a block"))?;
    let mut last = allocation;
    // What may be returned instead of it, or is it.
    let mut choices: Vec<Value> = vec![];
    let mut aliases: Vec<(Value, bool)> = vec![(buffer, false)];
    while let Some((alias, chosen)) = aliases.pop() {
        for user in users(alias) {
            let name = name_of(user);
            if name == "memref.dealloc" {
                return Ok(());
            }
            if name == "scf.yield" {
                let around = user.parent_operation().ok_or(internal!("a yield outside of an operation"))?;
                if name_of(around) != "scf.if" {
                    // A loop may hand it on.
                    return Ok(());
                }
                // What comes out of a branch may be it.
                for k in (0..user.operand_count()).filter(|k| user.operand(*k) == Ok(alias)) {
                    aliases.push((around.result_at(k)?.into(), true));
                }
            }
            let mut buffers = user.results().map(Value::from).filter(|result| is_buffer(*result)).peekable();
            if is_view(user) || name == "arith.select" {
                aliases.extend(buffers.map(|result| (result, chosen || name == "arith.select")));
            } else if buffers.peek().is_some() {
                // A call or a region may return what it was given.
                return Ok(());
            }
            // The operation of the allocation's own block that holds the user.
            let mut at = user;
            while at.block().map(|b| b.to_raw().ptr) != Some(block.to_raw().ptr) {
                at = at.parent_operation().ok_or(internal!("a use outside of the allocation's block"))?;
            }
            if at.next_in_block().is_none() {
                if !chosen || name != "func.return" {
                    return Ok(());
                }
                choices.push(alias);
            }
            if last.is_before_in_block(at) {
                last = at;
            }
        }
    }
    if !choices.is_empty() {
        return free_unless(buffer, &choices, last);
    }
    let free =
        OperationBuilder::new("memref.dealloc", allocation.location()).add_operands(&[buffer]).build()?;
    block.insert_operation_after(last, free);
    Ok(())
}

fn is_buffer(value: Value) -> bool {
    value.r#type().is_mem_ref()
}

/// Frees a buffer in front of the return, unless one of these is it.
fn free_unless<'c: 'a, 'a>(
    buffer: Value<'c, 'a>,
    choices: &[Value<'c, 'a>],
    end: OperationRef<'c, 'a>,
) -> Result<(), Failure> {
    let at = Cursor::before(end)?;
    let address = |value| at.op("memref.extract_aligned_pointer_as_index", &[value], at.index_type());
    let own = address(buffer)?;
    let truth = IntegerType::new(at.context, 1).into();
    let mut free = None;
    for choice in choices {
        let other = at.compare(Predicate::NotEqual, own, address(*choice)?)?;
        free = Some(match free {
            None => other,
            Some(before) => at.op("arith.andi", &[before, other], truth)?,
        });
    }
    let region = Region::new();
    let body = region.append_block(Block::new(&[]));
    let free = [free.ok_or(internal!("nothing is chosen"))?];
    at.build("scf.if", &free, &[], &[], vec![region, Region::new()])?;
    let inside = Cursor::end(body, at.location);
    inside.build("memref.dealloc", &[buffer], &[], &[], vec![])?;
    inside.build("scf.yield", &[], &[], &[], vec![])?;
    Ok(())
}
