//! Elements written to places that indices name, and combined there: `scatter` and its kin, `index_put`.
//!
//! A `loop.scatter` over the indices' domain. Of several elements that come to one place the last in
//! row-major order stays, as in eager; sums and other combinations take them in any order. Indices are
//! checked first, as for loads ([`super::indexing`]).

use super::{
    bounds::assert_all,
    indexing::{Chosen, Pick, is_mask},
    meeting::combined,
    reductions, reshape,
    sizes::{self, tensor, text, ty, wrap},
    source::Source,
    views::expand,
};
use crate::emit::{Compare, Emitted, Emitter, Number, Typed, number_of};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::{
    internal,
    ir::{
        cursor::{Results, V},
        dtype::{Category, Dtype, ElementType},
        extent::Extent,
        pass::Failure,
        refusal::Reason,
        types::{TensorType, part},
    },
    loops::{combiners, scatters::Meeting},
    ops::{Combiner, functional},
};
use terrace_size::DYNAMIC;

/// Which element stays where all are the same does not matter.
fn replaced(source: &Source) -> Meeting {
    if matches!(source, Source::Number(_)) { Meeting::Alike } else { Meeting::Ordered }
}

/// The first `rank` indices of a point; a tensor without dimensions counts as a vector of one.
fn first<'c, 'a>(e: &Emitter<'c, 'a>, i: &[V<'c, 'a>], rank: usize) -> Vec<V<'c, 'a>> {
    (0..rank).map(|d| i.get(d).copied().unwrap_or_else(|| e.index(0))).collect()
}

/// Places along one dimension of a tensor, a point's own in the others.
struct Along<'c, 'a> {
    pick: Pick<'c, 'a>,
    own: TensorType<'c>,
    extents: Vec<Extent<'c, 'a>>,
    dim: usize,
}

impl<'c, 'a> Along<'c, 'a> {
    fn new(own: V<'c, 'a>, dim: i64, index: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Result<Self, Failure> {
        let (own, extents) = (tensor(own)?, sizes::extents(own, e)?);
        let dim = wrap(dim, own.rank());
        let size = extents.get(dim).copied().unwrap_or(Extent::Number(1));
        let message = format!("index is out of bounds for dimension {dim} with size {}", text(size));
        Ok(Self { pick: Pick::new(index, size, false, &message, e)?, own, extents, dim })
    }

    /// Writes what `element` makes of a point of the indices' domain into `into`, which has the tensor's
    /// sizes.
    fn write(
        &self,
        e: &Emitter<'c, 'a>,
        meeting: Meeting,
        into: V<'c, 'a>,
        element: impl FnOnce(&Emitter<'c, 'a>, &[V<'c, 'a>]) -> Emitted<'c, 'a>,
    ) -> Emitted<'c, 'a> {
        // Of no elements there is no place: the check has failed, or there are no indices.
        if self.own.shape.contains(&0) {
            return Ok(into);
        }
        let domain = sizes::unless_empty(&self.extents, &self.pick.extents, e);
        e.scatter_at(meeting, into, &domain, |e, i| {
            let mut place = first(e, i, self.own.rank());
            if let Some(along) = place.get_mut(self.dim) {
                *along = self.pick.load(e, i, &self.pick.shape)?;
            }
            Ok((element(e, i)?, place))
        })
    }
}

/// `scatter`: elements replaced.
pub fn scatter<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::ScatterSrcOp::try_from(op).map_err(|_| "is no scatter")?;
    let along = Along::new(view.self_(), view.dim(), view.index(), e)?;
    let (source, rank) = (Source::of(view.src(), e)?, tensor(view.src())?.rank());
    let load = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| source.load(e, &first(e, i, rank));
    Ok(vec![along.write(e, replaced(&source), view.self_(), load)?])
}

/// `scatter_add`: elements added.
pub fn scatter_add<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::ScatterAddOp::try_from(op).map_err(|_| "is no scatter_add")?;
    let along = Along::new(view.self_(), view.dim(), view.index(), e)?;
    let (source, rank) = (Source::of(view.src(), e)?, tensor(view.src())?.rank());
    let meeting = combined(Combiner::Add, along.own.dtype);
    let load = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| source.load(e, &first(e, i, rank));
    Ok(vec![along.write(e, meeting, view.self_(), load)?])
}

