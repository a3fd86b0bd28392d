//! Complex numbers: what takes them, their parts, and other element types over one storage.

use super::{
    Size, TensorType, Types, broadcast, not_implemented, one,
    pointwise::{HALF_COMPLEX, join, kernel, result},
    views::shaped,
};
use crate::ir::{
    args::Args,
    attributes as convert,
    dtype::{Dtype, ElementType, Operand, promote},
};
use melior::ir::ValueLike;
use terrace_size::Number;

/// The dtype that the operands come to, where a complex number is among them.
pub(super) fn complex_dtype(args: &Args) -> Option<Dtype> {
    let types: Vec<_> =
        args.all().iter().map(|v| v.r#type()).map(|ty| (TensorType::of_type(ty), Dtype::of(ty))).collect();
    let operands: Vec<_> = types
        .iter()
        .filter_map(|(tensor, number)| match tensor {
            Some(tensor) if tensor.rank() == 0 => Some(Operand::ZeroDim(tensor.dtype)),
            Some(tensor) => Some(Operand::Dimensioned(tensor.dtype)),
            None => number.map(|n| Operand::Number(n.category())),
        })
        .collect();
    Some(promote(&operands)).filter(|dtype| dtype.is_complex())
}

fn has_complex_tensor(args: &Args) -> bool {
    args.all().iter().filter_map(|v| args.tensor_of(*v)).any(|tensor| tensor.dtype.is_complex())
}

/// Refuses complex operands of operators that look at them before anything else, in eager's words.
///
/// # Errors
/// Where there is such an operand.
pub fn looks_for_complex(args: &Args) -> Result<(), String> {
    let Some(dtype) = complex_dtype(args) else { return Ok(()) };
    match args.operator() {
        "clamp_max" | "clamp_min" if !bounded_by_tensor(args) => {
            Err("clamp is not supported for complex types".into())
        }
        _ if !has_complex_tensor(args) => Ok(()),
        "threshold" => Err(not_implemented("threshold_cpu", dtype)),
        _ => match args.class().complex_refusal {
            "" => Ok(()),
            refusal => Err(refusal.into()),
        },
    }
}

/// Refuses complex operands of operators that have nothing for them, in eager's words.
///
/// # Errors
/// Where there is such an operand.
pub fn takes_complex(args: &Args) -> Result<(), String> {
    let Some(dtype) = complex_dtype(args) else { return Ok(()) };
    let lacks = |kernel: &str| Err(not_implemented(kernel, dtype));
    match args.operator() {
        _ if !args.class().complex => lacks(&kernel(args)),
        "div" if args.attribute("rounding_mode").is_some() => lacks(&kernel(args)),
        // Numbers become those of the tensor's dtype.
        name if !has_complex_tensor(args) && name.starts_with("clamp") => Ok(()),
        "clamp_max" if bounded_by_tensor(args) => lacks("minimum_cpu"),
        "clamp_min" if bounded_by_tensor(args) => lacks("maximum_cpu"),
        "threshold_backward" if has_complex_tensor(args) => lacks("threshold_cpu"),
        "argsort" | "sort" => Err(" Sort does not support complex dtypes on CPU".into()),
        "topk" => Err(" topk does not support complex dtypes on CPU".into()),
        "max.dim" => Err("max(): does not support complex input".into()),
        "min.dim" => Err("min(): does not support complex input".into()),
        name @ ("cummax" | "cummin") if args.tensor(0)?.rank() > 0 => lacks(&format!("{name}_cpu")),
        name if name.starts_with("scatter_reduce") => {
            match args.attribute("reduce").map(convert::string).unwrap_or_default().trim_start_matches('a') {
                reduce @ ("max" | "min") => lacks(&format!("scatter_gather_tensor_cpu_reduce_a{reduce}")),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn bounded_by_tensor(args: &Args) -> bool {
    args.operand(1).is_ok_and(|bound| TensorType::of_type(bound.r#type()).is_some())
}

fn complex_only(words: String, dtype: Dtype) -> Result<(), String> {
    if dtype.is_complex() { Ok(()) } else { Err(words) }
}

/// A complex number's parts, in a last dimension of size 2.
pub fn view_as_real<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    complex_only("view_as_real is only supported for complex tensors".into(), own.dtype)?;
    let shape: Vec<Size> = own.shape.iter().copied().chain([Size::from(2)]).collect();
    one(&own.with_shape(&shape).with_dtype(own.dtype.part()))
}

/// The last dimension, of size 2, as parts.
pub fn view_as_complex<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    if own.dtype.is_complex() {
        return Err("view_as_complex is not supported for complex tensors".into());
    }
    if !matches!(own.dtype, Dtype::F16 | Dtype::F32 | Dtype::F64) {
        return Err(format!(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: {}",
            own.dtype.aten_name()
        ));
    }
    let (last, lead) = own.shape.split_last().ok_or("Input tensor must have one or more dimensions")?;
    if last.assume_ne(2) && !last.is_unknown() {
        return Err("Tensor must have a last dimension of size 2".into());
    }
    let dtype = own.dtype.complex().filter(|_| own.dtype != Dtype::F16).ok_or(HALF_COMPLEX)?;
    one(&own.with_shape(lead).with_dtype(dtype))
}

/// The type of the operand, which is complex.
pub fn conjugated<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    complex_only(format!("expects a complex tensor, got {}", own.dtype.aten_name()), own.dtype)?;
    one(&own)
}

/// The type of the operand: conjugates are of the same dtype, and real numbers are their own.
pub fn conj<'c>(args: &Args<'c, '_>) -> Types<'c> {
    one(&args.tensor(0)?)
}

/// [`conj`] into `self`.
pub fn conj_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    conj(args)
}

/// A part of a complex number; the real part of a real one.
pub fn part<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    if args.operator() == "imag" {
        complex_only("imag is not implemented for tensors with non-complex dtypes.".into(), own.dtype)?;
    }
    one(&own.with_dtype(own.dtype.part()))
}

/// The bytes of elements as ones of another dtype: the last dimension grows or shrinks with their size.
pub fn view_dtype<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let to = args.dtype("dtype")?.ok_or("misses attribute 'dtype'")?;
    let mut shape = own.shape.clone();
    let (old, new) = (own.dtype.bytes() as i64, to.bytes() as i64);
    if old != new {
        let said = |what: String, got: String| {
            format!(
                "self.{what} to view {} as {} (different element sizes){got}",
                own.dtype.aten_name(),
                to.aten_name()
            )
        };
        let last = shape.last_mut().ok_or_else(|| said("dim() cannot be 0".into(), String::new()))?;
        if last.is_unknown() {
        } else if old > new {
            *last = *last * (old / new);
        } else if (*last * old % new).assume_ne(0) {
            return Err(said(
                format!("size(-1) must be divisible by {}", new / old),
                format!(", but got {last}"),
            ));
        } else {
            *last = *last * old / new;
        }
    }
    one(&own.with_shape(&shape).with_dtype(to))
}

/// The dtype of a magnitude: that of the parts of a complex number. An angle is a float.
pub fn magnitude<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = join(args, &[0])?;
    let dtype = match args.operator() {
        "angle" if !joined.dtype.is_inexact() => Dtype::F32,
        "abs" if joined.dtype == Dtype::Bool => return Err(not_implemented("abs_cpu", joined.dtype)),
        _ => joined.dtype.part(),
    };
    result(args, &joined, dtype)
}

/// [`magnitude`] into `self`.
pub fn magnitude_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    if args.tensor(0)?.dtype.is_complex() {
        return Err("In-place abs is not supported for complex tensors.".into());
    }
    magnitude(args)?;
    shaped(args, &args.tensor(0)?.shape)
}

/// A complex number of two real ones of one dtype.
pub fn complex<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (a, b) = (args.tensor(0)?, args.tensor(1)?);
    if !a.dtype.is_float() || !b.dtype.is_float() || [a.dtype, b.dtype].contains(&Dtype::BF16) {
        return Err(format!(
            "Expected both inputs to be Half, Float or Double tensors but got {} and {}",
            a.dtype.aten_name(),
            b.dtype.aten_name()
        ));
    }
    if a.dtype != b.dtype {
        return Err(format!(
            "Expected object of scalar type {} but got scalar type {} for second argument",
            a.dtype.aten_name(),
            b.dtype.aten_name()
        ));
    }
    let shape = if args.is_graph() { broadcast(&a.shape, &b.shape)? } else { join(args, &[0, 1])?.shape };
    let dtype = a.dtype.complex().ok_or(HALF_COMPLEX)?;
    one(&a.with_shape(&shape).with_dtype(dtype))
}
