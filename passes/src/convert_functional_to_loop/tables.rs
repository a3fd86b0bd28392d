//! Rows of a table: the gradients of a table whose rows were taken, and rows reduced by bags.
//!
//! A gradient is a `loop.scatter add` of what comes in to the rows that it is of. Bags are counted and summed in the same way: the
//! bag of an index is how many bags begin at it or before, less one.

use super::{
    Results,
    combining::{combined, ty},
    indexing::{Pick, assert_all},
    reshape, sizes,
    source::Source,
    views::tensor,
};
use crate::emit::{Compare, Emitter, Made, Number};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::{
    cursor::V,
    dtype::Dtype,
    extent::Extent,
    ops::{Combiner, functional},
    pass::Failure,
    scatters::Meeting,
};

const ADD: Meeting = Meeting::Combined(Combiner::Add);

/// An i64.
fn int<'c, 'a>(e: &Emitter<'c, 'a>, n: i64) -> V<'c, 'a> {
    e.constant(Dtype::I64.to_type(e.context), Number::Int(n))
}

/// An i64 as one of 0 to `size - 1`, wherever it lies.
fn within<'c, 'a>(e: &Emitter<'c, 'a>, index: V<'c, 'a>, size: i64) -> V<'c, 'a> {
    e.same("arith.minsi", &[e.same("arith.maxsi", &[index, int(e, 0)]), int(e, size - 1)])
}

/// Indices: an i64 at each point.
struct Indices<'c, 'a> {
    source: Source<'c, 'a>,
    shape: Vec<i64>,
    /// The same, with those of the run.
    extents: Vec<Extent<'c, 'a>>,
}

impl<'c, 'a> Indices<'c, 'a> {
    fn of(value: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Result<Self, Failure> {
        let (shape, extents) = (tensor(value)?.shape, sizes::extents(value, e)?);
        Ok(Self { source: Source::of(value, e)?, shape, extents })
    }

    fn load(&self, e: &Emitter<'c, 'a>, point: &[V<'c, 'a>]) -> Made<'c, 'a> {
        Ok(e.cast(self.source.load(e, point)?, Dtype::I64))
    }

    /// How often each number below `count` occurs.
    fn counts(&self, e: &Emitter<'c, 'a>, count: i64) -> Result<Source<'c, 'a>, Failure> {
        let mut counts = e.filled(ty(&[count], Dtype::I64).to_type(e.context), Number::Int(0))?;
        if count > 0 {
            counts = e.scatter_at(ADD, counts, &self.extents, |e, i| {
                let index = self.load(e, i)?;
                let one = e.cast(e.inside(index, int(e, count)), Dtype::I64);
                Ok((one, vec![e.as_index(within(e, index, count))]))
            })?;
        }
        Ok(Source::of_tensor(counts, 1, e))
    }
}

/// `embedding_dense_backward`: to each row the sum of the gradients of what was taken from it, or with `scale_grad_by_freq` their
/// mean. Indices that are no rows count for nothing.
pub fn embedding_dense_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::EmbeddingDenseBackwardOp::try_from(op).map_err(|_| "is no embedding gradient")?;
    let (result, rows) = (sizes::typed(op.result(0)?.into(), e)?, view.num_weights());
    let (own, padding) = (tensor(view.grad_output())?, view.padding_idx());
    let zeros = e.filled(result, Number::Int(0))?;
    if rows == 0 {
        return Ok(vec![zeros]);
    }
    let (grads, indices) = (Source::of(view.grad_output(), e)?, Indices::of(view.indices(), e)?);
    let counts = if view.scale_grad_by_freq() { Some(indices.counts(e, rows)?) } else { None };
    let all = sizes::extents(view.grad_output(), e)?;
    let sums = e.scatter_at(combined(Combiner::Add, own.dtype), zeros, &all, |e, i| {
        let (column, point) = i.split_last().ok_or("has no columns")?;
        let index = indices.load(e, point)?;
        let used = e.and(e.inside(index, int(e, rows)), e.compare(Compare::Ne, index, int(e, padding)));
        let row = e.as_index(within(e, index, rows));
        let mut grad = grads.load(e, i)?;
        let zero = e.like(grad, 0.0);
        if let Some(counts) = &counts {
            let count = counts.load(e, &[row])?;
            // The factor of eager, one over the count, is an integer where the elements are, or true.
            grad = match own.dtype {
                dtype if dtype.is_inexact() => e.div(grad, e.cast(count, dtype)),
                Dtype::Bool => grad,
                _ => e.select(e.compare(Compare::Eq, count, int(e, 1)), grad, zero),
            };
        }
        Ok((e.select(used, grad, zero), vec![row, *column]))
    })?;
    Ok(vec![sums])
}

