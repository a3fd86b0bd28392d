//! The pass `carry-in-place`: what a loop carries from round to round stays in one buffer, and what branches
//! give is in one place.
//!
//! One-shot bufferization refuses a loop that yields another buffer than the one it was given. Here each
//! tensor that is carried is put back into the one that came in (`bufferization.materialize_in_destination`),
//! which folds away where it was computed there. What is not new in this round (tensors that change places,
//! values from outside) is copied first, all before the first is written. An `scf.while` passes on what came
//! in, and behind it what its condition computes.
//!
//! Of branches that give tensors from different places bufferization takes all of these for one memory, of an
//! `scf.index_switch` (MLIR 22) even for none, and nobody would know who frees what. Here all branches give
//! the same one, or each a new one of its own: what is not new is copied. An `arith.select` (canonicalization
//! makes one of branches that compute nothing) is an `scf.if` again.
//!
//! Contract: in front of one-shot-bufferize. Inner operations first, so that it is known where their results
//! lie.

use melior::ir::{
    Attribute, BlockRef, OperationRef, Region, RegionLike, Type, TypeLike, Value, ValueLike,
    attribute::{DenseI32ArrayAttribute, FloatAttribute, IntegerAttribute},
    operation::OperationBuilder,
};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike, context,
        cursor::{Cursor, V},
        diagnostics::emit_op_error,
        operations::{self, arguments, collect, definition, name_of, users},
        pass::Failure,
        refusal::Reason,
        rewrite::{
            add_argument, erase, erase_argument, insert_argument, replace_uses, set_operand, take_body,
        },
        shaped::Shaped,
        types::is_float,
    },
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// Where the elements of a tensor will lie that a block computes.
#[derive(Clone, Copy, PartialEq)]
enum Home<'c, 'a> {
    /// In memory that this operation of the block allocates.
    New(V<'c, 'a>),
    /// Where this tensor lies.
    At(V<'c, 'a>),
}

/// Runs the pass on everything below an operation.
pub fn run(op: OperationRef, _: &crate::options::CarryInPlace) -> Result<(), Failure> {
    collect(op, is_choice).into_iter().try_for_each(branched)?;
    let branches = collect(op, |op| matches!(name_of(op), "scf.if" | "scf.index_switch"));
    branches.into_iter().rev().try_for_each(agree)?;
    let loops = collect(op, |op| matches!(name_of(op), "scf.for" | "scf.while"));
    loops.into_iter().rev().try_for_each(|op| match name_of(op) {
        "scf.for" => {
            let body = block(op, 0)?;
            settle(body, &arguments(body).skip(1).collect::<Vec<_>>(), 0)
        }
        _ => {
            let op = widened(op)?.unwrap_or(op);
            let (before, after) = (block(op, 0)?, block(op, 1)?);
            settle(before, &arguments(before).collect::<Vec<_>>(), 1)?;
            settle(after, &arguments(after).collect::<Vec<_>>(), 0)
        }
    })
}

/// Whether an operation selects one of two tensors by one number.
fn is_choice(op: OperationRef) -> bool {
    let is_tensor = |k| op.operand(k).is_ok_and(is_tensor);
    name_of(op) == "arith.select" && is_tensor(1) && !is_tensor(0)
}

