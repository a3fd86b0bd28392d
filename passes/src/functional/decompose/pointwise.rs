//! Functions of one element by others that are exact where the plain formula overflows.

use crate::functional::writer::Writer;
use melior::ir::OperationRef;
use terrace_dialects::{
    ir::{OperationLike, cursor::Results},
    ops::functional as f,
};

/// `angle` of a real number: half a turn where it is negative; nan stays.
pub fn angle<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let own = op.operand(0)?;
    let zero = w.like(own, 0.0)?;
    let turned = w.choose(w.binary(f::lt, own, zero)?, w.like(own, std::f64::consts::PI)?, zero)?;
    Ok(vec![w.choose(w.unary(f::isnan, own)?, own, turned)?])
}

/// `sgn` of a real number: its sign.
pub fn sgn<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    Ok(vec![w.unary(f::sign, op.operand(0)?)?])
}

/// `logaddexp` and `logaddexp2`: the larger one, and what the smaller one adds to it; of two equal infinities
/// that infinity.
pub fn logaddexp<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let (a, b) = (op.operand(0)?, op.operand(1)?);
    let largest = w.binary(f::maximum, a, b)?;
    let distance = w.unary(f::abs, w.binary(f::sub, a, b)?)?;
    let less = w.unary(f::neg, distance)?;
    let more = if f::LogaddexpOp::try_from(op).is_ok() {
        w.unary(f::log1p, w.unary(f::exp, less)?)?
    } else {
        // The logarithm of 1 + 2^-d to the base 2.
        let natural = w.unary(f::log1p, w.unary(f::exp2, less)?)?;
        w.binary(f::mul, natural, w.like(natural, std::f64::consts::LOG2_E)?)?
    };
    let sum = w.binary(f::add, largest, more)?;
    let equal = w.binary(f::bitwise_and, w.unary(f::isinf, a)?, w.binary(f::eq, a, b)?)?;
    Ok(vec![w.choose(equal, a, sum)?])
}
