//! Gradients of softmax, layer norm, losses, embeddings and convolution.
//!
//! Sums are accumulated like those of the operators themselves; the terms are products of what comes in with
//! what the forward pass computed.

use super::{
    convolution::{Convolution, Plan},
    elements::{ints, reals, store_ints, store_reals},
    error::{Result, ensure},
    real::{Accumulator, Real},
    reduction::Groups,
    shape::wrap_dim,
    term::Term,
};
use terrace_tensor::{Dtype, Tensor};

/// Elements as numbers of a formula.
fn terms(elements: &[Real], dtype: Dtype) -> Vec<Term> {
    elements.iter().map(|&real| Term::of(real, dtype)).collect()
}

fn products(a: &[Term], b: &[Term]) -> Vec<Term> {
    a.iter().zip(b).map(|(&a, &b)| a * b).collect()
}

fn finished(terms: &[Term]) -> Vec<Real> {
    terms.iter().map(|term| term.finish()).collect()
}

/// `_softmax_backward_data`: `output * (grad - sum(grad * output))`; with `log` that of log_softmax,
/// `grad - exp(output) * sum(grad)`.
///
/// # Errors
/// When the memory cannot be had.
pub fn softmax_backward(grad: &Tensor, output: &Tensor, dim: i64, log: bool) -> Result<Tensor> {
    let (dim, dtype) = (wrap_dim(dim, grad.rank())?, grad.dtype());
    let result = Tensor::zeros(dtype, grad.sizes())?;
    let along: Vec<bool> = (0..grad.rank()).map(|other| other == dim).collect();
    let [grads, outputs, places] =
        [Groups::new(grad, &along)?, Groups::new(output, &along)?, Groups::new(&result, &along)?];
    let g = terms(&reals(&grads.ordered, dtype), dtype);
    let o = terms(&reals(&outputs.ordered, dtype), dtype);
    let mut rows = Vec::new();
    for (g, o) in g.chunks(grads.size.max(1)).zip(o.chunks(grads.size.max(1))) {
        let sum = Term::sum(&if log { g.to_vec() } else { products(g, o) }, dtype);
        let element = |(&g, &o): (&Term, &Term)| if log { g - o.exp() * sum } else { o * (g - sum) };
        rows.extend(g.iter().zip(o).map(element).map(Term::finish));
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
    [weight, bias]: [Option<&Tensor>; 2],
) -> Result<[Tensor; 3]> {
    // The statistics may be of f32 beside half precision, and so are the gradients of parameters.
    let (dtype, parameters) = (mean.dtype(), weight.or(bias).map_or(input.dtype(), Tensor::dtype));
    let size = normalized.iter().product::<i64>() as usize;
    let result = Tensor::zeros(input.dtype(), input.sizes())?;
    let [weights, biases] = [Tensor::zeros(parameters, normalized)?, Tensor::zeros(parameters, normalized)?];
    let [g, x, means, rstds] = [grad, input, mean, rstd].map(|tensor| terms(&reals(tensor, dtype), dtype));
    let one = Term::number(1.0, dtype);
    let scale = weight.map_or(vec![one; size], |weight| terms(&reals(weight, dtype), dtype));
    let count = Term::number(size as f64, dtype);
    let (mut rows, mut normals) = (Vec::new(), Vec::new());
    for (row, (&mean, &rstd)) in means.iter().zip(&rstds).enumerate() {
        let at = row * size..(row + 1) * size;
        let normal: Vec<Term> = x[at.clone()].iter().map(|&x| (x - mean) * rstd).collect();
        let scaled = products(&g[at], &scale);
        let plain = Term::sum(&scaled, dtype) / count;
        let moment = Term::sum(&products(&scaled, &normal), dtype) / count;
        rows.extend(scaled.iter().zip(&normal).map(|(&s, &n)| (rstd * (s - plain - n * moment)).finish()));
        normals.extend(normal);
    }
    store_reals(&result, &rows, dtype);
    // Parameters have a part in every row.
    let columns = |of: &[Term]| -> Vec<Real> {
        let column = |i: usize| of.iter().skip(i).step_by(size).copied().collect::<Vec<_>>();
        (0..size).map(|i| Term::sum(&column(i), dtype).finish()).collect()
    };
    store_reals(&weights, &columns(&products(&g, &normals)), dtype);
    store_reals(&biases, &columns(&g), dtype);
    Ok([result, weights, biases])
}

/// The weight of a sample's class, and the class; `None` for one that is ignored.
fn classes(
    input: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    ignore: i64,
) -> Result<Vec<Option<(usize, Term)>>> {
    let (dtype, count) = (input.dtype(), input.sizes()[input.rank() - 1]);
    // Of one sample the first target counts.
    let samples = if input.rank() == 2 { input.sizes()[0] as usize } else { 1 };
    let weights = weight.map(|weight| terms(&reals(weight, dtype), dtype));
    let class = |class: i64| {
        if class == ignore {
            return Ok(None);
        }
        ensure!((0..count).contains(&class), "Target {class} is out of bounds.");
        let one = Term::number(1.0, dtype);
        Ok(Some((class as usize, weights.as_ref().map_or(one, |weights| weights[class as usize]))))
    };
    ints(target, Dtype::I64).into_iter().take(samples).map(class).collect()
}

/// `nll_loss_forward`: the loss of each sample, or their sum or mean; then the weight of all samples.
/// `reduction` is 0 for none, 1 for the mean, 2 for the sum.
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
    let x = terms(&reals(input, dtype), dtype);
    let classes = classes(input, target, weight, ignore)?;
    let total = Tensor::zeros(dtype, &[])?;
    let loss = |(sample, class): (usize, &Option<(usize, Term)>)| match class {
        Some((class, weight)) => -x[sample * count as usize + class] * *weight,
        None => Term::number(0.0, dtype),
    };
    let losses: Vec<Term> = classes.iter().enumerate().map(loss).collect();
    if reduction == 0 && input.rank() == 2 {
        let out = Tensor::zeros(dtype, &input.sizes()[..1])?;
        store_reals(&out, &finished(&losses), dtype);
        return Ok([out, total]);
    }
    let weights: Vec<Term> = classes.iter().flatten().map(|(_, weight)| *weight).collect();
    let (sum, all) = (Term::sum(&losses, dtype), Term::sum(&weights, dtype));
    let out = Tensor::zeros(dtype, &[])?;
    store_reals(&out, &finished(&[if reduction == 1 { sum / all } else { sum }]), dtype);
    store_reals(&total, &finished(&[all]), dtype);
    Ok([out, total])
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
    let (grads, total) = (terms(&reals(grad, dtype), dtype), Term::of(reals(total, dtype)[0], dtype));
    let each = reduction == 0 && input.rank() == 2;
    let mut all = vec![Real::exact(0.0); out.len()];
    for (sample, class) in classes(input, target, weight, ignore)?.into_iter().enumerate() {
        let Some((class, weight)) = class else { continue };
        let gradient = -grads[if each { sample } else { 0 }] * weight;
        let gradient = if reduction == 1 { gradient / total } else { gradient };
        all[sample * count as usize + class] = gradient.finish();
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
    if dtype.is_complex() {
        let of = |part: &Tensor| embedding_dense_backward(part, indices, rows, padding, by_frequency);
        return super::parts::linear(grad, dtype, of);
    }
    ensure!(rows >= 0, "Trying to create tensor with negative dimension {rows}: [{rows}, {width}]");
    let out = Tensor::zeros(dtype, &[rows, width])?;
    let width = width as usize;
    let indices = ints(indices, Dtype::I64);
    let frequency = |row: i64| indices.iter().filter(|other| **other == row).count() as i64;
    // Each element of a gradient, the place of the weight that it goes to, and what divides it.
    let used = indices.iter().enumerate().filter(|(_, row)| **row != padding && (0..rows).contains(*row));
    let parts = used.flat_map(|(place, &row)| {
        let count = if by_frequency { frequency(row) } else { 1 };
        (0..width).map(move |column| (place * width + column, row as usize * width + column, count))
    });
    if !dtype.is_float() {
        let (grads, mut sums) = (ints(grad, dtype), vec![0i64; out.len()]);
        for (from, to, count) in parts {
            // The factor of eager, one over the count, is an integer here, or true.
            let factor = if dtype == Dtype::Bool { 1 } else { 1 / count };
            sums[to] = sums[to].wrapping_add(grads[from] * factor);
        }
        store_ints(&out, &sums);
        return Ok(out);
    }
    let grads = terms(&reals(grad, dtype), dtype);
    let mut sums = vec![Vec::new(); out.len()];
    for (from, to, count) in parts {
        sums[to].push(grads[from] / Term::number(count as f64, dtype));
    }
    store_reals(&out, &sums.iter().map(|sum| Term::sum(sum, dtype).finish()).collect::<Vec<_>>(), dtype);
    Ok(out)
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
    let plan = Plan::new(input, weight, how);
    let dtype = input.dtype();
    let (g, x, w) = (reals(grad, dtype), reals(input, dtype), reals(weight, dtype));
    let mut by_input = vec![Accumulator::default(); x.len()];
    let mut by_weight = vec![Accumulator::default(); w.len()];
    let mut by_bias = vec![Accumulator::default(); plan.channels()];
    plan.meetings(|out, own, tap| {
        if let Some(own) = own {
            by_input[own].add_product(g[out], w[tap]);
        }
        by_weight[tap].add_product(g[out], own.map_or(Real::exact(0.0), |own| x[own]));
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
    Ok([own, taps, bias])
}
