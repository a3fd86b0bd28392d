//! The pass `convert-unsigned-buffers`: u8 is i8 in memory.

use super::retype::{Retyping, retype};
use melior::ir::{OperationRef, r#type::IntegerType};
use mlir_sys::*;
use terrace_dialects::ir::{OperationLike, context, pass::Failure};

/// Rewrites every type below an operation.
pub fn run(op: OperationRef, _: &crate::options::ConvertUnsignedBuffers) -> Result<(), Failure> {
    let from = |ty| unsafe {
        mlirTypeIsAInteger(ty) && mlirIntegerTypeGetWidth(ty) == 8 && mlirIntegerTypeIsUnsigned(ty)
    };
    let to = IntegerType::new(context::of(op.context()), 8);
    retype(op, Retyping { from, to, cast: "builtin.unrealized_conversion_cast" })
}
