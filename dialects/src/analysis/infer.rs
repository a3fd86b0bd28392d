//! Types of all values of a function that follow from those of its arguments: also of what control flow hands
//! on, and of what is selected.
//!
//! Of what comes round in a loop first nothing is known: its type is that of what comes in. Then types say
//! less, until they hold for both. Of poison nothing is known ever: it has the type of what it is handed on
//! beside. A tensor whose type says more is cast (`graph.cast`).

use super::flow::{self, POISON, is_poison};
use crate::ir::{
    BlockLike, OperationLike,
    args::Args,
    cursor::{Cursor, V},
    lists,
    operations::{arguments, blocks, definition, key, name_of},
    registry,
    rewrite::set_operand,
    types::{TensorType, is_graph_tensor},
};
use melior::{
    Context,
    ir::{BlockRef, OperationRef, Type, Value, ValueLike},
};
use std::collections::HashSet;
use terrace_size::DYNAMIC;

/// Says of all values in a block what follows from what its arguments are. Lists have numbers as entries
/// where these are known.
///
/// # Errors
/// What an operation says of operands of such types, also where it computes another dtype of these than its
/// type says.
pub fn infer(block: BlockRef) -> Result<(), String> {
    let mut unknown = Unknown::default();
    infer_once(block, true, &mut unknown)?;
    while infer_once(block, false, &mut unknown)? {}
    fit(block)
}

/// Values of which nothing is known yet: poison, and what is nothing else so far.
type Unknown = HashSet<usize>;

/// Hands on what has the type of what it becomes: poison of that type, and a tensor cast to it.
fn fit(block: BlockRef) -> Result<(), String> {
    let mut next = block.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        let mut values: Vec<V> = op.results().map(Value::from).collect();
        for inner in blocks(op) {
            values.extend(arguments(inner));
            fit(inner)?;
        }
        for (value, (op, k)) in
            values.iter().flat_map(|value| flow::chosen_of(*value).into_iter().map(|at| (*value, at)))
        {
            let (handed, ty) = (op.operand(k).map_err(|e| e.to_string())?, value.r#type());
            let fitting = match definition(handed) {
                _ if handed.r#type() == ty => continue,
                Some(own) if is_poison(handed) => Cursor::before(own).and_then(|at| at.op(POISON, &[], ty)),
                _ if is_graph_tensor(ty) => {
                    Cursor::before(op).and_then(|at| at.op("graph.cast", &[handed], ty))
                }
                _ => continue,
            };
            let fitting = fitting.map_err(|e| format!("{e:?}"))?;
            set_operand(op, k, fitting);
        }
    }
    Ok(())
}

/// The type of a tensor that has one of these types.
fn joined<'c>(context: &'c Context, all: &[Type<'c>]) -> Option<Type<'c>> {
    let mut all = all.iter().map(|ty| TensorType::<i64>::of(*ty));
    let mut own = all.next()??;
    for other in all {
        let other = other.filter(|other| other.rank() == own.rank())?;
        for (size, other) in own.shape.iter_mut().zip(other.shape).filter(|(size, other)| **size != *other) {
            *size = if *size == other { other } else { DYNAMIC };
        }
    }
    Some(own.to_type(context))
}

/// Says of what control flow hands on what follows from what it is one of; whether that is something else
/// than before.
fn hand_on(value: V, comes_in: bool, unknown: &mut Unknown) -> bool {
    let handed = flow::chosen_of(value);
    let mut given: Vec<V> = handed.iter().filter_map(|(op, k)| op.operand(*k).ok()).collect();
    if given.is_empty() {
        return false;
    }
    // Nothing is known yet of what comes round.
    if comes_in && handed.iter().any(|(op, _)| name_of(*op).starts_with("scf.") && op.region_count() > 0) {
        given.truncate(1);
    }
    given.retain(|value| !is_poison(*value) && !unknown.contains(&key(*value)));
    if given.is_empty() {
        unknown.insert(key(value));
        return false;
    }
    let is_new = unknown.remove(&key(value));
    let types: Vec<Type> = given.iter().map(|value| value.r#type()).collect();
    let context = crate::ir::context::of(value.context());
    let own = joined(context, &types).filter(|ty| *ty != value.r#type());
    own.inspect(|own| value.set_type(*own)).is_some() || is_new
}

/// Says of the values of a block once what follows from others; whether that is something else than before
/// for one that control flow hands on.
fn infer_once(block: BlockRef, comes_in: bool, unknown: &mut Unknown) -> Result<bool, String> {
    let mut changes = false;
    for op in std::iter::successors(block.first_operation(), |op| op.next_in_block()) {
        for inner in blocks(op) {
            for argument in arguments(inner) {
                changes |= hand_on(argument, comes_in, unknown);
            }
            changes |= infer_once(inner, comes_in, unknown)?;
        }
        if op.region_count() > 0 || flow::is_select(op) {
            for result in op.results() {
                changes |= hand_on(result.into(), false, unknown);
            }
        }
        infer_results(op)?;
    }
    Ok(changes)
}

/// Says of the results of an operation what follows from what its operands are.
fn infer_results(op: OperationRef) -> Result<(), String> {
    let Some(class) = registry::of(op).filter(|class| class.infer.is_some()) else { return Ok(()) };
    lists::fold(op, class);
    let operands: Vec<_> = op.operands().collect();
    let attribute = |name: &str| op.attribute(name).ok();
    let args = Args::new(class, op.context(), &operands, &attribute);
    let types = class.result_types(&args).map_err(|why| format!("'{}' op {why}", class.name))?;
    for (result, ty) in op.results().zip(types) {
        let dtype = |ty| TensorType::<i64>::of(ty).map(|tensor| tensor.dtype);
        // Of some operators it depends on whether there are elements.
        if dtype(result.r#type()) != dtype(ty) {
            let why = format!("computes what its type does not say: {ty}, not {}", result.r#type());
            return Err(format!("'{}' op {why}", class.name));
        }
        result.set_type(ty);
    }
    Ok(())
}
