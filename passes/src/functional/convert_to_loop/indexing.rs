//! Elements chosen by indices that are known at run time, and tensors joined.
//!
//! A mask stands for the indices of its true elements ([`super::counted`]), which are in range.
//!
//! An index out of range is an error before anything is read: a `loop.reduction` checks all of them, and a
//! `cf.assert` stops. What the loads use is clamped besides, so that no order of operations makes a bad
//! access.

use super::{
    bounds::{assert, assert_all, clamped, is_inside},
    counted::Kept,
    reshape::reshape,
    sizes::{self, broadcast, tensor, text, with_extents, wrap},
    source::Source,
    views::expand,
};
use crate::emit::{Compare, Emitted, Emitter, Number, Typed};
use melior::ir::{AffineExpr, OperationRef};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::Dtype,
        extent::Extent,
        operations::{definition, name_of},
        pass::Failure,
    },
    ops::functional,
};

/// A tensor of indices into one dimension, checked.
pub struct Pick<'c, 'a> {
    source: Source<'c, 'a>,
    /// The indices' own sizes.
    pub shape: Vec<i64>,
    /// The same, with those of the run.
    pub extents: Vec<Extent<'c, 'a>>,
    size: Extent<'c, 'a>,
    wraps: bool,
    /// The last of the sizes where it may be 1 at run time, and other indices have more.
    repeats: Option<V<'c, 'a>>,
}

impl<'c, 'a> Pick<'c, 'a> {
    /// Checks the indices of `value` into a dimension of `size`: at run time, in front of what follows.
    pub fn new(
        value: V<'c, 'a>,
        size: impl Into<Extent<'c, 'a>>,
        wraps: bool,
        message: &str,
        e: &Emitter<'c, 'a>,
    ) -> Result<Self, Failure> {
        let (source, shape, size) = (Source::of(value, e)?, tensor(value)?.shape, size.into());
        let extents = sizes::extents(value, e)?;
        // What is repeated is looked at once.
        let mut once = value;
        while let Some(expand) = definition(once).filter(|op| name_of(*op) == "functional.expand") {
            once = expand.operand(0)?;
        }
        let checked = Source::of(once, e)?;
        assert_all(e, &sizes::extents(once, e)?, message, |e, i| {
            Ok(is_inside(e, e.cast(checked.load(e, i)?, Dtype::I64), size, wraps))
        })?;
        Ok(Self { source, shape, extents, size, wraps, repeats: None })
    }

    /// The indices into each of the dimensions that a mask stands for.
    fn of_mask(mask: V<'c, 'a>, sizes: &[Extent<'c, 'a>], e: &Emitter<'c, 'a>) -> Result<Vec<Self>, Failure> {
        let kept = Kept::of(mask, sizes::extents(mask, e)?, e)?;
        let (indices, extents) = (kept.indices(e)?, vec![Extent::Value(kept.count)]);
        let pick = |(d, size): (usize, &Extent<'c, 'a>)| {
            let source = Source::of_tensor(indices, 2, e).reindexed(&[e.dim(0), e.number(d as i64)], 1, e);
            let (shape, extents) = (Extent::in_types(&extents), extents.clone());
            Self { source, shape, extents, size: *size, wraps: false, repeats: None }
        };
        Ok(sizes.iter().enumerate().map(pick).collect())
    }

    /// The index at a point of a shape that the tensor of indices expands to.
    pub fn load(&self, e: &Emitter<'c, 'a>, point: &[V<'c, 'a>], shape: &[i64]) -> Emitted<'c, 'a> {
        let (place, mut point) = (expand(e, &self.shape, shape), point.to_vec());
        if let (Some(size), Some(last)) = (self.repeats, point.last_mut()) {
            *last = e.same("arith.minsi", &[*last, e.sub(size, e.index(1))]);
        }
        let index = e.cast(self.source.load_at(e, &place, &point, None)?, Dtype::I64);
        Ok(e.as_index(clamped(e, index, self.size, self.wraps)))
    }
}

