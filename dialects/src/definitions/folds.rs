//! Folding, and constants made of folded values.

use crate::ir::{
    OperationLike,
    dtype::{Category, ElementType},
    registry::Fold,
    types::TensorType,
};
use melior::ir::{Attribute, AttributeLike, Location, Operation, OperationRef, Type, TypeLike, ValueLike};
use mlir_sys::*;

/// A full of a constant number, with a static shape, is a splat constant.
pub fn functional_full<'c, 'a>(
    op: OperationRef<'c, 'a>,
    operands: &[Option<Attribute<'c>>],
) -> Option<Fold<'c, 'a>> {
    let number = (*operands.first()?)?;
    let ty: Type = op.result_at(0).ok()?.r#type();
    let tensor = TensorType::of(ty).filter(TensorType::is_static)?;
    let element = tensor.dtype.to_type(crate::ir::context::of(op.context())).to_raw();
    let raw = number.to_raw();
    let splat = unsafe {
        let (float, int) = if mlirAttributeIsAFloat(raw) {
            let f = mlirFloatAttrGetValueDouble(raw);
            (f, f as i64)
        } else if mlirAttributeIsAInteger(raw) {
            // A bool is i1, whose 1 reads as -1 when signed.
            let i = if mlirTypeIsAInteger(mlirAttributeGetType(raw))
                && mlirIntegerTypeGetWidth(mlirAttributeGetType(raw)) == 1
            {
                mlirBoolAttrGetValue(raw) as i64
            } else {
                mlirIntegerAttrGetValueInt(raw)
            };
            (i as f64, i)
        } else {
            return None;
        };
        match tensor.dtype.category() {
            Category::Float => mlirFloatAttrDoubleGet(mlirTypeGetContext(element), element, float),
            // A float out of range has no integer: left to run time, as eager does.
            Category::Integer
                if mlirAttributeIsAFloat(raw) && (float.is_nan() || float.abs() >= 2f64.powi(31)) =>
            {
                return None;
            }
            Category::Integer => mlirIntegerAttrGet(element, int),
            Category::Bool => mlirIntegerAttrGet(element, (float != 0.0 || int != 0) as i64),
            Category::Complex => return None,
        }
    };
    Some(Fold::Attribute(unsafe { Attribute::from_raw(mlirDenseElementsAttrSplatGet(ty.to_raw(), splat)) }))
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
