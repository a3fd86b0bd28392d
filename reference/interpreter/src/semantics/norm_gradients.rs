//! Gradients of norms over channels; weights as directions and lengths.

use super::{
    copy::packed,
    elements::{reals, store_reals},
    error::Result,
    pointwise::apply,
    promotion::Operand,
    scalar_table::{MUL, div},
    shape::broadcast_view,
    statistics::vector_norm,
    strides::{channels_last_strides, suggests_channels_last},
    term::Term,
    views,
};
use terrace_tensor::{Dtype, Tensor};

fn terms(tensor: &Tensor, dtype: Dtype) -> Result<Vec<Term>> {
    Ok(reals(&packed(tensor)?, dtype).into_iter().map(|real| Term::of(real, dtype)).collect())
}

fn vector(tensor: Option<&Tensor>, count: usize, dtype: Dtype) -> Result<Vec<Term>> {
    tensor.map_or_else(|| Ok(vec![Term::number(1.0, dtype); count]), |tensor| terms(tensor, dtype))
}

fn stored([to, from]: [Dtype; 2], sizes: &[i64], strides: Option<&[i64]>, all: &[Term]) -> Result<Tensor> {
    let out = match strides {
        Some(strides) => Tensor::zeros_strided(to, sizes, strides)?,
        None => Tensor::zeros(to, sizes)?,
    };
    store_reals(&out, &all.iter().map(|term| term.finish()).collect::<Vec<_>>(), from);
    Ok(out)
}

/// Channels innermost where the input suggests it.
fn formatted(input: &Tensor) -> Option<Vec<i64>> {
    channels_last_strides(input.sizes()).filter(|_| suggests_channels_last(input))
}

/// `native_batch_norm_backward`, by mean and reciprocal deviation of each channel's batch, or by a `known`
/// mean and variance with eps. With `n` the normalized input: `w * rstd * (g - mean(g) - n * mean(g * n))`,
/// of known ones `w * rstd * g`; the sums of `g * n` and of `g`.
///
/// # Errors
/// When there is no memory for the results.
pub fn batch_norm_backward(
    grad: &Tensor,
    input: &Tensor,
    weight: Option<&Tensor>,
    [mean, rstd]: [&Tensor; 2],
    known: Option<f64>,
) -> Result<[Tensor; 3]> {
    // That of the statistics, which may be f32 beside half precision.
    let (dtype, training) = (mean.dtype(), known.is_none());
    let channels = input.sizes()[1] as usize;
    let inner: usize = input.sizes()[2..].iter().product::<i64>() as usize;
    let (g, x) = (terms(grad, dtype)?, terms(input, dtype)?);
    let (mean, mut rstd, weight) =
        (terms(mean, dtype)?, terms(rstd, dtype)?, vector(weight, channels, dtype)?);
    if let Some(eps) = known {
        rstd = rstd.into_iter().map(|variance| (variance + Term::number(eps, dtype)).rsqrt()).collect();
    }
    let of = |at: usize| at / inner.max(1) % channels.max(1);
    let normal: Vec<Term> = x.iter().enumerate().map(|(at, &x)| (x - mean[of(at)]) * rstd[of(at)]).collect();
    let (mut scales, mut shifts) = (Vec::new(), Vec::new());
    for channel in 0..channels {
        let own: Vec<usize> = (0..g.len()).filter(|&at| of(at) == channel).collect();
        scales.push(Term::sum(&own.iter().map(|&at| g[at] * normal[at]).collect::<Vec<_>>(), dtype));
        shifts.push(Term::sum(&own.iter().map(|&at| g[at]).collect::<Vec<_>>(), dtype));
    }
    let count = Term::number((g.len() / channels.max(1)) as f64, dtype);
    let one = |at: usize| {
        let channel = of(at);
        let scale = rstd[channel] * weight[channel];
        if training {
            (g[at] - shifts[channel] / count - normal[at] * (scales[channel] / count)) * scale
        } else {
            g[at] * scale
        }
    };
    let own: Vec<Term> = (0..g.len()).map(one).collect();
    let sizes = [channels as i64];
    let result = stored([input.dtype(), dtype], input.sizes(), formatted(input).as_deref(), &own)?;
    Ok([result, stored([dtype; 2], &sizes, None, &scales)?, stored([dtype; 2], &sizes, None, &shifts)?])
}

