//! Elements kept between bounds that are numbers.

use super::{
    copy::{check_representable, clone, to_copy},
    error::{Error, Result},
    pointwise::{apply, apply_in_place},
    promotion::{Operand, result_dtype},
    scalar_table::{CLAMP, CLAMP_MAX, CLAMP_MIN, Pointwise},
};
use terrace_tensor::{Dtype, Scalar, Tensor};

/// The row for the bounds that are there, and its parameters: numbers of a dtype.
fn bounds(
    min: Option<Scalar>,
    max: Option<Scalar>,
    dtype: Dtype,
) -> Result<(&'static Pointwise, Vec<Scalar>)> {
    let row = match (min, max) {
        (Some(_), Some(_)) => &CLAMP,
        (Some(_), None) => &CLAMP_MIN,
        (None, _) => &CLAMP_MAX,
    };
    let number = |(bound, name): (Option<Scalar>, &str)| {
        let bound = bound?;
        let Some((low, high)) = dtype.integer_range() else {
            return Some(Ok(bound));
        };
        // Beyond the far end it keeps nothing out; beyond the near one nothing is left.
        let value = bound.to_i64();
        Some(match if name == "min" { value > high } else { value < low } {
            true => Err(Error::new(format!(
                "Clamp {name} value {value} is outside the representable range of {}",
                dtype.aten_name()
            ))),
            false => Ok(Scalar::Int(value.clamp(low, high))),
        })
    };
    let numbers = [(min, "min"), (max, "max")].into_iter().filter_map(number).collect::<Result<_>>()?;
    Ok((row, numbers))
}

/// `clamp` by numbers, which make floats of integers where they are floats.
///
/// # Errors
/// When a number is beyond the range of the dtype.
pub fn clamp(tensor: &Tensor, min: Option<Scalar>, max: Option<Scalar>) -> Result<Tensor> {
    let dtype = promoted(tensor, min, max);
    let (row, numbers) = bounds(min, max, dtype)?;
    let converted = if dtype == tensor.dtype() { tensor.clone() } else { to_copy(tensor, dtype)? };
    apply(row, &[Operand::Tensor(&converted)], &numbers)
}

/// [`clamp`] in place.
///
/// # Errors
/// As [`clamp`], and when numbers would change the dtype.
pub fn clamp_(written: &Tensor, min: Option<Scalar>, max: Option<Scalar>) -> Result<Tensor> {
    let (row, numbers) = bounds(min, max, written.dtype())?;
    apply_in_place(row, written, &[], &numbers)
}

fn promoted(tensor: &Tensor, min: Option<Scalar>, max: Option<Scalar>) -> Dtype {
    if tensor.dtype().is_float() {
        return tensor.dtype();
    }
    let numbers = [min, max].into_iter().flatten().map(Operand::Scalar);
    result_dtype(&std::iter::once(Operand::Tensor(tensor)).chain(numbers).collect::<Vec<_>>())
}

/// `hardtanh`, in place with `writes`, else on a copy: [`clamp_`], by numbers rounded towards zero where the
/// tensor is one of integers.
///
/// # Errors
/// As [`clamp`].
pub fn hardtanh(tensor: &Tensor, min: Scalar, max: Scalar, writes: bool) -> Result<Tensor> {
    let whole = |number: Scalar| -> Result<Scalar> {
        if tensor.dtype().is_float() {
            return Ok(number);
        }
        check_representable(number, Dtype::I64)?;
        Ok(Scalar::Int(number.to_i64()))
    };
    let (min, max) = (Some(whole(min)?), Some(whole(max)?));
    if writes { clamp_(tensor, min, max) } else { clamp_(&clone(tensor)?, min, max) }
}
