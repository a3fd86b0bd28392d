//! What compares elements: extremes with their places, sorting, choosing and counting; and statistics.

use super::{
    Size, TensorType, Types, broadcast, creation, not_implemented, one, reductions::reduced, wrap_dim,
};
use crate::ir::{args::Args, dtype::Dtype};
use terrace_size::Number;

/// What eager calls an operator in its messages.
fn title(args: &Args) -> String {
    let name = args.operator();
    format!("{}()", name.split('.').next().unwrap_or(name))
}

/// A dimension along which there must be something to compare.
fn compared(args: &Args, own: &TensorType, dim: i64) -> Result<usize, String> {
    let dim = wrap_dim(dim, own.rank())?;
    match own.shape.get(dim) {
        Some(size) if size.assume_eq(0) => {
            Err(format!("{}: Expected reduction dim {dim} to have non-zero size.", title(args)))
        }
        _ => Ok(dim),
    }
}

/// The places of extremes: along `dim`, or among all elements.
pub fn arg_extreme<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    if own.dtype == Dtype::Bool {
        return Err(format!("{}: does not support bool input", title(args)));
    }
    let dim = args.attribute("dim").map(|_| args.int("dim")).transpose()?;
    match dim {
        Some(dim) => drop(compared(args, &own, dim)?),
        None if own.is_empty() => {
            return Err(format!(
                "{}: Expected reduction dim to be specified for input.numel() == 0.",
                title(args)
            ));
        }
        None => {}
    }
    let shape = reduced(&own, dim.as_ref().map(std::slice::from_ref), args.flag("keepdim"))?;
    one(&own.with_shape(&shape).with_dtype(Dtype::I64))
}

/// Elements, and their places.
fn with_places<'c>(values: &TensorType<'c>) -> Types<'c> {
    let places = values.with_dtype(Dtype::I64);
    Ok(vec![values.clone().into(), places.into()])
}

/// The extremes along `dim`, and their places.
pub fn extreme_dim<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let dim = args.int("dim")?;
    compared(args, &own, dim)?;
    let shape = reduced(&own, Some(&[dim]), args.flag("keepdim"))?;
    with_places(&own.with_shape(&shape))
}

/// The extreme of all elements.
pub fn extreme_all<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    if own.is_empty() {
        return Err(format!(
            "{}: Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' \
             argument.",
            title(args)
        ));
    }
    one(&own.with_shape(&[]))
}

/// As many elements: the extremes of those up to each place, and their places.
pub fn cumulative_extreme<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, dim) = (args.tensor(0)?, args.int("dim")?);
    if own.rank() == 0 && dim != 0 && dim != -1 {
        return Err(format!("{}: Expected reduction dim -1 or 0 for scalar but got {dim}", title(args)));
    }
    wrap_dim(dim, own.rank())?;
    with_places(&own)
}

/// The same elements in another order, and their places.
pub fn sort<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    wrap_dim(args.int_or("dim", -1), own.rank())?;
    with_places(&own)
}

/// The places of [`sort`] alone.
pub fn argsort<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut types = sort(args)?;
    types.remove(0);
    Ok(types)
}

/// `k` elements along `dim`, and their places.
pub fn topk<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, k) = (args.tensor(0)?, args.int("k")?);
    let dim = wrap_dim(args.int_or("dim", -1), own.rank())?;
    let mut shape = own.shape.clone();
    let size = shape.get(dim).copied().unwrap_or(Size::ONE);
    if k < 0 || !size.is_unknown() && size.assume_lt(k) {
        return Err("selected index k out of range".into());
    }
    if own.dtype == Dtype::Bool {
        return Err("topk does not support bool dtypes on CPU".into());
    }
    if let Some(size) = shape.get_mut(dim) {
        *size = k.into();
    }
    with_places(&own.with_shape(&shape))
}

/// A row of indices for each element that is not zero.
pub fn nonzero<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    one(&own.with_shape(&[Size::UNKNOWN, own.rank().into()]).with_dtype(Dtype::I64))
}

/// The elements at which the mask holds.
pub fn masked_select<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, mask) = (args.tensor(0)?, args.tensor(1)?);
    if mask.dtype != Dtype::Bool {
        return Err("masked_select: expected BoolTensor for mask".into());
    }
    broadcast(&mask.shape, &own.shape)?;
    one(&own.with_shape(&[Size::UNKNOWN]))
}

/// How many elements are not zero.
pub fn count_nonzero<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let shape = reduced(&own, args.optional_ints("dim").as_deref(), false)?;
    one(&own.with_shape(&shape).with_dtype(Dtype::I64))
}

/// How many elements lie in each of `bins` parts of a range.
pub fn histc<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, bins) = (args.tensor(0)?, args.int_or("bins", 100));
    if bins <= 0 {
        return Err(format!("torch.histogram(): bins must be > 0, but got {bins} for dimension 0"));
    }
    let bound = |place| -> Result<Option<f64>, String> {
        Ok(match args.optional(place)? {
            Some(number) => crate::ir::operations::constant(number).map(creation::float),
            None => Some(0.0),
        })
    };
    if let (Some(low), Some(high)) = (bound(1)?, bound(2)?)
        && low != high
    {
        range("torch.histc", low, high)?;
    }
    if own.dtype == Dtype::Bool {
        return Err(not_implemented("linspace_cpu", own.dtype));
    }
    let numbers = || [args.optional(1).ok().flatten(), args.optional(2).ok().flatten()].into_iter().flatten();
    numbers().try_for_each(creation::real_number)?;
    // An empty range stands for that of the elements.
    if bound(1)?.is_some_and(|low| bound(2).is_ok_and(|high| high == Some(low))) {
        if own.dtype.is_complex() {
            return Err(format!("aminmax not implemented for {}", own.dtype.aten_name()));
        }
    } else {
        numbers().try_for_each(|number| creation::representable(number, own.dtype))?;
    }
    if !own.dtype.is_float() {
        return Err(not_implemented("histogram_cpu", own.dtype));
    }
    one(&own.with_shape(&[bins.into()]))
}

