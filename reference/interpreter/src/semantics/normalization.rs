//! Softmax and layer normalization. Results are row-major.

use super::{
    copy::to_copy,
    elements::{reals, store_reals},
    error::Result,
    real::{Accumulator, Real, spread},
    reduction::Groups,
    shape::wrap_dim,
};
use terrace_tensor::{Dtype, Tensor};

/// `softmax`: `exp(x) / sum(exp(x))` along a dimension, of elements converted to `dtype` first.
///
/// # Errors
/// When the memory cannot be had.
pub fn softmax(tensor: &Tensor, dim: i64, dtype: Option<Dtype>) -> Result<Tensor> {
    rows(tensor, dim, dtype, softmax_row)
}

/// `log_softmax`: the logarithm of [`softmax`].
///
/// # Errors
/// As [`softmax`].
pub fn log_softmax(tensor: &Tensor, dim: i64, dtype: Option<Dtype>) -> Result<Tensor> {
    rows(tensor, dim, dtype, log_softmax_row)
}

/// A function of the rows along a dimension, of elements converted to `dtype` first.
fn rows(
    tensor: &Tensor,
    dim: i64,
    dtype: Option<Dtype>,
    row: fn(&[Real], Dtype) -> Vec<Real>,
) -> Result<Tensor> {
    let converted = match dtype {
        Some(dtype) => &to_copy(tensor, dtype)?,
        None => tensor,
    };
    let dim = wrap_dim(dim, tensor.rank())?;
    let out = Tensor::zeros(converted.dtype(), converted.sizes())?;
    let reduced: Vec<bool> = (0..tensor.rank()).map(|other| other == dim).collect();
    let (groups, places) = (Groups::new(converted, &reduced)?, Groups::new(&out, &reduced)?);
    let elements = reals(&groups.ordered, out.dtype());
    let rows = groups.map(&elements, |elements| row(elements, out.dtype()));
    store_reals(&places.ordered, &rows.concat(), out.dtype());
    Ok(out)
}

fn log_softmax_row(row: &[Real], dtype: Dtype) -> Vec<Real> {
    let largest = largest(row);
    let sum: f64 = row.iter().map(|x| libm::exp(x.value - largest)).sum();
    let widest = row.iter().map(|x| x.bound).fold(0.0, f64::max);
    let terms = row.len() as f64;
    let element = |x: &Real| {
        let value = x.value - largest - libm::log(sum);
        // The sum is off in proportion, its logarithm by as much.
        let own = 4.0 * (1.0 + value.abs()) + 2.0 * (largest - x.value) + 0.5 * terms.min(8.0 * terms.sqrt());
        Real::rounded(value, x.bound + widest, own, dtype)
    };
    row.iter().map(element).collect()
}

fn largest(row: &[Real]) -> f64 {
    row.iter().map(|x| x.value).fold(f64::NEG_INFINITY, |a, b| if a.is_nan() || a > b { a } else { b })
}

fn softmax_row(row: &[Real], dtype: Dtype) -> Vec<Real> {
    let largest = largest(row);
    let exponentials: Vec<f64> = row.iter().map(|x| libm::exp(x.value - largest)).collect();
    let sum: f64 = exponentials.iter().sum();
    let widest = row.iter().map(|x| x.bound).fold(0.0, f64::max);
    let terms = row.len() as f64;
    let element = |(x, e): (&Real, f64)| {
        let value = e / sum;
        // A shift of all elements cancels, so the worst is this one up and the others down, or the reverse.
        let shifted = value * libm::expm1(x.bound + widest);
        // exp passes on the rounding of its argument; then the sum, and the division.
        let distance = if value == 0.0 { 0.0 } else { largest - x.value };
        let own = value * (8.0 + distance + 0.5 * terms.min(8.0 * terms.sqrt()));
        Real::rounded(value, shifted, own, dtype)
    };
    row.iter().zip(exponentials).map(element).collect()
}

/// `native_layer_norm`: `(x - mean) * rstd * weight + bias` over the last dimensions, with `rstd = 1 /
/// sqrt(var + eps)`; then the means, and the rstds, whose normalized dimensions are 1.
///
/// # Errors
/// When the memory cannot be had.
pub fn native_layer_norm(
    input: &Tensor,
    normalized_shape: &[i64],
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
) -> Result<[Tensor; 3]> {
    let dtype = input.dtype();
    let statistics = [weight, bias].into_iter().flatten().map(Tensor::dtype).next().unwrap_or(dtype);
    let outer = input.rank() - normalized_shape.len();
    let mut sizes = input.sizes()[..outer].to_vec();
    sizes.resize(input.rank(), 1);
    let out = Tensor::zeros(dtype, input.sizes())?;
    let [means, rstds] = [Tensor::zeros(statistics, &sizes)?, Tensor::zeros(statistics, &sizes)?];

    let reduced: Vec<bool> = (0..input.rank()).map(|dim| dim >= outer).collect();
    let groups = Groups::new(input, &reduced)?;
    let weight = weight.map(|weight| reals(weight, statistics));
    let bias = bias.map(|bias| reals(bias, statistics));
    let elements = reals(&groups.ordered, dtype);
    let mut rows = Vec::new();
    let mut moments = Vec::new();
    for row in groups.map(&elements, |row| Row::new(row, eps, dtype)) {
        for (i, &x) in row.centered.iter().enumerate() {
            let one = Real::exact(1.0);
            let weight = weight.as_ref().map_or(one, |weight| weight[i]);
            let bias = bias.as_ref().map_or(Real::exact(0.0), |bias| bias[i]);
            let result = |v: &[f64]| v[0] * v[1] * v[2] + v[3];
            let operands = [x, row.rstd, weight, bias];
            let value = result(&operands.map(|operand| operand.value));
            let scaled = x.value * row.rstd.value * weight.value;
            let own = 3.0 * scaled.abs() + value.abs();
            rows.push(Real::rounded(value, spread(result, &operands, value), own, dtype));
        }
        moments.push((row.mean, row.rstd));
    }
    store_reals(&out, &rows, dtype);
    let round = |real: &Real| Real::rounded(real.value, real.bound, real.value.abs(), statistics);
    store_reals(&means, &moments.iter().map(|(mean, _)| round(mean)).collect::<Vec<_>>(), statistics);
    store_reals(&rstds, &moments.iter().map(|(_, rstd)| round(rstd)).collect::<Vec<_>>(), statistics);
    Ok([out, means, rstds])
}

