//! Another element type of the same bits: types of values change in place, in signatures and constants too.

use melior::ir::{
    Attribute, OperationRef, RegionLike, Type, TypeLike, Value, ValueLike,
    attribute::{AttributeLike, IntegerAttribute, TypeAttribute},
    operation::{OperationMutLike, OperationRefMut},
    r#type::{FunctionType, IntegerType},
};
use mlir_sys::*;
use terrace_dialects::ir::{
    BlockLike, OperationLike, cast,
    operations::{collect, name_of},
    pass::Failure,
    rewrite::{erase, replace_uses},
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
            let (operand, result): (Value, Value) = (op.operand(0)?, op.result_at(0)?.into());
            if operand.r#type() == result.r#type() {
                replace_uses(result, operand);
                erase(op);
            }
        }
    }
    Ok(())
}

/// The type that comes for one with such elements; None for any other type.
fn changed<'c>(retyping: Retyping<'c>, ty: Type<'c>) -> Option<Type<'c>> {
    if (retyping.from)(ty.to_raw()) {
        return Some(retyping.to.into());
    }
    let element = element_of(ty).filter(|element| (retyping.from)(element.to_raw()));
    element.and_then(|_| with_element(ty, retyping.to.into()))
}

/// The element type of a ranked tensor, a vector or a memref.
pub fn element_of<'c>(ty: Type<'c>) -> Option<Type<'c>> {
    let raw = ty.to_raw();
    unsafe {
        let shaped = mlirTypeIsARankedTensor(raw) || mlirTypeIsAVector(raw) || mlirTypeIsAMemRef(raw);
        shaped.then(|| Type::from_raw(mlirShapedTypeGetElementType(raw)))
    }
}

/// A ranked tensor, a vector or a memref with another element type.
pub fn with_element<'c>(ty: Type<'c>, element: Type<'c>) -> Option<Type<'c>> {
    element_of(ty)?;
    let (raw, element) = (ty.to_raw(), element.to_raw());
    unsafe {
        let rank = mlirShapedTypeGetRank(raw) as isize;
        let shape: Vec<i64> = (0..rank).map(|d| mlirShapedTypeGetDimSize(raw, d)).collect();
        Some(Type::from_raw(if mlirTypeIsARankedTensor(raw) {
            mlirRankedTensorTypeGet(rank, shape.as_ptr(), element, mlirRankedTensorTypeGetEncoding(raw))
        } else if mlirTypeIsAVector(raw) {
            mlirVectorTypeGet(rank, shape.as_ptr(), element)
        } else {
            let (layout, space) = (mlirMemRefTypeGetLayout(raw), mlirMemRefTypeGetMemorySpace(raw));
            mlirMemRefTypeGet(element, rank, shape.as_ptr(), layout, space)
        }))
    }
}

/// The type of a function with other types of arguments and results.
pub fn function_type<'c>(function: FunctionType<'c>, new: impl Fn(Type<'c>) -> Option<Type<'c>>) -> Type<'c> {
    let new = |ty: Type<'c>| new(ty).unwrap_or(ty);
    let inputs: Vec<_> =
        (0..function.input_count()).filter_map(|i| function.input(i).ok()).map(new).collect();
    let results: Vec<_> =
        (0..function.result_count()).filter_map(|i| function.result(i).ok()).map(new).collect();
    FunctionType::new(terrace_dialects::ir::context::of(function.context()), &inputs, &results).into()
}

/// The values that an operation brings: its results, and the arguments of its blocks.
pub fn values<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut values: Vec<Value> = op.results().map(Value::from).collect();
    for region in op.regions() {
        let mut next = region.first_block();
        while let Some(block) = next {
            values
                .extend((0..block.argument_count()).filter_map(|i| block.argument(i).ok()).map(Value::from));
            next = block.next_in_region();
        }
    }
    values
}

/// Results, block arguments, signatures and constants of an operation.
fn change_types(retyping: Retyping, op: OperationRef) -> Result<(), Failure> {
    for value in values(op) {
        // SAFETY: all types are of one context.
        let ty = unsafe { Type::from_raw(value.r#type().to_raw()) };
        if let Some(ty) = changed(retyping, ty) {
            value.set_type(unsafe { Type::from_raw(ty.to_raw()) });
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
    }
    let own = cast::<TypeAttribute>(attribute)?.value();
    Some(
        TypeAttribute::new(match cast::<FunctionType>(own) {
            Some(function) => function_type(function, |ty| changed(retyping, ty)),
            None => changed(retyping, own)?,
        })
        .into(),
    )
}
