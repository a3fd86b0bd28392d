//! Another element type of the same bits: types of values change in place, in signatures and constants too.

use melior::ir::{
    Attribute, BlockLike, OperationRef, RegionLike, Type, TypeLike, Value, ValueLike,
    attribute::{AttributeLike, IntegerAttribute, TypeAttribute},
    operation::{OperationLike, OperationMutLike, OperationRefMut},
    r#type::IntegerType,
};
use mlir_sys::*;
use terrace_dialects::{
    operations::{collect, name_of},
    pass::Failure,
};

/// One type for another of its width.
#[derive(Clone, Copy)]
pub struct Retyping<'c> {
    /// Whether it is the one that goes.
    pub from: fn(MlirType) -> bool,
    /// The integer that comes.
    pub to: IntegerType<'c>,
    /// The operation that reinterprets the one as the other, which goes too.
    pub cast: &'static str,
}

/// Rewrites every type below an operation.
pub fn retype(op: OperationRef, retyping: Retyping) -> Result<(), Failure> {
    for op in collect(op, |_| true) {
        change_types(retyping, op)?;
        if name_of(op) == retyping.cast {
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

/// The type that comes for one with such elements; None for any other type.
fn changed<'c>(retyping: Retyping<'c>, ty: Type<'c>) -> Option<Type<'c>> {
    let (from, raw) = (retyping.from, ty.to_raw());
    if from(raw) {
        return Some(retyping.to.into());
    }
    unsafe {
        let (tensor, vector) = (mlirTypeIsARankedTensor(raw), mlirTypeIsAVector(raw));
        if !(tensor || vector || mlirTypeIsAMemRef(raw)) || !from(mlirShapedTypeGetElementType(raw)) {
            return None;
        }
        let rank = mlirShapedTypeGetRank(raw) as isize;
        let shape: Vec<i64> = (0..rank).map(|d| mlirShapedTypeGetDimSize(raw, d)).collect();
        let (shape, element) = (shape.as_ptr(), retyping.to.to_raw());
        Some(Type::from_raw(if tensor {
            mlirRankedTensorTypeGet(rank, shape, element, mlirRankedTensorTypeGetEncoding(raw))
        } else if vector {
            mlirVectorTypeGet(rank, shape, element)
        } else {
            let (layout, space) = (mlirMemRefTypeGetLayout(raw), mlirMemRefTypeGetMemorySpace(raw));
            mlirMemRefTypeGet(element, rank, shape, layout, space)
        }))
    }
}

/// Results, block arguments, signatures and constants of an operation.
fn change_types(retyping: Retyping, op: OperationRef) -> Result<(), Failure> {
    let change = |value: Value| {
        // SAFETY: all types are of one context.
        let ty = unsafe { Type::from_raw(value.r#type().to_raw()) };
        if let Some(ty) = changed(retyping, ty) {
            value.set_type(unsafe { Type::from_raw(ty.to_raw()) });
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
        if let Some(new) = new_attribute(retyping, unsafe { Attribute::from_raw(attribute.to_raw()) }) {
            changed.set_attribute(name.as_string_ref().as_str().unwrap_or_default(), new);
        }
    }
    Ok(())
}

/// The attribute that comes: the type of a function or of a constant, the bits of a constant.
fn new_attribute<'c>(retyping: Retyping<'c>, attribute: Attribute<'c>) -> Option<Attribute<'c>> {
    unsafe {
        let raw = attribute.to_raw();
        if mlirAttributeIsADenseElements(raw) {
            let ty = changed(retyping, Type::from_raw(mlirAttributeGetType(raw)))?;
            let count = if mlirDenseElementsAttrIsSplat(raw) {
                1
            } else {
                mlirElementsAttrGetNumElements(raw) as usize
            };
            let (size, bits) = (retyping.to.width() as usize / 8, mlirDenseElementsAttrGetRawData(raw));
            return Some(Attribute::from_raw(mlirDenseElementsAttrRawBufferGet(
                ty.to_raw(),
                count * size,
                bits,
            )));
        }
        if mlirAttributeIsAFloat(raw) && (retyping.from)(mlirAttributeGetType(raw)) {
            // bf16 is the upper half of f32.
            let bits = (mlirFloatAttrGetValueDouble(raw) as f32).to_bits() >> 16;
            return Some(IntegerAttribute::new(retyping.to.into(), i64::from(bits as i16)).into());
        }
        let own = TypeAttribute::try_from(attribute).ok()?.value();
        let function = own.to_raw();
        if !mlirTypeIsAFunction(function) {
            return Some(TypeAttribute::new(changed(retyping, own)?).into());
        }
        let new = |ty: MlirType| changed(retyping, Type::from_raw(ty)).map_or(ty, |ty| ty.to_raw());
        let inputs: Vec<_> = (0..mlirFunctionTypeGetNumInputs(function))
            .map(|i| new(mlirFunctionTypeGetInput(function, i)))
            .collect();
        let results: Vec<_> = (0..mlirFunctionTypeGetNumResults(function))
            .map(|i| new(mlirFunctionTypeGetResult(function, i)))
            .collect();
        let (inputs, results) =
            ((inputs.len() as isize, inputs.as_ptr()), (results.len() as isize, results.as_ptr()));
        let context = mlirTypeGetContext(function);
        let ty = mlirFunctionTypeGet(context, inputs.0, inputs.1, results.0, results.1);
        Some(Attribute::from_raw(mlirTypeAttrGet(ty)))
    }
}
