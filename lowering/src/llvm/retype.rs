//! Another element type of the same bits: types of values change in place, in signatures and constants too.

use melior::ir::{
    Attribute, OperationRef, RegionLike, Type, TypeLike, Value, ValueLike,
    attribute::{AttributeLike, DenseElementsAttribute, IntegerAttribute, TypeAttribute},
    r#type::{FunctionType, IntegerType},
};
use terrace_dialects::ir::{
    BlockLike, OperationLike, attributes, cast,
    operations::{collect, name_of},
    pass::Failure,
    raw::packed,
    rewrite::{replace, set_attribute},
    types::{element, with_element},
};

/// One type for another of its width.
#[derive(Clone, Copy)]
pub struct Retyping<'c> {
    /// Whether it is the one that goes.
    pub from: fn(Type) -> bool,
    /// The integer that comes.
    pub to: IntegerType<'c>,
    /// The operation that reinterprets the one as the other, which goes too.
    pub cast: &'static str,
}

/// Rewrites every type below an operation.
pub fn retype<'c>(op: OperationRef<'c, '_>, retyping: Retyping<'c>) -> Result<(), Failure> {
    // An instruction's operands, and what makes them, have the types that it wants.
    for op in collect(op, |op| !makes_operands(op)) {
        change_types(retyping, op)?;
        if name_of(op) == retyping.cast {
            let (operand, result): (Value, Value) = (op.operand(0)?, op.result_at(0)?.into());
            if operand.r#type() == result.r#type() {
                replace(op, &[operand]);
            }
        }
    }
    Ok(())
}

/// Whether an operation makes vectors for an intrinsic out of others.
fn makes_operands(op: OperationRef) -> bool {
    name_of(op) == "llvm.bitcast" && op.result_at(0).is_ok_and(|vector| vector.r#type().is_vector())
}

/// The type that comes for one with such elements; None for any other type.
fn changed<'c>(retyping: Retyping<'c>, ty: Type<'c>) -> Option<Type<'c>> {
    if (retyping.from)(ty) {
        return Some(retyping.to.into());
    }
    element(ty).filter(|element| (retyping.from)(*element))?;
    with_element(ty, retyping.to.into())
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
fn change_types<'c>(retyping: Retyping<'c>, op: OperationRef<'c, '_>) -> Result<(), Failure> {
    for value in values(op) {
        if let Some(ty) = changed(retyping, value.r#type()) {
            value.set_type(ty);
        }
    }
    for (name, attribute) in op.attributes() {
        if let Some(new) = new_attribute(retyping, attribute) {
            set_attribute(op, name.as_string_ref().as_str().unwrap_or_default(), new);
        }
    }
    Ok(())
}

/// The attribute that comes: the type of a function or of a constant, the bits of a constant.
fn new_attribute<'c>(retyping: Retyping<'c>, attribute: Attribute<'c>) -> Option<Attribute<'c>> {
    if attribute.is_dense_elements() {
        let ty = changed(retyping, attributes::type_of(attribute))?;
        return Some(DenseElementsAttribute::raw_buffer(ty, packed(attribute)?).into());
    }
    if attribute.is_float() && (retyping.from)(attributes::type_of(attribute)) {
        // bf16 is the upper half of f32.
        let bits = (attributes::f64(attribute) as f32).to_bits() >> 16;
        return Some(IntegerAttribute::new(retyping.to.into(), i64::from(bits as i16)).into());
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
