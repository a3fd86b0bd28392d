//! Buffers with dimensions merged, where rows follow each other without gaps: upstream's
//! `memref.collapse_shape`.

use crate::emit::Emitter;
use melior::ir::{
    Attribute, ValueLike,
    attribute::{ArrayAttribute, StridedLayoutAttribute},
    r#type::MemRefType,
};
use terrace_dialects::{
    internal,
    ir::{
        cursor::V,
        pass::Failure,
        shaped::{Shaped, strides_and_offset},
        types::has_identity_layout,
    },
};
use terrace_size::DYNAMIC;

/// A buffer with groups of dimensions, each from the first on, as one.
pub(crate) fn collapsed<'c, 'a>(
    at: &Emitter<'c, 'a>,
    buffer: V<'c, 'a>,
    groups: &[(usize, usize)],
) -> Result<V<'c, 'a>, Failure> {
    if groups.is_empty() {
        return Ok(buffer);
    }
    let Shaped { shape, element, .. } = Shaped::expect(buffer.r#type())?;
    let (mut sizes, mut lists, mut lasts): (Vec<i64>, Vec<Attribute>, _) = (vec![], vec![], vec![]);
    let mut d = 0;
    while d < shape.len() {
        let count = groups.iter().find(|(first, _)| *first == d).map_or(1, |(_, count)| *count);
        let own = &shape[d..d + count];
        sizes.push(if own.contains(&DYNAMIC) { DYNAMIC } else { own.iter().product() });
        lists.push(at.number_list(&(d as i64..(d + count) as i64).collect::<Vec<_>>()));
        d += count;
        lasts.push(d - 1);
    }
    let layout = match is_row_major(buffer) {
        true => None,
        false => {
            let (strides, offset) =
                strides_and_offset(buffer.r#type()).ok_or(internal!("merges what has no strides"))?;
            let strides: Vec<i64> = lasts.into_iter().map(|last| strides[last]).collect();
            Some(StridedLayoutAttribute::new(at.context, offset, &strides).into())
        }
    };
    let ty = MemRefType::new(element, &sizes, layout, None).into();
    let lists = ArrayAttribute::new(at.context, &lists).into();
    Ok(at.op("memref.collapse_shape", &[buffer], ty, &[("reassociation", lists)]))
}

/// Whether elements lie in row-major order, without gaps.
fn is_row_major(buffer: V) -> bool {
    has_identity_layout(buffer.r#type())
}

/// The sizes of a buffer, of each dimension that can be merged with the one in front of it; [`DYNAMIC`] for
/// the others. The size of the first is as it is. None of what is no buffer with strides.
pub(crate) fn mergeable(buffer: V) -> Option<Vec<i64>> {
    let shaped = Shaped::of(buffer.r#type()).filter(|shaped| shaped.buffer)?;
    if is_row_major(buffer) {
        return Some(shaped.shape);
    }
    let (strides, _) = strides_and_offset(buffer.r#type())?;
    let mut sizes = shaped.shape;
    for d in 1..sizes.len() {
        let follows = strides[d] != DYNAMIC && strides[d].checked_mul(sizes[d]) == Some(strides[d - 1]);
        if sizes[d] == DYNAMIC || !follows {
            sizes[d] = DYNAMIC;
        }
    }
    Some(sizes)
}
