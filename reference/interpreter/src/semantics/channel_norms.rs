//! Norms with a statistic per channel (batch norm), per image and channel (instance norm), per group of
//! channels (group norm), and the norm by the root of the mean square.
//!
//! All are `(x - mean) * rstd * weight + bias` with `rstd = 1 / sqrt(variance + eps)` over other parts of the
//! input, so all are written by one function over rows.

use super::{
    complex::{Complex, complex},
    copy::packed,
    elements::{Elements, complexes, reals, store, store_reals},
    error::{Error, Result, ensure},
    overlap,
    promotion::Operand,
    real::Real,
    strides::{Layout, channels_last_strides, pointwise, suggests_channels_last},
    term::Term,
};
use terrace_tensor::{Dtype, Tensor, layout::contiguous_strides};

/// The parameters of a norm: an element per channel.
#[derive(Clone, Copy, Default)]
pub struct Parameters<'a> {
    /// The factor.
    pub weight: Option<&'a Tensor>,
    /// The addend.
    pub bias: Option<&'a Tensor>,
}

impl Parameters<'_> {
    fn terms(tensor: Option<&Tensor>, dtype: Dtype) -> Option<Vec<Term>> {
        tensor.map(|tensor| terms(tensor, dtype))
    }
}

/// The running statistics of batch norm.
#[derive(Clone, Copy)]
pub struct Running<'a> {
    /// Means.
    pub mean: &'a Tensor,
    /// Variances.
    pub variance: &'a Tensor,
}

/// What batch norm gives.
pub struct BatchNorm {
    /// The normalized input.
    pub output: Tensor,
    /// The means that were used, of training.
    pub mean: Tensor,
    /// The reciprocal deviations that were used, of training.
    pub rstd: Tensor,
    /// The running statistics after it, of training that has them.
    pub running: Option<[Tensor; 2]>,
}

fn terms(tensor: &Tensor, dtype: Dtype) -> Vec<Term> {
    reals(tensor, dtype).into_iter().map(|real| Term::of(real, dtype)).collect()
}

fn stored(dtype: Dtype, sizes: &[i64], elements: &[Term]) -> Result<Tensor> {
    let out = Tensor::zeros(dtype, sizes)?;
    store_reals(&out, &elements.iter().map(|t| t.finish_as(dtype)).collect::<Vec<Real>>(), dtype);
    Ok(out)
}

/// The dtype of statistics: that of the parameters, which may be f32 beside half precision.
fn statistics_dtype<'a>(input: &Tensor, parameters: impl IntoIterator<Item = Option<&'a Tensor>>) -> Dtype {
    parameters.into_iter().flatten().map(Tensor::dtype).next().unwrap_or(input.dtype())
}

/// Mean, and mean of the squares of the differences from it, with their number.
struct Moments {
    mean: Term,
    squares: Term,
    count: f64,
}

impl Moments {
    fn of(row: &[Term], dtype: Dtype) -> Moments {
        let count = Term::number(row.len() as f64, dtype);
        let mean = Term::sum(row, dtype) / count;
        let squares: Vec<Term> = row.iter().map(|&x| (x - mean) * (x - mean)).collect();
        Moments { mean, squares: Term::sum(&squares, dtype), count: count.value }
    }

    /// The variance, with `less` degrees of freedom less.
    fn variance(&self, less: f64, dtype: Dtype) -> Term {
        self.squares / Term::number(self.count - less, dtype)
    }

    fn rstd(&self, eps: f64, dtype: Dtype) -> Term {
        (self.variance(0.0, dtype) + Term::number(eps, dtype)).rsqrt()
    }
}

/// A tensor like the input with channels innermost where the input suggests it, else row-major.
fn like(input: &Tensor) -> Result<Tensor> {
    match channels_last_strides(input.sizes()).filter(|_| suggests_channels_last(input)) {
        Some(strides) => Ok(Tensor::zeros_strided(input.dtype(), input.sizes(), &strides)?),
        None => Ok(Tensor::zeros(input.dtype(), input.sizes())?),
    }
}