/// `layer_norm`: the first result of [`native_layer_norm`].
///
/// # Errors
/// As [`native_layer_norm`].
pub fn layer_norm(
    input: &Tensor,
    normalized_shape: &[i64],
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
) -> Result<Tensor> {
    native_layer_norm(input, normalized_shape, weight, bias, eps).map(|[out, ..]| out)
}

/// The moments of a row, not yet rounded.
struct Row {
    mean: Real,
    rstd: Real,
    centered: Vec<Real>,
}

impl Row {
    fn new(row: &[Real], eps: f64, dtype: Dtype) -> Row {
        let count = row.len() as f64;
        if row.is_empty() {
            return Row { mean: Real::exact(0.0), rstd: Real::exact(f64::NAN), centered: Vec::new() };
        }
        let mut sum = Accumulator::default();
        row.iter().for_each(|&x| sum.add(x));
        let mean = sum.value() / count;
        let mean_bound =
            (sum.spread() + dtype.epsilon() * sum.own(dtype)) / count + dtype.epsilon() * mean.abs();
        let center = |x: &Real| {
            let value = x.value - mean;
            Real { value, bound: x.bound + mean_bound + dtype.epsilon() * value.abs() }
        };
        let centered: Vec<Real> = row.iter().map(center).collect();
        let mut squares = Accumulator::default();
        centered.iter().for_each(|&x| squares.add_product(x, x));
        let variance = squares.value() / count;
        let variance_bound = (squares.spread() + dtype.epsilon() * squares.own(dtype)) / count;
        // A variance is never negative, however far it is off.
        let root = |v: &[f64]| 1.0 / (if v[0] < 0.0 { 0.0 } else { v[0] } + eps).sqrt();
        let operand = Real { value: variance, bound: variance_bound };
        let value = root(&[variance]);
        let bound = spread(root, &[operand], value) + 4.0 * dtype.epsilon() * value;
        Row { mean: Real { value: mean, bound: mean_bound }, rstd: Real { value, bound }, centered }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_tensor::Scalar;

    #[track_caller]
    fn near(tensor: &Tensor, expected: &[f64]) {
        for (element, expected) in tensor.to_vec().iter().zip(expected) {
            assert!((element.to_f64() - expected).abs() < 1e-6, "{element} is not {expected}");
        }
    }

    fn iota() -> Tensor {
        Tensor::from_elements(Dtype::F32, &[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap()
    }

    /// Expected values are eager's.
    #[test]
    fn rows_become_distributions() {
        near(&softmax(&iota(), 1, None).unwrap(), &[0.09003057, 0.24472848, 0.66524094, 0.09003057]);
        let columns = softmax(&iota(), 0, None).unwrap();
        near(&columns, &[0.04742587, 0.04742587, 0.04742587, 0.95257413]);
        let infinite = Tensor::from_elements(Dtype::F32, &[2], &[f64::NEG_INFINITY; 2]).unwrap();
        assert!(softmax(&infinite, 0, None).unwrap().to_vec()[0].to_f64().is_nan());
    }

    /// Expected values are eager's.
    #[test]
    fn rows_are_normalized() {
        let [out, mean, rstd] = native_layer_norm(&iota(), &[3], None, None, 1e-5).unwrap();
        near(&out, &[-1.2247356, 0.0, 1.2247356, -1.2247356, 0.0, 1.2247356]);
        assert_eq!(mean.to_vec(), [1.0, 4.0].map(Scalar::Float));
        near(&rstd, &[1.2247356, 1.2247356]);
        assert_eq!((mean.sizes(), rstd.sizes()), (&[2, 1][..], &[2, 1][..]));
        let nan = Tensor::from_elements(Dtype::F32, &[1, 2], &[f64::NAN, 1.0]).unwrap();
        assert!(native_layer_norm(&nan, &[2], None, None, 1e-5).unwrap()[2].to_vec()[0].to_f64().is_nan());
    }
}
