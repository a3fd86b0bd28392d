//! Gradients of softmax, layer norm, losses, embeddings and convolution.
//!
//! Sums are accumulated like those of the operators themselves; the terms are products of what comes in with what the forward
//! pass computed.

use terrace_tensor::{DType, Tensor};

use super::convolution::{Convolution, Plan};
use super::elements::{ints, reals, store_reals};
use super::error::{Error, Result, ensure};
use super::real::{Accumulator, Real, spread};
use super::reduction::Groups;
use super::shape::wrap_dim;

/// A function of a few floats, not yet rounded; `units` is its own error, in units of the result's magnitude.
fn term(function: impl Fn(&[f64]) -> f64, operands: &[Real], units: f64, dtype: DType) -> Real {
    let values: Vec<f64> = operands.iter().map(|operand| operand.value).collect();
    let value = function(&values);
    Real { value, bound: spread(function, operands, value) + units * dtype.epsilon() * value.abs() }
}

/// A sum that is used further on.
fn unrounded(sum: &Accumulator, dtype: DType) -> Real {
    Real { value: sum.value(), bound: sum.spread() + dtype.epsilon() * sum.own(dtype) }
}

/// `_softmax_backward_data`: `output * (grad - sum(grad * output))`; with `log` that of log_softmax,
/// `grad - exp(output) * sum(grad)`.
///
/// # Errors
/// When the dimension is out of range.
pub fn softmax_backward(grad: &Tensor, output: &Tensor, dim: i64, log: bool) -> Result<Tensor> {
    let (dim, dtype) = (wrap_dim(dim, grad.rank())?, grad.dtype());
    let result = Tensor::zeros(dtype, grad.sizes())?;
    let along: Vec<bool> = (0..grad.rank()).map(|other| other == dim).collect();
    let [grads, outputs, places] =
        [Groups::new(grad, &along)?, Groups::new(output, &along)?, Groups::new(&result, &along)?];
    let (g, o) = (reals(&grads.ordered, dtype), reals(&outputs.ordered, dtype));
    let mut rows = Vec::new();
    for (g, o) in g.chunks(grads.size.max(1)).zip(o.chunks(grads.size.max(1))) {
        let mut sum = Accumulator::default();
        for (&g, &o) in g.iter().zip(o) {
            if log { sum.add(g) } else { sum.add_product(g, o) }
        }
        let sum = unrounded(&sum, dtype);
        for (&g, &o) in g.iter().zip(o) {
            let function = |v: &[f64]| {
                if log { v[0] - libm::exp(v[1]) * v[2] } else { v[1] * (v[0] - v[2]) }
            };
            let operands = [g, o, sum];
            let value = function(&operands.map(|operand| operand.value));
            let factor = if log { libm::exp(o.value) } else { o.value.abs() };
            let own = 4.0
                * (factor * sum.value.abs() + if log { g.value.abs() } else { (g.value * o.value).abs() });
            rows.push(Real::rounded(value, spread(function, &operands, value), own, dtype));
        }
    }
    store_reals(&places.ordered, &rows, dtype);
    Ok(result)
}