/// What loads at indices give, as `result`: of a tensor without elements, where the check has failed, any
/// number.
fn picked<'c, 'a>(
    result: Typed<'c, 'a>,
    from: V<'c, 'a>,
    e: &Emitter<'c, 'a>,
    place: impl FnOnce(&Emitter<'c, 'a>, &[V<'c, 'a>]) -> Result<Vec<V<'c, 'a>>, Failure>,
) -> Results<'c, 'a> {
    let (source, own) = (Source::of(from, e)?, tensor(from)?);
    // Indices of no elements may be of any rank.
    let empty = own.shape.contains(&0) || result.extents.contains(&Extent::Number(0));
    let some = has_elements(from, e)?;
    let result = e.pointwise(result, |e, i| {
        let zero = |e: &Emitter<'c, 'a>| e.constant(e.number_type(own.dtype), Number::Int(0));
        if empty {
            return Ok(zero(e));
        }
        let Some(some) = some else { return source.load(e, &place(e, i)?) };
        let (place, other) = (place(e, i)?, zero(e));
        let dims: Vec<_> = (0..place.len()).map(|d| e.dim(d)).collect();
        source.load_at(e, &dims, &place, Some((some, other)))
    })?;
    Ok(vec![result])
}

/// Whether a tensor has elements, where that is known when the program runs.
fn has_elements<'c, 'a>(value: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Result<Option<V<'c, 'a>>, Failure> {
    let open = sizes::extents(value, e)?.into_iter().filter_map(Extent::value);
    let each = open.map(|size| e.compare(Compare::Gt, size, e.index(0)));
    Ok(each.reduce(|all, one| e.and(all, one)))
}

/// `embedding`: rows of a matrix.
pub fn embedding<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::EmbeddingOp::try_from(op).map_err(|_| "is no embedding")?;
    let rows = sizes::extents(view.weight(), e)?[0];
    let pick = Pick::new(view.indices(), rows, false, "index out of range in self", e)?;
    picked(sizes::typed(op.result_at(0)?.into(), e)?, view.weight(), e, |e, i| {
        let (column, point) = i.split_last().ok_or(internal!("has no dimension"))?;
        Ok(vec![pick.load(e, point, &pick.shape)?, *column])
    })
}

/// `gather`: the index along a dimension, the point's own in the others. A tensor without dimensions is a
/// vector of one.
pub fn gather<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::GatherOp::try_from(op).map_err(|_| "is no gather")?;
    let shape = sizes::extents(view.self_(), e)?;
    let dim = wrap(view.dim(), shape.len());
    let size = shape.get(dim).copied().unwrap_or(Extent::Number(1));
    let message = format!("index is out of bounds for dimension {dim} with size {}", text(size));
    let pick = Pick::new(view.index(), size, false, &message, e)?;
    picked(sizes::typed(op.result_at(0)?.into(), e)?, view.self_(), e, |e, i| {
        let along = pick.load(e, i, &pick.shape)?;
        Ok((0..shape.len()).map(|d| if d == dim { along } else { i[d] }).collect())
    })
}

/// Whether a tensor of indices is a mask: truth values, or bytes.
pub fn is_mask(indices: V) -> Result<bool, Failure> {
    Ok(matches!(tensor(indices)?.dtype, Dtype::Bool | Dtype::U8))
}

/// The elements that tensors of indices choose along dimensions, whose place the indices' dimensions take; or
/// they come first, where those are not neighbours.
pub struct Chosen<'c, 'a> {
    shape: Vec<Extent<'c, 'a>>,
    /// The dimensions that are indexed, in order.
    indexed: Vec<usize>,
    picks: Vec<Pick<'c, 'a>>,
    /// The sizes that the indices broadcast to, and the first of their dimensions.
    joint: Vec<Extent<'c, 'a>>,
    first: usize,
    /// Whether masks are among the indices.
    masks: bool,
}