/// An `scf.if` in the place of a select.
fn branched(op: OperationRef) -> Result<(), Failure> {
    let result = Value::from(op.result_at(0)?);
    let way = |_, way| Ok(vec![op.operand(1 + way)?]);
    let chosen = Cursor::before(op)?.either(op.operand(0)?, &[result.r#type()], way)?;
    replace_uses(result, chosen[0]);
    erase(op);
    Ok(())
}

/// Makes all branches give a tensor from one place, or each a new one of its own.
fn agree<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Failure> {
    if !op.results().any(|result| is_tensor(result.into())) {
        return Ok(());
    }
    let ends = (0..op.region_count()).map(|region| {
        let block = block(op, region)?;
        Ok((block, block.terminator().ok_or(internal!("a branch has no end"))?))
    });
    let ends = ends.collect::<Result<Vec<_>, Failure>>()?;
    let mut given = vec![];
    for (number, _) in op.results().enumerate().filter(|(_, result)| is_tensor((*result).into())) {
        let home =
            |(block, end): &(BlockRef<'c, 'a>, OperationRef<'c, 'a>)| Ok(home(end.operand(number)?, *block));
        let homes = ends.iter().map(home).collect::<Result<Vec<Home>, Failure>>()?;
        if matches!(homes[0], Home::At(_)) && homes.iter().all(|home| *home == homes[0]) {
            continue;
        }
        for ((_, end), home) in ends.iter().zip(homes) {
            if matches!(home, Home::At(_)) || given.contains(&home) {
                let new = copy(&Cursor::before(*end)?, end.operand(number)?)?;
                // SAFETY: the end of a block that nobody else looks at now.
                set_operand(*end, number, new);
            }
            given.push(home);
        }
    }
    Ok(())
}

fn block<'c, 'a>(op: OperationRef<'c, 'a>, region: usize) -> Result<BlockRef<'c, 'a>, Failure> {
    Ok(op.region(region)?.first_block().ok_or(internal!("a loop has no body"))?)
}

fn is_tensor(value: Value) -> bool {
    is_tensor_type(value.r#type())
}

fn is_tensor_type(ty: Type) -> bool {
    Shaped::of(ty).is_some_and(|shaped| !shaped.buffer)
}

/// Puts what the end of a block passes on, from operand `first` on, into what came in.
fn settle<'c: 'a, 'a>(block: BlockRef<'c, 'a>, carried: &[V<'c, 'a>], first: usize) -> Result<(), Failure> {
    let end = block.terminator().ok_or(internal!("a loop has no end"))?;
    let at = Cursor::before(end)?;
    let mut moved: Vec<(usize, V, V)> = vec![];
    for (i, own) in carried.iter().enumerate().filter(|(_, own)| is_tensor(**own)) {
        let value = end.operand(first + i)?;
        if value == *own || is_carried_through(value, *own, block) {
            continue;
        }
        let value = match home(value, block) {
            Home::At(at_home) if at_home == *own && !is_of_loop(value) => value,
            Home::New(_) => value,
            Home::At(at_home) if at_home != *own && renewed(value, block)? => value,
            Home::At(_) => copy(&at, value)?,
        };
        moved.push((first + i, value, *own));
    }
    for (operand, value, own) in moved {
        let put = at.op("bufferization.materialize_in_destination", &[value, own], own.r#type())?;
        set_operand(end, operand, put);
    }
    Ok(())
}

/// Whether a tensor is what an inner loop leaves of it, or what branches give of which one gives that.
fn is_of_loop(value: V) -> bool {
    let Some(result) = operations::result(value) else { return false };
    let op = result.owner();
    match name_of(op) {
        "scf.for" | "scf.while" => true,
        "scf.if" | "scf.index_switch" => op.regions().any(|region| {
            let end = region.first_block().and_then(|block| block.terminator());
            end.and_then(|end| end.operand(result.result_number()).ok()).is_some_and(is_of_loop)
        }),
        _ => false,
    }
}

/// Whether what came in went through inner loops alone, and nobody looks at it behind them: these write it
/// where it is.
///
/// Bufferization would refuse to put what an inner loop gives into what it was given.
fn is_carried_through<'c: 'a, 'a>(mut value: V<'c, 'a>, own: V<'c, 'a>, body: BlockRef<'c, 'a>) -> bool {
    let in_body = |op: &OperationRef| op.block().is_some_and(|block| block.to_raw().ptr == body.to_raw().ptr);
    while value != own {
        let Some(result) = operations::result(value) else { return false };
        let (op, number) = (result.owner(), result.result_number());
        let given = match name_of(op) {
            "scf.for" if in_body(&op) => op.operand(3 + number),
            "scf.while" if in_body(&op) => op.operand(number),
            _ => return false,
        };
        let Ok(given) = given else { return false };
        let behind = |user: OperationRef<'c, 'a>| {
            let mut above = std::iter::successors(Some(user), |op| op.parent_operation());
            above.find(in_body).is_none_or(|user| user != op && !user.is_before_in_block(op))
        };
        if users(given).any(behind) {
            return false;
        }
        value = given;
    }
    true
}

/// Gives what computes a tensor point by point a destination of this round.
fn renewed<'c: 'a, 'a>(value: V<'c, 'a>, body: BlockRef<'c, 'a>) -> Result<bool, Failure> {
    let op = definition(value).filter(|op| op.block().is_some_and(|b| b.to_raw().ptr == body.to_raw().ptr));
    let Some(op) = op.filter(|op| loop_::PointwiseOp::try_from(*op).is_ok()) else { return Ok(false) };
    let Some(new) = any_value(&Cursor::before(op)?, value.r#type())? else { return Ok(false) };
    // SAFETY: the destination of an operation that writes all of it; nobody holds on to its operands.
    set_operand(op, op.operand_count() - 1, new);
    Ok(true)
}

/// A tensor of the same elements in memory of its own.
pub(crate) fn copy<'c, 'a>(at: &Cursor<'c, 'a>, value: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    let segments = DenseI32ArrayAttribute::new(at.context, &[0, 1, 0]);
    let segments = at.named("operandSegmentSizes", segments);
    at.with("bufferization.alloc_tensor", &[value], value.r#type(), &[segments])
}

/// Where a tensor lies that a block computes, or that it looks at.
fn home<'c: 'a, 'a>(mut value: V<'c, 'a>, body: BlockRef<'c, 'a>) -> Home<'c, 'a> {
    loop {
        let Some(result) = operations::result(value) else { return Home::At(value) };
        let (op, number) = (result.owner(), result.result_number());
        let inside = op.block().is_some_and(|block| block.to_raw().ptr == body.to_raw().ptr);
        let operand = |number: usize| op.operand(number).ok();
        let next = match name_of(op) {
            _ if !inside => None,
            "tensor.empty" | "bufferization.alloc_tensor" => return Home::New(value),
            "tensor.insert" | "tensor.insert_slice" | "bufferization.materialize_in_destination" => {
                operand(1)
            }
            "scf.for" => operand(3 + number),
            "scf.while" => operand(number),
            // Its destinations stand last.
            name if name.starts_with("loop.") || name.starts_with("linalg.") => {
                operand(op.operand_count() - op.result_count() + number)
            }
            // All branches agree: what the first one does, they all do.
            "scf.if" | "scf.index_switch" => {
                let first = op.region(0).ok().and_then(|region| region.first_block());
                let given = first.and_then(|block| Some((block.terminator()?.operand(number).ok()?, block)));
                match given.map(|(given, block)| home(given, block)) {
                    Some(Home::New(_)) => return Home::New(value),
                    Some(Home::At(outer)) => Some(outer),
                    None => None,
                }
            }
            _ => None,
        };
        match next {
            Some(next) => value = next,
            None => return Home::At(value),
        }
    }
}

/// A `while` that passes on what came in, and behind it what its condition computes, where it passes on
/// something else; None where it does not.
fn widened<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<Option<OperationRef<'c, 'a>>, Failure> {
    let (before, after) = (block(op, 0)?, block(op, 1)?);
    let came: Vec<V> = arguments(before).collect();
    let condition = before.terminator().ok_or(internal!("a loop has no end"))?;
    let passed: Vec<V> = condition.operands().skip(1).collect();
    let types = |values: &[V<'c, 'a>]| values.iter().map(|v| v.r#type()).collect::<Vec<_>>();
    if types(&came) == types(&passed) || !came.iter().chain(&passed).any(|value| is_tensor(*value)) {
        return Ok(None);
    }
    // Where each of what is passed on stands afterwards: where it came in, or behind all that did.
    let computed: Vec<V> = passed.iter().filter(|value| !came.contains(value)).copied().collect();
    let all: Vec<V> = came.iter().chain(&computed).copied().collect();
    let place = |value: &V| all.iter().position(|own| own == value);
    let places: Vec<usize> = passed.iter().filter_map(place).collect();
    let at = Cursor::before(op)?;
    let mut inits: Vec<V> = op.operands().collect();
    for value in &computed {
        let Some(any) = any_value(&at, value.r#type())? else {
            let ty = value.r#type();
            let why = format!(
                "has a condition that computes {ty}, of a size of the run: compute it before or behind"
            );
            return Err(refuse(op, &Reason::Branches.says(why)));
        };
        inits.push(any);
    }
    let mut to: Vec<V> = vec![condition.operand(0)?];
    to.extend(&all);
    let new_condition = OperationBuilder::new("scf.condition", condition.location()).add_operands(&to);
    before.insert_operation_before(condition, new_condition.build()?);
    let old: Vec<V> = arguments(after).collect();
    let end = after.terminator().ok_or(internal!("a loop has no end"))?;
    let types = types(&all);
    for value in &computed {
        add_argument(before, value.r#type(), at.location);
    }
    for (i, ty) in types.iter().enumerate() {
        insert_argument(after, i, *ty, at.location);
    }
    for (value, place) in old.iter().zip(&places) {
        replace_uses(*value, after.argument(*place)?);
        erase_argument(after, types.len());
    }
    let mut yielded: Vec<V> = end.operands().collect();
    yielded.extend(arguments(after).skip(came.len()));
    let new_end = OperationBuilder::new("scf.yield", end.location()).add_operands(&yielded);
    after.insert_operation_before(end, new_end.build()?);
    let regions = vec![Region::new(), Region::new()];
    let new = at.build("scf.while", &inits, &types, &[], regions)?;
    erase(condition);
    erase(end);
    for number in 0..2 {
        take_body(&new.region(number)?, &op.region(number)?);
    }
    for (old, place) in op.results().zip(&places) {
        replace_uses(old, new.result_at(*place)?);
    }
    erase(op);
    Ok(Some(new))
}

fn refuse(op: OperationRef, message: &str) -> Failure {
    emit_op_error(&op, message);
    Failure::Reported
}

/// A value that is never read; None for what there is none of.
fn any_value<'c, 'a>(at: &Cursor<'c, 'a>, ty: Type<'c>) -> Result<Option<V<'c, 'a>>, Failure> {
    if let Some(shaped) = Shaped::of(ty) {
        if shaped.buffer || shaped.shape.contains(&DYNAMIC) {
            return Ok(None);
        }
        return at.op("tensor.empty", &[], ty).map(Some);
    }
    let number: Attribute = if is_float(ty) {
        FloatAttribute::new(context::of(ty.context()), ty, 0.0).into()
    } else if ty.is_integer() || ty.is_index() {
        IntegerAttribute::new(ty, 0).into()
    } else {
        return Ok(None);
    };
    at.constant(ty, number).map(Some)
}
