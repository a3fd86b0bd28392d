//! Tensors out of numbers.

use super::{Size, Types};
use crate::ir::{
    OperationLike,
    args::Args,
    attributes as convert,
    dtype::Dtype,
    operations::{self, constant},
};
use melior::ir::{Attribute, AttributeLike, Value, attribute::IntegerAttribute, r#type::IntegerType};
use terrace_size::Number;

fn dtype(args: &Args) -> Result<Dtype, String> {
    args.dtype("dtype")?.ok_or_else(|| "misses attribute 'dtype'".into())
}

/// Whether a number, where it is a constant, is within the range of a dtype; fractions may be lost, anything
/// is a bool.
pub(super) fn representable(number: Value, dtype: Dtype) -> Result<(), String> {
    if let Some([re, im]) = complex_constant(number) {
        let fits = |part: f64| dtype.largest().is_none_or(|most| !part.is_finite() || part.abs() <= most);
        let fits = if dtype.is_complex() {
            fits(re) && fits(im)
        } else {
            dtype == Dtype::Bool || im == 0.0 && fits(re)
        };
        return if fits { Ok(()) } else { Err(overflow(dtype)) };
    }
    let Some(constant) = constant(number) else { return Ok(()) };
    let float = constant.is_float();
    let fits = match (dtype.range(), dtype.largest()) {
        // Up to the next integer, whose fraction is lost; an i64's largest value is itself no float.
        (Some((low, high)), _) if float => {
            let value = convert::f64(constant);
            value >= low as f64 && value < high as f64 + 1.0
        }
        // A negative integer may wrap to an unsigned one.
        (Some((low, high)), _) => (if low == 0 { -high } else { low }..=high).contains(&integer(constant)),
        (None, Some(largest)) => {
            let value = if float { convert::f64(constant) } else { integer(constant) as f64 };
            !value.is_finite() || value.abs() <= largest
        }
        (None, None) => true,
    };
    if fits { Ok(()) } else { Err(overflow(dtype)) }
}

/// What eager says of a number that is none of a dtype.
pub fn overflow(dtype: Dtype) -> String {
    let name = match dtype {
        Dtype::U8 => "uint8_t",
        Dtype::I8 => "int8_t",
        Dtype::I16 => "int16_t",
        Dtype::I64 => "int64_t",
        other => other.c_name(),
    };
    format!("value cannot be converted to type {name} without overflow")
}

/// A number as C++ writes it: with six digits.
pub fn brief(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string().to_lowercase();
    }
    let text = format!("{value:.5e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let trimmed = |digits: &str| match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => digits.to_owned(),
    };
    if (-4..6).contains(&exponent) {
        return trimmed(&format!("{value:.*}", (5 - exponent) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}

/// A number that eager takes as an f64: a complex one without an imaginary part.
pub(super) fn real_number(number: Value) -> Result<(), String> {
    if complex_constant(number).is_some() { representable(number, Dtype::F64) } else { Ok(()) }
}

/// Whether a number may be the only element of a tensor: eager converts that one without looking at the range
/// of half precision.
pub(super) fn number_of_one(number: Value, dtype: Dtype) -> Result<(), String> {
    if dtype.opmath() == dtype { representable(number, dtype) } else { Ok(()) }
}

/// Whether a number may fill a tensor.
pub(super) fn filled(number: Value, dtype: Dtype, shape: &[Size]) -> Result<(), String> {
    if shape.iter().all(|s| s.assume_eq(1)) {
        number_of_one(number, dtype)
    } else {
        representable(number, dtype)
    }
}

/// Shape and dtype as the attributes say, filled with the last operand where there is one.
pub fn factory<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let size = args.dynamic_ints("size", 0)?;
    if let Some(s) = size.iter().find(|s| s.assume_lt(0) && !s.is_unknown()) {
        if args.operator() == "zeros" {
            return Err("zeros: Dimension size must be non-negative.".into());
        }
        return Err(format!(
            "Trying to create tensor with negative dimension {s}: {}",
            crate::ir::types::Shape(&size)
        ));
    }
    let dtype = dtype(args)?;
    if args.operand_count() > 1 {
        filled(args.operand(1)?, dtype, &size)?;
    }
    Ok(vec![args.result(&size, dtype)])
}

/// No dimensions.
pub fn scalar_tensor<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let dtype = dtype(args)?;
    number_of_one(args.operand(0)?, dtype)?;
    Ok(vec![args.result(&[], dtype)])
}

/// The parts of a `complex.constant` number.
pub(super) fn complex_constant(value: Value) -> Option<[f64; 2]> {
    let op = operations::definition(value)?;
    if op.name().as_string_ref().as_str() != Ok("complex.constant") {
        return None;
    }
    convert::complex(op.attribute("value").ok()?)
}

/// Whether a value is a number that is known statically.
pub fn is_constant(value: Value) -> bool {
    constant(value).is_some() || complex_constant(value).is_some()
}

/// An integer; true is 1, though an i1 has a sign bit alone.
pub(super) fn integer(a: Attribute) -> i64 {
    if a.r#type() == melior::ir::r#type::IntegerType::new(crate::ir::context::of(a.context()), 1).into() {
        convert::bool(a).into()
    } else {
        convert::i64(a)
    }
}

