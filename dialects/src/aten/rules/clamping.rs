//! Elements kept between bounds, and mixed.

use super::{TensorType, Types, creation, not_implemented, one, pointwise::*};
use crate::ir::{
    args::Args,
    dtype::{Category, Dtype, ElementType, Operand, promote},
};
use melior::ir::{Value, ValueLike};

/// A bound: its operand, if it is there.
struct Bounds<'c, 'a> {
    min: Option<Value<'c, 'a>>,
    max: Option<Value<'c, 'a>>,
}

impl<'c, 'a> Bounds<'c, 'a> {
    fn of(args: &Args<'c, 'a>) -> Result<Self, String> {
        Ok(match args.operator() {
            "clamp_min" => Self { min: args.optional(1)?, max: None },
            "clamp_max" => Self { min: None, max: args.optional(1)? },
            _ => Self { min: args.optional(1)?, max: args.optional(2)? },
        })
    }

    fn all(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        [self.min, self.max].into_iter().flatten()
    }

    /// What the kernel for numbers is called.
    fn kernel(&self) -> &'static str {
        match (self.min, self.max) {
            (Some(_), Some(_)) => "clamp_scalar_cpu",
            (Some(_), None) => "clamp_min_scalar_cpu",
            _ => "clamp_max_scalar_cpu",
        }
    }
}

fn is_number(value: &Value) -> bool {
    TensorType::of_type(value.r#type()).is_none()
}

/// Numbers that leave nothing between them and the other end of an integer dtype; others may lie beyond it.
fn reachable(bounds: &Bounds, dtype: Dtype) -> Result<(), String> {
    for (name, number, is_min) in [("min", bounds.min, true), ("max", bounds.max, false)] {
        let Some(constant) = number.and_then(crate::ir::operations::constant) else { continue };
        let value = creation::float(constant).trunc();
        let Some((low, high)) = dtype.range() else { continue };
        if if is_min { value > high as f64 } else { value < low as f64 } {
            return Err(format!(
                "Clamp {name} value {} is outside the representable range of {}",
                creation::brief(value),
                dtype.aten_name()
            ));
        }
    }
    Ok(())
}

/// The dtype that numbers bring about: that of floats stays.
fn by_numbers(own: &TensorType, bounds: &Bounds) -> Dtype {
    if own.dtype.is_float() {
        return own.dtype;
    }
    let own = if own.rank() == 0 { Operand::ZeroDim(own.dtype) } else { Operand::Dimensioned(own.dtype) };
    let categories = bounds.all().filter_map(|v| Dtype::of(v.r#type()).map(Dtype::category));
    promote(&std::iter::once(own).chain(categories.map(Operand::Number)).collect::<Vec<_>>())
}

fn numbers_fit(bounds: &Bounds, dtype: Dtype) -> Result<(), String> {
    bounds.all().try_for_each(creation::real_number)?;
    if dtype == Dtype::Bool {
        return Err(not_implemented(bounds.kernel(), dtype));
    }
    if dtype.category() == Category::Integer {
        return reachable(bounds, dtype);
    }
    // What is not a number makes nothing else of every element.
    let nan = |number| {
        crate::ir::operations::constant(number).is_some_and(|number| creation::float(number).is_nan())
    };
    if bounds.all().any(nan) {
        return Ok(());
    }
    bounds.all().try_for_each(|number| creation::representable(number, dtype))
}

/// The places of the operands that are tensors, where all bounds are.
fn tensors(args: &Args) -> Result<Option<Vec<usize>>, String> {
    let bounds = Bounds::of(args)?;
    if bounds.all().next().is_none() {
        return Err("torch.clamp: At least one of 'min' or 'max' must not be None".into());
    }
    let numbers = bounds.all().filter(is_number).count();
    if numbers == 0 {
        return Ok(Some((0..args.operand_count()).collect()));
    }
    if numbers < bounds.all().count() {
        return Err("expects two tensors for bounds, or two numbers".into());
    }
    Ok(None)
}

/// There is nothing for bools between two bounds.
fn between(args: &Args, dtype: Dtype) -> Result<(), String> {
    if dtype == Dtype::Bool && Bounds::of(args)?.all().count() == 2 {
        return Err(not_implemented("clamp_cpu", dtype));
    }
    Ok(())
}

fn no_complex(complex: bool) -> Result<(), String> {
    if complex { Err("clamp is not supported for complex types".into()) } else { Ok(()) }
}

/// There is nothing for complex numbers, which bounds alone may be here.
fn no_complex_bounds(args: &Args, dtype: Dtype) -> Result<(), String> {
    let bounds = Bounds::of(args)?;
    let kernel = match (bounds.min, bounds.max) {
        _ if !dtype.is_complex() => return Ok(()),
        (Some(_), Some(_)) => "clamp_cpu",
        (Some(_), None) => "maximum_cpu",
        _ => "minimum_cpu",
    };
    Err(not_implemented(kernel, dtype))
}

/// Promotes with bounds that are tensors; numbers make integers floats.
pub fn clamp<'c>(args: &Args<'c, '_>) -> Types<'c> {
    if let Some(places) = tensors(args)? {
        no_complex(args.operator() == "clamp" && args.tensor(0)?.dtype.is_complex())?;
        let joined = join(args, &places)?;
        no_complex_bounds(args, joined.dtype)?;
        between(args, joined.dtype)?;
        return result(args, &joined, joined.dtype);
    }
    let (own, bounds) = (args.tensor(0)?, Bounds::of(args)?);
    let dtype = by_numbers(&own, &bounds);
    no_complex(dtype.is_complex())?;
    numbers_fit(&bounds, dtype)?;
    one(&own.with_dtype(dtype))
}

/// [`clamp`] into `self`, whose dtype numbers may not change.
pub fn clamp_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    if let Some(places) = tensors(args)? {
        no_complex(args.operator() == "clamp" && args.tensor(0)?.dtype.is_complex())?;
        let joined = join(args, &places)?;
        let types = in_place(args, &joined, joined.dtype)?;
        between(args, joined.dtype)?;
        return Ok(types);
    }
    let (own, bounds) = (args.tensor(0)?, Bounds::of(args)?);
    let dtype = by_numbers(&own, &bounds);
    no_complex(own.dtype.is_complex())?;
    if dtype != own.dtype {
        return Err(format!(
            "result type {} can't be cast to the desired output type {}",
            dtype.aten_name(),
            own.dtype.c_name()
        ));
    }
    numbers_fit(&bounds, dtype)?;
    one(&own)
}

/// The type of `self`, which is no bool: of integers bounds are rounded towards zero.
pub fn hardtanh<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    if own.dtype == Dtype::Bool {
        return Err("Bool inputs not supported for hardtanh".into());
    }
    if args.operand_count() > 1 {
        let bounds = Bounds { min: args.optional(1)?, max: args.optional(2)? };
        if own.dtype.category() == Category::Integer {
            bounds.all().try_for_each(|number| creation::representable(number, Dtype::I64))?;
        }
        numbers_fit(&bounds, own.dtype)?;
    }
    one(&own)
}

/// [`hardtanh`] into `self`.
pub fn hardtanh_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    hardtanh(args)
}