/// Bags of indices.
struct Bags<'c, 'a> {
    offsets: Indices<'c, 'a>,
    /// How many there are.
    count: i64,
}

impl<'c, 'a> Bags<'c, 'a> {
    /// The bag of each of `all` indices, as a tensor; 0 where there is none.
    fn of_indices(&self, e: &Emitter<'c, 'a>, all: i64) -> Made<'c, 'a> {
        let before =
            e.reduction(ty(&[all], Dtype::I64).to_type(e.context), Combiner::Add, &[self.count], |e, i| {
                let begins = self.offsets.load(e, &i[1..])?;
                Ok(e.cast(e.compare(Compare::Le, begins, e.as_i64(i[0])), Dtype::I64))
            })?;
        let source = Source::of_tensor(before, 1, e);
        e.pointwise(before.r#type(), |e, i| {
            let own = e.sub(source.load(e, i)?, int(e, 1));
            Ok(e.same("arith.maxsi", &[own, int(e, 0)]))
        })
    }

    /// Offsets begin at 0, do not descend, and end within the indices.
    fn check(&self, e: &Emitter<'c, 'a>, all: i64) -> Result<(), Failure> {
        let Some(last) = self.offsets.shape[0].checked_sub(1).filter(|last| *last >= 0) else {
            return Ok(());
        };
        let first = "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0.";
        assert_all(e, &[1], first, |e, i| Ok(e.compare(Compare::Eq, self.offsets.load(e, i)?, int(e, 0))))?;
        let end = format!("offsets[-1] can not be greater than input's length({all})");
        assert_all(e, &[1], &end, |e, _| {
            Ok(e.compare(Compare::Le, self.offsets.load(e, &[e.index(last)])?, int(e, all)))
        })?;
        assert_all(e, &[last], "expects offsets that do not descend", |e, i| {
            let next = self.offsets.load(e, &[e.add(i[0], e.index(1))])?;
            Ok(e.compare(Compare::Le, self.offsets.load(e, i)?, next))
        })
    }
}

