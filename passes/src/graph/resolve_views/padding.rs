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

/// Dimension after dimension; what is not there yet in the others is written when they come.
fn by_border<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>, pads: &Pads, reflects: bool) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    let sizes = r.sizes(own)?;
    let whole: Vec<Size> =
        sizes.iter().zip(pads).map(|(size, pad)| *size + (pad[0].max(0) + pad[1].max(0))).collect();
    let format = r.suggested(own)?;
    let dtype = tensor(own.r#type())?.dtype;
    let out = empty(r, &whole, dtype, format)?;
    let place = inner(r, out, pads, 1)?;
    copy(r, place, own)?;
    for (dim, pad) in pads.iter().enumerate() {
        let [before, after] = pad.map(|p| p.max(0));
        let (first, end) = (Size::from(before), sizes[dim] + before);
        let sides = [
            (before, [Size::ZERO, first], [first + 1, first + 1 + before], first),
            (after, [end, end + after], [end - 1 - after, end - 1], end - 1),
        ];
        for (count, to, mirrored, last) in sides {
            if count == 0 {
                continue;
            }
            let to = r.slice(out, dim, to[0], to[1])?;
            let from = if reflects {
                let from = r.slice(out, dim, mirrored[0], mirrored[1])?;
                r.value(graph::flip(r.location(), from, &[dim as i64]))?
            } else {
                let from = r.slice(out, dim, last, last + 1)?;
                // That it shares nothing with what is written takes numbers to see.
                let open = sizes.iter().any(|size| size.known().is_none());
                if open { r.clone(from, "contiguous_format")? } else { from }
            };
            copy(r, to, from)?;
        }
    }
    if pads.iter().flatten().all(|p| *p >= 0) {
        return Ok(vec![out]);
    }
    let cut = inner(r, out, pads, -1)?;
    Ok(vec![r.clone(cut, format)?])
}

/// The beginning of each dimension from its end, then the end from its beginning.
fn circular<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>, pads: &Pads) -> Resolved<'c, 'a> {
    let (own, shape) = (r.operand(0), r.result_sizes(0)?);
    let dtype = tensor(own.r#type())?.dtype;
    let out = empty(r, &shape, dtype, "contiguous_format")?;
    let (place, cut) = (inner(r, out, pads, 1)?, inner(r, own, pads, -1)?);
    copy(r, place, cut)?;
    for (dim, pad) in pads.iter().enumerate() {
        let [before, after] = pad.map(|p| p.max(0));
        let (end, zero, first) = (shape[dim] - after, Size::ZERO, Size::from(before));
        let sides = [
            (before, [zero, first], [end - before, end]),
            (after, [end, end + after], [first, first + after]),
        ];
        for (count, to, from) in sides {
            if count > 0 {
                let (to, from) = (r.slice(out, dim, to[0], to[1])?, r.slice(out, dim, from[0], from[1])?);
                copy(r, to, from)?;
            }
        }
    }
    Ok(vec![out])
}
