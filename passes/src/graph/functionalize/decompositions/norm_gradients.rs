//! Gradients of norms over channels, and weights as directions and lengths.

use super::lowering::{Lowered, Lowering};
use crate::functional::writer::{Writer, Written};
use melior::ir::{Value, ValueLike};
use terrace_dialects::{
    internal,
    ir::{OperationLike, attributes as convert, pass::Failure, types::TensorType, view},
    ops::functional as f,
};
use terrace_size::Size;

fn optional<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>, place: usize) -> Result<Option<Value<'c, 'a>>, Failure> {
    view::optional(l.op, l.op_impl, place).map(|value| l.read(value)).transpose()
}

/// Those of three gradients that are asked for.
fn masked<'c, 'a>(l: &Lowering<'_, 'c, 'a>, all: [Value<'c, 'a>; 3]) -> Lowered<'c, 'a> {
    let mask = convert::bools(l.op.attribute("output_mask")?);
    Ok(all.into_iter().zip(mask).filter(|(_, wanted)| *wanted).map(|(value, _)| value).collect())
}

fn int(l: &Lowering, name: &str) -> Result<i64, Failure> {
    Ok(convert::i64(l.op.attribute(name)?))
}

/// `native_batch_norm_backward`: with `n` the normalized input and `g` the gradient, `w * rstd * (g -
/// mean(g) - n * mean(g * n))`, by known statistics `w * rstd * g`; the sums of `g * n` and of `g`. All is
/// computed in the dtype of the statistics, which is f32 where parameters are that beside half precision.
pub fn batch_norm<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (grad, x, weight) = (l.read(l.operand(0))?, l.read(l.operand(1))?, optional(l, 2)?);
    let training = view::attribute(l.op, "train").is_some_and(convert::bool);
    let place = if training { 5 } else { 3 };
    let (mean, mut rstd) = (l.read(l.operand(place))?, l.read(l.operand(place + 1))?);
    let w: Writer = **l.values;
    let (dtype, wide) = (w.ty(x)?.dtype, w.ty(mean)?.dtype);
    let (grad, x) = (w.cast(grad, wide)?, w.cast(x, wide)?);
    if !training {
        rstd = w.unary(f::rsqrt, w.shifted(rstd, convert::f64(l.op.attribute("eps")?))?)?;
    }
    let sizes = w.sizes(x)?;
    let along = |vector| w.along(vector, 1, &sizes);
    let dims: Vec<usize> = (0..sizes.len()).filter(|d| *d != 1).collect();
    let count: Size = dims.iter().map(|d| sizes[*d]).product();
    let normal = w.binary(f::mul, w.binary(f::sub, x, along(mean)?)?, along(rstd)?)?;
    let (scales, shifts) =
        (w.sum(w.binary(f::mul, grad, normal)?, &dims, false)?, w.sum(grad, &dims, false)?);
    let mut own = grad;
    if training {
        own = w.binary(f::sub, own, along(w.over_size(shifts, count)?)?)?;
        own = w.binary(f::sub, own, w.binary(f::mul, normal, along(w.over_size(scales, count)?)?)?)?;
    }
    let scale = match weight {
        Some(weight) => w.binary(f::mul, rstd, weight)?,
        None => rstd,
    };
    own = w.binary(f::mul, own, along(scale)?)?;
    masked(l, [w.cast(own, dtype)?, scales, shifts])
}

