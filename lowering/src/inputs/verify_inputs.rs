//! The pass `verify-inputs`: an operation that has no way into loops is an error before anything changes.
//!
//! Contract: nothing changes. [`OPERATIONS`] and [`ZERO_POINTS`] are what neither upstream's passes nor ours
//! take in, as of MLIR 22.1; whoever takes one in removes its row. Operations of dialects that are not named
//! there are no matter of this pass. Linear in the operations.

use crate::options::VerifyInputs as Options;
use melior::ir::{OperationRef, TypeLike, ValueLike};
use terrace_dialects::ir::{
    OperationLike,
    cursor::V,
    diagnostics::emit_op_error,
    operations::{collect, definition, name_of},
    pass::Failure,
};

/// Operations without a form in loops, and what has one.
const OPERATIONS: [(&str, &str); 12] = [
    ("tensor.gather", "a 'linalg.generic' that reads by 'tensor.extract'"),
    ("tensor.scatter", "an 'scf.for' that writes by 'tensor.insert'"),
    ("linalg.winograd_filter_transform", WINOGRAD),
    ("linalg.winograd_input_transform", WINOGRAD),
    ("linalg.winograd_output_transform", WINOGRAD),
    ("tosa.custom", "operations of tosa or linalg"),
    ("tosa.variable", VARIABLE),
    ("tosa.variable_read", VARIABLE),
    ("tosa.variable_write", VARIABLE),
    ("tosa.cast_from_block_scaled", BLOCK_SCALED),
    ("tosa.cast_to_block_scaled", BLOCK_SCALED),
    ("tosa.matmul_t_block_scaled", BLOCK_SCALED),
];

const WINOGRAD: &str = "'transform.structured.decompose_winograd_op' in front, or a convolution";
const VARIABLE: &str = "an argument and a result of the function";
const BLOCK_SCALED: &str = "elements and scales that are multiplied by 'tosa.mul'";

/// Operations of tosa that upstream takes in where their zero points are constants, and the operands that
/// these are.
const ZERO_POINTS: [(&str, std::ops::Range<usize>); 6] = [
    ("tosa.avg_pool2d", 1..3),
    ("tosa.conv2d", 3..5),
    ("tosa.conv3d", 3..5),
    ("tosa.depthwise_conv2d", 3..5),
    ("tosa.matmul", 2..4),
    ("tosa.transpose_conv2d", 3..5),
];

/// Runs the pass on an operation: an error for the first one that has no way in.
pub fn run(op: OperationRef, _: &Options) -> Result<(), Failure> {
    let missing = |op| Some((op, missing(op)?));
    match collect(op, |_| true).into_iter().find_map(missing) {
        Some((op, why)) => {
            emit_op_error(&op, &why);
            Err(Failure::Reported)
        }
        None => Ok(()),
    }
}

/// What keeps an operation out, and what would be right.
fn missing(op: OperationRef) -> Option<String> {
    let name = name_of(op);
    if let Some((_, instead)) = OPERATIONS.iter().find(|(without, _)| *without == name) {
        return Some(format!("has no form in loops: expects {instead}"));
    }
    if name == "linalg.softmax" && op.result_count() == 0 {
        return Some("is on memrefs: expects tensors".into());
    }
    if !name.starts_with("tosa.") {
        return None;
    }
    // Upstream's 'tosa-infer-shapes' finds the rank of what tosa computes.
    let is_unranked = |value: &V| value.r#type().is_unranked_tensor() && !is_defined_by(*value, &["tosa."]);
    if op.operands().any(|value| is_unranked(&value)) {
        return Some("is on a tensor without a rank: expects a rank".into());
    }
    let (_, zero_points) = ZERO_POINTS.iter().find(|(other, _)| *other == name)?;
    let is_constant = |value| is_defined_by(value, &["tosa.const", "arith.constant"]);
    let which = zero_points.clone().find(|k| op.operand(*k).is_ok_and(|value| !is_constant(value)))?;
    Some(format!("has operand {which}, a zero point, that is no constant: expects 'tosa.const'"))
}

/// Whether an operation whose name begins like one of these defines a value.
fn is_defined_by(value: V, names: &[&str]) -> bool {
    definition(value).is_some_and(|op| names.iter().any(|name| name_of(op).starts_with(name)))
}