impl<'c, 'a> Chosen<'c, 'a> {
    /// Elements of a tensor of these sizes; checks the indices.
    pub fn new(
        shape: &[Extent<'c, 'a>],
        present: &[bool],
        indices: &[V<'c, 'a>],
        e: &Emitter<'c, 'a>,
    ) -> Result<Self, Failure> {
        let (mut indexed, mut picks, mut dim) = (vec![], vec![], 0);
        let mut indices = indices.iter();
        let (mut joint, mut counts) = (vec![], vec![]);
        for present in present {
            if !present {
                dim += 1;
                continue;
            }
            let value = *indices.next().ok_or(internal!("misses an index"))?;
            let dims = dim..dim + if is_mask(value)? { tensor(value)?.rank() } else { 1 };
            let sizes = shape.get(dims.clone()).ok_or(internal!("has more indices than dimensions"))?;
            if is_mask(value)? {
                let of_mask = Pick::of_mask(value, sizes, e)?;
                counts.extend(of_mask.first().and_then(|pick| pick.extents[0].value()));
                picks.extend(of_mask);
            } else {
                let message = match shape[dim] {
                    Extent::Number(0) => "index is out of bounds for dimension with size 0".to_string(),
                    size => format!("index is out of bounds for dimension {dim} with size {}", text(size)),
                };
                picks.push(Pick::new(value, shape[dim], true, &message, e)?);
                joint = broadcast(&joint, &picks[picks.len() - 1].extents);
            }
            (dim, indexed) = (dims.end, [indexed, dims.collect()].concat());
        }
        let masks = !counts.is_empty();
        if masks {
            join(&mut joint, &counts, &mut picks, e);
        }
        let adjacent = indexed.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let first = if adjacent { indexed.first().copied().unwrap_or(0) } else { 0 };
        Ok(Self { shape: shape.to_vec(), indexed, picks, joint, first, masks })
    }

    /// The sizes of what is chosen.
    pub fn sizes(&self) -> Vec<Extent<'c, 'a>> {
        let mut sizes: Vec<_> =
            (0..self.shape.len()).filter(|d| !self.indexed.contains(d)).map(|d| self.shape[d]).collect();
        sizes.splice(self.first..self.first, self.joint.iter().copied());
        sizes
    }

    /// The dimension of what is chosen whose size masks decide.
    pub fn counted(&self) -> Option<usize> {
        (self.first + self.joint.len()).checked_sub(1).filter(|_| self.masks)
    }

    /// Where the element at a point of these sizes lies.
    pub fn place(&self, e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]) -> Result<Vec<V<'c, 'a>>, Failure> {
        let joined = self.first..self.first + self.joint.len();
        let mut rest = (0..i.len()).filter(|d| !joined.contains(d)).map(|d| i[d]);
        let (mut picks, joint) = (self.picks.iter(), Extent::in_types(&self.joint));
        (0..self.shape.len())
            .map(|d| match self.indexed.contains(&d) {
                true => picks.next().ok_or(internal!("misses an index"))?.load(e, &i[joined.clone()], &joint),
                false => Ok(rest.next().ok_or(internal!("misses a dimension"))?),
            })
            .collect()
    }
}

/// Brings the numbers of elements that masks choose together with the sizes of other indices: they broadcast
/// to the last of these, as far as the run has it so.
fn join<'c, 'a>(
    joint: &mut Vec<Extent<'c, 'a>>,
    counts: &[V<'c, 'a>],
    picks: &mut [Pick<'c, 'a>],
    e: &Emitter<'c, 'a>,
) {
    let is_one = |size| e.compare(Compare::Eq, size, e.index(1));
    let either = |a: V<'c, 'a>, b: V<'c, 'a>| e.select(is_one(a), b, a);
    let Some(count) = counts.iter().copied().reduce(either) else { return };
    let alone = joint.is_empty() && counts.len() == 1;
    let last = match joint.pop() {
        None | Some(Extent::Number(1)) => Extent::Value(count),
        Some(Extent::Value(size)) => Extent::Value(either(size, count)),
        Some(size) => size,
    };
    joint.push(last);
    if alone {
        return;
    }
    for pick in picks {
        let Some(Extent::Value(size)) = pick.extents.last().copied() else { continue };
        let fits = e.same("arith.ori", &[is_one(size), e.compare(Compare::Eq, size, e.size(last))]);
        let message =
            "shape mismatch: indexing tensors could not be broadcast together with the elements of a mask";
        assert(e, fits, message);
        pick.repeats = Some(size);
    }
}

