//! The pass `convert-bf16-to-bits`: bf16 is i16, once nothing computes with it.

use super::retype::{Retyping, retype};
use melior::ir::{OperationRef, Type, TypeLike, r#type::IntegerType};
use terrace_dialects::ir::{OperationLike, context, pass::Failure};

/// Rewrites every type below an operation.
pub fn run(op: OperationRef, _: &crate::options::ConvertBf16ToBits) -> Result<(), Failure> {
    let from = |ty: Type| ty.is_bf16();
    let to = IntegerType::new(context::of(op.context()), 16);
    retype(op, Retyping { from, to, cast: "arith.bitcast" })
}
