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

/// Dimension after dimension: what is inside, between two parts of it that are mirrored or repeated.
fn by_border<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>, pads: &Pads, reflects: bool) -> Resolved<'c, 'a> {
    let mut value = r.operand(0);
    let format = r.suggested(value)?;
    for (dim, pad) in pads.iter().enumerate() {
        let counts = pad.map(|p| p.max(0));
        let size = r.sizes(value)?[dim];
        let last = size - 1;
        let edges = if reflects {
            [[Size::from(1), Size::from(1 + counts[0])], [last - counts[1], last]]
        } else {
            [[Size::ZERO, Size::from(1)], [last, size]]
        };
        value = between(r, value, dim, counts, edges, |r, edge, count| {
            if reflects {
                return r.value(graph::flip(r.location(), edge, &[dim as i64]));
            }
            let mut shape = r.sizes(edge)?;
            shape[dim] = Size::from(count);
            r.expand(edge, &shape)
        })?;
    }
    let cut = inner(r, value, pads, -1)?;
    Ok(vec![r.clone(cut, format)?])
}

/// The beginning of each dimension is a copy of its end, and its end one of its beginning.
fn circular<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>, pads: &Pads) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    let mut value = inner(r, own, pads, -1)?;
    for (dim, pad) in pads.iter().enumerate() {
        let counts = pad.map(|p| p.max(0));
        let size = r.sizes(value)?[dim];
        let edges = [[size - counts[0], size], [Size::ZERO, Size::from(counts[1])]];
        value = between(r, value, dim, counts, edges, |_, edge, _| Ok(edge))?;
    }
    Ok(vec![r.clone(value, "contiguous_format")?])
}

/// A tensor between what is made of two slices of it, where a side has elements.
fn between<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    dim: usize,
    counts: [i64; 2],
    edges: [[Size; 2]; 2],
    mut side: impl FnMut(&mut Resolver<'_, 'c, 'a>, Value<'c, 'a>, i64) -> ResolvedValue<'c, 'a>,
) -> ResolvedValue<'c, 'a> {
    let mut parts = vec![];
    for (place, (count, [first, end])) in counts.into_iter().zip(edges).enumerate() {
        if count > 0 {
            let edge = r.slice(value, dim, first, end)?;
            parts.push(side(r, edge, count)?);
        }
        if place == 0 {
            parts.push(value);
        }
    }
    if parts.len() == 1 { Ok(value) } else { r.cat(&parts, dim) }
}
