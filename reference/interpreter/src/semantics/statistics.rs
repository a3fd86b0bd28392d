//! Variances, the logarithm of a sum of exponentials, norms. Results are row-major.

use super::{
    complex::complex,
    copy::to_copy,
    elements::{Elements, complexes, store},
    error::Result,
    parts, pointwise,
    promotion::{Operand, float_dtype},
    real::Real,
    reduction::{Groups, all_if_empty, mean, reduce, total},
    scalar_table,
};
use terrace_tensor::{Dtype, Scalar, Tensor};

/// What `var`, `std` and `var_mean` share: squared distances from the mean, summed, over their number less
/// `correction`.
///
/// # Errors
/// When the memory cannot be had.
pub fn variance(
    tensor: &Tensor,
    dims: Option<&[i64]>,
    correction: Scalar,
    keepdim: bool,
    root: bool,
) -> Result<Tensor> {
    let dtype = tensor.dtype();
    if dtype.is_complex() {
        // The variances of the parts, together.
        let part = |part: &Tensor| variance(part, dims, correction, keepdim, false);
        let both = [part(&parts::real(tensor)?)?, part(&parts::imag(tensor)?)?];
        let both: Vec<Operand> = both.iter().map(Operand::Tensor).collect();
        let sum = pointwise::apply(&scalar_table::ADD, &both, &[Scalar::Int(1)])?;
        return if root {
            pointwise::apply(&scalar_table::SQRT, &[Operand::Tensor(&sum)], &[])
        } else {
            Ok(sum)
        };
    }
    let real = |group: &[Real]| {
        let count = group.len() as f64;
        let mean = total(group).value() / count;
        let divisor = (count - correction.to_f64()).max(0.0);
        let squares: f64 = group.iter().map(|x| (x.value - mean).powi(2)).sum();
        let spread: f64 =
            group.iter().map(|x| 2.0 * (x.value - mean).abs() * x.bound + x.bound.powi(2)).sum();
        let value = if group.is_empty() { f64::NAN } else { squares / divisor };
        let units = 4.0 + 0.5 * count.min(8.0 * count.sqrt());
        // The mean is rounded before it is taken off.
        let own = units * (value + dtype.epsilon() * mean.abs() * mean.abs());
        if !root {
            return Real::rounded(value, spread / divisor, own, dtype);
        }
        // The root of what the variance may be at most, and at least: near 0 it is off by more than by its
        // slope.
        let (root, spread) = (value.sqrt(), spread / divisor);
        if !root.is_finite() {
            return Real::rounded(root, spread, root, dtype);
        }
        let off = spread + dtype.epsilon() * own;
        let most = ((value + off).sqrt() - root).max(root - (value - off).max(0.0).sqrt());
        Real::rounded(root, most, root, dtype)
    };
    let int = |_: &[i64]| unreachable!("a variance is a float");
    reduce(tensor, &all_if_empty(dims, tensor)?, keepdim, dtype, dtype, "var", real, int)
}

/// `var_mean`: the variance and the mean.
///
/// # Errors
/// As [`variance`].
pub fn var_mean(
    tensor: &Tensor,
    dims: Option<&[i64]>,
    correction: Scalar,
    keepdim: bool,
) -> Result<[Tensor; 2]> {
    Ok([variance(tensor, dims, correction, keepdim, false)?, mean(tensor, dims, keepdim, None)?])
}

/// `logsumexp`: `log(sum(exp(x)))`; of integers in the default float.
///
/// # Errors
/// When the memory cannot be had.
pub fn logsumexp(tensor: &Tensor, dims: &[i64], keepdim: bool) -> Result<Tensor> {
    let dtype = float_dtype(tensor.dtype());
    if dtype.is_complex() {
        return complex_logsumexp(tensor, dims, keepdim);
    }
    let real = |group: &[Real]| {
        let largest = group.iter().map(|x| x.value).fold(f64::NEG_INFINITY, f64::max);
        let shift = if largest.is_finite() { largest } else { 0.0 };
        let sum: f64 = group.iter().map(|x| libm::exp(x.value - shift)).sum();
        let value = shift + libm::log(sum);
        let widest = group.iter().map(|x| x.bound).fold(0.0, f64::max);
        let count = group.len() as f64;
        let own = 4.0 * (1.0 + value.abs()) + shift.abs() + 0.5 * count.min(8.0 * count.sqrt());
        Real::rounded(value, widest, own, dtype)
    };
    let int = |_: &[i64]| unreachable!("a logarithm is a float");
    reduce(tensor, &all_if_empty(Some(dims), tensor)?, keepdim, dtype, dtype, "logsumexp", real, int)
}

