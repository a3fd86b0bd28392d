//! Checks of the operations that ask how tensors lie.

use super::metadata::bytes;
use crate::{
    ir::{OperationLike, operations::name_of, types::TensorType},
    ops::graph,
};
use melior::ir::{OperationRef, ValueLike};
use terrace_size::DYNAMIC;

/// At least two tensors, in sets that are not empty, and a truth value for each of them.
pub fn graph_check_disjoint(op: OperationRef) -> Result<(), String> {
    let op = graph::CheckDisjointOp::try_from(op).map_err(|_| "is no check_disjoint")?;
    let count = op.tensors().len();
    if count < 2 {
        return Err(format!("compares two tensors or more, got {count}"));
    }
    if let Some(sets) = op.sets() {
        if let Some(size) = sets.iter().find(|size| **size < 1) {
            return Err(format!("'sets' has a set of {size} tensors"));
        }
        let sum = sets.iter().try_fold(0, |sum: i64, size| sum.checked_add(*size));
        if sum != Some(count as i64) {
            return Err(format!("'sets' is not about as many tensors as there are, {count}"));
        }
    }
    match op.written() {
        Some(written) if written.len() != count => {
            Err(format!("'written' has {} entries for {count} tensors", written.len()))
        }
        _ => Ok(()),
    }
}

/// In the block of a function.
pub fn graph_guard(op: OperationRef) -> Result<(), String> {
    match op.parent_operation().is_some_and(|around| name_of(around) == "func.func") {
        true => Ok(()),
        false => {
            Err("stands in a function, outside of control flow: it is about the function's arguments".into())
        }
    }
}

/// Any tensor.
pub fn graph_check_distinct(_: OperationRef) -> Result<(), String> {
    Ok(())
}

/// A number of bytes, not below 0.
pub fn graph_assert_storage(op: OperationRef) -> Result<(), String> {
    let assert = graph::AssertStorageOp::try_from(op).map_err(|_| "is no assert_storage")?;
    bytes(&assert.bytes(), assert.dynamic_bytes().len())
}

/// A number of bytes, not below 0.
pub fn graph_check_storage(op: OperationRef) -> Result<(), String> {
    let check = graph::CheckStorageOp::try_from(op).map_err(|_| "is no check_storage")?;
    bytes(&check.bytes(), check.dynamic_bytes().len())
}

/// Tensors that may be of one type.
pub fn graph_check_same(op: OperationRef) -> Result<(), String> {
    let ty = |place| op.operand(place).map(|value| value.r#type()).map_err(|e| e.to_string());
    let (a, b) = (ty(0)?, ty(1)?);
    match TensorType::<i64>::may_be_one(a, b) {
        true => Ok(()),
        false => Err(format!("compares tensors of one type, got {a} and {b}")),
    }
}

/// The result says no size that the operand does not.
pub fn graph_cast(op: OperationRef) -> Result<(), String> {
    let cast = graph::CastOp::try_from(op).map_err(|_| "is no cast")?;
    let (own, to) = (cast.self_().r#type(), op.result_at(0).map_err(|e| e.to_string())?.r#type());
    let sizes = |ty| TensorType::<i64>::of(ty).map(|ty| ty.shape).unwrap_or_default();
    let says_less = || sizes(own).iter().zip(&sizes(to)).all(|(own, to)| own == to || *to == DYNAMIC);
    match TensorType::<i64>::may_be_one(own, to) && says_less() {
        true => Ok(()),
        false => Err(format!("leaves sizes of {own} open and changes nothing else, got {to}")),
    }
}

/// Any two tensors.
pub fn graph_check_same_storage(_: OperationRef) -> Result<(), String> {
    Ok(())
}

/// What is said of a call that a guard refuses, in front of the guard's text.
pub const GUARD: &str = "the call is refused, for this does not hold";