/// The operands of lerp, which are of one dtype; a weight without dimensions may be of another.
fn mixed<'c>(args: &Args<'c, '_>) -> Result<Joined, String> {
    let own = args.tensor(0)?.dtype;
    for (place, name) in [(1, "end"), (2, "weight")] {
        if let Some(other) = TensorType::of_type(args.operand(place)?.r#type())
            && other.dtype != own
            && (name == "end" || other.rank() > 0)
        {
            return Err(format!(
                "expected dtype {} for `{name}` but got dtype {}",
                own.c_name(),
                other.dtype.c_name()
            ));
        }
    }
    let by_number = is_number(&args.operand(2)?);
    join(args, if by_number { &[0, 1] } else { &[0, 1, 2] })
}

fn mixes(args: &Args, dtype: Dtype) -> Result<(), String> {
    let weight = args.operand(2)?;
    if !dtype.is_inexact() {
        let kernel = if is_number(&weight) { "lerp_kernel_scalar" } else { "lerp_kernel_tensor" };
        return Err(not_implemented(kernel, dtype));
    }
    if is_number(&weight) { creation::representable(weight, dtype.opmath()) } else { Ok(()) }
}

/// Floats of one dtype.
pub fn lerp<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = mixed(args)?;
    mixes(args, joined.dtype)?;
    result(args, &joined, joined.dtype)
}

/// [`lerp`] into `self`.
pub fn lerp_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = mixed(args)?;
    let types = in_place(args, &joined, joined.dtype)?;
    mixes(args, joined.dtype)?;
    Ok(types)
}
