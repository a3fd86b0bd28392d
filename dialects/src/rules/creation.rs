//! Tensors out of numbers.

use super::Types;
use crate::{args::Args, attributes as convert, dtype::Dtype, types::DYNAMIC};
use melior::ir::{
    Attribute, AttributeLike, Value, attribute::IntegerAttribute, operation::OperationLike,
    r#type::IntegerType,
};
use mlir_sys::{mlirAttributeIsAFloat, mlirAttributeIsAInteger};

fn dtype(args: &Args) -> Result<Dtype, String> {
    args.dtype("dtype")?.ok_or_else(|| "misses attribute 'dtype'".into())
}

/// Shape and dtype as the attributes say.
pub fn factory<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let size = args.dynamic_ints("size", 0)?;
    if let Some(s) = size.iter().find(|s| **s < 0 && **s != DYNAMIC) {
        return Err(format!(
            "Trying to create tensor with negative dimension {s}: {}",
            crate::types::Shape(&size)
        ));
    }
    Ok(vec![args.result(&size, dtype(args)?, None)])
}

/// The shape of `self`; its dtype unless another is given.
pub fn full_like<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let dtype = args.dtype("dtype")?.unwrap_or(own.dtype);
    super::one(args.context(), &own.with_dtype(dtype))
}

/// No dimensions.
pub fn scalar_tensor<'c>(args: &Args<'c, '_>) -> Types<'c> {
    Ok(vec![args.result(&[], dtype(args)?, None)])
}

/// The value of an `arith.constant` number.
fn constant<'c>(value: Value<'c, '_>) -> Option<Attribute<'c>> {
    let result = melior::ir::operation::OperationResult::try_from(value).ok()?;
    let op = result.owner();
    if op.name().as_string_ref().as_str() != Ok("arith.constant") {
        return None;
    }
    op.attribute("value").ok()
}

/// The number of elements of an arange: ceil((end - start) / step), in integers where all are.
fn arange_length(bounds: &[Attribute; 3]) -> Result<i64, String> {
    let negative = "upper bound and lower bound inconsistent with step sign";
    let zero = "step must be nonzero";
    if bounds.iter().all(|a| unsafe { mlirAttributeIsAInteger(a.to_raw()) }) {
        let [start, end, step] = bounds.map(|a| convert::i64(a) as i128);
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
    let number = |a: Attribute| {
        if unsafe { mlirAttributeIsAFloat(a.to_raw()) } { convert::f64(a) } else { convert::i64(a) as f64 }
    };
    let [start, end, step] = bounds.map(number);
    if step == 0.0 {
        return Err(zero.into());
    }
    let length = ((end - start) / step).ceil();
    if !start.is_finite() || !end.is_finite() {
        return Err(format!("unsupported range: {start} -> {end}"));
    }
    if length < 0.0 {
        return Err(negative.into());
    }
    if length >= i64::MAX as f64 { Err("has too many elements".into()) } else { Ok(length as i64) }
}

/// The length is known where the numbers are constants.
pub fn arange<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let or = |value: Option<Value<'c, '_>>, default| match value {
        Some(value) => constant(value),
        None => Some(IntegerAttribute::new(IntegerType::new(args.context(), 64).into(), default).into()),
    };
    let bounds = [or(args.optional(0)?, 0), constant(args.operand(1)?), or(args.optional(2)?, 1)];
    let length = match bounds {
        [Some(a), Some(b), Some(c)] => arange_length(&[a, b, c])?,
        _ => DYNAMIC,
    };
    Ok(vec![args.result(&[length], dtype(args)?, None)])
}