/// Writes `(x - mean) * rstd * weight + bias`; `row` gives the row of an element of the input, in row-major
/// order, and `channel` its parameter.
fn normalize(
    out: &Tensor,
    elements: &[Term],
    statistics: &[(Term, Term)],
    parameters: Parameters,
    row: impl Fn(usize) -> usize,
    channel: impl Fn(usize) -> usize,
) {
    let dtype = out.dtype();
    let weight = Parameters::terms(parameters.weight, dtype);
    let bias = Parameters::terms(parameters.bias, dtype);
    let element = |(at, &x): (usize, &Term)| {
        let (mean, rstd) = statistics[row(at)];
        let mut value = (x - mean) * rstd;
        if let Some(weight) = &weight {
            value = value * weight[channel(at)];
        }
        if let Some(bias) = &bias {
            value = value + bias[channel(at)];
        }
        value.finish()
    };
    store_reals(out, &elements.iter().enumerate().map(element).collect::<Vec<_>>(), dtype);
}

/// Elements per channel of an image.
fn inner(input: &Tensor) -> usize {
    input.sizes()[2..].iter().product::<i64>() as usize
}

/// A running statistic after a step towards that of a batch.
fn moved(running: Term, batch: Term, momentum: f64, dtype: Dtype) -> Term {
    Term::number(momentum, dtype) * batch + Term::number(1.0 - momentum, dtype) * running
}

/// Batch norm: by the running statistics, or in training by those of the input.
///
/// # Errors
/// When the input has fewer than two dimensions, or there are no statistics.
pub fn batch_norm(
    input: &Tensor,
    parameters: Parameters,
    running: Option<Running>,
    training: bool,
    momentum: f64,
    eps: f64,
) -> Result<BatchNorm> {
    let (dtype, channels, inner) = (input.dtype(), input.sizes()[1] as usize, inner(input));
    let kept = statistics_dtype(
        input,
        [parameters.weight, parameters.bias, running.map(|r| r.mean), running.map(|r| r.variance)],
    );
    let elements = terms(input, dtype);
    let output = like(input)?;
    let channel = |at: usize| at / inner.max(1) % channels.max(1);
    if !training {
        let Running { mean, variance } =
            running.ok_or_else(|| Error::new("running_mean must be defined in evaluation mode"))?;
        let eps = Term::number(eps, dtype);
        let rstd = terms(variance, dtype).into_iter().map(|variance| (variance + eps).rsqrt());
        let statistics: Vec<_> = terms(mean, dtype).into_iter().zip(rstd).collect();
        if !elements.is_empty() {
            normalize(&output, &elements, &statistics, parameters, channel, channel);
        }
        let [mean, rstd] = [Tensor::zeros(kept, &[0])?, Tensor::zeros(kept, &[0])?];
        return Ok(BatchNorm { output, mean, rstd, running: None });
    }
    let mut rows = vec![Vec::new(); channels];
    for (at, &x) in elements.iter().enumerate() {
        rows[channel(at)].push(x);
    }
    let moments: Vec<Moments> = rows.iter().map(|row| Moments::of(row, dtype)).collect();
    // Elements that are all equal stay zeros without eps; those that may not be are anything.
    let equal = |m: &Moments| eps == 0.0 && m.squares.value == 0.0;
    let zero = |m: &Moments| match m.squares.finish().bound {
        0.0 => Term::number(0.0, dtype),
        _ => Term::of(Real { value: 0.0, bound: f64::INFINITY }, dtype),
    };
    let rstd = |m: &Moments| if equal(m) { zero(m) } else { m.rstd(eps, dtype) };
    let statistics: Vec<_> = moments.iter().map(|m| (m.mean, rstd(m))).collect();
    normalize(&output, &elements, &statistics, parameters, channel, channel);
    let column = |of: fn(&(Term, Term)) -> Term| statistics.iter().map(of).collect::<Vec<_>>();
    let sizes = [channels as i64];
    let running = running.map(|running| {
        let updated = |old: &Tensor, new: &dyn Fn(&Moments) -> Term| {
            let pairs = terms(old, dtype).into_iter().zip(&moments);
            let all: Vec<Term> = pairs.map(|(old, m)| moved(old, new(m), momentum, dtype)).collect();
            stored(kept, &sizes, &all)
        };
        Ok::<_, Error>([
            updated(running.mean, &|m| m.mean)?,
            updated(running.variance, &|m| m.variance(1.0, dtype))?,
        ])
    });
    Ok(BatchNorm {
        output,
        mean: stored(kept, &sizes, &column(|s| s.0))?,
        rstd: stored(kept, &sizes, &column(|s| s.1))?,
        running: running.transpose()?,
    })
}