/// `native_layer_norm_backward`: the gradients of input, weight and bias.
///
/// # Errors
/// When memory runs out.
pub fn native_layer_norm_backward(
    grad: &Tensor,
    input: &Tensor,
    normalized: &[i64],
    mean: &Tensor,
    rstd: &Tensor,
    weight: Option<&Tensor>,
) -> Result<[Tensor; 3]> {
    let dtype = input.dtype();
    let size = normalized.iter().product::<i64>() as usize;
    let result = Tensor::zeros(dtype, input.sizes())?;
    let [weights, biases] = [Tensor::zeros(dtype, normalized)?, Tensor::zeros(dtype, normalized)?];
    let (g, x) = (reals(grad, dtype), reals(input, dtype));
    let (means, rstds) = (reals(mean, dtype), reals(rstd, dtype));
    let scale = weight.map_or(vec![Real::exact(1.0); size], |weight| reals(weight, dtype));
    let (mut by_weight, mut by_bias) =
        (vec![Accumulator::default(); size], vec![Accumulator::default(); size]);
    let mut rows = Vec::new();
    for (row, (&mean, &rstd)) in means.iter().zip(&rstds).enumerate() {
        let at = |i: usize| row * size + i;
        let product = |v: &[f64]| v[0] * v[1];
        let normal = |i: usize| term(|v| (v[0] - v[1]) * v[2], &[x[at(i)], mean, rstd], 3.0, dtype);
        let scaled: Vec<Real> = (0..size).map(|i| term(product, &[g[at(i)], scale[i]], 1.0, dtype)).collect();
        let normals: Vec<Real> = (0..size).map(normal).collect();
        let (mut plain, mut moment) = (Accumulator::default(), Accumulator::default());
        for i in 0..size {
            plain.add(scaled[i]);
            moment.add_product(scaled[i], normals[i]);
            by_weight[i].add_product(g[at(i)], normals[i]);
            by_bias[i].add(g[at(i)]);
        }
        let (plain, moment, count) = (unrounded(&plain, dtype), unrounded(&moment, dtype), size as f64);
        for i in 0..size {
            let function = |v: &[f64]| v[4] * (v[0] - v[1] / count - v[2] * v[3] / count);
            let operands = [scaled[i], plain, normals[i], moment, rstd];
            let values = operands.map(|operand| operand.value);
            let value = function(&values);
            let parts = values[0].abs() + values[1].abs() / count + (values[2] * values[3]).abs() / count;
            let own = 6.0 * values[4].abs() * parts;
            rows.push(Real::rounded(value, spread(function, &operands, value), own, dtype));
        }
    }
    store_reals(&result, &rows, dtype);
    let finish = |sums: &[Accumulator]| sums.iter().map(|sum| sum.finish(dtype)).collect::<Vec<_>>();
    store_reals(&weights, &finish(&by_weight), dtype);
    store_reals(&biases, &finish(&by_bias), dtype);
    Ok([result, weights, biases])
}

/// The weight of a sample's class, and the class; `None` for one that is ignored.
fn classes(
    input: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    ignore: i64,
) -> Result<Vec<Option<(usize, Real)>>> {
    let (dtype, count) = (input.dtype(), input.sizes()[input.rank() - 1]);
    // Of one sample the first target counts.
    let samples = if input.rank() == 2 { input.sizes()[0] as usize } else { 1 };
    let weights = weight.map(|weight| reals(weight, dtype));
    let class = |class: i64| {
        if class == ignore {
            return Ok(None);
        }
        ensure!((0..count).contains(&class), "Target {class} is out of bounds.");
        let one = Real::exact(1.0);
        Ok(Some((class as usize, weights.as_ref().map_or(one, |weights| weights[class as usize]))))
    };
    ints(target, DType::I64).into_iter().take(samples).map(class).collect()
}

/// `nll_loss_forward`: the loss of each sample, or their sum or mean; then the weight of all samples. `reduction` is 0 for none, 1
/// for the mean, 2 for the sum.
///
/// # Errors
/// When a target is no class.
pub fn nll_loss_forward(
    input: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: i64,
    ignore: i64,
) -> Result<[Tensor; 2]> {
    let dtype = input.dtype();
    let count = input.sizes()[input.rank() - 1];
    let x = reals(input, dtype);
    let classes = classes(input, target, weight, ignore)?;
    let total = Tensor::zeros(dtype, &[])?;
    let loss = |(sample, class): (usize, &Option<(usize, Real)>)| match class {
        Some((class, weight)) => {
            let own = x[sample * count as usize + class];
            term(|v| -v[0] * v[1], &[own, *weight], 1.0, dtype)
        }
        None => Real::exact(0.0),
    };
    if reduction == 0 && input.rank() == 2 {
        let out = Tensor::zeros(dtype, &input.sizes()[..1])?;
        let losses: Vec<Real> =
            classes.iter().enumerate().map(loss).map(|real| rounded(real, dtype)).collect();
        store_reals(&out, &losses, dtype);
        return Ok([out, total]);
    }
    let (mut sum, mut all) = (Accumulator::default(), Accumulator::default());
    classes.iter().enumerate().map(loss).for_each(|loss| sum.add(loss));
    classes.iter().flatten().for_each(|(_, weight)| all.add(*weight));
    let out = Tensor::zeros(dtype, &[])?;
    let (sum, all) = (unrounded(&sum, dtype), unrounded(&all, dtype));
    let mean = |v: &[f64]| v[0] / v[1];
    let value = if reduction == 1 { term(mean, &[sum, all], 1.0, dtype) } else { sum };
    store_reals(&out, &[rounded(value, dtype)], dtype);
    store_reals(&total, &[rounded(all, dtype)], dtype);
    Ok([out, total])
}

fn rounded(real: Real, dtype: DType) -> Real {
    Real::rounded(real.value, real.bound, 0.0, dtype)
}

