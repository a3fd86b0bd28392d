//! Views that other views spell.

use super::resolver::{Resolved, Resolver, tensor};
use melior::ir::ValueLike;
use terrace_dialects::{
    aten::{placement::einsum::Arrangement, rules},
    internal,
    ir::{OperationLike, attributes as convert, view},
    ops::graph,
};
use terrace_size::Size;

/// `numpy_T`: all dimensions in the opposite order.
pub fn reversed<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    let dims: Vec<i64> = (0..tensor(own.r#type())?.rank() as i64).rev().collect();
    Ok(vec![r.value(graph::permute(r.location(), own, &dims))?])
}

/// `einsum` of one tensor of which nothing is summed.
pub fn arranged<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let Arrangement { diagonals, order } = Arrangement::of(r.op, r.class).ok_or(internal!("is no view"))?;
    let mut own = r.operands(0)[0];
    for dims in diagonals {
        let [first, second] = dims.map(|dim| Some(dim as i64));
        own = r.value(graph::diagonal(r.location(), own, Some(0), first, second))?;
    }
    let order: Vec<i64> = order.into_iter().map(|dim| dim as i64).collect();
    Ok(vec![r.value(graph::permute(r.location(), own, &order))?])
}

/// `tensor_split` and its kin: a slice for each part.
pub fn tensor_split<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    let attribute = |name: &str| r.op.attribute(name).ok();
    let operands = [own];
    let (dim, cuts) =
        rules::cuts(&terrace_dialects::ir::args::Args::new(r.class, r.op.context(), &operands, &attribute))?;
    let mut parts = vec![];
    for [start, end] in cuts {
        parts.push(r.slice(own, dim, start, end)?);
    }
    Ok(parts)
}

/// `meshgrid`: each tensor in its own dimension, expanded along the others.
pub fn meshgrid<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let shape = r.result_sizes(0)?;
    let mut dims: Vec<usize> = (0..shape.len()).collect();
    if shape.len() > 1 && view::attribute(r.op, "indexing").map(convert::string).as_deref() == Some("xy") {
        dims.swap(0, 1);
    }
    let mut grids = vec![];
    for (own, dim) in r.operands(0).into_iter().zip(dims) {
        let mut line = vec![Size::ONE; shape.len()];
        line[dim] = shape[dim];
        let line = r.view(own, &line)?;
        grids.push(r.expand(line, &shape)?);
    }
    Ok(grids)
}
