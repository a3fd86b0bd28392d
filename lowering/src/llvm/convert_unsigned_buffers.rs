//! The pass `convert-unsigned-buffers`: u8 is i8 in memory.

use super::retype::{Retyping, retype};
use melior::ir::{OperationRef, Type, TypeLike, r#type::IntegerType};
use terrace_dialects::ir::{OperationLike, context, pass::Failure};

/// Rewrites every type below an operation.
pub fn run(op: OperationRef, _: &crate::options::ConvertUnsignedBuffers) -> Result<(), Failure> {
    let from = |ty: Type| {
        ty.is_integer() && IntegerType::try_from(ty).is_ok_and(|ty| ty.width() == 8 && ty.is_unsigned())
    };
    let to = IntegerType::new(context::of(op.context()), 8);
    retype(op, Retyping { from, to, cast: "builtin.unrealized_conversion_cast" })
}
