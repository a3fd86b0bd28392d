//! Casts and arithmetic that change nothing.
//!
//! Floats keep every bit of a number: adding +0.0 is no identity, for it makes +0.0 of -0.0; adding -0.0 is.

use super::{Replaced, Replacement, defined, splat, tensor};
use crate::{
    ir::{
        OperationLike, attributes as convert,
        dtype::{
            Category,
            Dtype::{self, *},
        },
    },
    ops::functional,
};
use melior::ir::{Attribute, AttributeLike, OperationRef};

/// Whether every number of a dtype is one of another.
fn holds(wide: Dtype, narrow: Dtype) -> bool {
    match (narrow, wide) {
        (a, b) if a == b => true,
        (Bool, _) => true,
        (U8 | I8, F16 | F32 | F64) | (U8, I16 | I32 | I64) | (I8, I16 | I32 | I64) => true,
        (U8 | I8, BF16) => true,
        (I16, I32 | I64 | F32 | F64) | (I32, I64 | F64) => true,
        (F16 | BF16, F32 | F64) | (F32, F64) => true,
        _ => false,
    }
}

/// `_to_copy` to the same dtype; or of a `_to_copy` that lost nothing.
pub fn cast<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let own = functional::ToCopyOp::try_from(op).ok()?;
    let (to, from) = (tensor(op.result_at(0).ok()?.into())?.dtype, tensor(own.self_())?.dtype);
    if to == from {
        return Some(Replacement::Value(own.self_()));
    }
    let inner = defined::<functional::ToCopyOp>(own.self_())?;
    let first = tensor(inner.self_())?.dtype;
    if !holds(from, first) {
        return None;
    }
    if first == to {
        return Some(Replacement::Value(inner.self_()));
    }
    // What an integer has no number for goes round, of a float it does not.
    let integer = |dtype: Dtype| !dtype.is_inexact() && dtype != Dtype::Bool;
    if integer(first) && from.is_inexact() && integer(to) && !holds(to, first) {
        return None;
    }
    Replacement::built(functional::to_copy(op.location(), inner.self_(), own.dtype()))
}

/// Whether an element is this number, its sign included.
fn is(element: Attribute, number: f64) -> bool {
    let value = if convert::complex(element).is_some() {
        return false;
    } else if element.is_float() {
        convert::f64(element)
    } else if element.is_bool() {
        convert::bool(element) as i64 as f64
    } else {
        // Neutral elements are 0 and 1: what f64 rounds is none of them.
        convert::i64(element) as f64
    };
    value == number && value.is_sign_negative() == number.is_sign_negative()
}

/// A neutral element: of `add`, `sub`, `mul` and `div`.
pub fn neutral<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let (own, other) = (op.operand(0).ok()?, op.operand(1).ok()?);
    let float = tensor(own)?.dtype.category() == Category::Float;
    let (number, commutes) = if functional::AddOp::try_from(op).is_ok() {
        (if float { -0.0 } else { 0.0 }, true)
    } else if functional::SubOp::try_from(op).is_ok() {
        (0.0, false)
    } else {
        // Rounded, a quotient by 1 is another number.
        let div = functional::DivOp::try_from(op).ok();
        if float && div.is_some_and(|div| div.rounding_mode().is_some()) {
            return None;
        }
        (1.0, functional::MulOp::try_from(op).is_ok())
    };
    if splat(other).is_some_and(|e| is(e, number)) {
        return Some(Replacement::Value(own));
    }
    (commutes && splat(own).is_some_and(|e| is(e, number))).then_some(Replacement::Value(other))
}

/// `neg` of `neg`, `bitwise_not` of `bitwise_not`.
pub fn twice<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let inner = if let Ok(neg) = functional::NegOp::try_from(op) {
        defined::<functional::NegOp>(neg.self_())?.self_()
    } else {
        let not = functional::BitwiseNotOp::try_from(op).ok()?;
        defined::<functional::BitwiseNotOp>(not.self_())?.self_()
    };
    Some(Replacement::Value(inner))
}

/// `where` by a constant, or between a tensor and itself.
pub fn choice<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let own = functional::WhereOp::try_from(op).ok()?;
    if own.self_() == own.other() {
        return Some(Replacement::Value(own.self_()));
    }
    let condition = splat(own.condition())?;
    Some(Replacement::Value(if is(condition, 0.0) { own.other() } else { own.self_() }))
}
