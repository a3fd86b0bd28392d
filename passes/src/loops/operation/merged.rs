//! Row-major buffers with dimensions merged: upstream's `memref.collapse_shape`.

use crate::emit::Emitter;
use melior::ir::{Attribute, TypeLike, ValueLike, attribute::ArrayAttribute, r#type::MemRefType};
use mlir_sys::{mlirAffineMapIsIdentity, mlirMemRefTypeGetAffineMap};
use terrace_dialects::ir::{cursor::V, pass::Failure, shaped::Shaped};
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
    let (mut sizes, mut lists): (Vec<i64>, Vec<Attribute>) = (vec![], vec![]);
    let mut d = 0;
    while d < shape.len() {
        let count = groups.iter().find(|(first, _)| *first == d).map_or(1, |(_, count)| *count);
        let own = &shape[d..d + count];
        sizes.push(if own.contains(&DYNAMIC) { DYNAMIC } else { own.iter().product() });
        lists.push(at.number_list(&(d as i64..(d + count) as i64).collect::<Vec<_>>()));
        d += count;
    }
    let ty = MemRefType::contiguous(element, &sizes, None).into();
    let lists = ArrayAttribute::new(at.context, &lists).into();
    Ok(at.op("memref.collapse_shape", &[buffer], ty, &[("reassociation", lists)]))
}

/// Whether a value is a buffer whose elements lie in row-major order, without gaps.
pub(crate) fn is_row_major(buffer: V) -> bool {
    // SAFETY: asked of a memref.
    Shaped::of(buffer.r#type()).is_some_and(|s| s.buffer)
        && unsafe { mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(buffer.r#type().to_raw())) }
}
