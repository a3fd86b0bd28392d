//! Dropout: nothing where nothing is drawn, else a product with noise, as eager computes it.

use super::resolver::{Resolved, ResolvedValue, Resolver};
use melior::ir::Value;
use terrace_dialects::{
    ir::{
        attributes as convert,
        dtype::{Dtype, ElementType},
        pass::Failure,
        types::TensorType,
        view,
    },
    ops::graph,
};

/// Filled with a number, laid out like a tensor.
fn filled<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    own: Value<'c, 'a>,
    number: f64,
    dtype: Dtype,
) -> ResolvedValue<'c, 'a> {
    let dtype = dtype.to_type(terrace_dialects::ir::context::of(r.location().context()));
    let number = r.number(number)?;
    r.value(graph::full_like(r.location(), own, number, Some(dtype), None, None))
}

/// One with a probability, else 0, laid out like a tensor.
fn kept<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    own: Value<'c, 'a>,
    p: f64,
    dtype: Dtype,
) -> ResolvedValue<'c, 'a> {
    let zeros = filled(r, own, 0.0, dtype)?;
    r.value(graph::bernoulli_in_place(r.location(), zeros, Some(p)))
}

/// The operand, its type, and the probability to drop an element where any may be.
fn drops<'c, 'a>(r: &Resolver<'_, 'c, 'a>) -> Result<(Value<'c, 'a>, TensorType<'c>, Option<f64>), Failure> {
    let (own, ty) = (r.operand(0), r.result(0)?);
    let p = view::attribute(r.op, "p").map_or(0.5, convert::f64);
    let train = view::attribute(r.op, "train").is_none_or(convert::bool);
    Ok((own, ty, train.then_some(p)))
}

/// `dropout`, also in place: the operand itself where nothing is dropped; zeros, but for nan, where all is.
pub fn dropout<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let in_place = r.class.name.ends_with('_');
    let (own, ty, p) = drops(r)?;
    let Some(p) = p.filter(|p| *p > 0.0) else { return Ok(vec![own]) };
    if r.is_empty(own)? {
        return Ok(vec![own]);
    }
    let location = r.location();
    let noise = if p < 1.0 {
        // Complex numbers are kept or dropped whole.
        let noise = kept(r, own, 1.0 - p, ty.dtype.part())?;
        let scale = r.number(1.0 - p)?;
        r.value(graph::div_in_place(location, noise, scale, None))?
    } else {
        let dtype = ty.dtype.to_type(terrace_dialects::ir::context::of(location.context()));
        let zero = r.number(0.0)?;
        r.value(graph::scalar_tensor(location, zero, dtype, None))?
    };
    let product =
        if in_place { graph::mul_in_place(location, own, noise) } else { graph::mul(location, own, noise) };
    Ok(vec![r.value(product)?])
}

/// `native_dropout`: what has no elements is given itself, what is not trained a copy.
pub fn native_dropout<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let (own, _ty, p) = drops(r)?;
    let location = r.location();
    if r.is_empty(own)? {
        return Ok(vec![own, filled(r, own, 0.0, Dtype::Bool)?]);
    }
    let Some(p) = p else {
        return Ok(vec![r.clone(own, "preserve_format")?, filled(r, own, 1.0, Dtype::Bool)?]);
    };
    let mask = kept(r, own, 1.0 - p, Dtype::Bool)?;
    let product = r.value(graph::mul(location, own, mask))?;
    let scale = r.number(if p == 1.0 { 0.0 } else { 1.0 / (1.0 - p) })?;
    Ok(vec![r.value(graph::mul_in_place(location, product, scale))?, mask])
}