/// `scatter_reduce`: elements combined; where what is there does not count, it is the combiner's identity
/// first. A mean is the sum over the number of elements.
pub fn scatter_reduce<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::ScatterReduceTwoOp::try_from(op).map_err(|_| "is no scatter_reduce")?;
    let along = Along::new(view.self_(), view.dim(), view.index(), e)?;
    let (source, rank) = (Source::of(view.src(), e)?, tensor(view.src())?.rank());
    let (dtype, counts) = (along.own.dtype, view.include_self().unwrap_or(true));
    let combiner = match view.reduce().as_str() {
        "sum" | "mean" => Combiner::Add,
        "prod" => Combiner::Mul,
        "amax" | "max" => Combiner::Max,
        "amin" | "min" => Combiner::Min,
        other => {
            return Err(Reason::Form
                .says(format!("has no form as loops for the reduction '{other}'"))
                .into());
        }
    };
    let meeting = combined(combiner, dtype);
    let mut into = view.self_();
    if let (false, Meeting::Combined(combiner)) = (counts, meeting) {
        let element = e.number_type(dtype);
        // That of a complex number is real.
        let real = part(element).unwrap_or(element);
        let identity =
            number_of(combiners::identity(e.context, combiner, real)).ok_or(internal!("has no identity"))?;
        into = along.write(e, Meeting::Alike, into, |e, _| Ok(e.constant(element, identity)))?;
    }
    let load = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| source.load(e, &first(e, i, rank));
    let made = along.write(e, meeting, into, load)?;
    if view.reduce() != "mean" {
        return Ok(vec![made]);
    }
    let numbers = ty(&along.own.shape, Dtype::I64).to_type(e.context);
    let numbers = Typed { ty: numbers, extents: along.extents.clone() };
    let none = e.filled(numbers, Number::Int(i64::from(counts)))?;
    let one =
        |e: &Emitter<'c, 'a>, _: &[V<'c, 'a>]| Ok(e.constant(e.number_type(Dtype::I64), Number::Int(1)));
    let count = along.write(e, Meeting::Combined(Combiner::Add), none, one)?;
    let [sum, count] = [made, count].map(|value| Source::of_tensor(value, along.own.rank(), e));
    let mean = e.pointwise(Typed { ty: made.r#type(), extents: along.extents.clone() }, |e, i| {
        let (sum, count) = (sum.load(e, i)?, count.load(e, i)?);
        let count = e.same("arith.maxsi", &[count, e.like(count, 1.0)]);
        let count = e.cast(count, dtype);
        Ok(match dtype.category() {
            Category::Float | Category::Complex => e.div(sum, count),
            _ => e.same("arith.floordivsi", &[sum, count]),
        })
    })?;
    Ok(vec![mean])
}

/// `index_put`: the elements that the indices choose, as `index` does, replaced by values, or increased by
/// them.
pub fn index_put<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::IndexPutOp::try_from(op).map_err(|_| "is no index_put")?;
    let (own, values) = (tensor(view.self_())?, tensor(view.values())?);
    let (source, accumulate) = (Source::of(view.values(), e)?, view.accumulate().unwrap_or(false));
    if let [mask] = view.indices()[..]
        && is_mask(mask)?
    {
        return put_by_mask(&view, mask, accumulate, e);
    }
    let chosen = Chosen::new(&sizes::extents(view.self_(), e)?, &view.present(), &view.indices(), e)?;
    let domain = chosen.sizes();
    fit(&sizes::extents(view.values(), e)?, &domain, chosen.counted(), e)?;
    if own.shape.contains(&0) {
        return Ok(vec![view.self_()]);
    }
    let place = expand(e, &values.shape, &Extent::in_types(&domain));
    let meeting = match accumulate {
        true => combined(Combiner::Add, own.dtype),
        false => replaced(&source),
    };
    let made = e.scatter_at(meeting, view.self_(), &domain, |e, i| {
        Ok((source.load_at(e, &place, i, None)?, chosen.place(e, i)?))
    })?;
    Ok(vec![made])
}

/// That values expand to what is chosen, of which the run knows how many it is in one dimension.
fn fit<'c, 'a>(
    values: &[Extent<'c, 'a>],
    chosen: &[Extent<'c, 'a>],
    counted: Option<usize>,
    e: &Emitter<'c, 'a>,
) -> Result<(), Failure> {
    let place = counted.and_then(|d| (d + values.len()).checked_sub(chosen.len()));
    let Some((d, size)) = counted.zip(place.map(|place| values[place])).filter(|(_, size)| !size.is(1))
    else {
        return Ok(());
    };
    let message =
        format!("shape mismatch: value tensor of {} elements for what the mask chooses", text(size));
    assert_all(e, &[0i64; 0], &message, |e, _| Ok(e.compare(Compare::Eq, e.size(size), e.size(chosen[d]))))
}

