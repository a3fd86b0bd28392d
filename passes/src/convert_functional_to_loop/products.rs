//! Matrix products: a `loop.reduction` that adds products of two loads; a bias is added by a pointwise operation.

use super::{
    Results, pointwise, sizes,
    source::Source,
    views::{expand, tensor},
};
use crate::emit::{Emitter, Made};
use melior::ir::OperationRef;
use terrace_dialects::{
    cursor::V,
    extent::Extent,
    ops::{Combiner, functional},
    pass::Failure,
};

/// The sum over one inner index of products of two elements. `places` are, for each factor, the positions of its indices
/// in the domain: those of the result, then the inner one.
fn contract<'c, 'a>(
    op: OperationRef<'c, 'a>,
    inner: Extent<'c, 'a>,
    factors: [V<'c, 'a>; 2],
    places: [&[usize]; 2],
    e: &Emitter<'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    let [a, b] = [Source::of(factors[0], e)?, Source::of(factors[1], e)?];
    e.reduction(sizes::typed(op.result(0)?.into(), e)?, Combiner::Add, &[inner], |e, i| {
        let load = |source: &Source<'c, 'a>, places: &[usize]| -> Made<'c, 'a> {
            source.load(e, &places.iter().map(|p| i[*p]).collect::<Vec<_>>())
        };
        Ok(e.mul(load(&a, places[0])?, load(&b, places[1])?))
    })
}

/// `mm`: [n, k] by [k, m].
pub fn mm<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::MmOp::try_from(op).map_err(|_| "is no mm")?;
    let inner = sizes::extents(view.self_(), e)?[1];
    Ok(vec![contract(op, inner, [view.self_(), view.mat2()], [&[0, 2], &[2, 1]], e)?])
}

/// `bmm`: [b, n, k] by [b, k, m].
pub fn bmm<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::BmmOp::try_from(op).map_err(|_| "is no bmm")?;
    let inner = sizes::extents(view.self_(), e)?[2];
    Ok(vec![contract(op, inner, [view.self_(), view.mat2()], [&[0, 1, 3], &[0, 3, 2]], e)?])
}

/// `linear`: [..., k] by a weight [m, k] or [k], and a bias that expands to the result.
pub fn linear<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::LinearOp::try_from(op).map_err(|_| "is no linear")?;
    let (input, weight) = (sizes::extents(view.input(), e)?, tensor(view.weight())?.shape);
    let lead = input.len() - 1;
    let inner = lead + weight.len() - 1;
    let input_places: Vec<usize> = (0..lead).chain([inner]).collect();
    let weight_places: Vec<usize> = (lead..=inner).collect();
    let factors = [view.input(), view.weight()];
    let product = contract(op, input[lead], factors, [&input_places, &weight_places], e)?;
    let Some(bias) = view.bias() else { return Ok(vec![product]) };
    let ty = sizes::typed(op.result(0)?.into(), e)?;
    let shape = tensor(product)?.shape;
    let places = expand(e, &tensor(bias)?.shape, &shape);
    let bias = Source::of(bias, e)?.seen(&places, shape.len(), e);
    Ok(vec![pointwise::add(product, &bias, ty, e)?])
}
