//! Places of a view's elements that strides or a step of the run name: they have no affine expression, and
//! are computed.

use super::sizes::{self, wrap};
use crate::emit::{Compare, Emitter};
use melior::ir::OperationRef;
use terrace_dialects::{
    ir::{cursor::V, extent::Extent, pass::Failure, refusal::Reason},
    ops::functional,
};

/// Where a slice along a dimension starts, of the sizes of the dimension and of the slice.
pub fn start<'c, 'a>(
    e: &Emitter<'c, 'a>,
    start: Option<Extent<'c, 'a>>,
    step: Extent<'c, 'a>,
    [size, part]: [Extent<'c, 'a>; 2],
) -> Result<Extent<'c, 'a>, Failure> {
    Ok(match (start.ok_or_else(|| Reason::RunTime.says("has a start that is no number"))?, size) {
        (Extent::Number(start), Extent::Number(size)) => {
            let start = if start < 0 { start.saturating_add(size) } else { start };
            Extent::Number(start.clamp(0, size))
        }
        // Beyond the end there is no index to start from.
        (Extent::Number(start @ 0..), _) => Extent::Number(start),
        // Wherever it starts, the part ends inside.
        (start, size) => {
            let (zero, start) = (e.index(0), e.size(start));
            let from_the_end = e.add(start, e.size(size));
            let start = e.select(e.compare(Compare::Lt, start, zero), from_the_end, start);
            let span = e.size(e.plus(e.product(e.plus(part, -1)?, step)?, 1)?);
            let last = e.sub(e.size(size), span);
            Extent::Value(e.same("arith.maxsi", &[e.same("arith.minsi", &[start, last]), zero]))
        }
    })
}

/// Places along row-major elements that strides name: of those of the run there is no affine expression.
pub struct Strided<'c, 'a> {
    /// How far neighbours along each dimension are apart.
    pub strides: Vec<Extent<'c, 'a>>,
    pub offset: Extent<'c, 'a>,
}

impl<'c, 'a> Strided<'c, 'a> {
    /// Those of an `as_strided` or its inverse.
    pub fn of(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Option<Self> {
        let (strides, dynamic, offset) = if let Ok(op) = functional::AsStridedOp::try_from(op) {
            (op.stride(), op.dynamic_stride(), (op.storage_offset(), op.dynamic_storage_offset()))
        } else {
            let op = functional::AsStridedScatterOp::try_from(op).ok()?;
            (op.stride(), op.dynamic_stride(), (op.storage_offset(), op.dynamic_storage_offset()))
        };
        let offset = sizes::entry(&offset.0, &offset.1, e)?;
        Some(Self { strides: sizes::entries(&strides, &dynamic, e), offset })
    }

    /// The place of an element.
    pub fn place(&self, e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]) -> V<'c, 'a> {
        let terms = i.iter().zip(&self.strides).map(|(i, stride)| e.mul(*i, e.size(*stride)));
        terms.fold(e.size(self.offset), |sum, term| e.add(sum, term))
    }
}

/// Where a view's elements lie that strides or a step of the run name, of which there is no affine
/// expression.
pub enum Computed<'c, 'a> {
    /// Along row-major elements.
    Strided(Strided<'c, 'a>),
    /// Along a dimension.
    Slice {
        /// The dimension.
        dim: usize,
        /// The first index.
        start: Extent<'c, 'a>,
        /// How far indices are apart.
        step: Extent<'c, 'a>,
    },
}

impl<'c, 'a> Computed<'c, 'a> {
    /// Where those of a view lie, or of its inverse, which writes into `viewed` what has the sizes of `view`.
    pub fn of(
        op: OperationRef<'c, 'a>,
        viewed: V<'c, 'a>,
        view: V<'c, 'a>,
        e: &Emitter<'c, 'a>,
    ) -> Result<Self, Failure> {
        if let Some(strided) = Strided::of(op, e) {
            return Ok(Self::Strided(strided));
        }
        let (dim, start, step) = if let Ok(op) = functional::SliceOp::try_from(op) {
            (op.dim(), (op.start(), op.dynamic_start()), op.dynamic_step())
        } else {
            let op = functional::SliceScatterOp::try_from(op).map_err(|_| "has no lowering to loops")?;
            (op.dim(), (op.start(), op.dynamic_start()), op.dynamic_step())
        };
        let step = Extent::Value(
            e.as_index(*step.first().ok_or_else(|| Reason::RunTime.says("has a step that is no number"))?),
        );
        let (shape, part) = (sizes::extents(viewed, e)?, sizes::extents(view, e)?);
        let dim = wrap(dim.unwrap_or(0), shape.len());
        let start = sizes::entry(&start.0, &start.1, e);
        let start = self::start(e, start, step, [shape[dim], part[dim]])?;
        Ok(Self::Slice { dim, start, step })
    }

    /// The place of an element.
    pub fn place(&self, e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]) -> Vec<V<'c, 'a>> {
        match self {
            Self::Strided(strided) => vec![strided.place(e, i)],
            Self::Slice { dim, start, step } => {
                let mut place = i.to_vec();
                place[*dim] = e.add(e.mul(i[*dim], e.size(*step)), e.size(*start));
                place
            }
        }
    }
}

/// Whether nothing is read through a view, or written by its inverse, for where its elements lie is
/// [`Computed`].
pub fn is_computed(op: OperationRef) -> bool {
    functional::AsStridedOp::try_from(op).is_ok_and(|op| !op.dynamic_stride().is_empty())
        || functional::AsStridedScatterOp::try_from(op).is_ok_and(|op| !op.dynamic_stride().is_empty())
        || functional::SliceOp::try_from(op).is_ok_and(|op| !op.dynamic_step().is_empty())
        || functional::SliceScatterOp::try_from(op).is_ok_and(|op| !op.dynamic_step().is_empty())
}
