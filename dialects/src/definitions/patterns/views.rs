//! Views of views, and views of what is the same everywhere.

use super::{Replaced, Replacement, constant, defined, splat, tensor, wrap};
use crate::{definitions::folds, ir::OperationLike, ops::functional};
use melior::ir::{OperationRef, Value, ValueLike, attribute::DenseElementsAttribute};

/// `permute` that changes nothing, or of a `permute`.
pub fn permute<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let own = functional::PermuteOp::try_from(op).ok()?;
    let rank = own.dims().len();
    let dims: Vec<usize> = own.dims().into_iter().map(|d| wrap(d, rank)).collect();
    if dims.iter().copied().eq(0..rank) {
        return Some(Replacement::Value(own.self_()));
    }
    let inner = defined::<functional::PermuteOp>(own.self_())?;
    let order = inner.dims();
    let dims: Vec<i64> = dims.iter().map(|d| wrap(order[*d], rank) as i64).collect();
    Replacement::built(functional::permute(op.location(), inner.self_(), &dims))
}

/// The operand of an operation that keeps all elements in row-major order.
fn reshaped<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    if let Ok(view) = functional::ViewOp::try_from(op) {
        Some(view.self_())
    } else if let Ok(squeeze) = functional::SqueezeOp::try_from(op) {
        Some(squeeze.self_())
    } else {
        functional::UnsqueezeOp::try_from(op).ok().map(|unsqueeze| unsqueeze.self_())
    }
}

/// `view`, `squeeze` or `unsqueeze` that changes nothing, or of another one of them.
pub fn reshape<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let (own, result) = (reshaped(op)?, tensor(op.result_at(0).ok()?.into())?);
    if tensor(own)?.shape == result.shape {
        return Some(Replacement::Value(own));
    }
    let first = reshaped(super::source(own)?)?;
    if tensor(first)?.shape == result.shape {
        return Some(Replacement::Value(first));
    }
    Replacement::built(functional::view(op.location(), first, &[], &result.shape))
}

/// `expand` that changes nothing, or of an `expand`.
pub fn expand<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let own = functional::ExpandOp::try_from(op).ok()?;
    let result = tensor(op.result_at(0).ok()?.into())?;
    if tensor(own.self_())?.shape == result.shape {
        return Some(Replacement::Value(own.self_()));
    }
    let inner = defined::<functional::ExpandOp>(own.self_())?;
    Replacement::built(functional::expand(op.location(), inner.self_(), &[], &result.shape))
}

/// A view of a tensor whose elements are all the same is such a tensor.
pub fn of_constant<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let own = op.operand(0).ok()?;
    let result: Value = op.result_at(0).ok()?.into();
    tensor(result)?;
    let ty = result.r#type();
    if let Some(element) = splat(own) {
        let all = DenseElementsAttribute::splat(ty, element).into();
        return folds::materialize("functional", all, ty, op.location()).map(Replacement::Operation);
    }
    let full = defined::<functional::FullOp>(own).filter(|full| constant(full.fill_value()).is_none())?;
    Replacement::built(functional::full(op.location(), &[ty], full.fill_value(), &[]))
}
