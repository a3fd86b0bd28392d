//! Dropout: nothing where nothing is drawn, a copy where something is.

use super::{Resolved, resolver::Resolver};
use melior::ir::operation::OperationLike;
use terrace_dialects::{attributes as convert, ops::graph, view};

/// `dropout`, also in place: the operand itself where nothing is dropped; zeros, but for nan, where all is.
pub fn dropout<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let in_place = r.class.name.ends_with('_');
    let (own, ty) = (r.operand(0), r.result(0)?);
    let p = view::attribute(r.op, "p").map_or(0.5, convert::f64);
    let train = view::attribute(r.op, "train").is_some_and(convert::bool);
    if !train || p == 0.0 || ty.elements() == Some(0) {
        return Ok(vec![own]);
    }
    if p < 1.0 && in_place {
        return Ok(vec![r.renamed("dropout_")?.result(0)?.into()]);
    }
    if p < 1.0 {
        return Ok(vec![
            r.insert(graph::native_dropout(r.location(), own, p, Some(true)))?.result(0)?.into(),
        ]);
    }
    let dtype = ty.dtype.to_type(terrace_dialects::context::of(r.op.context()));
    let zero = r.number(0.0)?;
    let zero = r.value(graph::scalar_tensor(r.location(), zero, dtype, None))?;
    Ok(vec![if in_place {
        r.value(graph::mul_in_place(r.location(), own, zero))?
    } else {
        r.value(graph::mul(r.location(), own, zero))?
    }])
}
