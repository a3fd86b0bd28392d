//! New tensors, spelled by those of given sizes and formats.

use super::resolver::{Resolved, ResolvedValue, Resolver};
use melior::ir::Type;
use terrace_dialects::{
    ir::{OperationLike, attributes as convert, dtype::ElementType, refusal::Reason, view},
    ops::graph,
};
use terrace_size::DYNAMIC;

fn dtype<'c>(r: &Resolver<'_, 'c, '_>) -> Result<Type<'c>, terrace_dialects::ir::pass::Failure> {
    Ok(r.result(0)?.dtype.to_type(terrace_dialects::ir::context::of(r.op.context())))
}

/// `zeros_like`, `ones_like`, `empty_like`: `full_like`.
pub fn like<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>, number: f64) -> Resolved<'c, 'a> {
    let (own, dtype) = (r.operand(0), dtype(r)?);
    let format = view::attribute(r.op, "memory_format").map(convert::string);
    let number = r.number(number)?;
    Ok(vec![r.value(graph::full_like(r.location(), own, number, Some(dtype), None, format.as_deref()))?])
}

/// `new_zeros` and its kin: without the tensor whose dtype they have.
pub fn new<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let (shape, dtype, sizes) = (r.ints("size"), dtype(r)?, r.operands(1));
    let location = r.location();
    let made = match r.class.name {
        "graph.new_zeros" => graph::zeros(location, &sizes, &shape, dtype, None),
        "graph.new_ones" => graph::ones(location, &sizes, &shape, dtype, None),
        "graph.new_full" => graph::full(location, &sizes, &shape, r.operand(2), dtype, None),
        _ => graph::empty(location, &sizes, &shape, Some(dtype), None, None),
    };
    Ok(vec![r.value(made)?])
}

/// A view, of these strides, of as many places as it reaches.
fn with_strides<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>, strides: &[i64]) -> ResolvedValue<'c, 'a> {
    let (shape, dtype) = (r.result(0)?.shape, dtype(r)?);
    if shape.iter().chain(strides).any(|n| *n == DYNAMIC) {
        return Err(Reason::Size.says("sizes and strides must be static here").into());
    }
    let reach = shape.iter().zip(strides).map(|(n, s)| (n - 1).saturating_mul(*s));
    let places = if shape.contains(&0) { 0 } else { reach.fold(1i64, i64::saturating_add) };
    let location = r.location();
    let whole = r.value(graph::empty(location, &[], &[places], Some(dtype), None, None))?;
    r.value(graph::as_strided(location, whole, &[], &shape, &[], strides, &[], &[0]))
}

/// `empty_strided`, `new_empty_strided`.
pub fn strided<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let strides = r.ints("stride");
    Ok(vec![with_strides(r, &strides)?])
}

/// `empty_permuted`: row-major in the order of its dimensions.
pub fn permuted<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let (shape, order) = (r.result(0)?.shape, r.ints("physical_layout"));
    let (mut strides, mut next) = (vec![0; shape.len()], 1i64);
    for dim in order.iter().rev() {
        strides[*dim as usize] = next;
        next = next.saturating_mul(shape[*dim as usize].max(1));
    }
    Ok(vec![with_strides(r, &strides)?])
}
