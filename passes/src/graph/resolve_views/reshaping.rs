//! Operators that are the operand, a view of it, or a copy.

use super::resolver::{Resolved, Resolver, tensor};
use melior::ir::ValueLike;
use terrace_dialects::{
    ir::{OperationLike, attributes as convert, dtype::ElementType, view},
    ops::graph,
};
use terrace_layout::creation::{has_format, suggested_format};

/// `reshape`, `reshape_as`.
pub fn reshape<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let (own, shape) = (r.operand(0), r.result_sizes(0)?);
    Ok(vec![r.reshape(own, &shape)?])
}

/// `flatten`: of one dimension the operand itself.
pub fn flatten<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let own = tensor(r.operand(0).r#type())?;
    let rank = own.rank() as i64;
    let dim = |name: &str, default| {
        let dim = view::attribute(r.op, name).map_or(default, convert::i64);
        if dim < 0 { dim + rank } else { dim }
    };
    if rank > 0 && dim("start_dim", 0) == dim("end_dim", -1) {
        return Ok(vec![r.operand(0)]);
    }
    reshape(r)
}

/// `contiguous`: the operand where it has the memory format.
pub fn contiguous<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    let format = view::attribute(r.op, "memory_format").map(convert::string);
    let format = format.as_deref().unwrap_or("contiguous_format");
    if has_format(&r.layout(own)?, format) {
        return Ok(vec![own]);
    }
    if format == "preserve_format" {
        return Err("preserve memory format is unsupported by the contiguous operator".into());
    }
    Ok(vec![r.clone(own, format)?])
}

/// `ravel`: a view of what [`contiguous`] gives.
pub fn ravel<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let (own, shape) = (r.operand(0), r.result_sizes(0)?);
    let packed = if r.layout(own)?.is_contiguous() { own } else { r.clone(own, "contiguous_format")? };
    Ok(vec![r.view(packed, &shape)?])
}

/// `to`: the operand where nothing is to change.
pub fn to<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    let (from, to) = (tensor(own.r#type())?, r.result(0)?);
    let format = view::attribute(r.op, "memory_format").map(convert::string);
    let copies = view::attribute(r.op, "copy").is_some_and(convert::bool);
    // Of the same sizes, known or not.
    if from == to && !copies {
        let suits = match format.as_deref() {
            None | Some("preserve_format") => true,
            Some(format) => suggested_format(&r.layout(own)?) == format,
        };
        if suits {
            return Ok(vec![own]);
        }
    }
    let context = terrace_dialects::ir::context::of(r.op.context());
    let device = (from.device != to.device).then(|| to.device.unwrap_or("cpu"));
    let dtype = Some(to.dtype.to_type(context));
    Ok(vec![r.value(graph::to_copy(r.location(), own, dtype, device, format.as_deref()))?])
}