/// Where a mask holds, the values in order: of a place that is the n-th to hold the n-th. No sizes depend on
/// the mask.
fn put_by_mask<'c, 'a>(
    view: &functional::IndexPutOp<'c, 'a>,
    mask: V<'c, 'a>,
    accumulate: bool,
    e: &Emitter<'c, 'a>,
) -> Results<'c, 'a> {
    let (self_, values) = (tensor(view.self_())?, tensor(view.values())?.shape);
    let (own, source) = (Source::of(view.self_(), e)?, Source::of(view.values(), e)?);
    let (holds, of_mask) = (Source::of(mask, e)?, tensor(mask)?.shape);
    let first = view.present().iter().position(|present| *present).unwrap_or(0);
    // What is chosen has one dimension for those of the mask; values expand to it from the last dimension on.
    let after = self_.rank() - first - of_mask.len();
    let counted = values.len().checked_sub(after + 1).filter(|d| values[*d] != 1);
    let numbers = match counted {
        Some(d) => Some(numbered(mask, sizes::extents(view.values(), e)?[d], e)?),
        None => None,
    };
    let made = e.pointwise(sizes::typed(view.self_(), e)?, |e, i| {
        let (before, rest) = i.split_at(first);
        let (within, after) = rest.split_at(of_mask.len());
        let holds = e.cast(holds.load(e, within)?, Dtype::Bool);
        let number = match &numbers {
            Some(numbers) => e.as_index(numbers.load(e, within)?),
            None => e.index(0),
        };
        let chosen = [before, &[number], after].concat();
        let skipped = chosen.len() - values.len();
        let at = |d: usize| if values[d] == 1 { e.index(0) } else { chosen[skipped + d] };
        let place: Vec<_> = (0..values.len()).map(at).collect();
        let old = own.load(e, i)?;
        // Of no values none is read: nothing is chosen.
        if values.contains(&0) {
            return Ok(old);
        }
        let dims: Vec<_> = (0..place.len()).map(|d| e.dim(d)).collect();
        // There may be none when the program runs, too.
        let open = counted.is_some_and(|d| values[d] == DYNAMIC);
        let new = source.load_at(e, &dims, &place, open.then_some((holds, old)))?;
        Ok(e.select(holds, if accumulate { sum(e, old, new) } else { new }, old))
    })?;
    Ok(vec![made])
}

/// The number of each place of a mask among those that hold, of which there must be `count`; inside that
/// range in any case.
fn numbered<'c, 'a>(
    mask: V<'c, 'a>,
    count: Extent<'c, 'a>,
    e: &Emitter<'c, 'a>,
) -> Result<Source<'c, 'a>, Failure> {
    let shape = sizes::extents(mask, e)?;
    let all = shape.iter().try_fold(Extent::Number(1), |n, size| e.product(n, *size))?;
    let ints = |sizes: &[Extent<'c, 'a>]| Typed {
        ty: ty(&Extent::in_types(sizes), Dtype::I64).to_type(e.context),
        extents: sizes.to_vec(),
    };
    let holds = Source::of(reshape::reshape(e, mask, &[all])?, e)?;
    let truth = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| -> Emitted<'c, 'a> {
        Ok(e.cast(e.cast(holds.load(e, i)?, Dtype::Bool), Dtype::I64))
    };
    let word = Dtype::I64.to_type(e.context);
    let total = Source::of_tensor(e.reduction(ints(&[]), Combiner::Add, &[all], truth)?, 0, e);
    let message =
        format!("shape mismatch: value tensor of {} elements for what the mask chooses", text(count));
    assert_all(e, &[0i64; 0], &message, |e, _| {
        Ok(e.compare(Compare::Eq, total.load(e, &[])?, reductions::number(count, word, e)))
    })?;
    let up_to = e.scan(ints(&[all]), Combiner::Add, 0, truth)?;
    let up_to = Source::of_tensor(up_to, 1, e);
    let numbers = e.pointwise(ints(&[all]), |e, i| {
        let bound = |n| e.constant(word, Number::Int(n));
        let number = e.sub(up_to.load(e, i)?, bound(1));
        let last = match count {
            Extent::Number(count) => bound((count - 1).max(0)),
            count => e.same("arith.maxsi", &[e.sub(reductions::number(count, word, e), bound(1)), bound(0)]),
        };
        Ok(e.same("arith.minsi", &[e.same("arith.maxsi", &[number, bound(0)]), last]))
    })?;
    Ok(Source::of_tensor(reshape::reshape(e, numbers, &shape)?, shape.len(), e))
}

/// The sum of two elements; of truth values whether either holds.
fn sum<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
    if a.r#type() == e.bool_type() { e.same("arith.ori", &[a, b]) } else { e.add(a, b) }
}

/// Whether an operation is an `index_put` that computes nothing.
pub fn is_replacing(op: OperationRef) -> bool {
    functional::IndexPutOp::try_from(op).is_ok_and(|view| !view.accumulate().unwrap_or(false))
}
