//! Folding, and constants made of folded values.

use crate::ir::{
    OperationLike, attributes, context,
    dtype::{Category, ElementType},
    registry::Fold,
    types::{TensorType, is_truth},
};
use melior::ir::{
    Attribute, AttributeLike, Location, Operation, OperationRef, Type, TypeLike, ValueLike,
    attribute::{DenseElementsAttribute, FloatAttribute, IntegerAttribute},
};

/// A full of a constant number, with a static shape, is a splat constant.
pub fn functional_full<'c, 'a>(
    op: OperationRef<'c, 'a>,
    operands: &[Option<Attribute<'c>>],
) -> Option<Fold<'c, 'a>> {
    let number = (*operands.first()?)?;
    let ty: Type = op.result_at(0).ok()?.r#type();
    let tensor = TensorType::of(ty).filter(TensorType::is_static)?;
    let context = context::of(op.context());
    let element = tensor.dtype.to_type(context);
    // A bool is i1, whose 1 reads as -1 when signed.
    let (float, int) = if number.is_float() {
        let float = attributes::f64(number);
        (float, float as i64)
    } else if number.is_integer() {
        let is_truth = number.r#type().is_integer() && is_truth(number.r#type());
        let int = if is_truth { attributes::bool(number).into() } else { attributes::i64(number) };
        (int as f64, int)
    } else {
        return None;
    };
    let splat: Attribute = match tensor.dtype.category() {
        Category::Float => FloatAttribute::new(context, element, float).into(),
        // A float out of range has no integer: left to run time, as eager does.
        Category::Integer if number.is_float() && (float.is_nan() || float.abs() >= 2f64.powi(31)) => {
            return None;
        }
        Category::Integer => IntegerAttribute::new(element, int).into(),
        Category::Bool => IntegerAttribute::new(element, (float != 0.0 || int != 0).into()).into(),
        Category::Complex => return None,
    };
    Some(Fold::Attribute(DenseElementsAttribute::splat(ty, splat).into()))
}

/// A tensor by the type that it has is the tensor.
pub fn graph_cast<'c, 'a>(op: OperationRef<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Option<Fold<'c, 'a>> {
    let tensor = op.operand(0).ok()?;
    (tensor.r#type() == op.result_at(0).ok()?.r#type()).then_some(Fold::Value(tensor))
}

/// A conversion to the layout that the tile has already is the tile.
pub fn kernel_convert_layout<'c, 'a>(
    op: OperationRef<'c, 'a>,
    _: &[Option<Attribute<'c>>],
) -> Option<Fold<'c, 'a>> {
    let tile = op.operand(0).ok()?;
    (tile.r#type() == op.result_at(0).ok()?.r#type()).then_some(Fold::Value(tile))
}

/// The operation that stands for a folded constant: upstream's `arith.constant`.
pub fn materialize<'c>(
    _dialect: &str,
    value: Attribute<'c>,
    ty: Type<'c>,
    location: Location<'c>,
) -> Option<Operation<'c>> {
    let context = crate::ir::context::of(location.context());
    melior::ir::operation::OperationBuilder::new("arith.constant", location)
        .add_attributes(&[(melior::ir::Identifier::new(context, "value"), value)])
        .add_results(&[ty])
        .build()
        .ok()
}