/// `native_group_norm_backward`: each group of channels of an image is a row.
pub fn group_norm<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (grad, x, weight) = (l.read(l.operand(0))?, l.read(l.operand(1))?, optional(l, 4)?);
    let (mean, rstd) = (l.read(l.operand(2))?, l.read(l.operand(3))?);
    let (images, channels, inner, groups) = (int(l, "N")?, int(l, "C")?, int(l, "HxW")?, int(l, "group")?);
    let w: Writer = **l.values;
    let (dtype, wide) = (w.ty(x)?.dtype, w.ty(mean)?.dtype);
    let (grad, x) = (w.cast(grad, wide)?, w.cast(x, wide)?);
    let sizes = w.sizes(x)?;
    let row = [images, groups, channels / groups * inner];
    let image = [images, channels, inner];
    let moments = |moment| w.expand(w.view(moment, &[images, groups, 1])?, &row);
    let rstd = moments(rstd)?;
    let normal = w.binary(f::mul, w.binary(f::sub, w.view(x, &row)?, moments(mean)?)?, rstd)?;
    let grad = w.view(grad, &image)?;
    let scaled = match weight {
        Some(weight) => w.binary(f::mul, grad, w.along(weight, 1, &image)?)?,
        None => grad,
    };
    let scaled = w.view(scaled, &row)?;
    let mean_of = |x| w.expand(w.over(w.sum(x, &[2], true)?, row[2] as f64)?, &row);
    let plain = mean_of(scaled)?;
    let moment = w.binary(f::mul, normal, mean_of(w.binary(f::mul, scaled, normal)?)?)?;
    let rest = w.binary(f::sub, w.binary(f::sub, scaled, plain)?, moment)?;
    let own = w.cast(w.view(w.binary(f::mul, rstd, rest)?, &sizes)?, dtype)?;
    let scales = w.sum(w.binary(f::mul, grad, w.view(normal, &image)?)?, &[0, 2], false)?;
    masked(l, [own, scales, w.sum(grad, &[0, 2], false)?])
}

/// The root of the sum of squares over all dimensions but one, which stay with size 1; over all, where `dim`
/// is -1.
fn norm<'c, 'a>(w: Writer<'c, 'a>, v: Value<'c, 'a>, dim: i64) -> Written<'c, 'a> {
    let rank = w.sizes(v)?.len();
    let dims: Vec<usize> = (0..rank).filter(|d| *d as i64 != dim).collect();
    let sum = w.sum(w.binary(f::mul, v, v)?, &dims, dim != -1)?;
    w.unary(f::sqrt, sum)
}

/// `_weight_norm` and `_weight_norm_interface`: `v * (g / norm)`, and the norm.
pub fn weight_norm<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (v, g) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    let dim = view::attribute(l.op, "dim").map_or(0, convert::i64);
    let (sizes, _) = l.result()?;
    let w: Writer = **l.values;
    let dtype = w.ty(v)?.dtype;
    let wide = dtype.opmath();
    let (v, g) = (w.cast(v, wide)?, w.cast(g, wide)?);
    let norm = norm(w, v, dim)?;
    let both = crate::functional::writer::broadcast(&w.sizes(g)?, &w.sizes(norm)?);
    let ratio = w.quotient(w.expand(g, &both)?, w.expand(norm, &both)?)?;
    let made = w.binary(f::mul, w.expand(v, &sizes)?, w.expand(ratio, &sizes)?)?;
    let mut results = vec![w.cast(made, dtype)?];
    if l.op.result_count() > 1 {
        let kept = TensorType::of(l.op.result_at(1)?.r#type());
        results.push(w.cast(norm, kept.ok_or(internal!("a norm is a tensor"))?.dtype)?);
    }
    Ok(results)
}

/// `_weight_norm_interface_backward`: with `s` the sum of `grad * v` over a vector, `g / norm * (grad - v * s
/// / norm^2)` and `s / norm`.
pub fn weight_norm_backward<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let [grad, v, g, norm] =
        [l.read(l.operand(0))?, l.read(l.operand(1))?, l.read(l.operand(2))?, l.read(l.operand(3))?];
    let dim = int(l, "dim")? as usize;
    let w: Writer = **l.values;
    let (sizes, dtype) = (w.sizes(v)?, w.ty(v)?.dtype);
    let [grad, v, g, norm] = [grad, v, g, norm].map(|x| w.cast(x, dtype.opmath()));
    let (grad, v, g, norm) = (grad?, v?, g?, norm?);
    let dims: Vec<usize> = (0..sizes.len()).filter(|d| *d != dim).collect();
    let sum = w.sum(w.binary(f::mul, grad, v)?, &dims, true)?;
    let wide = |x| w.expand(x, &sizes);
    let part = w.quotient(sum, w.binary(f::mul, norm, norm)?)?;
    let rest = w.binary(f::sub, grad, w.binary(f::mul, v, wide(part)?)?)?;
    let own = w.binary(f::mul, wide(w.quotient(g, norm)?)?, rest)?;
    Ok(vec![w.cast(own, dtype)?, w.cast(w.quotient(sum, norm)?, dtype)?])
}
