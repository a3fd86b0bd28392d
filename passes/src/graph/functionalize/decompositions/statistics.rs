//! Variances, the logarithm of a sum of exponentials, norms and counts, spelled by reductions and functions
//! of elements.

use super::lowering::{Lowered, Lowering};
use crate::functional::writer::{Writer, Written};
use melior::ir::{Attribute, AttributeLike, Value, ValueLike};
use terrace_dialects::{
    internal,
    ir::{attributes as convert, dtype::Dtype, pass::Failure, refusal::Reason, types::TensorType, view},
    ops::functional as f,
};
use terrace_size::{Number, Size};

/// A tensor that is reduced.
struct Reduced<'c, 'a> {
    w: Writer<'c, 'a>,
    own: Value<'c, 'a>,
    sizes: Vec<Size>,
    /// The dimensions that go; all where there is none.
    dims: Option<Vec<i64>>,
    keepdim: bool,
}

impl<'c, 'a> Reduced<'c, 'a> {
    /// The first operand, in a dtype.
    fn of(l: &mut Lowering<'_, 'c, 'a>, dtype: Dtype) -> Result<Self, Failure> {
        let own = l.read(l.operand(0))?;
        let own = l.values.cast(own, dtype)?;
        let sizes = l.values.sizes(own)?;
        let list = |dim: Attribute| match dim.is_integer() {
            true => vec![convert::i64(dim)],
            false => convert::i64s(dim),
        };
        let dims = view::attribute(l.op, "dim").map(list).filter(|dims| !dims.is_empty());
        let keepdim = view::attribute(l.op, "keepdim").is_some_and(convert::bool);
        Ok(Self { w: **l.values, own, sizes, dims, keepdim })
    }

    /// The real numbers that stand for complex ones: their parts, a last dimension that stays.
    fn parts(mut self) -> Result<Self, Failure> {
        let part = self.w.ty(self.own)?.dtype.part();
        if self.sizes.is_empty() {
            // No dimensions to go would be all of them.
            (self.own, self.sizes, self.keepdim) = (self.w.view(self.own, &[1])?, vec![Size::ONE], false);
        }
        self.own = self.w.opened(self.own, part)?;
        let rank = self.sizes.len() as i64;
        let all = || (0..rank).collect();
        self.dims =
            Some(self.dims.map_or_else(all, |dims| dims.iter().map(|d| d.rem_euclid(rank.max(1))).collect()));
        self.sizes.push(2.into());
        Ok(self)
    }

    /// The number of elements that become one.
    fn count(&self) -> Size {
        let rank = self.sizes.len() as i64;
        let wrapped: Option<Vec<i64>> =
            self.dims.as_ref().map(|dims| dims.iter().map(|d| d.rem_euclid(rank.max(1))).collect());
        let goes = |d: usize| wrapped.as_ref().is_none_or(|dims| dims.contains(&(d as i64)));
        (0..self.sizes.len()).filter(|d| goes(*d)).map(|d| self.sizes[d]).product()
    }

    fn sum(&self, value: Value<'c, 'a>) -> Written<'c, 'a> {
        self.w.value(f::sum(self.w.location(), value, self.dims.as_deref(), Some(self.keepdim), None))
    }

    fn mean(&self, keepdim: bool) -> Written<'c, 'a> {
        self.w.value(f::mean(self.w.location(), self.own, self.dims.as_deref(), Some(keepdim), None))
    }

    fn largest(&self, value: Value<'c, 'a>, keepdim: bool) -> Written<'c, 'a> {
        self.w.value(f::amax(self.w.location(), value, self.dims.as_deref(), Some(keepdim)))
    }

    fn smallest(&self, value: Value<'c, 'a>) -> Written<'c, 'a> {
        self.w.value(f::amin(self.w.location(), value, self.dims.as_deref(), Some(self.keepdim)))
    }
}

/// `var`, `std` and `var_mean`: squared distances from the mean, summed, over their number less a correction.
/// Half precision would not hold squares and their sums: it is rounded to in the end, as eager does.
pub fn variance<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, dtype) = l.result()?;
    let own = TensorType::of(l.operand(0).r#type()).ok_or(internal!("an operand is no tensor"))?.dtype;
    let whole = Reduced::of(l, own)?;
    let mean = |keepdim| whole.mean(keepdim);
    let x = Reduced::of(l, own.opmath())?;
    let x = if own.is_complex() { x.parts()? } else { x };
    let w = x.w;
    let distance = w.binary(f::sub, x.own, w.expand(x.mean(true)?, &x.sizes)?)?;
    let squares = x.sum(w.binary(f::mul, distance, distance)?)?;
    let correction = match view::optional(l.op, l.op_impl, 1) {
        Some(number) => number,
        None => w.float(1.0)?,
    };
    let correction = w.full(correction, dtype.opmath(), &w.sizes(squares)?)?;
    let left = w.binary(f::sub, w.like_size(squares, x.count())?, correction)?;
    let zero = w.like(squares, 0.0)?;
    // Of no elements it is nan, whatever the correction.
    let divisor = if x.count().assume_eq(0) { zero } else { w.binary(f::maximum, left, zero)? };
    let mut variance = w.quotient(squares, divisor)?;
    if own.is_complex() {
        variance = w.value(f::sum(w.location(), variance, Some(&[-1]), Some(false), None))?;
    }
    if l.op_impl.operator() == "std" {
        variance = w.unary(f::sqrt, variance)?;
    }
    let variance = w.cast(variance, dtype)?;
    Ok(match l.op_impl.operator() {
        "var_mean" => vec![variance, mean(whole.keepdim)?],
        _ => vec![variance],
    })
}

