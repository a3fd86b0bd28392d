//! The pass `convert-bool-buffers`: a bool is a byte in memory, written as 0 or 1 and read as true unless it
//! is 0.
//!
//! Types of values that are buffers of bools change in place; operations that move one element in or out get
//! a cast beside them. Constants behind `memref.global` are rewritten. A tensor that a member of a group
//! gives will be a buffer too: it holds bytes as well.

use super::retype::{function_type, values};
use melior::{
    Context,
    ir::{
        Attribute, OperationRef, Type, TypeLike, Value, ValueLike,
        attribute::{AttributeLike, DenseElementsAttribute, IntegerAttribute, TypeAttribute},
        operation::OperationBuilder,
        r#type::{FunctionType, IntegerType},
    },
};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        attributes::type_of,
        context,
        cursor::Cursor,
        operations::{collect, definition, first_result, uses},
        pass::Failure,
        rewrite::{set_attribute, set_operand},
        types::{element, with_element},
    },
    ops::loop_,
};
use terrace_size::symbols::Predicate;

/// Rewrites every buffer of bools below an operation.
pub fn run(op: OperationRef, _: &crate::options::ConvertBoolBuffers) -> Result<(), Failure> {
    let all = collect(op, |_| true);
    let context = context::of(op.context());
    // Which yields store a bool must be known before destinations change.
    let moves: Vec<Move> = all.iter().filter_map(|op| Move::of(*op)).collect();
    for op in &all {
        change_types(context, *op)?;
    }
    for m in moves {
        m.rewrite(context)?;
    }
    Ok(())
}

/// The buffer, or the tensor, of bytes for one of bools; None for any other type.
fn bytes<'c>(context: &'c Context, ty: Type<'c>) -> Option<Type<'c>> {
    let vector = ty.is_vector();
    let bool: Type = IntegerType::new(context, 1).into();
    element(ty).filter(|element| !vector && *element == bool)?;
    with_element(ty, IntegerType::new(context, 8).into())
}

/// The type that a value becomes: a buffer, or a tensor that a member of a group gives.
fn changed<'c>(value: Value<'c, '_>) -> Option<Type<'c>> {
    let bytes = bytes(context::of(value.context()), value.r#type())?;
    let owner = || definition(value).and_then(|op| op.parent_operation());
    let local = || owner().is_some_and(|owner| loop_::GroupOp::try_from(owner).is_ok());
    let buffer = value.r#type().is_mem_ref();
    (buffer || local()).then_some(bytes)
}

fn is_bools(value: Value) -> bool {
    changed(value).is_some()
}

/// What takes the elements that the body of a nest yields: its destination, or what a member of a group
/// gives.
fn taker<'c, 'a>(nest: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    first_result(nest).or_else(|| nest.operand(nest.operand_count().checked_sub(1)?).ok())
}

/// An operation that moves one bool in or out of a buffer.
enum Move<'c, 'a> {
    /// Its result is an element.
    Load(OperationRef<'c, 'a>),
    /// Operand `.1` is stored.
    Store(OperationRef<'c, 'a>, usize),
}

impl<'c, 'a> Move<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        if let Ok(load) = loop_::LoadOp::try_from(op) {
            return is_bools(load.source()).then_some(Self::Load(op));
        }
        if loop_::YieldOp::try_from(op).is_ok() {
            return is_bools(taker(op.parent_operation()?)?).then_some(Self::Store(op, 0));
        }
        if let Ok(insert) = loop_::InsertOp::try_from(op) {
            // A tensor holds bytes already.
            let number = insert.value().r#type().is_integer();
            return (number && is_bools(insert.destination())).then_some(Self::Store(op, 0));
        }
        match op.name().as_string_ref().as_str() {
            Ok("memref.load") => is_bools(op.operand(0).ok()?).then_some(Self::Load(op)),
            Ok("memref.store") => is_bools(op.operand(1).ok()?).then_some(Self::Store(op, 0)),
            _ => None,
        }
    }

    fn rewrite(self, context: &'c Context) -> Result<(), Failure> {
        let byte = IntegerType::new(context, 8).into();
        match self {
            Self::Load(op) => {
                // What stands in for an element that is not read is stored in bytes too.
                if let Ok(load) = loop_::LoadOp::try_from(op)
                    && load.other().is_some()
                {
                    extend(op, op.operand_count() - 1, byte)?;
                }
                let result: Value = op.result_at(0)?.into();
                let next = op.next_in_block().ok_or(internal!("a load at the end of a block"))?;
                let uses: Vec<_> = uses(result).collect();
                result.set_type(byte);
                // The bytes of another dtype that are seen as bools are any.
                let at = Cursor::before(next)?.of(op.location());
                let truth = at.compare(Predicate::NotEqual, result, at.integer(byte, 0)?)?;
                for (user, operand) in uses {
                    set_operand(user, operand, truth);
                }
                Ok(())
            }
            Self::Store(op, operand) => extend(op, operand, byte),
        }
    }
}

/// Extends a bool operand to a byte.
fn extend<'c, 'a>(op: OperationRef<'c, 'a>, operand: usize, byte: Type<'c>) -> Result<(), Failure> {
    // The end of a group holds inserts alone.
    let at = match loop_::InsertOp::try_from(op) {
        Ok(_) => op.parent_operation().ok_or(internal!("an insert outside of a group"))?,
        Err(op) => op,
    };
    let block = at.block().ok_or(internal!("a store outside of a block"))?;
    let value = op.operand(operand)?;
    let cast = OperationBuilder::new("arith.extui", op.location())
        .add_operands(&[value])
        .add_results(&[byte])
        .build()?;
    let cast = block.insert_operation_before(at, cast).result_at(0)?;
    set_operand(op, operand, cast);
    Ok(())
}

/// Buffers of bools among results, block arguments, signatures and constants.
fn change_types(context: &Context, op: OperationRef) -> Result<(), Failure> {
    for value in values(op) {
        if let Some(ty) = changed(value) {
            value.set_type(ty);
        }
    }
    match op.name().as_string_ref().as_str() {
        Ok("func.func") => {
            let ty = TypeAttribute::try_from(op.attribute("function_type")?)?.value();
            let ty = function_type(FunctionType::try_from(ty)?, |ty| bytes(context, ty));
            set_attribute(op, "function_type", TypeAttribute::new(ty).into());
        }
        Ok("memref.global") => {
            let ty = TypeAttribute::try_from(op.attribute("type")?)?.value();
            if let Some(new) = bytes(context::of(op.context()), ty) {
                if let Ok(initial) = op.attribute("initial_value")
                    && initial.is_dense_elements()
                {
                    set_attribute(op, "initial_value", byte_elements(context, initial)?);
                }
                set_attribute(op, "type", TypeAttribute::new(new).into());
            }
        }
        _ => {}
    }
    Ok(())
}

/// The bytes of a constant of bools.
fn byte_elements<'c>(context: &'c Context, elements: Attribute<'c>) -> Result<Attribute<'c>, Failure> {
    let byte = IntegerType::new(context, 8).into();
    let tensor = with_element(type_of(elements), byte).ok_or(internal!("has a constant of no shape"))?;
    let elements = DenseElementsAttribute::try_from(elements)?;
    if elements.is_splat() {
        let value = IntegerAttribute::new(byte, elements.bool_splat_value().into());
        return Ok(DenseElementsAttribute::splat(tensor, value.into()).into());
    }
    let values = (0..elements.len()).map(|i| elements.bool_element(i).map(i8::from));
    Ok(DenseElementsAttribute::i8_values(tensor, &values.collect::<Result<Vec<_>, _>>()?).into())
}
