//! Tensors out of nothing.

use super::{copy::fill_, error::Result, reshaping::Format};
use terrace_tensor::{Dtype, Scalar, Tensor};

/// `zeros`, `ones`, `full`: new memory, all elements one value.
///
/// # Errors
/// When a size is negative or the value is beyond the range of the dtype.
pub fn full(sizes: &[i64], value: Scalar, dtype: Dtype) -> Result<Tensor> {
    let tensor = Tensor::zeros(dtype, sizes)?;
    fill_(&tensor, value.into())
}

/// `scalar_tensor`: a number as a tensor without dimensions, f32 unless another dtype is asked for.
///
/// # Errors
/// When the value is beyond the range of the dtype.
pub fn scalar_tensor(value: Scalar, dtype: Option<Dtype>) -> Result<Tensor> {
    full(&[], value, dtype.unwrap_or(Dtype::F32))
}

/// `arange`: `start`, `start + step`, ... up to but without `end`; i64 when all three are integers, else f32,
/// unless another dtype is asked for.
///
/// # Errors
/// When the memory cannot be had.
pub fn arange(start: Scalar, end: Scalar, step: Scalar, dtype: Option<Dtype>) -> Result<Tensor> {
    let is_integer = |number: &Scalar| matches!(number, Scalar::Int(_) | Scalar::Bool(_));
    let integers = [start, end, step].iter().all(is_integer);
    let dtype = dtype.unwrap_or(if integers { Dtype::I64 } else { Dtype::F32 });
    let count = if dtype.is_integer() && integers {
        let (span, by) = (i128::from(end.to_i64()) - i128::from(start.to_i64()), i128::from(step.to_i64()));
        span.unsigned_abs().div_ceil(by.unsigned_abs()) as i64
    } else {
        ((end.to_f64() - start.to_f64()) / step.to_f64()).ceil() as i64
    };
    sequence(start, step, count, dtype)
}

/// `count` elements: `start + i * step`.
///
/// # Errors
/// When the memory cannot be had.
pub fn sequence(start: Scalar, step: Scalar, count: i64, dtype: Dtype) -> Result<Tensor> {
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

/// `empty`, `empty_strided` and their like: elements are not defined, and zero here.
///
/// # Errors
/// When the memory cannot be had.
pub fn empty_strided(sizes: &[i64], strides: &[i64], dtype: Dtype) -> Result<Tensor> {
    Ok(Tensor::zeros_strided(dtype, sizes, strides)?)
}

/// `zeros_like` and its kin: filled with a number, with the sizes of another tensor, in a memory format.
///
/// # Errors
/// When the value is beyond the range of the dtype, or tensors of this rank do not have the format.
pub fn like(tensor: &Tensor, value: Scalar, dtype: Dtype, format: Format) -> Result<Tensor> {
    let out = Tensor::zeros_strided(dtype, tensor.sizes(), &format.of_copy(tensor))?;
    fill_(&out, value.into())
}

/// `empty_permuted`: without gaps, dimension `order[0]` outermost.
///
/// # Errors
/// When the memory cannot be had.
pub fn empty_permuted(sizes: &[i64], order: &[i64], dtype: Dtype) -> Result<Tensor> {
    let (mut strides, mut next) = (vec![0; sizes.len()], 1i64);
    for &dim in order.iter().rev() {
        strides[dim as usize] = next;
        next = next.saturating_mul(sizes[dim as usize].max(1));
    }
    empty_strided(sizes, &strides, dtype)
}

/// `eye`: ones on the diagonal.
///
/// # Errors
/// When the memory cannot be had.
pub fn eye(rows: i64, columns: i64, dtype: Dtype) -> Result<Tensor> {
    let out = Tensor::zeros(dtype, &[rows, columns])?;
    for at in 0..rows.min(columns) {
        out.write(at * columns + at, Scalar::Int(1));
    }
    Ok(out)
}

/// `linspace`: `steps` numbers from `start` to `end`, counted from whichever is nearer; with a base its
/// powers.
///
/// # Errors
/// When the number of steps is negative.
pub fn linspace(start: Scalar, end: Scalar, steps: i64, base: Option<f64>, dtype: Dtype) -> Result<Tensor> {
    let out = Tensor::zeros(dtype, &[steps])?;
    // Integers are computed from bounds of their own dtype; one number alone is filled in.
    let bound = |number: Scalar| {
        if dtype.is_integer() && steps > 1 { number.cast(dtype).to_f64() } else { number.to_f64() }
    };
    let (first, last) = (bound(start), bound(end));
    let step = if steps > 1 { (last - first) / (steps - 1) as f64 } else { 0.0 };
    for at in 0..steps {
        let exponent = if at < steps / 2 || steps == 1 {
            first + step * at as f64
        } else {
            last - step * (steps - 1 - at) as f64
        };
        let value = base.map_or(exponent, |base| base.powf(exponent));
        let number = if steps == 1 && base.is_none() { start } else { Scalar::Float(value) };
        out.write(at, number.cast(dtype));
        if dtype.is_float() || dtype.is_complex() {
            let magnitude =
                (first.abs() + last.abs()) * base.map_or(1.0, |base| base.ln().abs() * value.abs());
            out.set_bound(at, dtype.epsilon() * (magnitude * 2.0 + value.abs()));
        }
    }
    Ok(out)
}

/// `tril_indices`, `triu_indices`: rows, then columns, of the elements of a triangle in row-major order.
///
/// # Errors
/// When the memory cannot be had.
pub fn triangle_indices(lower: bool, rows: i64, columns: i64, offset: i64, dtype: Dtype) -> Result<Tensor> {
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let kept = |&(row, column): &(i64, i64)| {
        if lower { column - row <= offset } else { column - row >= offset }
    };
    let places: Vec<(i64, i64)> = all.filter(kept).collect();
    let count = places.len() as i64;
    let out = Tensor::zeros(dtype, &[2, count])?;
    for (at, (row, column)) in places.into_iter().enumerate() {
        out.write(at as i64, Scalar::Int(row));
        out.write(count + at as i64, Scalar::Int(column));
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
