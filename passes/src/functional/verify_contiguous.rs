//! `functional-verify-contiguous`: every builtin tensor is dense and contiguous, or a located error says
//! which is not.
//!
//! Contract: nothing changes. Proven are tensors that an operation makes in memory of their own; a view is
//! not, nor what an unknown operation makes. Graph tensors are no matter of this pass: the boundary has
//! strides. Linear in the operations.

use crate::{
    functional::view_to_copy::{asks_no_strides, copy_of, is_contiguous},
    options,
};
use melior::ir::{OperationRef, RegionLike, Value, ValueLike};
use terrace_dialects::ir::{
    BlockLike, OperationLike,
    annotations::Place,
    diagnostics::emit_op_error,
    operations::{collect, name_of, users},
    pass::Failure,
    registry,
    types::TensorType,
};

/// Operations outside of the functional dialect whose tensors are new memory, or what they are given: a cast
/// says more or less of the same tensor. Sorted.
const PROVEN: &[&str] = &[
    "func.call",
    "scf.execute_region",
    "scf.for",
    "scf.if",
    "scf.index_switch",
    "scf.while",
    "tensor.cast",
    "tensor.empty",
    "tensor.from_elements",
    "tensor.generate",
    "tensor.insert",
    "tensor.splat",
];

/// Runs the pass on a module.
pub fn run(module: OperationRef, _: &options::FunctionalVerifyContiguous) -> Result<(), Failure> {
    let mut failed = false;
    for op in collect(module, |_| true) {
        let wrong = if name_of(op) == "func.func" { of_function(op)? } else { of_results(op) };
        if let Some(message) = wrong {
            emit_op_error(&op, &message);
            failed = true;
        }
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

fn builtin<'c>(value: Value<'c, '_>) -> Option<TensorType<'c>> {
    TensorType::of(value.r#type()).filter(|tensor| !tensor.graph)
}

/// What is wrong with what an operation makes.
fn of_results(op: OperationRef) -> Option<String> {
    let number = op.results().position(|result| builtin(result.into()).is_some())?;
    if let Some(copy) = copy_of(op) {
        return Some(format!(
            "result {number} is a view of its operand, not provably dense and contiguous: {} is, and \
             functional-view-to-copy makes it so",
            copy.name
        ));
    }
    let name = name_of(op);
    let known =
        registry::of(op).is_some_and(|class| matches!(class.dialect, "functional" | "graph" | "loop"));
    if known || name.starts_with("arith.") || name.starts_with("math.") || PROVEN.binary_search(&name).is_ok()
    {
        return None;
    }
    Some(format!(
        "result {number} is not provably dense and contiguous: this operation may make a view, or any strides; an operation \
         of the functional dialect that is no view makes new memory"
    ))
}

/// What is wrong with what a function declares of its arguments and results.
fn of_function(function: OperationRef) -> Result<Option<String>, Failure> {
    let Some(block) = function.region(0)?.first_block() else { return Ok(None) };
    for number in 0..block.argument_count() {
        let argument: Value = block.argument(number)?.into();
        let Some(tensor) = builtin(argument) else { continue };
        if !is_contiguous(function, Place::Argument(number), &tensor.shape)
            && !users(argument).all(asks_no_strides)
        {
            return Ok(Some(format!(
                "argument {number} declares a layout that is not contiguous and is used as it is: functional.view_copy of \
                 it would be contiguous, and functional-view-to-copy makes one"
            )));
        }
    }
    let Some(end) = block.terminator() else { return Ok(None) };
    for (number, value) in end.operands().enumerate() {
        let Some(tensor) = builtin(value) else { continue };
        if !is_contiguous(function, Place::Result(number), &tensor.shape) {
            return Ok(Some(format!(
                "result {number} declares a layout that is not contiguous: what is computed is, so leave functional.layout out"
            )));
        }
    }
    Ok(None)
}
