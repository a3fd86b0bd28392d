//! Checks of what draws from a generator, or from a value that is the state of one.

use super::values::dynamic_sizes;
use crate::{
    ir::{OperationLike, attributes as convert, dtype::Dtype, types::TensorType},
    ops::{functional, graph},
};
use melior::ir::{OperationRef, Value, ValueLike};

fn counted(count: i64) -> Result<(), String> {
    if count >= 0 { Ok(()) } else { Err(format!("skips {count} operations: 0 is the least")) }
}

/// The number of operations is none below 0.
pub fn graph_skip_draws(op: OperationRef) -> Result<(), String> {
    counted(graph::SkipDrawsOp::try_from(op).map_err(|_| "is no skip_draws")?.count())
}

/// The seed of a generator, and how many operations have drawn from it.
fn is_state(value: Value) -> Result<(), String> {
    match TensorType::of(value.r#type()) {
        Some(ty) if ty.shape == [2] && ty.dtype == Dtype::I64 => Ok(()),
        _ => Err(format!("expects the state of a generator, tensor<2xi64>, got {}", value.r#type())),
    }
}

/// The state, as many dynamic sizes as the result has, and its dtype; gives its rank.
fn draws(op: OperationRef, has: impl Fn(Dtype) -> bool) -> Result<usize, String> {
    is_state(op.operands().next().ok_or("misses its state")?)?;
    dynamic_sizes(op, op.operand_count() - 1)?;
    let ty = op.result_at(0).map_err(|e| e.to_string())?.r#type();
    match TensorType::of(ty) {
        Some(tensor) if has(tensor.dtype) => Ok(tensor.rank()),
        _ => Err(format!("draws no {ty}")),
    }
}

fn number(op: OperationRef, name: &str) -> f64 {
    op.attribute(name).map_or(0.0, convert::f64)
}

/// Floats, between bounds in order.
pub fn functional_random_uniform(op: OperationRef) -> Result<(), String> {
    draws(op, Dtype::is_float)?;
    let (from, to) = (number(op, "from"), number(op, "to"));
    if from <= to { Ok(()) } else { Err(format!("expects 'from' to be at most 'to', got {from} and {to}")) }
}

/// Floats, of a deviation that is none below 0.
pub fn functional_random_normal(op: OperationRef) -> Result<(), String> {
    draws(op, Dtype::is_float)?;
    let std = number(op, "std");
    if std >= 0.0 { Ok(()) } else { Err(format!("expects a standard deviation of 0 at least, got {std}")) }
}

/// Real numbers, between bounds that are apart.
pub fn functional_random_integers(op: OperationRef) -> Result<(), String> {
    draws(op, |dtype| !dtype.is_complex())?;
    let op = functional::RandomIntegersOp::try_from(op).map_err(|_| "is no random_integers")?;
    let (low, high) = (op.low(), op.high());
    if low < high { Ok(()) } else { Err(format!("expects 'low' below 'high', got {low} and {high}")) }
}

/// A line of real numbers.
pub fn functional_randperm(op: OperationRef) -> Result<(), String> {
    let rank = draws(op, |dtype| !dtype.is_complex() && dtype != Dtype::Bool)?;
    if rank == 1 { Ok(()) } else { Err("expects a one-dimensional result".into()) }
}

/// Its state.
pub fn functional_bernoulli(op: OperationRef) -> Result<(), String> {
    is_state(functional::BernoulliOp::try_from(op).map_err(|_| "is no bernoulli")?.state())
}

/// Its state.
pub fn functional_multinomial(op: OperationRef) -> Result<(), String> {
    is_state(functional::MultinomialOp::try_from(op).map_err(|_| "is no multinomial")?.state())
}

/// Its state, and a number of operations that is none below 0.
pub fn functional_skip_draws(op: OperationRef) -> Result<(), String> {
    let op = functional::SkipDrawsOp::try_from(op).map_err(|_| "is no skip_draws")?;
    is_state(op.state())?;
    counted(op.count())
}
