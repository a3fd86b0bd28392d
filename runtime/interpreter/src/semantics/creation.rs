//! Tensors out of nothing.

use terrace_tensor::layout::contiguous_strides;
use terrace_tensor::{DType, Scalar, Tensor};

use super::copy::fill_;
use super::error::{Error, Result, ensure};
use super::strides;

/// `zeros`, `ones`, `full`: new memory, all elements one value.
///
/// # Errors
/// When a size is negative or the value is beyond the range of the dtype.
pub fn full(sizes: &[i64], value: Scalar, dtype: DType) -> Result<Tensor> {
    let tensor = Tensor::zeros(dtype, sizes)?;
    fill_(&tensor, value.into())
}

/// `full_like`: as [`full`], with the sizes of another tensor and its strides where they are dense.
///
/// # Errors
/// When the value is beyond the range of the dtype.
pub fn full_like(tensor: &Tensor, value: Scalar, dtype: Option<DType>) -> Result<Tensor> {
    let dtype = dtype.unwrap_or(tensor.dtype());
    let out = Tensor::zeros_strided(dtype, tensor.sizes(), &strides::preserved(tensor))?;
    fill_(&out, value.into())
}

/// Zeros with the strides of a pointwise result on `like`, or of a copy of the only one that preserves its format.
///
/// # Errors
/// Too many elements.
pub fn new_storage(sizes: &[i64], like: &[&Tensor], dtype: DType, preserve: bool) -> Result<Tensor> {
    let strides = match like {
        [] => contiguous_strides(sizes),
        [one] if preserve => strides::preserved(one),
        _ => strides::pointwise(sizes, &like.iter().map(|t| strides::Layout::of(t)).collect::<Vec<_>>()),
    };
    Ok(Tensor::zeros_strided(dtype, sizes, &strides)?)
}

/// `scalar_tensor`: a number as a tensor without dimensions, f32 unless another dtype is asked for.
///
/// # Errors
/// When the value is beyond the range of the dtype.
pub fn scalar_tensor(value: Scalar, dtype: Option<DType>) -> Result<Tensor> {
    full(&[], value, dtype.unwrap_or(DType::F32))
}

/// `arange`: `start`, `start + step`, ... up to but without `end`; i64 when all three are integers, else f32, unless
/// another dtype is asked for.
///
/// # Errors
/// When the range is not finite, the step is 0 or leads away from the end.
pub fn arange(start: Scalar, end: Scalar, step: Scalar, dtype: Option<DType>) -> Result<Tensor> {
    let is_integer = |number: &Scalar| matches!(number, Scalar::Int(_) | Scalar::Bool(_));
    let integers = [start, end, step].iter().all(is_integer);
    let dtype = dtype.unwrap_or(if integers { DType::I64 } else { DType::F32 });
    let count = if dtype.is_integer() && integers {
        count_integers(start.to_i64(), end.to_i64(), step.to_i64())?
    } else {
        count_floats(start, end, step)?
    };
    let count = i64::try_from(count).map_err(|_| Error::new("invalid size, possible overflow?"))?;
    if dtype == DType::Bool || dtype.is_complex() {
        return Err(Error::not_implemented("arange_cpu", dtype));
    }
    sequence(start, step, count, dtype)
}

/// `count` elements: `start + i * step`.
///
/// # Errors
/// When the count is negative.
pub fn sequence(start: Scalar, step: Scalar, count: i64, dtype: DType) -> Result<Tensor> {
    let out = Tensor::zeros(dtype, &[count])?;
    for at in 0..count {
        let value = if dtype.is_integer() {
            Scalar::Int(start.to_i64().wrapping_add(step.to_i64().wrapping_mul(at)))
        } else {
            Scalar::Float(start.to_f64() + step.to_f64() * at as f64)
        };
        out.write(at, value);
    }
    if !dtype.is_integer() {
        set_bounds(&out, start.to_f64(), step.to_f64());
    }
    Ok(out)
}

/// An implementation may multiply and add in the dtype itself.
fn set_bounds(out: &Tensor, start: f64, step: f64) {
    let dtype = out.dtype();
    let integral = start.fract() == 0.0 && step.fract() == 0.0;
    for at in 0..out.len() as i64 {
        let magnitude = start.abs() + (step * at as f64).abs();
        if !(integral && magnitude <= 1.0 / dtype.epsilon()) {
            out.set_bound(at, dtype.epsilon() * magnitude);
        }
    }
}

fn count_integers(start: i64, end: i64, step: i64) -> Result<i128> {
    ensure!(step != 0, "step must be nonzero");
    ensure!(
        (step > 0 && end >= start) || (step < 0 && end <= start),
        "upper bound and lower bound inconsistent with step sign"
    );
    let (span, step) = (i128::from(end) - i128::from(start), i128::from(step));
    Ok(span.unsigned_abs().div_ceil(step.unsigned_abs()) as i128)
}

fn count_floats(start: Scalar, end: Scalar, step: Scalar) -> Result<i128> {
    let (first, last, by) = (start.to_f64(), end.to_f64(), step.to_f64());
    ensure!(by != 0.0, "step must be nonzero");
    ensure!(first.is_finite() && last.is_finite(), "unsupported range: {} -> {}", number(start), number(end));
    ensure!(
        (by > 0.0 && last >= first) || (by < 0.0 && last <= first),
        "upper bound and lower bound inconsistent with step sign"
    );
    Ok(((last - first) / by).ceil() as i128)
}

fn number(value: Scalar) -> String {
    match value {
        Scalar::Float(value) if value.is_nan() => "nan".to_owned(),
        Scalar::Float(value) => format!("{value}"),
        other => other.to_string(),
    }
}