fn complex_logsumexp(tensor: &Tensor, dims: &[i64], keepdim: bool) -> Result<Tensor> {
    let dtype = tensor.dtype();
    let groups = Groups::new(tensor, &all_if_empty(Some(dims), tensor)?)?;
    let of = |group: &[[Real; 2]]| {
        let largest = group.iter().map(|[re, _]| re.value).fold(f64::NEG_INFINITY, f64::max);
        let shift = complex(if largest.is_finite() { largest } else { 0.0 }, 0.0);
        let terms = group.iter().map(|[re, im]| (complex(re.value, im.value) - shift).exp());
        let sum = terms.fold(complex(0.0, 0.0), |a, b| a + b);
        let value = shift + sum.log();
        let widest = group.iter().map(|[re, im]| re.bound.max(im.bound)).fold(0.0, f64::max);
        // Where terms cancel, so does what is right of them.
        let magnitude = (1.0 + shift.re.abs()) * group.len() as f64 / sum.abs().min(1.0);
        [value.re, value.im]
            .map(|part| Real::rounded(part, widest / sum.abs(), 8.0 * magnitude, dtype.part()))
    };
    let out = Tensor::zeros(dtype, &groups.sizes(tensor, keepdim))?;
    store(&out, &Elements::Complex(groups.map(&complexes(&groups.ordered, dtype), of)), dtype);
    Ok(out)
}

/// `linalg_vector_norm`: the root of the sum of powers; the extreme magnitude for an infinite `ord`, how many
/// elements are not zero for 0.
///
/// # Errors
/// When the memory cannot be had.
pub fn vector_norm(
    tensor: &Tensor,
    ord: Scalar,
    dims: Option<&[i64]>,
    keepdim: bool,
    dtype: Option<Dtype>,
) -> Result<Tensor> {
    let (ord, dtype) = (ord.to_f64(), dtype.unwrap_or(tensor.dtype()).part());
    if tensor.dtype().is_complex() {
        let wide = if dtype == Dtype::F64 { Dtype::C128 } else { Dtype::C64 };
        let moduli = pointwise::apply(&scalar_table::ABS, &[Operand::Tensor(&to_copy(tensor, wide)?)], &[])?;
        return vector_norm(&moduli, Scalar::Float(ord), dims, keepdim, Some(dtype));
    }
    let real = |group: &[Real]| {
        let magnitudes = || group.iter().map(|x| x.value.abs());
        let bound = group.iter().map(|x| x.bound).fold(0.0, f64::max);
        let extreme = |before: fn(f64, f64) -> bool| {
            let found = magnitudes().reduce(|a, b| if a.is_nan() || before(a, b) { a } else { b });
            Real { value: found.unwrap_or(0.0), bound }
        };
        if ord == f64::INFINITY {
            return extreme(|a, b| a > b);
        }
        if ord == f64::NEG_INFINITY {
            return extreme(|a, b| a < b);
        }
        if ord == 0.0 {
            return Real::exact(magnitudes().filter(|x| *x != 0.0).count() as f64);
        }
        // What f32 has no number for, neither has eager: it sums powers in f32, but those of f64.
        let held = |x: f64| if dtype == Dtype::F64 { x } else { f64::from(x as f32) };
        let sum: f64 = magnitudes().map(|x| held(libm::pow(x, ord))).sum();
        let value = libm::pow(held(sum), 1.0 / ord);
        let count = group.len() as f64;
        let own = value * (8.0 + ord.abs() + 0.5 * count.min(8.0 * count.sqrt()));
        // A norm moves by no more than its vector does, as far as it is one.
        let spread =
            if bound == 0.0 { 0.0 } else { group.iter().map(|x| x.bound).sum::<f64>() * count.max(1.0) };
        Real::rounded(value, spread, own, dtype)
    };
    let int = |_: &[i64]| unreachable!("a norm is a float");
    reduce(tensor, &all_if_empty(dims, tensor)?, keepdim, dtype, dtype, "norm", real, int)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(result: Result<Tensor>, expected: &[f64]) {
        let values: Vec<f64> = result.unwrap().to_vec().iter().map(|scalar| scalar.to_f64()).collect();
        let close =
            |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-6 * b.abs() || a == b || (a.is_nan() && b.is_nan());
        assert!(values.iter().zip(expected).all(close), "{values:?} {expected:?}");
    }

    #[test]
    fn statistics_of_rows() {
        let x = Tensor::from_elements(Dtype::F32, &[2, 2], &[1.0, 3.0, -2.0, 2.0]).unwrap();
        is(variance(&x, Some(&[1]), Scalar::Int(1), false, false), &[2.0, 8.0]);
        is(variance(&x, Some(&[1]), Scalar::Int(2), false, true), &[f64::INFINITY; 2]);
        is(logsumexp(&x, &[0], true), &[3f64.exp().ln_1p() - 2.0, (3f64.exp() + 2f64.exp()).ln()]);
        is(vector_norm(&x, Scalar::Int(2), None, false, None), &[18f64.sqrt()]);
        is(vector_norm(&x, Scalar::Float(f64::NEG_INFINITY), Some(&[1]), false, None), &[1.0, 2.0]);
        is(vector_norm(&x, Scalar::Int(0), Some(&[0]), false, None), &[2.0, 2.0]);
    }
}
