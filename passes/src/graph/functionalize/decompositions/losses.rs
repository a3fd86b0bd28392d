//! Losses of single elements and their gradients: what each element gives, which is then summed or averaged.

use super::{
    decomposer::Decomposer,
    lowering::{Lowered, Lowering},
};
use crate::functional::writer::{Writer, Written};
use melior::ir::Value;
use terrace_dialects::{
    ir::{
        attributes as convert,
        dtype::{Dtype, ElementType, promote},
        pass::Failure,
        view,
    },
    ops::functional as f,
};
use terrace_size::Size;

/// 0 for none, 1 for the mean, 2 for the sum.
pub(crate) fn reduction(l: &Lowering) -> i64 {
    view::attribute(l.op, "reduction").map_or(1, convert::i64)
}

/// What a reduction makes of losses, in the dtype of the result.
pub(crate) fn reduce<'c, 'a>(
    w: Writer<'c, 'a>,
    losses: Value<'c, 'a>,
    reduction: i64,
    dtype: Dtype,
) -> Written<'c, 'a> {
    let ty = Some(dtype.to_type(w.context));
    let losses = w.cast(losses, dtype)?;
    match reduction {
        1 => w.value(f::mean(w.location(), losses, None, None, ty)),
        2 => w.value(f::sum(w.location(), losses, None, None, ty)),
        _ => Ok(losses),
    }
}

/// The shape that the operands at some places of ODS broadcast to.
fn joined(l: &Lowering, places: &[usize]) -> Result<Vec<Size>, Failure> {
    let mut sizes: Vec<Size> = vec![];
    for place in places {
        let own = l.analysis.sizes(l.operand(*place)).ok_or("expects a tensor")?;
        sizes = crate::functional::writer::broadcast(&sizes, &own);
    }
    Ok(sizes)
}

/// The dtype of two operands.
fn promoted(l: &Lowering) -> Dtype {
    let operands =
        [0, 1].map(|place| terrace_dialects::aten::placement::iterated::promoted_as(&l.operand(place)));
    promote(&operands)
}

fn float(l: &Lowering, name: &str) -> f64 {
    view::attribute(l.op, name).map_or(1.0, convert::f64)
}

fn distance<'c, 'a>(w: Writer<'c, 'a>, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Written<'c, 'a> {
    w.unary(f::abs, w.binary(f::sub, a, b)?)
}

/// Losses of single elements.
pub fn loss<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, result) = l.result()?;
    let (name, branch) = (l.base_name(), reduction(l));
    let (sizes, dtype) = (joined(l, &[0, 1])?, promoted(l));
    let (beta, delta) = (float(l, "beta"), float(l, "delta"));
    let log_target = view::attribute(l.op, "log_target").is_some_and(convert::bool);
    let mut s = Decomposer::of(l, dtype, sizes);
    let (x, target) = (s.operand(0)?, s.operand(1)?);
    let w = s.write();
    let mul = |a, b| w.binary(f::mul, a, b);
    let value = match name {
        "l1_loss" => distance(w, x, target)?,
        "mse_loss" => {
            let difference = w.binary(f::sub, x, target)?;
            mul(difference, difference)?
        }
        "smooth_l1_loss" | "huber_loss" => {
            let z = distance(w, x, target)?;
            let half = w.scaled(mul(z, z)?, 0.5)?;
            let bound = if name == "huber_loss" { delta } else { beta };
            let above = w.shifted(z, -0.5 * bound)?;
            let (near, far) = match name {
                "huber_loss" => (half, w.scaled(above, delta)?),
                _ => (w.over(half, beta)?, above),
            };
            w.choose(w.binary(f::lt, z, s.number(bound)?)?, near, far)?
        }
        _ if log_target => mul(w.unary(f::exp, target)?, w.binary(f::sub, target, x)?)?,
        _ => {
            let zero = s.number(0.0)?;
            let entropy = mul(target, w.unary(f::log, target)?)?;
            let entropy = w.choose(w.binary(f::eq, target, zero)?, zero, entropy)?;
            w.binary(f::sub, entropy, mul(target, x)?)?
        }
    };
    // The distance of complex numbers is real.
    let value = w.cast(value, dtype.part())?;
    Ok(vec![reduce(w, value, branch, result)?])
}

