//! `loop.group`: members are values, and what the points insert fits the destinations and each other.

use super::loops::{Schedule, check_combiner, check_domain};
use crate::{
    ir::{
        BlockLike, OperationLike,
        operations::{self, users},
        shaped::{Shaped, check_sizes},
        types::Shape,
    },
    loops::{
        affine,
        groups::{Insert, end, indices},
    },
    ops::loop_,
};
use melior::ir::{OperationRef, RegionLike, Type, TypeLike, Value, ValueLike, operation::OperationResult};
use terrace_size::DYNAMIC;

fn operations<'c, 'a>(region: melior::ir::RegionRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let first = region.first_block().and_then(|block| block.first_operation());
    std::iter::successors(first, |op| op.next_in_block())
}

fn is_member(op: OperationRef) -> bool {
    loop_::PointwiseOp::try_from(op).is_ok()
        || loop_::ReductionOp::try_from(op).is_ok()
        || loop_::ScanOp::try_from(op).is_ok()
}

/// Destinations of one sort, arguments for them, a body of members that ends with what goes where.
pub fn loop_group(op: OperationRef) -> Result<(), String> {
    let group = loop_::GroupOp::try_from(op).map_err(|_| "is no group")?;
    let (sizes, inits) = (group.sizes(), group.inits());
    check_domain(&sizes, group.dynamic_sizes().len())?;
    Schedule { order: None, tile: group.tile() }.check(&sizes, sizes.len())?;
    if op.parent_operation().is_some_and(|parent| loop_::GroupOp::try_from(parent).is_ok()) {
        return Err("stands in a group: a group is one kernel, and has no others inside".into());
    }
    let mut tensors: Vec<Type> = vec![];
    for init in &inits {
        if !Shaped::expect(init.r#type())?.buffer {
            tensors.push(init.r#type());
        }
    }
    match tensors.len() {
        0 if inits.is_empty() => return Err("has no destination, so it does nothing".into()),
        n if n != 0 && n != inits.len() => {
            return Err("expects destinations that are all tensors or all memrefs".into());
        }
        _ => {}
    }
    if op.results().map(|r| r.r#type()).ne(tensors) {
        return Err("expects a result for each tensor destination, of its type".into());
    }
    let block = group.body().first_block().ok_or("has an empty body")?;
    let index = |ty: Type| ty.is_index();
    let fits = |i: usize| {
        let ty = block.argument(i).map(|a| a.r#type());
        ty.is_ok_and(|ty| match i.checked_sub(sizes.len()) {
            Some(destination) => ty == inits[destination].r#type(),
            None => index(ty),
        })
    };
    let count = sizes.len() + inits.len();
    if block.argument_count() != count || !(0..count).all(fits) {
        return Err("expects a body with an index per dimension, then an argument per destination".into());
    }
    for i in sizes.len()..count {
        if users(block.argument(i).map_err(|e| e.to_string())?.into())
            .any(|op| loop_::InsertOp::try_from(op).is_err())
        {
            let destination = i - sizes.len();
            return Err(format!(
                "reads its name for destination {destination}, which is for 'loop.insert': load the old value by the \
                 name outside"
            ));
        }
    }
    for inside in operations(group.body()) {
        let tensor = |r: OperationResult| Shaped::of(r.r#type()).is_some();
        if !is_member(inside) && inside.results().any(tensor) {
            let name = inside.name();
            let name = name.as_string_ref();
            let name = name.as_str().unwrap_or("an operation");
            return Err(format!(
                "has a tensor or memref of '{name}' in it: only members, as 'loop.pointwise', make tensors there"
            ));
        }
    }
    end(group).ok_or("expects its body to end with 'loop.in_parallel'")?;
    let inserts = Insert::all(group);
    for destination in 0..inits.len() {
        let mut all = inserts.iter().filter(|i| i.destination == destination).map(|i| i.combiner);
        let first = all.next();
        if all.any(|combiner| Some(combiner) != first) {
            return Err(format!("combines destination {destination} in several ways: expects one"));
        }
    }
    Ok(())
}

/// Holds inserts alone.
pub fn loop_in_parallel(op: OperationRef) -> Result<(), String> {
    let view = loop_::InParallelOp::try_from(op).map_err(|_| "is no end of a group")?;
    if operations(view.body()).all(|op| loop_::InsertOp::try_from(op).is_ok()) {
        Ok(())
    } else {
        Err("expects 'loop.insert' and nothing else inside".into())
    }
}

/// Whether a value is computed inside a group, and not an index of its.
fn is_computed<'c, 'a>(group: loop_::GroupOp<'c, 'a>, value: Value<'c, 'a>) -> bool {
    let owner = operations::definition(value).and_then(|op| op.parent_operation());
    owner.is_some_and(|owner| owner == group.operation())
}

/// The destination is the group's, the value one of its points, and it fits the place; points are told apart.
pub fn loop_insert(op: OperationRef) -> Result<(), String> {
    let view = loop_::InsertOp::try_from(op).map_err(|_| "is no insert")?;
    let group = op.parent_operation().and_then(|end| end.parent_operation());
    let group = group.and_then(|g| loop_::GroupOp::try_from(g).ok()).ok_or("expects to be in a group")?;
    let destination = Shaped::expect(view.destination().r#type())?;
    let (map, whole) = (view.map(), view.whole());
    if whole.len() != destination.rank() {
        let rank = destination.rank();
        return Err(format!("expects {rank} indices or ':', one per dimension, got {}", whole.len()));
    }
    if affine::results(map) != whole.iter().filter(|all| !**all).count()
        || affine::dims(map) != view.indices().len()
    {
        return Err("has a map that does not fit its operands and dimensions".into());
    }
    let value = view.value();
    let sizes: Vec<i64> =
        destination.shape.iter().zip(&whole).filter(|(_, all)| **all).map(|(size, _)| *size).collect();
    let element = match Shaped::of(value.r#type()) {
        Some(shaped) => {
            let member = operations::definition(value);
            if !member.is_some_and(|m| is_member(m) && m.parent_operation() == Some(group.operation())) {
                return Err(
                    "inserts a tensor that no member of its group gives: load its elements in one".into()
                );
            }
            if shaped.rank() == 0 || sizes.is_empty() {
                return Err(format!("inserts {} at one element", value.r#type()));
            }
            check_sizes("a value of the sizes at ':',", &sizes, &shaped.shape)?;
            shaped.element
        }
        None if sizes.is_empty() => value.r#type(),
        None => {
            return Err(format!(
                "inserts the number {} where {} elements are",
                value.r#type(),
                Shape(&sizes)
            ));
        }
    };
    if element != destination.element {
        return Err(format!("inserts {element} into a destination of {}", destination.element));
    }
    let insert = Insert::of(group, view);
    let insert = insert.ok_or("expects a destination of its group by the name that it has inside")?;
    if let Some(combiner) = insert.combiner {
        return check_combiner(combiner, element);
    }
    // Where an index of the place was computed nothing is known.
    if insert.operands.iter().any(|v| is_computed(group, *v)) {
        return Ok(());
    }
    let mut numbers = (0..).zip(indices(group).into_iter().zip(group.sizes()));
    match numbers
        .find(|(_, (index, size))| !matches!(size, 0 | 1 | &DYNAMIC) && !insert.operands.contains(index))
    {
        Some((number, _)) => Err(format!(
            "inserts at a place that does not depend on index {number} of the group: points that differ in it write \
             the same elements, expects a combiner"
        )),
        None => Ok(()),
    }
}
