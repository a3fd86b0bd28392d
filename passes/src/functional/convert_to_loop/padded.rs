//! Images with numbers around them: what goes over windows that read each element several times has no masks
//! then.
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

/// Elements that the rows of a copy are a multiple of, so that they are stored without masks.
pub(super) const LANES: i64 = 16;

/// An image with a number around it that windows along these axes, its last dimensions, read, and the axes
/// over it; None where they read none, or sizes are not known. Elements of a row are a multiple of `lanes`.
pub(super) fn padded<'c, 'a>(
    e: &Emitter<'c, 'a>,
    image: V<'c, 'a>,
    (lead, axes): (&[Extent<'c, 'a>], &[Axis<'c, 'a>]),
    (number, lanes): (Number, i64),
) -> Result<Option<(V<'c, 'a>, Vec<Axis<'c, 'a>>)>, Failure> {
    let dtype = tensor(image)?.dtype;
    let wide: Option<Vec<i64>> = axes.iter().map(reach).collect();
    let reads_more = axes.iter().any(|axis| axis.padding > 0 || !axis.is_inside());
    let Some(mut wide) = wide.filter(|_| reads_more) else { return Ok(None) };
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
    let extents: Vec<Extent> = lead.iter().copied().chain(wide.iter().copied().map(Extent::Number)).collect();
    let result = Typed { ty: ty(&Extent::in_types(&extents), dtype).to_type(e.context), extents };
    let source = Source::of(image, e)?;
    let copy = e.pointwise(result, |e, i| {
        let (mut place, mut mask): (Vec<_>, _) = ((0..lead.len()).map(|d| e.dim(d)).collect(), None);
        for (d, axis) in around.iter().enumerate() {
            let (at, inside) = axis.alone(e, lead.len() + d, i);
            place.push(at);
            mask = both(e, mask, inside);
        }
        let other = e.constant(dtype.to_type(e.context), number);
        source.load_at(e, &place, i, mask.map(|mask| (mask, other)))
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
