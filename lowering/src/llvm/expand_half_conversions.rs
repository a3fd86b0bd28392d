//! The pass `expand-half-conversions`: an integer becomes half precision by way of f32.
//!
//! That is how eager rounds. Loops say so, but canonicalization makes one conversion of the two, for which
//! many processors have no instruction and LLVM calls a library.

use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike};
use mlir_sys::*;
use terrace_dialects::ir::{
    OperationLike, context,
    cursor::Cursor,
    operations::{collect, name_of},
    pass::Failure,
    rewrite::{erase, replace_uses},
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
        replace_uses(result, value);
        erase(op);
    }
    Ok(())
}

/// f32, or a vector of it, for half precision; None for any other type.
fn wide(ty: Type) -> Option<Type> {
    let half = |raw| unsafe { mlirTypeIsAF16(raw) || mlirTypeIsABF16(raw) };
    let (raw, float) = (ty.to_raw(), Type::float32(context::of(ty.context())));
    if half(raw) {
        return Some(float);
    }
    unsafe {
        if !mlirTypeIsAVector(raw) || !half(mlirShapedTypeGetElementType(raw)) {
            return None;
        }
        let rank = mlirShapedTypeGetRank(raw);
        let shape: Vec<i64> = (0..rank).map(|d| mlirShapedTypeGetDimSize(raw, d as isize)).collect();
        Some(Type::from_raw(mlirVectorTypeGet(rank as isize, shape.as_ptr(), float.to_raw())))
    }
}
