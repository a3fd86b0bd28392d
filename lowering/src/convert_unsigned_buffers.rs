//! The pass `convert-unsigned-buffers`: u8 is i8 in memory.
//!
//! Types of values change in place, in signatures and constants too; what reinterpreted a byte as one of the other type goes.

use melior::{
    Context,
    ir::{
        Attribute, BlockLike, OperationRef, RegionLike, Type, TypeLike, Value, ValueLike,
        attribute::{AttributeLike, TypeAttribute},
        operation::{OperationLike, OperationMutLike, OperationRefMut},
        r#type::IntegerType,
    },
};
use mlir_sys::*;
use terrace_dialects::{
    context,
    operations::{collect, name_of},
    pass::Failure,
};

/// Rewrites every type below an operation.
pub fn run(op: OperationRef, _: &crate::options::ConvertUnsignedBuffers) -> Result<(), Failure> {
    let context = context::of(op.context());
    for op in collect(op, |_| true) {
        change_types(context, op)?;
        if name_of(op) == "builtin.unrealized_conversion_cast" {
            let (operand, result): (Value, Value) = (op.operand(0)?, op.result(0)?.into());
            if operand.r#type() == result.r#type() {
                // SAFETY: nothing uses the operation after this.
                unsafe {
                    mlirValueReplaceAllUsesOfWith(result.to_raw(), operand.to_raw());
                    mlirOperationDestroy(op.to_raw());
                }
            }
        }
    }
    Ok(())
}

/// The type without a sign for one with elements of `ui8`; None for any other type.
fn signless<'c>(context: &'c Context, ty: Type<'c>) -> Option<Type<'c>> {
    let unsigned = |raw| unsafe {
        mlirTypeIsAInteger(raw) && mlirIntegerTypeGetWidth(raw) == 8 && mlirIntegerTypeIsUnsigned(raw)
    };
    let (byte, raw) = (IntegerType::new(context, 8), ty.to_raw());
    if unsigned(raw) {
        return Some(byte.into());
    }
    unsafe {
        let tensor = mlirTypeIsARankedTensor(raw);
        if !(tensor || mlirTypeIsAMemRef(raw)) || !unsigned(mlirShapedTypeGetElementType(raw)) {
            return None;
        }
        let rank = mlirShapedTypeGetRank(raw) as isize;
        let shape: Vec<i64> = (0..rank).map(|d| mlirShapedTypeGetDimSize(raw, d)).collect();
        let (shape, byte) = (shape.as_ptr(), byte.to_raw());
        Some(Type::from_raw(if tensor {
            mlirRankedTensorTypeGet(rank, shape, byte, mlirRankedTensorTypeGetEncoding(raw))
        } else {
            let (layout, space) = (mlirMemRefTypeGetLayout(raw), mlirMemRefTypeGetMemorySpace(raw));
            mlirMemRefTypeGet(byte, rank, shape, layout, space)
        }))
    }
}

/// Bytes among results, block arguments, signatures and constants.
fn change_types(context: &Context, op: OperationRef) -> Result<(), Failure> {
    let change = |value: Value| {
        if let Some(ty) = signless(context::of(value.context()), value.r#type()) {
            value.set_type(ty);
        }
    };
    op.results().for_each(|r| change(r.into()));
    for region in op.regions() {
        let mut next = region.first_block();
        while let Some(block) = next {
            (0..block.argument_count()).filter_map(|i| block.argument(i).ok()).for_each(|a| change(a.into()));
            next = block.next_in_region();
        }
    }
    let mut changed = unsafe { OperationRefMut::from_raw(op.to_raw()) };
    for (name, attribute) in op.attributes() {
        if let Some(new) = new_attribute(context, unsafe { Attribute::from_raw(attribute.to_raw()) }) {
            changed.set_attribute(name.as_string_ref().as_str().unwrap_or_default(), new);
        }
    }
    Ok(())
}

/// The attribute without a sign: the type of a function or of a constant, the elements of a constant.
fn new_attribute<'c>(context: &'c Context, attribute: Attribute<'c>) -> Option<Attribute<'c>> {
    unsafe {
        let raw = attribute.to_raw();
        if mlirAttributeIsADenseElements(raw) {
            let ty = signless(context, Type::from_raw(mlirAttributeGetType(raw)))?;
            let count = if mlirDenseElementsAttrIsSplat(raw) {
                1
            } else {
                mlirElementsAttrGetNumElements(raw) as usize
            };
            let bytes = mlirDenseElementsAttrGetRawData(raw);
            return Some(Attribute::from_raw(mlirDenseElementsAttrRawBufferGet(ty.to_raw(), count, bytes)));
        }
        let own = TypeAttribute::try_from(attribute).ok()?.value();
        let function = own.to_raw();
        if !mlirTypeIsAFunction(function) {
            return Some(TypeAttribute::new(signless(context, own)?).into());
        }
        let new = |ty: MlirType| signless(context, Type::from_raw(ty)).map_or(ty, |ty| ty.to_raw());
        let inputs: Vec<_> = (0..mlirFunctionTypeGetNumInputs(function))
            .map(|i| new(mlirFunctionTypeGetInput(function, i)))
            .collect();
        let results: Vec<_> = (0..mlirFunctionTypeGetNumResults(function))
            .map(|i| new(mlirFunctionTypeGetResult(function, i)))
            .collect();
        let (inputs, results) =
            ((inputs.len() as isize, inputs.as_ptr()), (results.len() as isize, results.as_ptr()));
        let ty = mlirFunctionTypeGet(context.to_raw(), inputs.0, inputs.1, results.0, results.1);
        Some(Attribute::from_raw(mlirTypeAttrGet(ty)))
    }
}
