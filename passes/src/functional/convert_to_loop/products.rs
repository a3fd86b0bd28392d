//! Matrix products: a `loop.reduction` that adds products of two loads; a bias is added by a pointwise
//! operation.

use super::{
    pointwise, reshape,
    sizes::{self, tensor},
    source::Source,
    views::expand,
};
use crate::emit::{Emitted, Emitter, Typed};
use melior::ir::OperationRef;
use terrace_dialects::{
    analysis::known::Known,
    ir::{
        OperationLike,
        cursor::{Results, V},
        extent::Extent,
        operations::{definition, name_of},
        pass::Failure,
    },
    ops::{Combiner, functional},
};

/// The sum over one inner index of products of two elements. `places` are, for each factor, the positions of
/// its indices in the domain: those of the result, then the inner one.
fn contract<'c, 'a>(
    op: OperationRef<'c, 'a>,
    inner: Extent<'c, 'a>,
    factors: [V<'c, 'a>; 2],
    places: [&[usize]; 2],
    e: &Emitter<'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    let [a, b] = [Source::of(factors[0], e)?, Source::of(factors[1], e)?];
    e.reduction(sizes::typed(op.result_at(0)?.into(), e)?, Combiner::Add, &[inner], |e, i| {
        let load = |source: &Source<'c, 'a>, places: &[usize]| -> Emitted<'c, 'a> {
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

/// `bmm`: [b, n, k] by [b, k, m]. Where the batches of a factor are several dimensions that a view merges the
/// product is over these dimensions, and it is the product that is merged: a factor that is seen through the
/// view need not be copied, and the view that takes them apart again, which comes next as a rule, undoes the
/// merging.
pub fn bmm<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::BmmOp::try_from(op).map_err(|_| "is no bmm")?;
    let inner = sizes::extents(view.self_(), e)?[2];
    let factors = [view.self_(), view.mat2()];
    let Some((whole, inside)) = (0..2).find_map(|d| unmerged(op, d, e.known)) else {
        return Ok(vec![contract(op, inner, factors, [&[0, 1, 3], &[0, 3, 2]], e)?]);
    };
    let batches = sizes::extents(whole, e)?[..=inside.len()].to_vec();
    let n = batches.len();
    let merged = (1..n).fold(e.dim(0), |index, d| index * e.number(inside[d - 1]) + e.dim(d));
    let of = |d: usize, matrix: [usize; 2]| -> Result<_, Failure> {
        let matrix = matrix.map(|d| e.dim(n + d));
        Ok(match unmerged(op, d, e.known).filter(|(_, own)| *own == inside) {
            Some((whole, _)) => {
                (Source::of(whole, e)?, (0..n).map(|d| e.dim(d)).chain(matrix).collect::<Vec<_>>())
            }
            None => (Source::of(factors[d], e)?, [&[merged][..], &matrix].concat()),
        })
    };
    let [(a, at_a), (b, at_b)] = [of(0, [0, 2])?, of(1, [2, 1])?];
    let result = sizes::typed(op.result_at(0)?.into(), e)?;
    let own = tensor(op.result_at(0)?.into())?;
    let shape = [&Extent::in_types(&batches)[..], &own.shape[1..]].concat();
    let extents = [&batches[..], &result.extents[1..]].concat();
    let ty = Typed { ty: own.with_shape(&shape).to_type(e.context), extents };
    let product = e.reduction(ty, Combiner::Add, &[inner], |e, i| {
        Ok(e.mul(a.load_at(e, &at_a, i, None)?, b.load_at(e, &at_b, i, None)?))
    })?;
    let own =
        [&sizes::sizes(whole, e.known)[..n], &sizes::sizes(op.result_at(0)?.into(), e.known)[1..]].concat();
    e.known.set_sizes(product, &own);
    Ok(vec![reshape::collapse(e, product, &[0..n, n..n + 1, n + 1..n + 2], result.ty)])
}

/// The tensor that a view makes a batch of matrices of by merging dimensions in front, and the sizes of
/// these, which are numbers and not 0, but for the first one: that follows from them, and may be one of the
/// run.
fn unmerged<'c, 'a>(op: OperationRef<'c, 'a>, factor: usize, known: Known) -> Option<(V<'c, 'a>, Vec<i64>)> {
    let factor = op.operand(factor).ok()?;
    let view = definition(factor).filter(|op| name_of(*op) == "functional.view")?;
    let whole = view.operand(0).ok()?;
    let (from, to) = (sizes::sizes(whole, known), sizes::sizes(factor, known));
    let (own, matrix) = from.split_at_checked(from.len().checked_sub(2)?)?;
    let inside: Vec<i64> = own.get(1..)?.iter().map(|size| size.known()).collect::<Option<_>>()?;
    let same = matrix.iter().zip(&to[1..]).all(|(a, b)| a.is_same(*b));
    let some = own[0].known() != Some(0) && !inside.is_empty() && !inside.contains(&0);
    (same && some && to[0].is_same(own.iter().product())).then_some((whole, inside))
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
    let ty = sizes::typed(op.result_at(0)?.into(), e)?;
    let shape = tensor(product)?.shape;
    let places = expand(e, &tensor(bias)?.shape, &shape);
    let bias = Source::of(bias, e)?.reindexed(&places, shape.len(), e);
    Ok(vec![pointwise::add(product, &bias, ty, e)?])
}