/// `binary_cross_entropy`, of probabilities or of logits.
pub fn binary_cross_entropy<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, dtype) = l.result()?;
    let (of_logits, branch) = (l.base_name() != "binary_cross_entropy", reduction(l));
    let sizes = joined(l, &[0, 1])?;
    let mut s = Decomposer::of(l, dtype, sizes);
    let (mut x, mut target) = (s.operand(0)?, s.operand(1)?);
    if !of_logits {
        let w = s.write();
        let probabilities = |all, what| {
            let message = format!("all elements of {what} should be between 0 and 1");
            w.value(f::within(w.location(), all, 0.0, 1.0, &message))
        };
        (x, target) = (probabilities(x, "input")?, probabilities(target, "target")?);
    }
    let (one, zero) = (s.number(1.0)?, s.number(0.0)?);
    let w = s.write();
    let mul = |a, b| w.binary(f::mul, a, b);
    let mut value = if of_logits {
        let least = w.binary(f::minimum, x, zero)?;
        let power = w.unary(f::exp, w.unary(f::neg, w.unary(f::abs, x)?)?)?;
        let mut logistic = w.binary(f::sub, least, w.unary(f::log1p, power)?)?;
        if let Some(positive) = s.optional(3)? {
            let weight = mul(w.binary(f::sub, positive, one)?, target)?;
            logistic = mul(logistic, w.binary(f::add, weight, one)?)?;
        }
        w.binary(f::sub, mul(w.binary(f::sub, one, target)?, x)?, logistic)?
    } else {
        let bound = s.number(-100.0)?;
        let positive = w.binary(f::maximum, w.unary(f::log, x)?, bound)?;
        let negative = w.binary(f::maximum, w.unary(f::log1p, w.unary(f::neg, x)?)?, bound)?;
        let left = mul(w.binary(f::sub, target, one)?, negative)?;
        w.binary(f::sub, left, mul(target, positive)?)?
    };
    if let Some(weight) = s.optional(2)? {
        value = mul(value, weight)?;
    }
    let value = s.done(value)?[0];
    Ok(vec![reduce(**l.values, value, branch, dtype)?])
}

/// The gradients of losses of single elements; of the mean each has its part.
pub fn loss_backward<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, dtype) = l.result()?;
    let name = l.base_name();
    let own = l.analysis.sizes(l.operand(1)).ok_or("expects a tensor")?;
    let count = if reduction(l) == 1 { own.iter().product() } else { Size::ONE };
    let (beta, delta) = (float(l, "beta"), float(l, "delta"));
    let mut s = Decomposer::new(l, dtype)?;
    let (grad, x, target) = (s.operand(0)?, s.operand(1)?, s.operand(2)?);
    let w = s.write();
    let part = |x, factor| w.binary(f::mul, x, w.like_part(x, factor, count)?);
    let difference = w.binary(f::sub, x, target)?;
    let value = match name {
        "mse_loss_backward" => w.binary(f::mul, part(difference, 2.0)?, grad)?,
        "binary_cross_entropy_backward" => {
            let one = s.number(1.0)?;
            let product = w.binary(f::mul, w.binary(f::sub, one, x)?, x)?;
            let divisor = w.binary(f::maximum, product, s.number(f64::from(1e-12f32))?)?;
            let mut value = w.quotient(w.binary(f::mul, grad, difference)?, divisor)?;
            if let Some(weight) = s.optional(3)? {
                value = w.binary(f::mul, value, weight)?;
            }
            part(value, 1.0)?
        }
        _ => {
            let smooth = name == "smooth_l1_loss_backward";
            let bound = if smooth { beta } else { delta };
            let slope = if smooth { 1.0 } else { delta };
            let near = if smooth && beta != 0.0 { w.over(difference, beta)? } else { difference };
            let (low, high) = (s.number(-bound)?, s.number(bound)?);
            let (below, above) = match smooth {
                true => (w.binary(f::le, difference, low)?, w.binary(f::ge, difference, high)?),
                false => (w.binary(f::lt, difference, low)?, w.binary(f::gt, difference, high)?),
            };
            let near = w.choose(above, s.number(slope)?, near)?;
            let near = w.choose(below, s.number(-slope)?, near)?;
            w.binary(f::mul, part(near, 1.0)?, grad)?
        }
    };
    s.done(value)
}
