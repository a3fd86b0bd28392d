//! Draws from a generator: sizes and dtypes that have them, and bounds.

use super::{
    Size, TensorType, Types, new_tensors::check_sizes, not_implemented, one, reshaping::check_format,
    unless_empty,
};
use crate::ir::{args::Args, attributes as convert, dtype::Dtype};
use terrace_size::Number;

/// Dtypes that have uniform numbers; normal ones are not looked for where there are no elements.
fn floats(args: &Args, dtype: Dtype, shape: &[Size]) -> Result<(), String> {
    if args.operator().starts_with("randn") && shape.iter().any(|size| size.assume_eq(0)) {
        return Ok(());
    }
    let kernel =
        if args.operator().starts_with("randn") { "normal_kernel_cpu" } else { "check_uniform_bounds" };
    if dtype.is_inexact() { Ok(()) } else { Err(not_implemented(kernel, dtype)) }
}

/// Uniform or normal numbers of these sizes, f32 unless another dtype is asked for.
pub fn random<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let size = args.dynamic_ints("size", 0)?;
    check_sizes(&size)?;
    let dtype = args.dtype("dtype")?.unwrap_or(Dtype::F32);
    floats(args, dtype, &size)?;
    Ok(vec![args.result(&size, dtype)])
}

/// The same, of the sizes of another tensor.
pub fn random_like<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    check_format(args, own.rank())?;
    let dtype = args.dtype("dtype")?.unwrap_or(own.dtype);
    floats(args, dtype, &own.shape)?;
    one(&own.with_dtype(dtype))
}

/// Whether there are integers between the bounds, and a dtype has them.
fn check_bounds(args: &Args, dtype: Dtype) -> Result<(), String> {
    let (low, high) = (args.int_or("low", 0), args.int("high")?);
    if low >= high {
        return Err(format!("random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"));
    }
    if dtype.is_complex() {
        return Err("check_random_bounds handles only integral, floating-point and boolean types".into());
    }
    let fits = |number: i64| match dtype.range() {
        _ if dtype == Dtype::Bool => (0..=1).contains(&number),
        Some((least, most)) => (least..=most).contains(&number),
        None => dtype.largest().is_none_or(|most| number as f64 <= most && number as f64 >= -most),
    };
    for (name, number) in [("from", low), ("to - 1", high - 1)] {
        if !fits(number) {
            return Err(format!("{name} is out of bounds for {}", dtype.c_name()));
        }
    }
    Ok(())
}

/// Integers of these sizes, i64 unless another dtype is asked for.
pub fn random_integers<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let size = args.dynamic_ints("size", 0)?;
    check_sizes(&size)?;
    let dtype = args.dtype("dtype")?.unwrap_or(Dtype::I64);
    check_bounds(args, dtype)?;
    Ok(vec![args.result(&size, dtype)])
}

/// The same, of the sizes and the dtype of another tensor.
pub fn random_integers_like<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    check_format(args, own.rank())?;
    let dtype = args.dtype("dtype")?.unwrap_or(own.dtype);
    check_bounds(args, dtype)?;
    one(&own.with_dtype(dtype))
}

/// `n` numbers.
pub fn randperm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let n = args.int("n")?;
    check_sizes(&[n.into()])?;
    let dtype = args.dtype("dtype")?.unwrap_or(Dtype::I64);
    if dtype == Dtype::Bool || dtype.is_complex() {
        return Err(not_implemented("randperm", dtype));
    }
    Ok(vec![args.result(&[n.into()], dtype)])
}

fn check_probability(p: f64) -> Result<(), String> {
    if (0.0..=1.0).contains(&p) {
        Ok(())
    } else {
        Err(format!("bernoulli_ expects p to be in [0, 1], but got p={p}"))
    }
}

fn has_trials(own: &TensorType, kernel: &str) -> Result<(), String> {
    if own.dtype.is_complex() {
        Err(not_implemented(&format!("bernoulli_{kernel}"), own.dtype))
    } else {
        Ok(())
    }
}