/// `native_group_norm_backward`, by the numbers of images, channels and elements of a channel.
///
/// # Errors
/// When there is no memory for the results.
pub fn group_norm_backward(
    grad: &Tensor,
    input: &Tensor,
    [mean, rstd]: [&Tensor; 2],
    weight: Option<&Tensor>,
    [images, channels, inner]: [usize; 3],
    groups: usize,
) -> Result<[Tensor; 3]> {
    let dtype = mean.dtype();
    let (g, x) = (terms(grad, dtype)?, terms(input, dtype)?);
    let (mean, rstd, weight) = (terms(mean, dtype)?, terms(rstd, dtype)?, vector(weight, channels, dtype)?);
    let channel = |at: usize| at / inner % channels;
    let size = channels / groups * inner;
    let normal: Vec<Term> =
        x.iter().enumerate().map(|(at, &x)| (x - mean[at / size]) * rstd[at / size]).collect();
    let scaled: Vec<Term> = g.iter().enumerate().map(|(at, &g)| g * weight[channel(at)]).collect();
    let count = Term::number(size as f64, dtype);
    let mut own = Vec::new();
    for (row, &rstd) in rstd.iter().enumerate().take(images * groups) {
        let at = row * size..(row + 1) * size;
        let plain = Term::sum(&scaled[at.clone()], dtype) / count;
        let products: Vec<Term> = at.clone().map(|at| scaled[at] * normal[at]).collect();
        let moment = Term::sum(&products, dtype) / count;
        own.extend(at.map(|at| rstd * (scaled[at] - plain - normal[at] * moment)));
    }
    let of_channel = |value: &dyn Fn(usize) -> Term| -> Vec<Term> {
        let all = |c: usize| (0..g.len()).filter(|&at| channel(at) == c).map(value).collect::<Vec<_>>();
        (0..channels).map(|c| Term::sum(&all(c), dtype)).collect()
    };
    let sizes = [channels as i64];
    Ok([
        stored([input.dtype(), dtype], input.sizes(), formatted(input).as_deref(), &own)?,
        stored([dtype; 2], &sizes, None, &of_channel(&|at| g[at] * normal[at]))?,
        stored([dtype; 2], &sizes, None, &of_channel(&|at| g[at]))?,
    ])
}

/// The norm over all dimensions but one, which stay with size 1; over all, where `dim` is -1.
fn norm_except(v: &Tensor, dim: i64, dtype: Dtype) -> Result<Tensor> {
    let two = terrace_tensor::Scalar::Int(2);
    if dim == -1 {
        return vector_norm(v, two, None, false, Some(dtype));
    }
    let dims: Vec<i64> = (0..v.rank() as i64).filter(|d| *d != dim).collect();
    if dims.is_empty() {
        // Of one dimension each element is a vector.
        let wide = views::unsqueeze(v, -1)?;
        return vector_norm(&wide, two, Some(&[-1]), false, Some(dtype));
    }
    vector_norm(v, two, Some(&dims), true, Some(dtype))
}

/// `_weight_norm`: `v * (g / norm)`, row-major.
///
/// # Errors
/// When the sizes do not broadcast.
pub fn weight_norm(v: &Tensor, g: &Tensor, dim: i64) -> Result<Tensor> {
    let norm = norm_except(v, dim, v.dtype())?;
    let ratio = apply(div(None)?, &[Operand::Tensor(g), Operand::Tensor(&norm)], &[])?;
    let made = apply(&MUL, &[Operand::Tensor(v), Operand::Tensor(&ratio)], &[])?;
    let out = Tensor::zeros(made.dtype(), made.sizes())?;
    super::elements::copy(&out, &made);
    Ok(out)
}

/// `_weight_norm_interface`: [`weight_norm`] and the norm, of half precision in f32.
///
/// # Errors
/// As [`weight_norm`].
pub fn weight_norm_interface(v: &Tensor, g: &Tensor, dim: i64) -> Result<[Tensor; 2]> {
    let kept = v.dtype().opmath();
    let norm = norm_except(v, dim, kept)?;
    Ok([weight_norm(v, g, dim)?, norm])
}

/// `_weight_norm_interface_backward`: with `s` the sum of `grad * v` over a vector, `g / norm * (grad - v * s
/// / norm^2)` and `s / norm`.
///
/// # Errors
/// When there is no memory for the results.
pub fn weight_norm_backward(
    grad: &Tensor,
    v: &Tensor,
    g: &Tensor,
    norm: &Tensor,
    dim: i64,
) -> Result<[Tensor; 2]> {
    let dtype = v.dtype();
    let wide = |t: &Tensor| -> Result<Vec<Term>> { terms(&broadcast_view(t, v.sizes())?, dtype) };
    let (own, gs, norms, grads) = (terms(v, dtype)?, wide(g)?, wide(norm)?, terms(grad, dtype)?);
    let inner: usize = v.sizes()[dim as usize + 1..].iter().product::<i64>() as usize;
    let count = v.sizes()[dim as usize] as usize;
    let of = |at: usize| at / inner.max(1) % count.max(1);
    let mut sums = Vec::new();
    let mut lengths = Vec::new();
    for vector in 0..count {
        let places: Vec<usize> = (0..own.len()).filter(|&at| of(at) == vector).collect();
        let sum = Term::sum(&places.iter().map(|&at| grads[at] * own[at]).collect::<Vec<_>>(), dtype);
        let norm = places.first().map_or(Term::number(0.0, dtype), |&at| norms[at]);
        sums.push(sum);
        lengths.push(sum / norm);
    }
    let one = |at: usize| {
        let ratio = gs[at] / norms[at];
        ratio * (grads[at] - own[at] * (sums[of(at)] / (norms[at] * norms[at])))
    };
    let own: Vec<Term> = (0..own.len()).map(one).collect();
    Ok([stored([dtype; 2], v.sizes(), None, &own)?, stored([dtype; 2], g.sizes(), None, &lengths)?])
}
