//! What changes a tensor object: its sizes, its strides, the storage that it is a view of.

use super::place::{Known, Placed, Places, Question};
use crate::ir::{attributes as convert, view};
use terrace_layout::{
    Layout,
    creation::{in_format, suggested_format},
};
use terrace_size::Number;

/// What the object is afterwards; None where the operation is none of these.
pub(super) fn placed<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Option<Places<'c, 'a, N>> {
    let like = match q.class.name {
        "graph.as_strided_" => "graph.as_strided",
        "graph.detach_" => "graph.detach",
        "graph.squeeze_" => "graph.squeeze",
        "graph.swapaxes_" => "graph.swapaxes",
        "graph.t_" => "graph.t",
        "graph.transpose_" => "graph.transpose",
        "graph.unsqueeze_" => "graph.unsqueeze",
        "graph.resize_" | "graph.resize_as_" => return Some(resized(q)),
        "graph.set_" => return Some(set(q)),
        _ => return None,
    };
    let object = |known| Placed::Object(Some(q.operand(0)), known);
    Some(q.views(like).map(|known| known.into_iter().map(object).collect()))
}

/// Equal sizes keep their strides, unless a memory format is given.
fn resized<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let (own, sizes) = (q.own(0)?, &q.result(0)?.shape);
    let mut format = view::attribute(q.op, "memory_format").map(convert::string);
    if format.as_deref() == Some("preserve_format") {
        format = Some(suggested_format(&q.own(1)?.layout).to_string());
    }
    let packed = match format.as_deref() {
        None if N::assume_same(&own.layout.sizes, sizes) => own.layout.clone(),
        None => Layout::contiguous(sizes),
        Some(format) => in_format(sizes, format),
    };
    let layout = Layout { offset: own.layout.offset, ..packed };
    Ok(vec![Placed::Object(Some(q.operand(0)), Known { layout, ..own })])
}

/// A view of the source's storage, with the object's own flags; without a source, of a new one of no
/// elements.
fn set<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let (own, sizes) = (q.own(0)?, q.result(0)?.shape.clone());
    let kept = (N::assume_same(&own.layout.sizes, &sizes)).then(|| own.layout.strides.clone());
    let packed = || Layout::contiguous(&sizes).strides;
    let Some(source) = view::optional(q.op, q.class, 1) else {
        let layout = Layout { strides: kept.unwrap_or_else(packed), sizes, offset: N::ZERO };
        return Ok(vec![Placed::Object(None, Known { layout, ..own })]);
    };
    let from = (q.tensor)(source)?;
    let Some(offset) = view::attribute(q.op, "storage_offset").map(convert::i64) else {
        return Ok(vec![Placed::Object(Some(source), Known { layout: from.layout, ..own })]);
    };
    if !from.layout.is_contiguous() {
        return Err("passed in tensor to be used as storage must be contiguous".into());
    }
    let given = view::attribute(q.op, "stride").map(convert::i64s).unwrap_or_default();
    let given: Vec<N> = given.into_iter().map(N::from).collect();
    // Sizes that stay what they are keep their strides.
    let strides = if given.is_empty() { kept.unwrap_or_else(packed) } else { given };
    let layout = Layout { sizes, strides, offset: from.layout.offset + N::from(offset) };
    Ok(vec![Placed::Object(Some(source), Known { layout, ..own })])
}