/// The type of the operand: with its elements as probabilities, floats only.
pub fn bernoulli<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    match args.attribute("p").map(convert::f64) {
        Some(p) => {
            check_probability(p)?;
            has_trials(&own, "scalar_cpu_")?;
        }
        None if own.dtype.is_complex() => has_trials(&own, "tensor_cpu_self_")?,
        None if !own.dtype.is_float() => return Err(not_implemented("bernoulli_tensor_cpu_p_", own.dtype)),
        None => {}
    }
    one(&own)
}

/// [`bernoulli`] of one probability, into `self`.
pub fn bernoulli_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let p = args.attribute("p").map_or(0.5, convert::f64);
    check_probability(p)?;
    has_trials(&args.tensor(0)?, "scalar_cpu_")?;
    one(&args.tensor(0)?)
}

/// Uniform numbers into `self`.
pub fn uniform_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    floats(args, own.dtype, &own.shape)?;
    let bound = |name, default| args.attribute(name).map_or(default, convert::f64);
    let (from, to) = (bound("from", 0.0), bound("to", 1.0));
    for (name, number) in [("from", from), ("to", to)] {
        if number.is_nan() || own.dtype.largest().is_some_and(|most| number.abs() > most) {
            return Err(format!("{name} is out of bounds for {}", own.dtype.c_name()));
        }
    }
    if from > to {
        return Err(format!(
            "uniform_ expects to return a [from, to) range, but found from={from} > to={to}"
        ));
    }
    one(&own)
}

/// Normal numbers into `self`.
pub fn normal_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let std = args.attribute("std").map_or(1.0, convert::f64);
    if std.is_nan() || std < 0.0 {
        return Err(format!("normal expects std >= 0.0, but found std {std}"));
    }
    if !own.dtype.is_inexact() && !own.is_empty() {
        return Err(not_implemented("normal_kernel_cpu", own.dtype));
    }
    one(&own)
}

/// So many numbers, for each row.
pub fn multinomial<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let count = args.int("num_samples")?;
    let Some(width) = own.shape.last().filter(|_| own.rank() <= 2) else {
        return Err("prob_dist must be 1 or 2 dim".into());
    };
    if !own.dtype.is_float() {
        return Err(format!(
            "multinomial only supports floating-point dtypes for input, got: {}",
            own.dtype.aten_name()
        ));
    }
    if count <= 0 {
        return Err("cannot sample n_sample <= 0 samples".into());
    }
    if !args.flag("replacement") && !width.is_unknown() && width.assume_lt(count) {
        return Err("cannot sample n_sample > prob_dist.size(-1) samples without replacement".into());
    }
    let mut shape = own.shape.clone();
    shape[own.rank() - 1] = count.into();
    one(&own.with_shape(&shape).with_dtype(Dtype::I64))
}

fn check_scaled(own: &TensorType) -> Result<(), String> {
    if own.dtype.is_inexact() {
        return Ok(());
    }
    Err(format!("result type Float can't be cast to the desired output type {}", own.dtype.aten_name()))
}

/// The type of the operand; what is dropped from is a float.
pub fn dropout<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let p = args.attribute("p").map(convert::f64).ok_or("misses attribute 'p'")?;
    if !(0.0..=1.0).contains(&p) {
        return Err(format!("dropout probability has to be between 0 and 1, but got {p}"));
    }
    let train = args.attribute("train").is_none_or(convert::bool);
    if train && p > 0.0 && p < 1.0 {
        unless_empty(&own, check_scaled(&own))?;
    }
    one(&own)
}

/// [`dropout`], and where elements were kept: truths, also of no elements, where eager gives the operand's
/// dtype, which no type can say before sizes are known.
pub fn native_dropout<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let p = args.attribute("p").map(convert::f64).ok_or("misses attribute 'p'")?;
    if args.attribute("train").is_none_or(convert::bool) {
        unless_empty(&own, check_probability(1.0 - p).and_then(|()| check_scaled(&own)))?;
    }
    let kept = own.with_dtype(Dtype::Bool);
    Ok(vec![own.into(), kept.into()])
}
