//! Functions of elements that take more than a row: numbers worked out first, operands converted or halved.

use super::{
    copy::{clone, fill_, to_copy},
    elements,
    error::{Error, Result, ensure},
    pointwise::{apply, call},
    promotion::{Operand, float_dtype, result_dtype},
    scalar_table as rows,
    shape::wrap_dim,
    strides,
    views::narrow,
};
use terrace_tensor::{Dtype, Scalar, Tensor, Value, layout::contiguous_strides};

/// The elements of a tensor row-major in memory: the tensor itself where they are.
///
/// # Errors
/// When the memory cannot be had.
pub fn row_major(tensor: Tensor) -> Result<Tensor> {
    if tensor.strides() == contiguous_strides(tensor.sizes()) {
        return Ok(tensor);
    }
    let out = Tensor::zeros(tensor.dtype(), tensor.sizes())?;
    elements::copy(&out, &tensor);
    Ok(out)
}

/// `pow`. Powers of a number are row-major.
///
/// # Errors
/// When an integer's exponent is negative, or there is no kernel for the dtype.
pub fn pow(base: Operand, exponent: Operand, in_place: bool) -> Result<Tensor> {
    let row = if exponent.tensor().is_some() { &rows::POW_OF_TENSORS } else { &rows::POW };
    let power = call(row, &[base, exponent], &[], in_place)?;
    if base.tensor().is_none() { row_major(power) } else { Ok(power) }
}

/// `angle`; of complex numbers row-major.
///
/// # Errors
/// When there is no kernel for the dtype.
pub fn angle(tensor: &Tensor) -> Result<Tensor> {
    let angle = call(&rows::ANGLE, &[Operand::Tensor(tensor)], &[], false)?;
    if tensor.dtype().is_complex() { row_major(angle) } else { Ok(angle) }
}

/// `float_power`: powers in f64, or c128.
///
/// # Errors
/// As [`pow`].
pub fn float_power(base: Operand, exponent: Operand, in_place: bool) -> Result<Tensor> {
    let dtype = if result_dtype(&[base, exponent]).is_complex() { Dtype::C128 } else { Dtype::F64 };
    let wide = |operand: Operand| -> Result<Value> {
        Ok(match operand {
            Operand::Tensor(tensor) if tensor.dtype() == dtype => tensor.clone().into(),
            Operand::Tensor(tensor) => to_copy(tensor, dtype)?.into(),
            Operand::Scalar(number) => number.cast(dtype).into(),
        })
    };
    let (base, exponent) = (wide(base)?, wide(exponent)?);
    pow((&base).into(), (&exponent).into(), in_place)
}

/// `nextafter`.
///
/// # Errors
/// When operands do not broadcast, or the dtype has no fractions.
pub fn nextafter(a: Operand, b: Operand, in_place: bool) -> Result<Tensor> {
    call(rows::nextafter(result_dtype(&[a, b])), &[a, b], &[], in_place)
}

/// `logit`, of what lies between `eps` and one less it; a negative number is none.
///
/// # Errors
/// When the result cannot be stored.
pub fn logit(x: Operand, eps: Option<f64>, in_place: bool) -> Result<Tensor> {
    let dtype = float_dtype(x.dtype()).opmath();
    let bounds = match eps.filter(|eps| *eps >= 0.0) {
        // The upper bound is rounded as a difference of numbers of the dtype.
        Some(eps) => [dtype.round(eps), 1.0 - dtype.round(eps)],
        None => [f64::NEG_INFINITY, f64::INFINITY],
    };
    call(&rows::LOGIT, &[x], &bounds.map(Scalar::Float), in_place)
}

/// `nan_to_num`: by default 0 for nan, and the largest numbers for infinities.
///
/// # Errors
/// When the memory cannot be had.
pub fn nan_to_num(x: Operand, numbers: [Option<f64>; 3], in_place: bool) -> Result<Tensor> {
    let dtype = x.dtype();
    let largest = |dtype: Dtype| match dtype {
        Dtype::F16 => 65504.0,
        Dtype::BF16 => 3.389_531_389_251_535_5e38,
        Dtype::F32 => f64::from(f32::MAX),
        _ => f64::MAX,
    };
    let part = dtype.part();
    let numbers = match part.is_float() {
        true => {
            let defaults = [0.0, largest(part), -largest(part)];
            // Out of range they are infinite.
            [0, 1, 2].map(|i| part.round(numbers[i].unwrap_or(defaults[i])))
        }
        false => [0.0; 3],
    };
    let numbers = numbers.map(Scalar::Float);
    if in_place && !part.is_float() {
        // Integers are copied onto themselves.
        return Ok(x.tensor().ok_or_else(|| Error::new("a number cannot be written"))?.clone());
    }
    laid_out_like(x, in_place, |in_place| call(&rows::NAN_TO_NUM, &[x], &numbers, in_place))
}