/// `nll_loss_backward`: the gradient of each sample's class.
///
/// # Errors
/// As [`nll_loss_forward`].
pub fn nll_loss_backward(
    grad: &Tensor,
    input: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: i64,
    ignore: i64,
    total: &Tensor,
) -> Result<Tensor> {
    let dtype = input.dtype();
    let count = input.sizes()[input.rank() - 1];
    let out = Tensor::zeros(dtype, input.sizes())?;
    let (grads, total) = (reals(grad, dtype), reals(total, dtype));
    let each = reduction == 0 && input.rank() == 2;
    let mut all = vec![Real::exact(0.0); out.len()];
    for (sample, class) in classes(input, target, weight, ignore)?.into_iter().enumerate() {
        let Some((class, weight)) = class else { continue };
        let by = if reduction == 1 { total[0] } else { Real::exact(1.0) };
        let operands = [grads[if each { sample } else { 0 }], weight, by];
        all[sample * count as usize + class] =
            rounded(term(|v| -v[0] * v[1] / v[2], &operands, 2.0, dtype), dtype);
    }
    store_reals(&out, &all, dtype);
    Ok(out)
}

/// `embedding_dense_backward`: the sum of the gradients of each row; with `by_frequency` their mean.
///
/// # Errors
/// When memory runs out.
pub fn embedding_dense_backward(
    grad: &Tensor,
    indices: &Tensor,
    rows: i64,
    padding: i64,
    by_frequency: bool,
) -> Result<Tensor> {
    let (dtype, width) = (grad.dtype(), grad.sizes()[grad.rank() - 1]);
    ensure!(rows >= 0, "Trying to create tensor with negative dimension {rows}: [{rows}, {width}]");
    let out = Tensor::zeros(dtype, &[rows, width])?;
    let mut sums = vec![Accumulator::default(); out.len()];
    let grads = reals(grad, dtype);
    let indices = ints(indices, DType::I64);
    for (place, row) in
        indices.iter().enumerate().filter(|(_, row)| **row != padding && (0..rows).contains(*row))
    {
        let frequency = indices.iter().filter(|other| *other == row).count() as f64;
        for column in 0..width as usize {
            let term = grads[place * width as usize + column];
            let divided = term_of_mean(term, if by_frequency { frequency } else { 1.0 });
            sums[*row as usize * width as usize + column].add(divided);
        }
    }
    store_reals(&out, &sums.iter().map(|sum| sum.finish(dtype)).collect::<Vec<_>>(), dtype);
    Ok(out)
}

fn term_of_mean(term: Real, count: f64) -> Real {
    Real { value: term.value / count, bound: term.bound / count }
}

/// `convolution_backward`: the gradients of input, weight and bias.
///
/// # Errors
/// When sizes or parameters do not fit together.
pub fn convolution_backward(
    grad: &Tensor,
    input: &Tensor,
    weight: &Tensor,
    how: Convolution,
) -> Result<[Tensor; 3]> {
    let plan = Plan::new(input, weight, None, how)?;
    let dtype = input.dtype();
    let (g, x, w) = (reals(grad, dtype), reals(input, dtype), reals(weight, dtype));
    let mut by_input = vec![Accumulator::default(); x.len()];
    let mut by_weight = vec![Accumulator::default(); w.len()];
    let mut by_bias = vec![Accumulator::default(); plan.channels()];
    plan.meetings(|out, own, tap| {
        by_input[own].add_product(g[out], w[tap]);
        by_weight[tap].add_product(g[out], x[own]);
    });
    let channels = plan.channels();
    if channels > 0 && !g.is_empty() {
        let inner: usize = grad.sizes()[2..].iter().product::<i64>() as usize;
        g.iter().enumerate().for_each(|(place, &g)| by_bias[place / inner.max(1) % channels].add(g));
    }
    let bias = Tensor::zeros(dtype, &[channels as i64])?;
    let [own, taps] = [Tensor::zeros(dtype, input.sizes())?, Tensor::zeros(dtype, weight.sizes())?];
    for (tensor, sums) in [(&own, by_input), (&taps, by_weight), (&bias, by_bias)] {
        store_reals(tensor, &sums.iter().map(|sum| sum.finish(dtype)).collect::<Vec<_>>(), dtype);
    }
    if !dtype.is_float() {
        return Err(Error::not_implemented("slow_conv2d_cpu_grad_input", dtype));
    }
    Ok([own, taps, bias])
}
