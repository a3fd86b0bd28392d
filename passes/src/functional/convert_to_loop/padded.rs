//! Images with zeros around them: a sum over windows that reads each element several times has no masks then.
//!
//! ```text
//! %p = loop.pointwise (%n, %c, %i = 58, %j = 58) { load %x[%n, %c, %i - 1, %j - 1] if inside else 0 }
//! %y = loop.reduction add (%n, %c, %i = 56, %j = 56) over (%h = 3, %w = 3) { load %p[%n, %c, %i + %h, %j + %w] * .. }
//! ```
//!
//! Where a plane is small, `loop-fuse` makes one group of both over images and channels, and the copy stays
//! in the cache.

use super::{
    axes::{Axis, both},
    sizes::{tensor, ty},
    source::Source,
};
use crate::emit::{Emitter, Number, Typed};
use terrace_dialects::ir::{cursor::V, dtype::ElementType, extent::Extent, pass::Failure};

/// An image `[N, C, ...]` with the zeros that windows along these axes read, and the axes over it; None where
/// they read none, or sizes are not known. Elements of a row are a multiple of `lanes`.
pub(super) fn padded<'c, 'a>(
    e: &Emitter<'c, 'a>,
    image: V<'c, 'a>,
    (lead, axes, lanes): ([Extent<'c, 'a>; 2], &[Axis<'c, 'a>], i64),
) -> Result<Option<(V<'c, 'a>, Vec<Axis<'c, 'a>>)>, Failure> {
    let dtype = tensor(image)?.dtype;
    let wide: Option<Vec<i64>> = axes.iter().map(reach).collect();
    let Some(mut wide) = wide.filter(|_| axes.iter().any(|axis| axis.padding > 0)) else { return Ok(None) };
    if let Some(row) = wide.last_mut() {
        *row = (*row + lanes - 1) / lanes * lanes;
    }
    let around = |(axis, size): (&Axis<'c, 'a>, &i64)| Axis {
        output: Extent::Number(*size),
        kernel: Extent::Number(1),
        stride: 1,
        dilation: 1,
        ..*axis
    };
    let around: Vec<Axis> = axes.iter().zip(&wide).map(around).collect();
    let extents: Vec<Extent> = lead.into_iter().chain(wide.iter().copied().map(Extent::Number)).collect();
    let result = Typed { ty: ty(&Extent::in_types(&extents), dtype).to_type(e.context), extents };
    let source = Source::of(image, e)?;
    let copy = e.pointwise(result, |e, i| {
        let (mut place, mut mask) = (vec![e.dim(0), e.dim(1)], None);
        for (d, axis) in around.iter().enumerate() {
            let (at, inside) = axis.alone(e, d + 2, i);
            place.push(at);
            mask = both(e, mask, inside);
        }
        let zero = e.constant(dtype.to_type(e.context), Number::Int(0));
        source.load_at(e, &place, i, mask.map(|mask| (mask, zero)))
    })?;
    let inside =
        |(axis, size): (&Axis<'c, 'a>, &i64)| Axis { input: Extent::Number(*size), padding: 0, ..*axis };
    Ok(Some((copy, axes.iter().zip(&wide).map(inside).collect())))
}

/// The elements that all windows along an axis cover, from the first one's start to the last one's end.
fn reach(axis: &Axis) -> Option<i64> {
    let (output, kernel) = (axis.output.number()?, axis.kernel.number()?);
    axis.input.number()?;
    Some(((output - 1).max(0) * axis.stride + (kernel - 1).max(0) * axis.dilation + 1).max(0))
}
