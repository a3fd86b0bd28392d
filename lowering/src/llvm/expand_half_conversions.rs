//! The pass `expand-half-conversions`: an integer becomes half precision by way of f32.
//!
//! That is how eager rounds. Loops say so, but canonicalization makes one conversion of the two, for which
//! many processors have no instruction and LLVM calls a library.

use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike};
use terrace_dialects::ir::{
    OperationLike, context,
    cursor::Cursor,
    operations::{collect, name_of},
    pass::Failure,
    rewrite::replace,
    types::{element, with_element},
};

/// Splits every conversion below an operation.
pub fn run(op: OperationRef, _: &crate::options::ExpandHalfConversions) -> Result<(), Failure> {
    let converts = |op: OperationRef| matches!(name_of(op), "arith.sitofp" | "arith.uitofp");
    for op in collect(op, converts) {
        let result: Value = op.result_at(0)?.into();
        let Some(wide) = wide(result.r#type()) else { continue };
        let at = Cursor::before(op)?;
        let through = at.op(name_of(op), &[op.operand(0)?], wide)?;
        let value = at.op("arith.truncf", &[through], result.r#type())?;
        replace(op, &[value]);
    }
    Ok(())
}

/// f32, or a vector of it, for half precision; None for any other type.
fn wide(ty: Type) -> Option<Type> {
    let half = |ty: &Type| ty.is_f16() || ty.is_bf16();
    let float = Type::float32(context::of(ty.context()));
    if half(&ty) {
        return Some(float);
    }
    element(ty).filter(|element| ty.is_vector() && half(element))?;
    with_element(ty, float)
}
