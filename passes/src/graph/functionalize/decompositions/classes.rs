//! Losses of classes: the classes are brought last, so that every sample is a row.

use super::{
    losses::{reduce, reduction},
    lowering::{Lowered, Lowering},
};
use crate::functional::writer::{Writer, Written};
use melior::ir::Value;
use terrace_dialects::{
    ir::{OperationLike, attributes as convert, dtype::Dtype, pass::Failure, view},
    ops::functional as f,
};
use terrace_size::Size;

/// Samples [N * .., C] and the sizes of all but the classes.
fn rows<'c, 'a>(w: Writer<'c, 'a>, own: Value<'c, 'a>) -> Result<(Value<'c, 'a>, Vec<Size>), Failure> {
    let sizes = w.sizes(own)?;
    let order: Vec<usize> = [0].into_iter().chain(2..sizes.len()).chain([1]).collect();
    let rest: Vec<Size> = [&sizes[..1], &sizes[2..]].concat();
    let turned = w.permute(own, &order)?;
    Ok((w.view(turned, &[rest.iter().product::<Size>(), sizes[1]])?, rest))
}

/// What these losses have beside input and target.
struct Call<'c, 'a> {
    weight: Option<Value<'c, 'a>>,
    reduction: i64,
    ignore: i64,
}

impl<'c, 'a> Call<'c, 'a> {
    fn of(l: &mut Lowering<'_, 'c, 'a>, place: usize) -> Result<Self, Failure> {
        let weight = view::optional(l.op, l.op_impl, place);
        Ok(Self {
            weight: match weight {
                Some(weight) => {
                    let (value, w) = (l.read(weight)?, **l.values);
                    Some(w.view(value, &[w.sizes(value)?.iter().product::<Size>()])?)
                }
                None => None,
            },
            reduction: reduction(l),
            ignore: view::attribute(l.op, "ignore_index").map_or(-100, convert::i64),
        })
    }

    /// The losses of logarithms, and the weight of all samples.
    fn nll(&self, w: Writer<'c, 'a>, own: Value<'c, 'a>, target: Value<'c, 'a>) -> Lowered<'c, 'a> {
        let rank = w.sizes(own)?.len();
        let loss = |x, target| {
            let op = f::nll_loss_forward(w.location(), x, target, self.weight, self.reduction, self.ignore);
            w.values(op)
        };
        if rank < 3 {
            return loss(own, target);
        }
        let (x, rest) = rows(w, own)?;
        let mut results = loss(x, w.view(target, &[rest.iter().product::<Size>()])?)?;
        if self.reduction == 0 {
            results[0] = w.view(results[0], &rest)?;
        }
        Ok(results)
    }
}

/// `nll_loss`, `nll_loss_nd` and `nll_loss2d_forward`.
pub fn nll_loss<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, target, call) = (l.read(l.operand(0))?, l.read(l.operand(1))?, Call::of(l, 2)?);
    let mut results = call.nll(**l.values, own, target)?;
    results.truncate(l.op.result_count());
    Ok(results)
}

/// `nll_loss2d_backward`.
pub fn nll_loss2d_backward<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let [mut grad, own, target] = [l.read(l.operand(0))?, l.read(l.operand(1))?, l.read(l.operand(2))?];
    let (call, total) = (Call::of(l, 3)?, l.read(l.operand(4))?);
    let w: Writer = **l.values;
    let sizes = w.sizes(own)?;
    let (x, rest) = rows(w, own)?;
    let target = w.view(target, &[rest.iter().product::<Size>()])?;
    if call.reduction == 0 {
        grad = w.view(grad, &[rest.iter().product::<Size>()])?;
    }
    let (reduction, ignore) = (call.reduction, call.ignore);
    let op = f::nll_loss_backward(w.location(), grad, x, target, call.weight, reduction, ignore, total);
    let made = w.view(w.value(op)?, &[&rest[..], &sizes[1..2]].concat())?;
    let last = rest.len();
    let order: Vec<usize> = [0, last].into_iter().chain(1..last).collect();
    Ok(vec![w.permute(made, &order)?])
}

/// `cross_entropy_loss`: the logarithms of a softmax, then the loss of classes, or that of probabilities.
pub fn cross_entropy_loss<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, target, call) = (l.read(l.operand(0))?, l.read(l.operand(1))?, Call::of(l, 2)?);
    let smoothing = view::attribute(l.op, "label_smoothing").map_or(0.0, convert::f64);
    let w: Writer = **l.values;
    let ty = w.ty(own)?;
    let (dim, dtype) = (usize::from(ty.rank() > 1), ty.dtype);
    let classes = ty.shape[dim];
    let logarithms = w.value(f::log_softmax(w.location(), own, dim as i64, None))?;
    let weighted = |x| match call.weight {
        Some(weight) => w.binary(f::mul, x, w.along(weight, dim, &ty.shape)?),
        None => Ok(x),
    };
    if w.ty(target)?.dtype.is_float() {
        let smooth = if smoothing > 0.0 {
            let share = w.like_part(target, smoothing, classes)?;
            w.binary(f::add, w.scaled(target, 1.0 - smoothing)?, share)?
        } else {
            target
        };
        let losses = w.sum(weighted(w.binary(f::mul, logarithms, smooth)?)?, &[dim], false)?;
        let losses = w.unary(f::neg, losses)?;
        if call.reduction != 1 {
            return Ok(vec![reduce(w, losses, call.reduction, dtype)?]);
        }
        let samples = ty.shape.iter().product::<Size>() / ty.shape[dim].or_one();
        return Ok(vec![w.over_size(reduce(w, losses, 2, dtype)?, samples)?]);
    }
    if smoothing == 0.0 {
        return Ok(call.nll(w, logarithms, target)?[..1].to_vec());
    }
    // A part of the loss is that of all classes alike; what is ignored has no part in it.
    let nll = call.nll(w, logarithms, target)?;
    let all = w.unary(f::neg, w.sum(weighted(logarithms)?, &[dim], false)?)?;
    let ty = w.ty(target)?;
    let ignored = w.full(w.number(Dtype::I64, call.ignore)?, ty.dtype, &ty.shape)?;
    let ignored = w.view(w.binary(f::eq, target, ignored)?, &w.sizes(all)?)?;
    let smooth = reduce(
        w,
        w.choose(ignored, w.like(all, 0.0)?, all)?,
        if call.reduction == 1 { 2 } else { call.reduction },
        dtype,
    )?;
    let smooth = if call.reduction == 1 {
        w.quotient(smooth, divisor(w, &call, ignored, nll[1], dtype)?)?
    } else {
        smooth
    };
    let kept = w.scaled(nll[0], 1.0 - smoothing)?;
    let kept = w.view(kept, &w.sizes(smooth)?)?;
    let share = w.like_part(smooth, smoothing, classes)?;
    Ok(vec![w.binary(f::add, kept, w.binary(f::mul, smooth, share)?)?])
}

/// What a mean divides by: the weight of all samples that count, or their number.
fn divisor<'c, 'a>(
    w: Writer<'c, 'a>,
    call: &Call<'c, 'a>,
    ignored: Value<'c, 'a>,
    total: Value<'c, 'a>,
    dtype: Dtype,
) -> Written<'c, 'a> {
    if call.weight.is_some() {
        return Ok(total);
    }
    let counted = w.cast(w.unary(f::logical_not, ignored)?, dtype)?;
    reduce(w, counted, 2, dtype)
}