/// The integer that a constant is.
pub(crate) fn whole(a: Attribute) -> Option<i64> {
    a.is_integer().then(|| integer(a))
}

/// A constant as a float.
pub(super) fn float(a: Attribute) -> f64 {
    if a.is_float() { convert::f64(a) } else { integer(a) as f64 }
}

/// The number of elements of an arange: ceil((end - start) / step), in integers where all are.
fn arange_length(bounds: &[Attribute; 3]) -> Result<i64, String> {
    let negative = "upper bound and lower bound inconsistent with step sign";
    let zero = "step must be nonzero";
    if bounds.iter().all(|a| a.is_integer()) {
        let [start, end, step] = bounds.map(|a| i128::from(integer(a)));
        if step == 0 {
            return Err(zero.into());
        }
        let span = end - start;
        if span != 0 && (span > 0) != (step > 0) {
            return Err(negative.into());
        }
        let (span, step) = (span.abs(), step.abs());
        return i64::try_from((span + step - 1) / step).map_err(|_| "has too many elements".into());
    }
    let [start, end, step] = bounds.map(float);
    if step == 0.0 {
        return Err(zero.into());
    }
    let length = ((end - start) / step).ceil();
    if !start.is_finite() || !end.is_finite() {
        let word = |x: f64| if x.is_nan() { "nan".into() } else { x.to_string() };
        return Err(format!("unsupported range: {} -> {}", word(start), word(end)));
    }
    if if step > 0.0 { end < start } else { end > start } {
        return Err(negative.into());
    }
    if length >= i64::MAX as f64 { Err("has too many elements".into()) } else { Ok(length as i64) }
}

/// The length is known where the numbers are constants.
pub fn arange<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let dtype = dtype(args)?;
    if dtype == Dtype::Bool || dtype.is_complex() {
        return Err(super::not_implemented("arange_cpu", dtype));
    }
    let or = |value: Option<Value<'c, '_>>, default| match value {
        Some(value) => constant(value),
        None => Some(IntegerAttribute::new(IntegerType::new(args.context(), 64).into(), default).into()),
    };
    let bounds = [or(args.optional(0)?, 0), constant(args.operand(1)?), or(args.optional(2)?, 1)];
    let length = match bounds {
        [Some(a), Some(b), Some(c)] => arange_length(&[a, b, c])?.into(),
        // Up to a size of the run, one by one.
        [Some(start), None, Some(step)] if [start, step].iter().all(|a| a.is_integer()) => {
            let (start, end) = (Size::from(integer(start)), args.number(args.operand(1)?));
            match end.filter(|end| integer(step) == 1 && start.is_at_most(*end)) {
                Some(end) => end - start,
                None => Size::UNKNOWN,
            }
        }
        _ => Size::UNKNOWN,
    };
    Ok(vec![args.result(&[length], dtype)])
}
