//! More functions of elements, activations among them.

use super::{
    Size, TensorType, Types,
    complex::complex_dtype,
    copies::{fill_in_place, same},
    creation::{complex_constant, filled, float},
    devices::on_cuda,
    not_implemented, one,
    parameters::{activation, numbers},
    pointwise::*,
    wrap_dim,
};
use crate::ir::{
    args::Args,
    dtype::{Category, Dtype},
    operations::constant,
    types::Shape,
};
use melior::ir::ValueLike;
use terrace_size::Number;

fn integral(args: &Args, joined: &Joined) -> Result<(), String> {
    if joined.dtype.category() == Category::Integer {
        return Ok(());
    }
    Err(not_implemented(&kernel(args), joined.dtype))
}

/// The promoted dtype, of integers only.
pub fn integers<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = join(args, &[0, 1])?;
    integral(args, &joined)?;
    result(args, &joined, joined.dtype)
}

/// [`integers`] into `self`.
pub fn integers_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = join(args, &[0, 1])?;
    let own = in_place(args, &joined, joined.dtype)?;
    integral(args, &joined)?;
    Ok(own)
}

/// Operands of one dtype.
fn alike(args: &Args) -> Result<(), String> {
    if args.tensor(0)?.dtype == args.tensor(1)?.dtype {
        return Ok(());
    }
    Err(format!("{} is not yet implemented for tensors with different dtypes.", args.operator()))
}

/// The dtype of both.
pub fn heaviside<'c>(args: &Args<'c, '_>) -> Types<'c> {
    alike(args)?;
    let joined = join(args, &[0, 1])?;
    result(args, &joined, joined.dtype)
}

/// [`heaviside`] into `self`.
pub fn heaviside_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    alike(args)?;
    let joined = join(args, &[0, 1])?;
    in_place(args, &joined, joined.dtype)
}

/// The widest dtype of reals, or of complex numbers where one is among them.
fn widest(args: &Args) -> Dtype {
    if complex_dtype(args).is_some() { Dtype::C128 } else { Dtype::F64 }
}

/// c128, or f64 of reals, of whatever operands.
pub fn float_power<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = join(args, &[0, 1])?;
    result(args, &joined, widest(args))
}

/// [`float_power`] into `self`, which has the dtype of the result.
pub fn float_power_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, needed) = (args.tensor(0)?.dtype, widest(args));
    if own != needed {
        return Err(format!(
            "the base given to float_power_ has dtype {} but the operation's result requires dtype {}",
            own.aten_name(),
            needed.aten_name()
        ));
    }
    in_place(args, &join(args, &[0, 1])?, needed)
}

/// [`activation`] whose alpha divides.
pub fn celu<'c>(args: &Args<'c, '_>) -> Types<'c> {
    numbers(args, 1, Dtype::F64)?;
    let zero = |n| constant(n).map(float) == Some(0.0) || complex_constant(n) == Some([0.0; 2]);
    if args.optional(1)?.is_some_and(zero) {
        return Err("ZeroDivisionError: alpha cannot be 0 for CELU".into());
    }
    activation(args)
}

/// [`celu`] into `self`.
pub fn celu_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    celu(args)
}

/// A float as C++ writes it: six digits.
fn brief(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return if value.is_nan() { "nan".into() } else { format!("{value}") };
    }
    // Rounding may carry into another digit.
    let scientific = format!("{value:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..6).contains(&exponent) {
        let text = format!("{value:.*}", (5 - exponent) as usize);
        return if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').into()
        } else {
            text
        };
    }
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// [`activation`] whose number is not negative and an element.
pub fn softshrink<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    numbers(args, 1, Dtype::F64)?;
    let Some(largest) = own.dtype.largest().filter(|_| own.dtype.is_float()) else {
        return Err(not_implemented("softshrink_check", own.dtype));
    };
    if let Some(number) = args.optional(1)?.and_then(constant).map(float)
        && !(0.0..=largest).contains(&number)
    {
        return Err(format!(
            "lambda must be in range [0, {}] for input dtype {}, but found {}",
            brief(largest),
            own.dtype.aten_name(),
            brief(number)
        ));
    }
    one(&own)
}