/// `_embedding_bag`: rows summed, averaged or the largest of them by bags; then the bag of each index, how many each bag has, and
/// where its largest elements came from. `mode` is 0 for sums, 1 for means, 2 for the largest.
pub fn embedding_bag<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::InternalEmbeddingBagOp::try_from(op).map_err(|_| "is no _embedding_bag")?;
    let (mode, padding) = (view.mode().unwrap_or(0), view.padding_idx().unwrap_or(-1));
    let (weight, result) = (tensor(view.weight())?, Value::from(op.result(0)?).r#type());
    let (rows, width, dtype) = (weight.shape[0], weight.shape[1], weight.dtype);
    let mut indices = view.indices();
    let all: i64 = tensor(indices)?.shape.iter().product();
    if tensor(indices)?.rank() != 1 {
        indices = reshape::reshape(e, indices, &[all.into()])?;
    }
    let offsets = Indices::of(view.offsets(), e)?;
    let count = offsets.shape[0] - i64::from(view.include_last_offset().unwrap_or(false));
    let bags = Bags { offsets, count };
    bags.check(e, all)?;
    let message = "embedding_bag: Expected idx >= 0 && idx < num_embeddings";
    let pick = Pick::new(indices, rows, false, message, e)?;
    let indices = Indices::of(indices, e)?;
    let of = bags.of_indices(e, all)?;
    let bag = Indices::of(of, e)?;
    // Of no rows or bags there is nothing to take.
    let empty = rows == 0 || count == 0;
    let counts = |e: &Emitter<'c, 'a>, at: &[V<'c, 'a>]| -> Made<'c, 'a> {
        Ok(e.compare(Compare::Ne, indices.load(e, at)?, int(e, padding)))
    };
    let one_each = |e: &Emitter<'c, 'a>, from: i64, meeting: Meeting, index: bool| -> Made<'c, 'a> {
        let start = e.filled(ty(&[count], Dtype::I64).to_type(e.context), Number::Int(from))?;
        if empty {
            return Ok(start);
        }
        e.scatter_at(meeting, start, &[all], |e, i| {
            let value = if index { e.as_i64(i[0]) } else { int(e, 1) };
            let neutral = e.constant(value.r#type(), Number::Int(from));
            Ok((e.select(counts(e, i)?, value, neutral), vec![e.as_index(bag.load(e, i)?)]))
        })
    };
    let sizes = Indices::of(one_each(e, 0, ADD, false)?, e)?;
    let samples = view.per_sample_weights().map(|samples| Source::of(samples, e)).transpose()?;
    let table = Source::of(view.weight(), e)?;
    let element = |e: &Emitter<'c, 'a>, at: V<'c, 'a>, column: V<'c, 'a>| -> Made<'c, 'a> {
        table.load(e, &[pick.load(e, &[at], &pick.shape)?, column])
    };
    let number = e.number_type(dtype);
    // The first index of each bag that counts: a nan there stays the largest, elsewhere it is none.
    let first = if mode == 2 {
        Some(Indices::of(one_each(e, i64::MAX, Meeting::Combined(Combiner::Min), true)?, e)?)
    } else {
        None
    };
    let (start, meeting) = match mode {
        2 => (f64::NEG_INFINITY, Meeting::Combined(Combiner::Max)),
        _ => (0.0, ADD),
    };
    let mut made = e.filled(result, Number::Float(start))?;
    if !empty {
        made = e.scatter_at(meeting, made, &[all, width], |e, i| {
            let mut own = element(e, i[0], i[1])?;
            if let Some(samples) = &samples {
                own = e.mul(own, samples.load(e, &i[..1])?);
            }
            let at = e.as_index(bag.load(e, &i[..1])?);
            let neutral = e.constant(number, Number::Float(start));
            let mut taken = counts(e, &i[..1])?;
            if let Some(first) = &first {
                let is_first = e.compare(Compare::Eq, first.load(e, &[at])?, e.as_i64(i[0]));
                let ordered = e.compare(Compare::Eq, own, own);
                taken = e.and(taken, e.same("arith.ori", &[is_first, ordered]));
            }
            Ok((e.select(taken, own, neutral), vec![at, i[1]]))
        })?;
    }
    let reduced = Source::of_tensor(made, 2, e);
    let output = match mode {
        0 => made,
        _ => e.pointwise(result, |e, i| {
            let (own, size) = (reduced.load(e, i)?, sizes.load(e, &i[..1])?);
            let some = e.compare(Compare::Gt, size, int(e, 0));
            if mode == 2 {
                return Ok(e.select(some, own, e.like(own, 0.0)));
            }
            Ok(e.select(some, e.div(own, e.cast(size, dtype)), own))
        })?,
    };
    // A sum does not count, and what eager makes in one go does not tell bags either.
    let list = |number: usize, source: Option<&Indices<'c, 'a>>| -> Made<'c, 'a> {
        let result = Value::from(op.result(number)?);
        let made = tensor(result)?;
        match source.filter(|source| source.shape == made.shape) {
            Some(source) => e.pointwise(result.r#type(), |e, i| Ok(e.cast(source.load(e, i)?, made.dtype))),
            None => e.filled(result.r#type(), Number::Int(0)),
        }
    };
    let sizes = Some(sizes).filter(|_| mode != 0);
    let mut largest = None;
    if let (Some(first), false) = (&first, empty) {
        // The first index at which the largest element stands.
        let none = e.filled(ty(&[count, width], Dtype::I64).to_type(e.context), Number::Int(i64::MAX))?;
        let found = e.scatter_at(Meeting::Combined(Combiner::Min), none, &[all, width], |e, i| {
            let (own, at) = (element(e, i[0], i[1])?, e.as_index(bag.load(e, &i[..1])?));
            let here = e.as_i64(i[0]);
            let is_first = e.compare(Compare::Eq, first.load(e, &[at])?, here);
            let first_nan = e.and(is_first, e.compare(Compare::Ne, own, own));
            let stands = e.compare(Compare::Eq, own, reduced.load(e, &[at, i[1]])?);
            let stands = e.and(counts(e, &i[..1])?, e.same("arith.ori", &[stands, first_nan]));
            Ok((e.select(stands, here, int(e, i64::MAX)), vec![at, i[1]]))
        })?;
        let found = Source::of_tensor(found, 2, e);
        let rows = e.pointwise(ty(&[count, width], Dtype::I64).to_type(e.context), |e, i| {
            let at = found.load(e, i)?;
            let some = e.compare(Compare::Ne, at, int(e, i64::MAX));
            let at = e.as_index(within(e, at, all));
            // Of no indices nothing is read.
            if all == 0 {
                return Ok(int(e, 0));
            }
            Ok(e.select(some, indices.load(e, &[at])?, int(e, 0)))
        })?;
        largest = Some(Indices::of(rows, e)?);
    }
    Ok(vec![
        output,
        list(1, Some(&bag))?,
        list(2, sizes.as_ref())?,
        list(3, if mode == 2 { largest.as_ref() } else { sizes.as_ref() })?,
    ])
}

/// What the gradient of a table of bags is made of.
struct Gradient<'c, 'a> {
    grad: V<'c, 'a>,
    indices: V<'c, 'a>,
    /// The bag of each index.
    of: V<'c, 'a>,
    sizes: V<'c, 'a>,
    largest: V<'c, 'a>,
    samples: Option<V<'c, 'a>>,
    rows: i64,
    by_frequency: bool,
    mode: i64,
    padding: i64,
}

/// That of an operation, and of the bags of its indices: two operations have the same arguments.
macro_rules! gradient {
    ($view:ident, $of:expr) => {
        Gradient {
            grad: $view.grad(),
            indices: $view.indices(),
            of: $of,
            sizes: $view.bag_size(),
            largest: $view.maximum_indices(),
            samples: $view.per_sample_weights(),
            rows: $view.num_weights(),
            by_frequency: $view.scale_grad_by_freq(),
            mode: $view.mode(),
            padding: $view.padding_idx().unwrap_or(-1),
        }
    };
}

impl<'c, 'a> Gradient<'c, 'a> {
    fn write(&self, op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
        let (own, rows) = (tensor(self.grad)?, self.rows);
        let (bags, width, dtype) = (own.shape[0], own.shape[1], own.dtype);
        let zeros = e.filled(Value::from(op.result(0)?).r#type(), Number::Int(0))?;
        if bags == 0 || rows == 0 {
            return Ok(vec![zeros]);
        }
        let (grads, sizes) = (Source::of(self.grad, e)?, Indices::of(self.sizes, e)?);
        if self.mode == 2 {
            let largest = Indices::of(self.largest, e)?;
            let sums = e.scatter_at(ADD, zeros, &own.shape, |e, i| {
                let (grad, row) = (grads.load(e, i)?, largest.load(e, i)?);
                let some = e.compare(Compare::Gt, sizes.load(e, &i[..1])?, int(e, 0));
                let value = e.select(some, grad, e.like(grad, 0.0));
                Ok((value, vec![e.as_index(within(e, row, rows)), i[1]]))
            })?;
            return Ok(vec![sums]);
        }
        let (indices, of) = (Indices::of(self.indices, e)?, Indices::of(self.of, e)?);
        let samples = self.samples.map(|samples| Source::of(samples, e)).transpose()?;
        let counts = if self.by_frequency { Some(indices.counts(e, rows)?) } else { None };
        let skips = |e: &Emitter<'c, 'a>, row: V<'c, 'a>| e.compare(Compare::Eq, row, int(e, self.padding));
        let inside = |of: &Indices<'c, 'a>, count: i64, what: &str| {
            let message = format!("expects {what} from 0 to {}", count - 1);
            assert_all(e, &indices.shape, &message, |e, i| {
                let inside = e.inside(of.load(e, i)?, int(e, count));
                Ok(e.same("arith.ori", &[inside, skips(e, indices.load(e, i)?)]))
            })
        };
        inside(&indices, rows, "rows")?;
        inside(&of, bags, "bags")?;
        let sums = e.scatter_at(ADD, zeros, &[indices.shape[0], width], |e, i| {
            let at = &i[..1];
            let index = indices.load(e, at)?;
            let row = e.as_index(within(e, index, rows));
            let bag = e.as_index(within(e, of.load(e, at)?, bags));
            let mut scale = match &samples {
                Some(samples) => samples.load(e, at)?,
                None => e.constant(e.number_type(dtype), Number::Int(1)),
            };
            if let Some(counts) = &counts {
                scale = e.div(scale, e.cast(counts.load(e, &[row])?, dtype));
            }
            if self.mode == 1 {
                scale = e.div(scale, e.cast(sizes.load(e, &[bag])?, dtype));
            }
            let own = e.mul(grads.load(e, &[bag, i[1]])?, scale);
            Ok((e.select(skips(e, index), e.like(own, 0.0), own), vec![row, i[1]]))
        })?;
        Ok(vec![sums])
    }
}

/// `_embedding_bag_dense_backward`.
pub fn embedding_bag_dense_backward<'c, 'a>(
    op: OperationRef<'c, 'a>,
    e: &Emitter<'c, 'a>,
) -> Results<'c, 'a> {
    let view = functional::InternalEmbeddingBagDenseBackwardOp::try_from(op)
        .map_err(|_| "is no _embedding_bag_dense_backward")?;
    gradient!(view, view.offset2bag()).write(op, e)
}

/// `_embedding_bag_backward`: the same; a sum does not tell which bag an index is of.
pub fn embedding_bag_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::InternalEmbeddingBagBackwardOp::try_from(op)
        .map_err(|_| "is no _embedding_bag_backward")?;
    let all = tensor(view.indices())?.shape[0];
    let mut of = view.offset2bag();
    if tensor(of)?.shape.contains(&0) && all > 0 {
        let offsets = Indices::of(view.offsets(), e)?;
        let count = offsets.shape[0];
        of = Bags { offsets, count }.of_indices(e, all)?;
    }
    gradient!(view, of).write(op, e)
}