/// Instance norm: batch norm of each image on its own; the running statistics move to the mean over the
/// images.
///
/// # Errors
/// When the input has fewer than two dimensions.
pub fn instance_norm(
    input: &Tensor,
    parameters: Parameters,
    running: Option<Running>,
    training: bool,
    momentum: f64,
    eps: f64,
) -> Result<(Tensor, Option<[Tensor; 2]>)> {
    let (images, channels) = (input.sizes()[0], input.sizes()[1]);
    let output = Tensor::zeros(input.dtype(), input.sizes())?;
    let mut updates = Vec::new();
    for image in 0..images {
        let own = super::views::narrow(input, 0, image, 1)?;
        if own.is_empty() {
            continue;
        }
        let norm = batch_norm(&own, parameters, running, training, momentum, eps)?;
        super::elements::copy(&super::views::narrow(&output, 0, image, 1)?, &norm.output);
        updates.extend(norm.running);
    }
    if updates.is_empty() {
        return Ok((output, None));
    }
    let dtype = input.dtype();
    let mean = |which: usize| {
        let columns: Vec<Vec<Term>> = updates.iter().map(|update| terms(&update[which], dtype)).collect();
        let count = Term::number(images as f64, dtype);
        let element =
            |c: usize| Term::sum(&columns.iter().map(|row| row[c]).collect::<Vec<_>>(), dtype) / count;
        stored(
            updates[0][which].dtype(),
            &[channels],
            &(0..channels as usize).map(element).collect::<Vec<_>>(),
        )
    };
    let updated = [mean(0)?, mean(1)?];
    Ok((output, Some(updated)))
}

/// Writes running statistics.
///
/// # Errors
/// When what is written shares memory with another operand or itself.
pub fn update(running: Running, new: &[Tensor; 2], operands: &[&Tensor]) -> Result<()> {
    let pairs = [(running.mean, running.variance, &new[0]), (running.variance, running.mean, &new[1])];
    for (written, other, _) in pairs {
        ensure!(
            !overlap::is_same_view(written, other),
            "result depends on the order of evaluation: the running statistics are one tensor"
        );
        let others: Vec<Operand> = operands.iter().map(|t| Operand::Tensor(t)).collect();
        for operand in std::iter::once(Operand::Tensor(other)).chain(others) {
            if let Some(tensor) = operand.tensor() {
                overlap::check_beside(written, tensor)?;
            }
        }
    }
    for (written, _, new) in pairs {
        super::elements::copy(written, new);
    }
    Ok(())
}

/// `native_group_norm`: normalized over each group of channels of each image, by the numbers of images,
/// channels and elements of a channel; then the means and the reciprocal deviations.
///
/// # Errors
/// When the memory cannot be had.
pub fn native_group_norm(
    input: &Tensor,
    parameters: Parameters,
    sizes: [i64; 3],
    groups: i64,
    eps: f64,
) -> Result<[Tensor; 3]> {
    let [images, channels, inner] = sizes;
    let dtype = input.dtype();
    let elements = terms(&packed(input)?, dtype);
    let size = (inner * (channels / groups)) as usize;
    let moments = elements.chunks(size.max(1)).map(|row| Moments::of(row, dtype));
    let statistics: Vec<_> = moments.map(|m| (m.mean, m.rstd(eps, dtype))).collect();
    let out = like(input)?;
    let channel = |at: usize| at / inner.max(1) as usize % channels.max(1) as usize;
    normalize(&out, &elements, &statistics, parameters, |at| at / size.max(1), channel);
    let column = |of: fn(&(Term, Term)) -> Term| statistics.iter().map(of).collect::<Vec<_>>();
    let (kept, of_groups) = (statistics_dtype(input, [parameters.weight, parameters.bias]), [images, groups]);
    Ok([out, stored(kept, &of_groups, &column(|s| s.0))?, stored(kept, &of_groups, &column(|s| s.1))?])
}

