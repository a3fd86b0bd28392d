//! Copies, fills, conversions, and operators that only name a tensor again.

use super::{
    elements,
    error::{Error, Result, ensure},
    overlap,
    pointwise::check_sizes,
    promotion::Operand,
    shape::broadcast_view,
    strides,
};
use terrace_tensor::{Dtype, Scalar, Tensor};

/// `copy_`: replaces the elements of a tensor by those of another, broadcast and converted.
///
/// # Errors
/// When the source does not broadcast to the destination, or the two overlap without being the same view.
pub fn copy_(to: &Tensor, from: &Tensor) -> Result<Tensor> {
    if to.is_same(from) || overlap::is_same_view(to, from) {
        return Ok(to.clone());
    }
    let operands = [to.into(), from.into()];
    overlap::check_memory(to, &operands)?;
    check_sizes(to, &operands)?;
    overlap::check_order(to, &operands)?;
    elements::copy(to, &broadcast_view(from, to.sizes())?);
    Ok(to.clone())
}

/// `fill_`: makes all elements one value. A number may fill repeated elements; a tensor without dimensions is
/// copied.
///
/// # Errors
/// When the number is beyond the range of the dtype, the tensor has dimensions, or it cannot be copied.
pub fn fill_(tensor: &Tensor, value: Operand) -> Result<Tensor> {
    match value {
        Operand::Scalar(number) => {
            // Of half precision the only element is converted without looking at its range.
            let one = tensor.len() == 1 && tensor.dtype().opmath() != tensor.dtype();
            if !one {
                check_representable(number, tensor.dtype())?;
            }
            tensor.offsets().for_each(|at| tensor.write(at, number));
            Ok(tensor.clone())
        }
        Operand::Tensor(value) => {
            ensure!(
                value.rank() == 0,
                "fill_ only supports 0-dimension value tensor but got tensor with {} dimensions.",
                value.rank()
            );
            copy_(tensor, &clone(value)?)
        }
    }
}

/// `zero_`: makes all elements 0.
pub fn zero_(tensor: &Tensor) -> Result<Tensor> {
    fill_(tensor, Scalar::Int(0).into())
}

/// `clone`: a copy on new memory, with the strides of the original where they are dense.
///
/// # Errors
/// When the memory cannot be had.
pub fn clone(tensor: &Tensor) -> Result<Tensor> {
    to_copy(tensor, tensor.dtype())
}

/// `_to_copy`: a copy on new memory, converted to a dtype.
///
/// # Errors
/// When the memory cannot be had.
pub fn to_copy(tensor: &Tensor, dtype: Dtype) -> Result<Tensor> {
    let copy = Tensor::zeros_strided(dtype, tensor.sizes(), &strides::preserved(tensor))?;
    elements::copy(&copy, tensor);
    Ok(copy)
}

/// A tensor whose elements lie row-major in memory from the start of its storage: the same one, or a copy of
/// it.
///
/// # Errors
/// When the memory cannot be had.
pub fn packed(tensor: &Tensor) -> Result<Tensor> {
    let whole = tensor.storage().len() == tensor.len() * tensor.dtype().bytes();
    if tensor.is_contiguous() && tensor.offset() == 0 && whole && tensor.flags() == Default::default() {
        return Ok(tensor.clone());
    }
    let copy = Tensor::zeros(tensor.dtype(), tensor.sizes())?;
    elements::copy(&copy, tensor);
    Ok(copy)
}

/// `alias`, `detach`: another tensor object, the same view.
///
/// # Errors
/// Never; the signature is that of the other views.
pub fn alias(tensor: &Tensor) -> Result<Tensor> {
    Ok(tensor.view(tensor.sizes().to_vec(), tensor.strides().to_vec(), tensor.offset())?)
}

/// Checks that a fill value is within the range of a dtype. Fractions may be lost.
///
/// # Errors
/// When it is beyond.
pub fn check_representable(value: Scalar, dtype: Dtype) -> Result<()> {
    let overflow =
        || Error::new(format!("value cannot be converted to type {} without overflow", c_name(dtype)));
    let (re, im) = value.to_complex();
    if !dtype.is_complex() && dtype != Dtype::Bool && im != 0.0 {
        return Err(overflow());
    }
    let fits = match (dtype.integer_range(), value) {
        _ if dtype == Dtype::Bool => true,
        // A negative integer may wrap to an unsigned one.
        (Some((low, high)), Scalar::Int(value)) => {
            (if low == 0 { -high } else { low }..=high).contains(&value)
        }
        // Up to the next integer, whose fraction is lost; an i64's largest value is itself no float.
        (Some((low, high)), _) => re >= low as f64 && re < high as f64 + 1.0,
        (None, _) => [re, im].iter().all(|part| !part.is_finite() || part.abs() <= largest(dtype)),
    };
    if fits { Ok(()) } else { Err(overflow()) }
}

fn largest(dtype: Dtype) -> f64 {
    match dtype {
        Dtype::F16 => 65504.0,
        Dtype::BF16 => 3.389_531_389_251_535_5e38,
        Dtype::F32 | Dtype::C64 => f64::from(f32::MAX),
        _ => f64::MAX,
    }
}

fn c_name(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::Bool => "bool",
        Dtype::U8 => "uint8_t",
        Dtype::I8 => "int8_t",
        Dtype::I16 => "int16_t",
        Dtype::I32 => "int",
        Dtype::I64 => "int64_t",
        Dtype::F16 => "c10::Half",
        Dtype::BF16 => "c10::BFloat16",
        Dtype::F32 => "float",
        Dtype::F64 => "double",
        Dtype::C64 => "c10::complex<float>",
        Dtype::C128 => "c10::complex<double>",
    }
}
