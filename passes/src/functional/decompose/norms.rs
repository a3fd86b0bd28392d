//! Norms by sums, differences and roots: `(x - mean) * rstd * weight + bias`. A variance is that of a second
//! pass, of the squared differences from the mean.

use crate::functional::writer::{Writer, Written};
use melior::ir::{OperationRef, Value};
use terrace_dialects::{
    aten::rules::TensorType,
    ir::{cursor::Results, pass::Failure},
    ops::functional as f,
};
use terrace_size::Size;

/// Means and sums of squared differences over some dimensions, which stay with size 1.
struct Moments<'c, 'a> {
    mean: Value<'c, 'a>,
    centered: Value<'c, 'a>,
    squares: Value<'c, 'a>,
    count: Size,
}

impl<'c, 'a> Moments<'c, 'a> {
    fn of(w: &Writer<'c, 'a>, x: Value<'c, 'a>, dims: &[usize]) -> Result<Self, Failure> {
        let sizes = w.sizes(x)?;
        let count: Size = dims.iter().map(|d| sizes[*d]).product();
        let mean = w.over_size(w.sum(x, dims, true)?, count)?;
        let centered = w.joined(f::sub, x, mean)?;
        let squares = w.sum(w.binary(f::mul, centered, centered)?, dims, true)?;
        Ok(Self { mean, centered, squares, count })
    }

    /// `1 / sqrt(variance + eps)`.
    fn rstd(&self, w: &Writer<'c, 'a>, eps: f64) -> Written<'c, 'a> {
        w.unary(f::rsqrt, w.shifted(w.over_size(self.squares, self.count)?, eps)?)
    }
}

/// `x * weight + bias`, a parameter per index of a dimension.
fn affine<'c, 'a>(
    w: &Writer<'c, 'a>,
    mut x: Value<'c, 'a>,
    dim: usize,
    weight: Option<Value<'c, 'a>>,
    bias: Option<Value<'c, 'a>>,
) -> Written<'c, 'a> {
    let sizes = w.sizes(x)?;
    if let Some(weight) = weight {
        x = w.binary(f::mul, x, w.along(weight, dim, &sizes)?)?;
    }
    if let Some(bias) = bias {
        x = w.binary(f::add, x, w.along(bias, dim, &sizes)?)?;
    }
    Ok(x)
}

/// `native_batch_norm`: by the running statistics, or in training by those of the batch, towards which the
/// running ones move.
pub fn native_batch_norm<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let norm = f::NativeBatchNormOp::try_from(op).map_err(|_| "is no native_batch_norm")?;
    let input = norm.input();
    let TensorType { shape, dtype, .. } = w.ty(input)?;
    let (channels, eps) = (shape[1], norm.eps());
    if !norm.training() {
        let mean = norm.running_mean().ok_or("running_mean must be defined in evaluation mode")?;
        let variance = norm.running_var().ok_or("running_var must be defined in evaluation mode")?;
        let rstd = w.unary(f::rsqrt, w.shifted(variance, eps)?)?;
        let centered = w.binary(f::sub, input, w.along(mean, 1, &shape)?)?;
        let scaled = w.binary(f::mul, centered, w.along(rstd, 1, &shape)?)?;
        let none = w.filled(0.0, dtype, &[0])?;
        return Ok(vec![affine(&w, scaled, 1, norm.weight(), norm.bias())?, none, none]);
    }
    let dims: Vec<usize> = (0..shape.len()).filter(|d| *d != 1).collect();
    let moments = Moments::of(&w, input, &dims)?;
    let mut rstd = moments.rstd(&w, eps)?;
    if eps == 0.0 {
        // Elements that are all equal stay zeros.
        let zero = w.like(rstd, 0.0)?;
        rstd = w.choose(w.binary(f::eq, moments.squares, zero)?, zero, rstd)?;
    }
    let scaled = w.joined(f::mul, moments.centered, rstd)?;
    let output = affine(&w, scaled, 1, norm.weight(), norm.bias())?;
    let flat = |statistic: Value<'c, 'a>| w.view(statistic, &[channels]);
    let mean = flat(moments.mean)?;
    let mut results = vec![output, mean, flat(rstd)?];
    if let (Some(old_mean), Some(old_variance)) = (norm.running_mean(), norm.running_var()) {
        let variance = w.over_size(flat(moments.squares)?, moments.count - 1)?;
        for (old, new) in [(old_mean, mean), (old_variance, variance)] {
            let momentum = norm.momentum();
            let (new, old) = (w.scaled(new, momentum)?, w.scaled(old, 1.0 - momentum)?);
            results.push(w.binary(f::add, new, old)?);
        }
    }
    Ok(results)
}

/// `native_group_norm`: by images and groups, whose channels and elements stay two dimensions: a parameter is
/// one channel's.
pub fn native_group_norm<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let norm = f::NativeGroupNormOp::try_from(op).map_err(|_| "is no native_group_norm")?;
    let (images, channels, inner, groups) = (norm.n(), norm.c(), norm.hx_w(), norm.group());
    let (shape, share) = (w.sizes(norm.input())?, channels / groups);
    let rows = w.view(norm.input(), &[images, groups, share, inner])?;
    let moments = Moments::of(&w, rows, &[2, 3])?;
    let rstd = moments.rstd(&w, norm.eps())?;
    let mut scaled = w.joined(f::mul, moments.centered, rstd)?;
    let by_channel = |parameter| w.view(parameter, &[Size::ONE, groups.into(), share.into(), Size::ONE]);
    if let Some(weight) = norm.weight() {
        scaled = w.joined(f::mul, scaled, by_channel(weight)?)?;
    }
    if let Some(bias) = norm.bias() {
        scaled = w.joined(f::add, scaled, by_channel(bias)?)?;
    }
    let output = w.view(scaled, &shape)?;
    let flat = |statistic: Value<'c, 'a>| w.view(statistic, &[images, groups]);
    Ok(vec![output, flat(moments.mean)?, flat(rstd)?])
}

/// `rms_norm`: `x / sqrt(mean(x^2) + eps) * weight`; without eps that of the dtype.
pub fn rms_norm<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let norm = f::RmsNormOp::try_from(op).map_err(|_| "is no rms_norm")?;
    let TensorType { shape, dtype, .. } = w.ty(norm.input())?;
    let lead = shape.len() - norm.normalized_shape().len();
    let dims: Vec<usize> = (lead..shape.len()).collect();
    let count = shape[lead..].iter().product();
    let least = if dtype.bytes() > 4 { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let squares = w.sum(w.binary(f::mul, norm.input(), norm.input())?, &dims, true)?;
    let scale = w.unary(f::rsqrt, w.shifted(w.over_size(squares, count)?, norm.eps().unwrap_or(least))?)?;
    let scaled = w.joined(f::mul, norm.input(), scale)?;
    Ok(vec![match norm.weight() {
        Some(weight) => w.joined(f::mul, scaled, w.cast(weight, dtype)?)?,
        None => scaled,
    }])
}