fn range(name: &str, low: f64, high: f64) -> Result<(), String> {
    if !low.is_finite() || !high.is_finite() {
        let [low, high] = [low, high].map(creation::brief);
        return Err(format!("{name}: range of [{low}, {high}] is not finite"));
    }
    if low > high { Err(format!("{name}: max must be larger than min")) } else { Ok(()) }
}

/// How often each number occurs; with weights, the sums of these.
pub fn bincount<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, weights) = (args.tensor(0)?, args.optional_tensor(1)?);
    if own.dtype == Dtype::Bool || own.dtype.is_inexact() {
        return Err(not_implemented("bincount_cpu", own.dtype));
    }
    if args.int_or("minlength", 0) < 0 {
        return Err("minlength should be >= 0".into());
    }
    if own.rank() != 1 {
        return Err("bincount only supports 1-d non-negative integral inputs.".into());
    }
    // Of no numbers eager does not look at the weights.
    if let Some(weights) = weights.as_ref().filter(|_| own.shape[0].assume_ne(0))
        && (weights.rank() != 1 || !super::may_equal(weights.shape[0], own.shape[0]))
    {
        return Err("weights should be 1-d and have the same length as input".into());
    }
    let dtype = match weights {
        Some(weights) if weights.dtype == Dtype::F32 => Dtype::F32,
        Some(_) => Dtype::F64,
        None => Dtype::I64,
    };
    let shape = [if own.shape[0].assume_eq(0) { args.int_or("minlength", 0).into() } else { Size::UNKNOWN }];
    let dtype = if own.shape[0].assume_eq(0) { Dtype::I64 } else { dtype };
    one(&own.with_shape(&shape).with_dtype(dtype))
}

/// The variance, a real number; of var_mean the mean as well.
pub fn variance<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let both = args.operator() == "var_mean";
    if !own.dtype.is_inexact() {
        let who = if both { "var_mean only" } else { "std and var only" };
        return Err(format!("{who} support floating point and complex dtypes"));
    }
    let shape = reduced(&own, args.optional_ints("dim").as_deref(), args.flag("keepdim"))?;
    let mean = own.with_shape(&shape);
    let variance = mean.with_dtype(own.dtype.part());
    let types = [variance, mean].map(|ty| ty.into());
    Ok(types[..if both { 2 } else { 1 }].to_vec())
}

/// Integers become the default dtype.
pub fn logsumexp<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, dims, keepdim) = (args.tensor(0)?, args.ints("dim")?, args.flag("keepdim"));
    let shape = reduced(&own, Some(&dims), keepdim)?;
    if dims.is_empty() && !keepdim && own.rank() > 0 && !own.is_empty() {
        let ones = vec![1; own.rank()];
        return Err(format!(
            "output with shape [] doesn't match the broadcast shape {}",
            crate::ir::types::Shape(&ones)
        ));
    }
    let dtype = if own.dtype.is_inexact() { own.dtype } else { Dtype::F32 };
    one(&own.with_shape(&shape).with_dtype(dtype))
}

/// A norm, a real number, in `dtype` where that is given.
pub fn vector_norm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let name = "linalg.vector_norm";
    if !own.dtype.is_inexact() {
        return Err(format!(
            "{name}: Expected a floating point or complex tensor as input. Got {}",
            own.dtype.aten_name()
        ));
    }
    let dims = args.optional_ints("dim").unwrap_or_default();
    let ord = match args.optional(1)? {
        Some(number) => crate::ir::operations::constant(number).map(creation::float),
        None => Some(2.0),
    };
    if let Some(ord) = ord
        && own.is_empty()
        && (ord < 0.0 || ord == f64::INFINITY)
    {
        let without = "and the operation does not have an identity";
        if dims.is_empty() {
            return Err(format!(
                "{name} cannot compute the {ord} norm on an empty tensor because the operation does not have an identity"
            ));
        }
        for dim in &dims {
            if own.shape.get(wrap_dim(*dim, own.rank())?).is_some_and(|size| size.assume_eq(0)) {
                return Err(format!(
                    "{name} cannot compute the {ord} norm on the dimension {dim}because this dimension is empty {without}"
                ));
            }
        }
    }
    let dtype = args.dtype("dtype")?.unwrap_or(own.dtype);
    if !dtype.is_inexact() {
        return Err(format!(
            "{name}: dtype should be floating point or complex, but got {}",
            dtype.aten_name()
        ));
    }
    if own.dtype.is_complex() != dtype.is_complex() {
        let kind = if own.dtype.is_complex() { "complex" } else { "real" };
        return Err(format!(
            "{name}: dtype should be {kind} for {kind} inputs, but got {}",
            dtype.aten_name()
        ));
    }
    if own.dtype.promote(dtype) != dtype {
        return Err(format!(
            "{name}: the dtype of the input ({}) should be convertible without narrowing to the specified dtype ({})",
            own.dtype.aten_name(),
            dtype.aten_name()
        ));
    }
    let shape = reduced(&own, Some(&dims), args.flag("keepdim"))?;
    one(&own.with_shape(&shape).with_dtype(dtype.part()))
}
