//! Checks of graph and functional operations that are no matter of type inference.

use crate::{
    ir::{
        OperationLike,
        types::{Shape, TensorType},
    },
    ops::{functional, graph},
};
use melior::ir::{OperationRef, ValueLike};

pub use crate::aten::custom::verify as graph_custom;

/// The value's shape and dtype are the view's.
pub fn graph_write_back(op: OperationRef) -> Result<(), String> {
    let op = graph::WriteBackOp::try_from(op).map_err(|_| "is no write_back")?;
    let (value, view) = (op.value().r#type(), op.view().r#type());
    let same = match (TensorType::of(value), TensorType::of(view)) {
        (Some(value), Some(view)) => value.shape == view.shape && value.dtype == view.dtype,
        _ => false,
    };
    if same {
        Ok(())
    } else {
        Err(format!("expects a value of the view's shape and dtype, got {value} for {view}"))
    }
}

/// One dynamic size for each `?` of the result.
pub(super) fn dynamic_sizes(op: OperationRef, given: usize) -> Result<(), String> {
    let ty = op.result_at(0).map_err(|e| e.to_string())?.r#type();
    let tensor = TensorType::of(ty).ok_or_else(|| format!("has no tensor of a dtype as result but {ty}"))?;
    let unknown = tensor.shape.iter().filter(|s| **s == terrace_size::DYNAMIC).count();
    if unknown == given {
        Ok(())
    } else {
        Err(format!("has {unknown} dynamic sizes in {} but {given} operands for them", Shape(&tensor.shape)))
    }
}

/// As many dynamic sizes as the result has.
pub fn functional_full(op: OperationRef) -> Result<(), String> {
    dynamic_sizes(op, op.operand_count() - 1)
}

/// Real numbers, and a range that some are in.
pub fn functional_within(op: OperationRef) -> Result<(), String> {
    let own = functional::WithinOp::try_from(op).map_err(|_| "is no within")?;
    let ty = own.self_().r#type();
    if TensorType::of(ty).is_none_or(|tensor| tensor.dtype.is_complex()) {
        return Err(format!("expects a tensor of real numbers, got {ty}"));
    }
    let (low, high) = (own.low(), own.high());
    if low <= high { Ok(()) } else { Err(format!("expects 'low' not above 'high', got {low} and {high}")) }
}

/// A one-dimensional result, its size given where dynamic.
pub fn functional_arange(op: OperationRef) -> Result<(), String> {
    dynamic_sizes(op, op.operand_count() - 2)?;
    let ty = op.result_at(0).map_err(|e| e.to_string())?.r#type();
    match TensorType::of(ty) {
        Some(t) if t.rank() == 1 => Ok(()),
        _ => Err(format!("expects a one-dimensional result, got {ty}")),
    }
}