/// The type of `self`; the weight has its dtype, and one element or one for each channel.
pub fn prelu<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, weight) = (args.tensor(0)?, args.tensor(1)?);
    if own.dtype != weight.dtype {
        return Err(format!(
            "prelu: Type promoting not supported. Got {} and {}",
            own.dtype.aten_name(),
            weight.dtype.aten_name()
        ));
    }
    if let Some(count) = weight.elements().filter(|count| count.assume_ne(1)) {
        if own.rank() == 0 {
            return Err("Not allow zero-dim input tensor.".into());
        }
        let channels = own.shape.get(1).copied().unwrap_or(Size::ONE);
        if !super::may_equal(channels, count) {
            return Err(format!(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = {count} and channel size = \
                 {channels}."
            ));
        }
    }
    if weight.rank() > 1 {
        return Err(format!(
            "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {}",
            weight.rank()
        ));
    }
    prelu_kernel_dtype(&own)?;
    one(&own)
}

fn prelu_kernel_dtype(own: &TensorType) -> Result<(), String> {
    if own.dtype.is_float() { Ok(()) } else { Err(not_implemented("prelu_cpu", own.dtype)) }
}

/// The type of `self`, to whose sizes the weight, of its dtype, expands.
pub fn prelu_kernel<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, weight) = (args.tensor(0)?, args.tensor(1)?);
    let joined = join(args, &[0, 1])?;
    if own.dtype != weight.dtype {
        return Err(format!(
            "Found dtype {} but expected {}",
            weight.dtype.aten_name(),
            own.dtype.aten_name()
        ));
    }
    takes_shape(&own.shape, &joined.shape)?;
    prelu_kernel_dtype(&own)?;
    one(&own)
}

/// Half of a dimension.
pub fn glu<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    if own.rank() == 0 {
        return Err("glu does not support 0-dimensional tensors".into());
    }
    let dim = wrap_dim(args.int_or("dim", -1), own.rank())?;
    let mut shape = own.shape.clone();
    if !shape[dim].is_unknown() {
        if (shape[dim] % 2).assume_ne(0) {
            return Err(format!(
                "Halving dimension must be even, but dimension {dim} is size {}",
                shape[dim]
            ));
        }
        shape[dim] = shape[dim] / 2;
    }
    if !own.dtype.is_float() {
        return Err(not_implemented("glu_cpu", own.dtype));
    }
    one(&own.with_shape(&shape))
}

/// The type of `self`, of floats, for each result.
pub fn log_sigmoid<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    if !own.dtype.is_float() {
        return Err(not_implemented("log_sigmoid_cpu", own.dtype));
    }
    // On CUDA the second one is not needed, and empty.
    let second = if on_cuda(args) { own.with_shape(&[Size::ZERO]) } else { own.clone() };
    Ok(match args.operator() {
        "log_sigmoid" => vec![own.into()],
        _ => vec![own.into(), second.into()],
    })
}

/// The type of the operand, which is no bool.
pub fn positive<'c>(args: &Args<'c, '_>) -> Types<'c> {
    if args.tensor(0)?.dtype == Dtype::Bool {
        return Err("The `+` operator, on a bool tensor is not supported.".into());
    }
    same(args)
}

/// The type of `self`, for as many elements of one value.
pub fn fill<'c>(args: &Args<'c, '_>) -> Types<'c> {
    fill_in_place(args)
}

/// The type of `self`: a matrix, or a cube of any rank.
pub fn fill_diagonal_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    if own.rank() < 2 {
        return Err("dimensions must larger than 1".into());
    }
    if own.rank() > 2 && own.shape.windows(2).any(|pair| !super::may_equal(pair[0], pair[1])) {
        return Err(format!("all dimensions of input must be of equal length, got {}", Shape(&own.shape)));
    }
    let length = own.shape.iter().copied().reduce(|a, b| a.assume_min(b)).unwrap_or_default();
    filled(args.operand(1)?, own.dtype, &[length])?;
    assert!(TensorType::of_type(args.operand(1)?.r#type()).is_none());
    one(&own)
}