/// `logsumexp`: the largest is taken off before, and added after; an infinite one is not.
pub fn logsumexp<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let x = Reduced::of(l, dtype)?;
    let w = x.w;
    if x.sizes.iter().any(|size| size.assume_eq(0)) {
        return Ok(vec![w.unary(f::log, x.sum(w.unary(f::exp, x.own)?)?)?]);
    }
    let real = if dtype.is_complex() { w.part(x.own, 0)? } else { x.own };
    let largest = x.largest(real, true)?;
    let shift = w.choose(w.unary(f::isinf, largest)?, w.like(largest, 0.0)?, largest)?;
    let shift = w.cast(shift, dtype)?;
    let shifted = w.binary(f::sub, x.own, w.expand(shift, &x.sizes)?)?;
    let log = w.unary(f::log, x.sum(w.unary(f::exp, shifted)?)?)?;
    let shift = match x.keepdim {
        true => shift,
        false => w.view(shift, &sizes)?,
    };
    Ok(vec![w.binary(f::add, log, shift)?])
}

/// `linalg_vector_norm`, of an order that is known. Half precision would not hold powers and their sums.
pub fn vector_norm<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, dtype) = l.result()?;
    let ord = match view::optional(l.op, l.op_impl, 1) {
        Some(number) => match crate::graph::functionalize::program::constant(number) {
            Some(crate::graph::functionalize::program::Number::Float(ord)) => ord,
            Some(crate::graph::functionalize::program::Number::Int(ord)) => ord as f64,
            None => {
                return Err(Reason::RunTime
                    .says("has an order that is known at run time only: it must be static here")
                    .into());
            }
        },
        None => 2.0,
    };
    let own = TensorType::of(l.operand(0).r#type()).ok_or(internal!("an operand is no tensor"))?.dtype;
    let (result, dtype) = (dtype, dtype.opmath());
    let wide = if own.is_complex() { dtype.complex().unwrap_or(own) } else { dtype };
    let mut x = Reduced::of(l, wide)?;
    let w = x.w;
    let magnitude = w.unary(f::abs, x.own)?;
    if own.is_complex() {
        x.own = magnitude;
    }
    let power = |value: Value<'c, 'a>, exponent: f64| w.binary(f::pow, value, w.like(value, exponent)?);
    let norm = match ord {
        f64::INFINITY => x.largest(magnitude, x.keepdim)?,
        f64::NEG_INFINITY => x.smallest(magnitude)?,
        0.0 => x.sum(w.cast(w.binary(f::ne, x.own, w.like(x.own, 0.0)?)?, dtype)?)?,
        1.0 => x.sum(magnitude)?,
        2.0 => w.unary(f::sqrt, x.sum(w.binary(f::mul, x.own, x.own)?)?)?,
        ord => power(x.sum(power(magnitude, ord)?)?, 1.0 / ord)?,
    };
    Ok(vec![w.cast(norm, result)?])
}

/// `count_nonzero`.
pub fn count_nonzero<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let own = TensorType::of(l.operand(0).r#type()).ok_or(internal!("an operand is no tensor"))?;
    let x = Reduced::of(l, own.dtype)?;
    let w = x.w;
    let truth = w.binary(f::ne, x.own, w.like(x.own, 0.0)?)?;
    Ok(vec![x.sum(w.cast(truth, Dtype::I64)?)?])
}

/// `max` and `min` of all elements.
pub fn extreme<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, dtype) = l.result()?;
    let x = Reduced::of(l, dtype)?;
    let largest = l.op_impl.operator() == "max";
    Ok(vec![if largest { x.largest(x.own, false)? } else { x.smallest(x.own)? }])
}

/// `aminmax`.
pub fn aminmax<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, dtype) = l.result()?;
    let x = Reduced::of(l, dtype)?;
    Ok(vec![x.smallest(x.own)?, x.largest(x.own, x.keepdim)?])
}

/// `argsort`: the places of `sort`.
pub fn argsort<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let own = l.read(l.operand(0))?;
    Ok(l.build("sort", &[vec![own]], &[])?.split_off(1))
}
