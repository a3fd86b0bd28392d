//! The gradient of a table whose rows were taken: a `loop.scatter add` of what comes in to the rows that it
//! is of.

use super::{
    bounds::clamped,
    meeting::combined,
    reductions::number,
    sizes::{self, tensor, ty},
    source::Source,
};
use crate::emit::{Compare, Emitted, Emitter, Number, Typed};
use melior::ir::OperationRef;
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::{Dtype, ElementType},
        extent::Extent,
        pass::Failure,
    },
    loops::scatters::Meeting,
    ops::{Combiner, functional},
};

/// Sums of what meets.
pub const ADD: Meeting = Meeting::Combined(Combiner::Add);

/// An i64.
pub fn int<'c, 'a>(e: &Emitter<'c, 'a>, n: i64) -> V<'c, 'a> {
    e.constant(Dtype::I64.to_type(e.context), Number::Int(n))
}

/// A size as an i64.
pub fn word<'c, 'a>(e: &Emitter<'c, 'a>, size: Extent<'c, 'a>) -> V<'c, 'a> {
    number(size, Dtype::I64.to_type(e.context), e)
}

/// An i64 as an index from 0 to `size - 1`, wherever it lies.
pub fn within<'c, 'a>(e: &Emitter<'c, 'a>, index: V<'c, 'a>, size: Extent<'c, 'a>) -> V<'c, 'a> {
    e.as_index(clamped(e, index, size, false))
}

/// The type of i64s of some sizes.
pub fn ints<'c, 'a>(e: &Emitter<'c, 'a>, extents: &[Extent<'c, 'a>]) -> Typed<'c, 'a> {
    let ty = ty(&Extent::in_types(extents), Dtype::I64).to_type(e.context);
    Typed { ty, extents: extents.to_vec() }
}

/// Indices: an i64 at each point.
pub struct Indices<'c, 'a> {
    /// What they are read from.
    pub source: Source<'c, 'a>,
    /// Their sizes.
    pub extents: Vec<Extent<'c, 'a>>,
}

impl<'c, 'a> Indices<'c, 'a> {
    pub fn of(value: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Result<Self, Failure> {
        Ok(Self { source: Source::of(value, e)?, extents: sizes::extents(value, e)? })
    }

    pub fn load(&self, e: &Emitter<'c, 'a>, point: &[V<'c, 'a>]) -> Emitted<'c, 'a> {
        Ok(e.cast(self.source.load(e, point)?, Dtype::I64))
    }

    /// The one with this number, read only where something holds; 0 elsewhere.
    pub fn load_where(
        &self,
        e: &Emitter<'c, 'a>,
        holds: V<'c, 'a>,
        at: V<'c, 'a>,
        dtype: Dtype,
    ) -> Emitted<'c, 'a> {
        let zero = e.constant(dtype.to_type(e.context), Number::Int(0));
        Ok(e.cast(self.source.load_at(e, &[e.dim(0)], &[at], Some((holds, zero)))?, Dtype::I64))
    }

    /// What was made of them, of these sizes.
    pub fn result(value: V<'c, 'a>, extents: &[Extent<'c, 'a>], e: &Emitter<'c, 'a>) -> Self {
        Self { source: Source::of_tensor(value, extents.len(), e), extents: extents.to_vec() }
    }

    /// How often each number below `count` occurs.
    pub fn counts(&self, e: &Emitter<'c, 'a>, count: Extent<'c, 'a>) -> Result<Source<'c, 'a>, Failure> {
        let mut counts = e.filled(ints(e, &[count]), Number::Int(0))?;
        if !count.is(0) {
            let domain = sizes::unless_empty(&[count], &self.extents, e);
            counts = e.scatter_at(ADD, counts, &domain, |e, i| {
                let index = self.load(e, i)?;
                let one = e.cast(e.inside(index, word(e, count)), Dtype::I64);
                Ok((one, vec![within(e, index, count)]))
            })?;
        }
        Ok(Source::of_tensor(counts, 1, e))
    }
}

/// `embedding_dense_backward`: to each row the sum of the gradients of what was taken from it, or with
/// `scale_grad_by_freq` their mean. Indices that are no rows count for nothing.
pub fn embedding_dense_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::EmbeddingDenseBackwardOp::try_from(op).map_err(|_| "is no embedding gradient")?;
    let (result, rows) = (sizes::typed(op.result_at(0)?.into(), e)?, Extent::Number(view.num_weights()));
    let (own, padding) = (tensor(view.grad_output())?, view.padding_idx());
    let zeros = e.filled(result, Number::Int(0))?;
    if rows.is(0) {
        return Ok(vec![zeros]);
    }
    let (grads, indices) = (Source::of(view.grad_output(), e)?, Indices::of(view.indices(), e)?);
    let counts = if view.scale_grad_by_freq() { Some(indices.counts(e, rows)?) } else { None };
    let all = sizes::extents(view.grad_output(), e)?;
    let sums = e.scatter_at(combined(Combiner::Add, own.dtype), zeros, &all, |e, i| {
        let (column, point) = i.split_last().ok_or(internal!("has no columns"))?;
        let index = indices.load(e, point)?;
        let used = e.and(e.inside(index, word(e, rows)), e.compare(Compare::Ne, index, int(e, padding)));
        let row = within(e, index, rows);
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
