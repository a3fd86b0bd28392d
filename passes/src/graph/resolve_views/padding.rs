//! Padding: a new tensor, into which the operand is copied, and then what lies beyond its borders.

use super::resolver::{Resolved, ResolvedValue, Resolver, tensor};
use melior::ir::{Value, ValueLike};
use terrace_dialects::{
    aten::rules::pads_by_dim,
    ir::{
        attributes as convert,
        dtype::{Dtype, ElementType},
        view,
    },
    ops::graph,
};
use terrace_size::Size;

/// How much is added before and after each dimension.
pub type Pads = Vec<[i64; 2]>;

fn pads(r: &Resolver, name: &str) -> Result<Pads, terrace_dialects::ir::pass::Failure> {
    Ok(pads_by_dim(tensor(r.operand(0).r#type())?.rank(), &r.ints(name)))
}

fn copy<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    to: Value<'c, 'a>,
    from: Value<'c, 'a>,
) -> ResolvedValue<'c, 'a> {
    r.value(graph::copy_in_place(r.location(), to, from))
}

/// A part of each dimension: all but what pads that are positive, or that are negative, take away.
fn inner<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    mut value: Value<'c, 'a>,
    pads: &Pads,
    sign: i64,
) -> ResolvedValue<'c, 'a> {
    for (dim, pad) in pads.iter().enumerate() {
        let [before, after] = pad.map(|p| (p * sign).max(0));
        if before > 0 || after > 0 {
            let size = r.sizes(value)?[dim];
            value = r.slice(value, dim, before, size - after)?;
        }
    }
    Ok(value)
}

/// A new tensor, its elements not defined.
fn empty<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    shape: &[Size],
    dtype: Dtype,
    format: &str,
) -> ResolvedValue<'c, 'a> {
    let context = terrace_dialects::ir::context::of(r.location().context());
    let (dynamic, shape) = r.listed(shape)?;
    r.value(graph::empty(r.location(), &dynamic, &shape, Some(dtype.to_type(context)), None, Some(format)))
}

/// A tensor in the middle of a number.
fn by_number<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    pads: &Pads,
    number: impl FnOnce(&mut Resolver<'_, 'c, 'a>) -> ResolvedValue<'c, 'a>,
) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    let cut = inner(r, own, pads, -1)?;
    if pads.iter().flatten().all(|p| *p <= 0) {
        return Ok(vec![r.clone(cut, "preserve_format")?]);
    }
    let format = r.suggested(own)?;
    let ty = tensor(own.r#type())?;
    let sizes = r.sizes(own)?;
    let shape: Vec<Size> =
        sizes.iter().zip(pads).map(|(size, [before, after])| *size + (before + after)).collect();
    let out = empty(r, &shape, ty.dtype, format)?;
    let number = number(r)?;
    r.value(graph::fill_in_place(r.location(), out, number))?;
    let place = inner(r, out, pads, 1)?;
    copy(r, place, cut)?;
    Ok(vec![out])
}

/// A tensor with zeros behind it in each dimension, up to these sizes.
pub fn up_to<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    own: Value<'c, 'a>,
    shape: &[Size],
) -> ResolvedValue<'c, 'a> {
    let format = r.suggested(own)?;
    let out = empty(r, shape, tensor(own.r#type())?.dtype, format)?;
    let zero = r.number(0.0)?;
    let mut place = r.value(graph::fill_in_place(r.location(), out, zero))?;
    for (dim, size) in r.sizes(own)?.into_iter().enumerate() {
        if !size.is_same(shape[dim]) {
            place = r.slice(place, dim, 0, size)?;
        }
    }
    copy(r, place, own)?;
    Ok(out)
}

/// `constant_pad_nd`: a filled tensor, and the operand in it.
pub fn constant<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let pads = pads(r, "pad")?;
    let value = r.operands(1).first().copied();
    by_number(r, &pads, |r| match value {
        Some(value) => Ok(value),
        None => r.number(0.0),
    })
}

/// `pad`: by its mode.
pub fn pad<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let pads = pads(r, "pad")?;
    match view::attribute(r.op, "mode").map(convert::string).as_deref() {
        None | Some("constant") => {
            let value = view::attribute(r.op, "value").map_or(0.0, convert::f64);
            by_number(r, &pads, |r| r.number(value))
        }
        Some("circular") => circular(r, &pads),
        mode => by_border(r, &pads, mode == Some("reflect")),
    }
}

/// `reflection_pad`, `replication_pad`.
pub fn border<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let pads = pads(r, "padding")?;
    let reflects = r.class.name.contains("reflection");
    by_border(r, &pads, reflects)
}

/// The part beyond a side of a dimension, of so many indices.
type Beyond<'f, 'l, 'c, 'a> =
    &'f dyn Fn(&mut Resolver<'l, 'c, 'a>, Value<'c, 'a>, usize, Side, i64) -> ResolvedValue<'c, 'a>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// By what is inside, mirrored or repeated.
fn by_border<'l, 'c, 'a>(r: &mut Resolver<'l, 'c, 'a>, pads: &Pads, reflects: bool) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    let format = r.suggested(own)?;
    let whole = joined(r, own, pads, 0, &|r: &mut Resolver<'l, 'c, 'a>, value, dim, side, count| {
        let mut shape = r.sizes(value)?;
        let last = shape[dim] - 1;
        if reflects {
            let first = if side == Side::Before { Size::ONE } else { last - count };
            let edge = r.slice(value, dim, first, first + count)?;
            return r.value(graph::flip(r.location(), edge, &[dim as i64]));
        }
        let first = if side == Side::Before { Size::ZERO } else { last };
        let edge = r.slice(value, dim, first, first + 1)?;
        shape[dim] = Size::from(count);
        r.expand(edge, &shape)
    })?;
    let cut = inner(r, whole, pads, -1)?;
    Ok(vec![r.clone(cut, format)?])
}

/// The beginning of each dimension is its end, and what comes behind its end is its beginning.
fn circular<'l, 'c, 'a>(r: &mut Resolver<'l, 'c, 'a>, pads: &Pads) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    let cut = inner(r, own, pads, -1)?;
    let whole = joined(r, cut, pads, 0, &|r: &mut Resolver<'l, 'c, 'a>, value, dim, side, count| {
        let size = r.sizes(value)?[dim];
        match side {
            Side::Before => r.slice(value, dim, size - count, size),
            Side::After => r.slice(value, dim, 0, count),
        }
    })?;
    Ok(vec![r.clone(whole, "contiguous_format")?])
}

/// A tensor between what is beyond its sides, in each dimension from `dim` on. Corners are parts of the parts
/// of the dimension before: each element is written once, from the tensor itself.
fn joined<'l, 'c, 'a>(
    r: &mut Resolver<'l, 'c, 'a>,
    value: Value<'c, 'a>,
    pads: &Pads,
    dim: usize,
    beyond: Beyond<'_, 'l, 'c, 'a>,
) -> ResolvedValue<'c, 'a> {
    let Some([before, after]) = pads.get(dim).copied() else { return Ok(value) };
    let mut parts = vec![];
    if before > 0 {
        parts.push(beyond(r, value, dim, Side::Before, before)?);
    }
    parts.push(value);
    if after > 0 {
        parts.push(beyond(r, value, dim, Side::After, after)?);
    }
    for part in &mut parts {
        *part = joined(r, *part, pads, dim + 1, beyond)?;
    }
    if parts.len() == 1 { Ok(parts[0]) } else { r.cat(&parts, dim) }
}