/// `rms_norm`: `x / sqrt(mean(x^2) + eps) * weight` over the last dimensions; without eps that of the dtype.
///
/// # Errors
/// When there is no memory for the result.
pub fn rms_norm(
    input: &Tensor,
    normalized_shape: &[i64],
    weight: Option<&Tensor>,
    eps: Option<f64>,
) -> Result<Tensor> {
    let dtype = input.dtype();
    let size = normalized_shape.iter().product::<i64>().max(1) as usize;
    // That of f32 for all that is narrower.
    let least = if dtype.part() == Dtype::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let out = scaled(input, normalized_shape.len(), weight)?;
    if dtype.is_complex() {
        store(&out, &Elements::Complex(complex_rms_norm(input, size, weight, eps.unwrap_or(least))), dtype);
        return Ok(out);
    }
    let elements = terms(input, dtype);
    let eps = Term::number(eps.unwrap_or(least), dtype);
    let weight = Parameters::terms(weight, dtype);
    let mut results = Vec::new();
    for row in elements.chunks(size) {
        let squares: Vec<Term> = row.iter().map(|&x| x * x).collect();
        let mean = Term::sum(&squares, dtype) / Term::number(size as f64, dtype);
        let scale = (mean + eps).rsqrt();
        for (i, &x) in row.iter().enumerate() {
            let value = x * scale;
            results.push(weight.as_ref().map_or(value, |weight| value * weight[i]).finish());
        }
    }
    store_reals(&out, &results, dtype);
    Ok(out)
}

/// A tensor with the strides of the rows times their scales, then times the weight; what is not contiguous is
/// copied first.
fn scaled(input: &Tensor, dims: usize, weight: Option<&Tensor>) -> Result<Tensor> {
    let sizes = input.sizes();
    let row_major = |sizes: &[i64]| Layout { sizes: sizes.to_vec(), strides: contiguous_strides(sizes) };
    let rows = if input.is_contiguous() { Layout::of(input) } else { Layout::of(&like(input)?) };
    let mut scales = sizes.to_vec();
    scales[sizes.len() - dims..].fill(1);
    let mut strides = pointwise(sizes, &[rows, row_major(&scales)]);
    if let Some(weight) = weight {
        strides = pointwise(sizes, &[Layout { sizes: sizes.to_vec(), strides }, Layout::of(weight)]);
    }
    Ok(Tensor::zeros_strided(input.dtype(), sizes, &strides)?)
}

/// The same of complex numbers, whose squares are no magnitudes.
fn complex_rms_norm(input: &Tensor, size: usize, weight: Option<&Tensor>, eps: f64) -> Vec<[Real; 2]> {
    let dtype = input.dtype();
    let number = |[re, im]: &[Real; 2]| complex(re.value, im.value);
    let weight = weight.map(|weight| complexes(weight, dtype));
    let mut results = Vec::new();
    for row in complexes(input, dtype).chunks(size) {
        let squares = row.iter().map(|z| number(z) * number(z)).fold(complex(0.0, 0.0), |a, b| a + b);
        let scale = (squares.scale(1.0 / size as f64) + complex(eps, 0.0)).sqrt().reciprocal();
        let spread = row.iter().map(|[re, im]| re.bound.max(im.bound)).fold(0.0, f64::max);
        for (i, z) in row.iter().enumerate() {
            let factor = scale * weight.as_ref().map_or(Complex::ONE, |weight| number(&weight[i]));
            let value = number(z) * factor;
            let spread = spread * (1.0 + size as f64 * scale.abs() * number(z).abs()) * factor.abs();
            let own = 16.0 * value.abs() * (1.0 + size as f64);
            results.push([value.re, value.im].map(|part| Real::rounded(part, spread, own, dtype.part())));
        }
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(tensor: &Tensor, expected: &[f64]) {
        for (element, expected) in tensor.to_vec().iter().zip(expected) {
            assert!((element.to_f64() - expected).abs() < 1e-4, "{element} is not {expected}");
        }
    }

    /// Expected values are eager's.
    #[test]
    fn training_moves_the_running_statistics() {
        let input = Tensor::from_elements(Dtype::F32, &[2, 2], &[1.0, 2.0, 3.0, 5.0]).unwrap();
        let mean = Tensor::zeros(Dtype::F32, &[2]).unwrap();
        let variance = Tensor::from_elements(Dtype::F32, &[2], &[1.0, 1.0]).unwrap();
        let running = Running { mean: &mean, variance: &variance };
        let norm = batch_norm(&input, Parameters::default(), Some(running), true, 0.25, 0.5).unwrap();
        near(&norm.output, &[-0.8165, -0.9045, 0.8165, 0.9045]);
        near(&norm.mean, &[2.0, 3.5]);
        near(&norm.rstd, &[0.8165, 0.6030]);
        let [mean, variance] = norm.running.unwrap();
        near(&mean, &[0.5, 0.875]);
        near(&variance, &[1.25, 1.875]);
    }
}
