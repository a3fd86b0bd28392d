//! `functional-widen`: half precision is computed in f32, u8 in i32.
//!
//! An operator on elements of f16, bf16 or u8 gets operands cast to the wider dtype, and its results are cast
//! back: one rounding per operator, as in eager's kernels; what wraps at 32 bits wraps at 8. Operators that
//! only move elements stay as they are, and so do casts. Contract: afterwards nothing but these has elements
//! of the narrow dtypes.

use crate::{
    functional::{convert_to_loop::takes_any_dtype, writer::Writer},
    options,
};
use melior::ir::{
    Attribute, Identifier, OperationRef, Type, Value, ValueLike, attribute::TypeAttribute,
    operation::OperationBuilder,
};
use std::ops::Range;
use terrace_dialects::{
    internal,
    ir::{
        OperationLike, cast,
        dtype::{Dtype, ElementType},
        operations::{collect, name_of},
        pass::Failure,
        rewrite::{erase, replace_uses},
        types::TensorType,
    },
    ops::functional,
};

/// Runs the pass on all operators in an operation.
pub fn run(root: OperationRef, _: &options::FunctionalWiden) -> Result<(), Failure> {
    let computes = |op: OperationRef| name_of(op).starts_with("functional.") && !takes_any_dtype(op);
    collect(root, |op| computes(op) && is_narrow(op)).into_iter().try_for_each(widen)
}

/// A tensor type of a dtype that is computed in another one.
fn narrow(ty: Type) -> Option<TensorType> {
    TensorType::of(ty).filter(|t| t.dtype.computed() != t.dtype)
}

fn is_narrow(op: OperationRef) -> bool {
    let is_narrow = |value: Value| narrow(value.r#type()).is_some();
    op.operands().any(is_narrow) || op.results().any(|result| is_narrow(result.into()))
}

fn widen<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let w = Writer::before(op);
    let operand = |(i, value): (usize, Value<'c, 'a>)| match narrow(value.r#type()) {
        Some(own) => {
            let beside = bytes_beside(op).filter(|(places, _)| own.dtype == Dtype::U8 && places.contains(&i));
            w.cast(value, beside.map_or(own.dtype.computed(), |(_, dtype)| dtype))
        }
        None => Ok(value),
    };
    let operands = op.operands().enumerate().map(operand).collect::<Result<Vec<Value>, Failure>>()?;
    let attributes: Vec<(Identifier, Attribute)> =
        op.attributes().map(|(name, value)| (name, wide(&w, value))).collect();
    let builder =
        OperationBuilder::new(name_of(op), op.location()).add_operands(&operands).add_attributes(&attributes);
    let builder = match functional::ArangeOp::try_from(op) {
        // Its type is not inferred.
        Ok(_) => {
            let own = TensorType::of(op.result_at(0)?.r#type()).ok_or(internal!("an arange is a tensor"))?;
            builder.add_results(&[own.with_dtype(own.dtype.computed()).to_type(w.context)])
        }
        Err(_) => builder.enable_result_type_inference(),
    };
    let new = w.insert(Ok(builder.build()?))?;
    for (old, new) in op.results().zip(new.results()) {
        let own = TensorType::of(old.r#type()).ok_or(internal!("a result is no tensor"))?;
        let value = w.cast(new.into(), own.dtype)?;
        replace_uses(old, value);
    }
    erase(op);
    Ok(())
}

/// Operands that no i32 can stand for where they are bytes, and what does: a mask, which would become
/// indices, and classes.
fn bytes_beside(op: OperationRef) -> Option<(Range<usize>, Dtype)> {
    Some(match name_of(op) {
        "functional.index_put" => {
            let masks = functional::IndexPutOp::try_from(op).ok()?.indices().len();
            (1..1 + masks, Dtype::Bool)
        }
        "functional.nll_loss_forward" => (1..2, Dtype::I64),
        "functional.nll_loss_backward" => (2..3, Dtype::I64),
        _ => return None,
    })
}

/// The attribute, of a wider dtype where it is a narrow one.
fn wide<'c>(w: &Writer<'c, '_>, attribute: Attribute<'c>) -> Attribute<'c> {
    let dtype = cast::<TypeAttribute>(attribute).and_then(|ty| Dtype::of(ty.value()));
    dtype.map_or(attribute, |dtype| TypeAttribute::new(dtype.computed().to_type(w.context)).into())
}