/// `deg2rad` and `rad2deg`: self times a number.
///
/// # Errors
/// When the result cannot be stored.
pub fn scaled(x: Operand, factor: f64, in_place: bool) -> Result<Tensor> {
    let operands = [x, Scalar::Float(factor).into()];
    laid_out_like(x, in_place, |in_place| call(&rows::MUL, &operands, &[], in_place))
}

/// What is computed, with the strides of an empty tensor like the operand, which eager makes first.
fn laid_out_like(x: Operand, in_place: bool, compute: impl Fn(bool) -> Result<Tensor>) -> Result<Tensor> {
    let computed = compute(in_place)?;
    let Some(like) = x.tensor().filter(|_| !in_place) else { return Ok(computed) };
    let out = Tensor::zeros_strided(computed.dtype(), like.sizes(), &strides::preserved(like))?;
    elements::copy(&out, &computed);
    Ok(out)
}

/// `celu`: elu whose exponent is divided by alpha.
///
/// # Errors
/// When alpha is 0.
pub fn celu(x: Operand, alpha: Scalar, in_place: bool) -> Result<Tensor> {
    let alpha = alpha.to_f64();
    ensure!(alpha != 0.0, "ZeroDivisionError: alpha cannot be 0 for CELU");
    call(&rows::ELU, &[x], &[alpha, 1.0, 1.0 / alpha].map(Scalar::Float), in_place)
}

/// `selu`: elu with the two numbers that keep mean and variance.
///
/// # Errors
/// When the tensor is written and overlaps itself.
pub fn selu(x: Operand, in_place: bool) -> Result<Tensor> {
    let numbers = [1.673_263_242_354_377_2, 1.050_700_987_355_480_5, 1.0];
    call(&rows::ELU, &[x], &numbers.map(Scalar::Float), in_place)
}

/// `prelu`: a weight for each index of dimension 1, or one for all.
///
/// # Errors
/// When the two do not broadcast.
pub fn prelu(x: &Tensor, weight: &Tensor) -> Result<Tensor> {
    let mut sizes = vec![1; x.rank()];
    if x.rank() > 1 {
        sizes[1] = weight.len() as i64;
    }
    let (mut strides, step) = (vec![0; x.rank()], weight.strides().first().copied().unwrap_or_default());
    if x.rank() > 1 {
        strides[1] = step;
    }
    prelu_kernel(x, &weight.view(sizes, strides, weight.offset())?)
}

/// `_prelu_kernel`: the result is laid out like self.
///
/// # Errors
/// When the two do not broadcast.
pub fn prelu_kernel(x: &Tensor, weight: &Tensor) -> Result<Tensor> {
    let out = clone(x)?;
    let weight = super::shape::broadcast_view(weight, x.sizes())?;
    call(&rows::PRELU, &[Operand::Tensor(&out), Operand::Tensor(&weight)], &[], true)
}

/// `glu`: one half of a dimension times the logistic function of the other.
///
/// # Errors
/// When the dimension has no halves.
pub fn glu(x: &Tensor, dim: i64) -> Result<Tensor> {
    let at = wrap_dim(dim, x.rank())?;
    let half = x.sizes()[at] / 2;
    let (first, second) = (narrow(x, dim, 0, half)?, narrow(x, dim, half, half)?);
    apply(&rows::GLU, &[Operand::Tensor(&first), Operand::Tensor(&second)], &[])
}

/// `log_sigmoid_forward`: the logarithms, and exponentials that the gradient uses; both row-major.
///
/// # Errors
/// When the memory cannot be had.
pub fn log_sigmoid(x: &Tensor) -> Result<Vec<Tensor>> {
    let of = |row| row_major(apply(row, &[Operand::Tensor(x)], &[])?);
    Ok(vec![of(&rows::LOG_SIGMOID)?, of(&rows::SMALL_EXP)?])
}

/// `fill`: a tensor laid out like another, of one value.
///
/// # Errors
/// As [`fill_`].
pub fn fill(x: &Tensor, value: Operand) -> Result<Tensor> {
    fill_(&clone(x)?, value)
}

/// `fill_diagonal_`: the diagonal of a matrix or a cube; with `wrap` that of each square of rows that a tall
/// matrix has, a row between two of them.
///
/// # Errors
/// When strides lead beyond the storage, or the number is beyond the range of the dtype.
pub fn fill_diagonal_(x: &Tensor, value: Operand, wrap: bool) -> Result<Tensor> {
    let length = x.sizes().iter().copied().min().unwrap_or_default();
    let step = x.strides().iter().sum();
    fill_(&x.view(vec![length], vec![step], x.offset())?, value)?;
    let (height, width) = (x.sizes()[0], x.sizes()[1]);
    if wrap && x.rank() == 2 && height > width + 1 {
        let count = (height * width + width) / (width + 1) - length;
        let offset = x.offset() + x.strides()[0] * (width + 1);
        fill_(&x.view(vec![count], vec![step], offset)?, value)?;
    }
    Ok(x.clone())
}