/// `index`.
pub fn index<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::IndexOp::try_from(op).map_err(|_| "is no index")?;
    let chosen = Chosen::new(&sizes::extents(view.self_(), e)?, &view.present(), &view.indices(), e)?;
    picked(with_extents(op.result_at(0)?.into(), &chosen.sizes())?, view.self_(), e, |e, i| {
        chosen.place(e, i)
    })
}

/// `cat`: each tensor is scattered to its offset.
pub fn cat<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::CatOp::try_from(op).map_err(|_| "is no cat")?;
    if let Some(joined) = interleaved(&view, e)? {
        return Ok(vec![joined]);
    }
    let mut joined = e.empty(sizes::typed(op.result_at(0)?.into(), e)?);
    let mut offset = Extent::Number(0);
    for value in view.tensors() {
        let (source, own) = (Source::of(value, e)?, sizes::extents(value, e)?);
        let dim = wrap(view.dim().unwrap_or(0), own.len());
        let start = offset.number().map_or_else(|| e.dim(own.len()), |offset| e.number(offset));
        let index = |d| if d == dim { e.dim(d) + start } else { e.dim(d) };
        let place: Vec<_> = (0..own.len()).map(index).collect();
        if !own.contains(&Extent::Number(0)) {
            let known = offset.value();
            joined = e.scatter(joined, &own, &place, known.as_slice(), |e, i| source.load(e, i))?;
        }
        offset = match (offset, own[dim]) {
            (offset, Extent::Number(size)) => e.plus(offset, size)?,
            (Extent::Number(offset), size) => e.plus(size, offset)?,
            (Extent::Value(offset), Extent::Value(size)) => Extent::Value(e.add(offset, size)),
        };
    }
    Ok(vec![joined])
}

/// Two or four tensors joined along a last dimension of which each has one element, as rotary embeddings join
/// real and imaginary parts: of neighbours in the result each is another tensor's, so tensor by tensor lanes
/// would lie apart. Points are those of the last two dimensions as one.
fn interleaved<'c, 'a>(
    view: &functional::CatOp<'c, 'a>,
    e: &Emitter<'c, 'a>,
) -> Result<Option<V<'c, 'a>>, Failure> {
    let (all, result) = (view.tensors(), view.operation().result_at(0)?.into());
    let ty = tensor(result)?;
    let (rank, count) = (ty.rank(), all.len() as i64);
    let is_last = rank >= 2 && wrap(view.dim().unwrap_or(0), rank) == rank - 1;
    let is_static = ty.shape.iter().all(|size| *size > 0);
    if !is_last || !is_static || !matches!(count, 2 | 4) || ty.shape[rank - 1] != count {
        return Ok(None);
    }
    let mut place: Vec<AffineExpr> = (0..rank - 1).map(|d| e.dim(d)).collect();
    place[rank - 2] = AffineExpr::floor_div(place[rank - 2], e.number(count));
    place.push(e.number(0));
    let mut sources = vec![];
    for value in all {
        if tensor(value)?.shape[rank - 1] != 1 {
            return Ok(None);
        }
        sources.push(Source::of(value, e)?.reindexed(&place, rank - 1, e));
    }
    let mut shape = ty.shape[..rank - 1].to_vec();
    shape[rank - 2] *= count;
    let joined = e.pointwise(ty.with_shape(&shape).to_type(e.context), |e, i| {
        let number = e.same("arith.remui", &[i[rank - 2], e.index(count)]);
        let mut element = sources[0].load(e, i)?;
        for (n, source) in sources.iter().enumerate().skip(1) {
            let own = e.compare(Compare::Eq, number, e.index(n as i64));
            element = e.select(own, source.load(e, i)?, element);
        }
        Ok(element)
    })?;
    let sizes: Vec<Extent> = ty.shape.iter().map(|size| Extent::Number(*size)).collect();
    reshape(e, joined, &sizes).map(Some)
}
