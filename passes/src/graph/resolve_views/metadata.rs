//! What changes a tensor object: views of the storage that it had, or of another one.

use super::{
    complex,
    resolver::{Resolved, ResolvedValue, Resolver, tensor},
};
use melior::ir::{Attribute, Value, ValueLike};
use terrace_dialects::{
    ir::{attributes as convert, dtype::ElementType, pass::Failure, refusal::Reason, view},
    ops::graph,
};
use terrace_layout::{
    Layout,
    creation::{in_format, suggested_format},
};

/// A view of a tensor's storage, which grows where it is not known to be large enough.
fn within<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    own: Value<'c, 'a>,
    layout: &Layout,
) -> ResolvedValue<'c, 'a> {
    let (layout, location) = (&layout.clone().check()?, r.location());
    let (needed, there) = (layout.end(), r.capacity(own)?);
    if !layout.is_empty() && needed > there {
        let bytes = needed.saturating_mul(r.result(0)?.dtype.bytes() as i64);
        let at_least = Attribute::unit(terrace_dialects::ir::context::of(location.context()));
        r.insert(graph::resize_storage(location, &[], own, &[], &[bytes], Some(at_least)))?;
    }
    strided(r, own, layout)
}

/// A view of a tensor's storage.
fn strided<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>, own: Value<'c, 'a>, to: &Layout) -> ResolvedValue<'c, 'a> {
    r.value(graph::as_strided(r.location(), own, &[], &to.sizes, &[], &to.strides, &[], &[to.offset]))
}

/// `resize_`, `resize_as_`: equal sizes keep their strides, unless a memory format is given.
pub fn resize<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    if !r.result(0)?.is_static() {
        return Err(Reason::Size.says("sizes must be static here").into());
    }
    let (sizes, layout) = (r.result(0)?.shape, r.strided(own)?);
    let mut format = view::attribute(r.op, "memory_format").map(convert::string);
    if format.as_deref() == Some("preserve_format") {
        format = Some(suggested_format(&r.strided(r.operand(1))?).to_string());
    }
    if format.is_none() && layout.sizes == sizes {
        return Ok(vec![r.value(graph::alias(r.location(), own))?]);
    }
    let packed = match format.as_deref() {
        Some(format) => in_format(&sizes, format),
        None => Layout::contiguous(&sizes),
    };
    Ok(vec![within(r, own, &Layout { offset: r.numbers(own)?.offset, ..packed })?])
}

/// The layout of a tensor, which it may keep, where its strides are known.
fn kept<'c, 'a>(r: &Resolver<'_, 'c, 'a>, own: Value<'c, 'a>) -> Result<Option<Layout>, Failure> {
    if tensor(own.r#type())?.is_static() { Ok(r.strided(own).ok()) } else { r.strided(own).map(Some) }
}

/// `set_`: a view of the source's storage, read as the tensor itself was; without a source a new one of no
/// elements.
pub fn set<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let (sizes, own) = (r.result(0)?.shape, r.operand(0));
    let Some(source) = r.operands(1).first().copied() else {
        let dtype = r.result(0)?.dtype.to_type(terrace_dialects::ir::context::of(r.location().context()));
        let empty = r.value(graph::empty(r.location(), &[], &sizes, Some(dtype), None, None))?;
        let kept = kept(r, own)?.filter(|own| own.sizes == sizes);
        return Ok(vec![match kept {
            Some(own) => within(r, empty, &Layout { offset: 0, ..own })?,
            None => empty,
        }]);
    };
    let Some(offset) = r.int("storage_offset") else {
        let whole = r.value(graph::alias(r.location(), source))?;
        return Ok(vec![complex::read_as(r, whole, source, own)?]);
    };
    let layout = r.numbers(source)?;
    if !layout.is_contiguous() {
        return Err("passed in tensor to be used as storage must be contiguous".into());
    }
    let strides = r.ints("stride");
    let offset = layout.offset.saturating_add(offset);
    // Sizes and strides that stay what they are let no storage grow.
    let kept = kept(r, own)?.filter(|own| own.sizes == sizes).map(|own| own.strides);
    if let Some(kept) = kept.filter(|kept| strides.is_empty() || *kept == strides) {
        let part = strided(r, source, &Layout { sizes, strides: kept, offset })?;
        return Ok(vec![complex::read_as(r, part, source, own)?]);
    }
    let packed = || Layout::contiguous(&sizes).strides;
    let strides = if strides.is_empty() { packed() } else { strides };
    let part = within(r, source, &Layout { sizes, strides, offset })?;
    Ok(vec![complex::read_as(r, part, source, own)?])
}

/// `fill_diagonal_`: fills of the views that are diagonals.
pub fn fill_diagonal<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let (own, value, location) = (r.operand(0), r.operand(1), r.location());
    let rank = tensor(own.r#type())?.rank();
    if rank > 2 && !tensor(own.r#type())?.is_static() {
        return Err(Reason::RunTime
            .says("has to have equal sizes, and these are known at run time only: they must be static here")
            .into());
    }
    let mut diagonal = own;
    for _ in 1..rank {
        diagonal = r.value(graph::diagonal(location, diagonal, Some(0), Some(0), Some(1)))?;
    }
    r.insert(graph::fill_in_place(location, diagonal, value))?;
    if rank == 2 && view::attribute(r.op, "wrap").is_some_and(convert::bool) {
        wrapped(r, own, value)?;
    }
    Ok(vec![own])
}

/// Fills the diagonals that begin anew below the first one of a tall matrix, which may make its storage
/// larger.
fn wrapped<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    own: Value<'c, 'a>,
    value: Value<'c, 'a>,
) -> Result<(), Failure> {
    let layout = r.numbers(own)?;
    let [height, width] = layout.sizes[..] else { return Err("is no matrix".into()) };
    if height > width + 1 {
        let count = (height * width + width) / (width + 1) - height.min(width);
        let offset = layout.offset + layout.strides[0] * (width + 1);
        let strides = vec![layout.strides.iter().sum()];
        let part = within(r, own, &Layout { sizes: vec![count], strides, offset })?;
        r.insert(graph::fill_in_place(r.location(), part, value))?;
    }
    Ok(())
}
