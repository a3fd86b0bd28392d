//! Reductions: some dimensions go, or stay with size 1.

use super::{Size, TensorType, Types, not_implemented, pointwise::kernel, unless_empty, wrap_dim, wrap_dims};
use crate::ir::{args::Args, attributes, dtype::Dtype};
use terrace_size::Number;

/// The shape after reducing `dims` (all, where None or empty).
pub(super) fn reduced(own: &TensorType, dims: Option<&[i64]>, keepdim: bool) -> Result<Vec<Size>, String> {
    let all: Vec<usize> = (0..own.rank()).collect();
    let dims = match dims {
        None | Some([]) => all,
        Some(dims) => wrap_dims(dims, own.rank())?,
    };
    let kept = own.shape.iter().enumerate();
    Ok(if keepdim {
        kept.map(|(d, s)| if dims.contains(&d) { Size::ONE } else { *s }).collect()
    } else {
        kept.filter(|(d, _)| !dims.contains(d)).map(|(_, s)| *s).collect()
    })
}

fn reduce<'c>(args: &Args<'c, '_>, dtype: Dtype) -> Types<'c> {
    let own = args.tensor(0)?;
    let shape = reduced(&own, args.optional_ints("dim").as_deref(), args.flag("keepdim"))?;
    super::one(&own.with_shape(&shape).with_dtype(dtype))
}

/// Integers and bools sum in i64.
pub fn sum<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?.dtype;
    let default = if own.is_inexact() { own } else { Dtype::I64 };
    reduce(args, args.dtype("dtype")?.unwrap_or(default))
}

/// Floats and complex numbers only, unless `dtype` is one.
pub fn mean<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let given = args.dtype("dtype")?;
    let dtype = given.unwrap_or(args.tensor(0)?.dtype);
    if !dtype.is_inexact() {
        return Err(format!(
            "mean(): could not infer output dtype. {} dtype must be either a floating point or complex dtype. Got: {}",
            if given.is_some() { "Optional" } else { "Input" },
            dtype.aten_name()
        ));
    }
    reduce(args, dtype)
}

/// The dtype stays; a reduced dimension may not be empty.
fn extreme<'c>(args: &Args<'c, '_>, name: &str) -> Types<'c> {
    let own = args.tensor(0)?;
    let dims = args.optional_ints("dim").unwrap_or_default();
    if dims.is_empty() && own.is_empty() {
        return Err(format!(
            "{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
        ));
    }
    for given in &dims {
        if own.shape.get(wrap_dim(*given, own.rank())?).is_some_and(|size| size.assume_eq(0)) {
            return Err(format!("{name}(): Expected reduction dim {given} to have non-zero size."));
        }
    }
    reduce(args, own.dtype)
}

/// The largest elements.
pub fn amax<'c>(args: &Args<'c, '_>) -> Types<'c> {
    extreme(args, "amax")
}

/// The smallest elements.
pub fn amin<'c>(args: &Args<'c, '_>) -> Types<'c> {
    extreme(args, "amin")
}

/// The smallest and the largest elements, over one dimension or all.
pub fn aminmax<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let dim = args.attribute("dim").map(attributes::i64);
    if own.dtype.is_complex() {
        return Err(format!("aminmax not implemented for {}", own.dtype.aten_name()));
    }
    if let Some(dim) = dim {
        if own.shape.get(wrap_dim(dim, own.rank())?).is_some_and(|size| size.assume_eq(0)) {
            return Err(format!("aminmax: Expected reduction dim {dim} to have non-zero size."));
        }
    } else if own.is_empty() {
        return Err(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
                .into(),
        );
    }
    let made = own.with_shape(&reduced(&own, dim.as_ref().map(std::slice::from_ref), args.flag("keepdim"))?);
    Ok(vec![made.clone().into(), made.into()])
}

/// As [`sum`], over one dimension or all.
pub fn prod<'c>(args: &Args<'c, '_>) -> Types<'c> {
    if args.optional_ints("dim").is_some_and(|dims| dims.len() != 1) {
        return Err("expects one dimension, or none for all".into());
    }
    sum(args)
}

fn cumulates(args: &Args, dtype: Dtype) -> Result<(), String> {
    wrap_dim(args.int("dim")?, args.tensor(0)?.rank())?;
    let own = args.tensor(0)?;
    // One element, or none, is copied.
    match dtype == Dtype::Bool && own.rank() > 0 {
        true => unless_empty(&own, Err(not_implemented(&kernel(args), dtype))),
        false => Ok(()),
    }
}

/// As many elements; integers and bools accumulate in i64.
pub fn cumulative<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let default = if own.dtype.is_inexact() { own.dtype } else { Dtype::I64 };
    let dtype = args.dtype("dtype")?.unwrap_or(default);
    cumulates(args, dtype)?;
    super::one(&own.with_dtype(dtype))
}

/// As many elements, floats; eager's kernel takes complex numbers too.
pub fn cumulative_float<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    wrap_dim(args.int("dim")?, own.rank())?;
    match own.dtype {
        dtype if dtype.is_float() => super::one(&own),
        dtype if dtype.is_complex() => {
            Err("is of complex numbers, which it is not compiled for: expects floats".into())
        }
        dtype => Err(not_implemented(&kernel(args), dtype)),
    }
}

/// In `self`, and in its dtype: another one is an error.
pub fn cumulative_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    wrap_dim(args.int("dim")?, own.rank())?;
    if let Some(dtype) = args.dtype("dtype")?.filter(|dtype| *dtype != own.dtype) {
        return Err(format!(
            "Bad in-place call: input tensor dtype {} and output tensor dtype {} should match",
            own.dtype.c_name(),
            dtype.c_name()
        ));
    }
    cumulates(args, own.dtype)?;
    super::one(&own)
}

/// The result is bool (u8 of u8). Over no dimension where the list is empty.
pub fn any<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let dtype = if own.dtype == Dtype::U8 { own.dtype } else { Dtype::Bool };
    if args.optional_ints("dim").is_some_and(|dims| dims.is_empty()) {
        return super::one(&own.with_dtype(dtype));
    }
    reduce(args, dtype)
}
