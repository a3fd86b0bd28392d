//! The inverses of views: a `loop.scatter` that writes where the view reads.

use super::{Results, indexing, reshape, sizes, source::Source, views::View};
use crate::emit::{Emitter, Made};
use melior::ir::{OperationRef, ValueLike, operation::OperationLike};
use terrace_dialects::{
    attributes,
    cursor::V,
    operations::definition,
    ops::functional,
    pass::Failure,
    types::{DYNAMIC, Shape},
};

/// Writes the elements of the second operand into `base`, the first operand or a reshape of it.
fn write<'c, 'a>(op: OperationRef<'c, 'a>, base: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Made<'c, 'a> {
    let src = op.operand(1)?;
    let (source, sizes) = (Source::of(src, e)?, sizes::extents(src, e)?);
    let view = View::of_region(op, base, src, e)?.ok_or("has no lowering to loops")?;
    e.scatter(base, &sizes, &view.exprs, &view.operands, |e, i| source.load(e, i))
}

/// `select_scatter`, `slice_scatter` and `diagonal_scatter`.
pub fn scatter<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    if let Ok(view) = functional::SelectScatterOp::try_from(op)
        && let [index] = view.dynamic_index()[..]
    {
        let shape = sizes::extents(view.self_(), e)?;
        let index = indexing::select_in_range(index, &shape, view.dim().unwrap_or(0), e);
        // SAFETY: the value stands in front of the operation.
        unsafe { mlir_sys::mlirOperationSetOperand(op.to_raw(), 2, index.to_raw()) }
    }
    Ok(vec![write(op, op.operand(0)?, e)?])
}

/// `as_strided_scatter`: the row-major elements of `self` stand for the storage.
pub fn as_strided_scatter<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::AsStridedScatterOp::try_from(op).map_err(|_| "is no as_strided_scatter")?;
    if !is_uniform(view.src()) {
        if view.size().iter().chain(&view.stride()).any(|number| *number == DYNAMIC) {
            let why = "may write an element more than once: which places it writes is known at run time only";
            return Err(why.into());
        }
        check_distinct(&view.size(), &view.stride())?;
    }
    let shape = sizes::extents(view.self_(), e)?;
    let flat = reshape::flat(e, view.self_(), &shape)?;
    Ok(vec![reshape::reshape(e, write(op, flat, e)?, &shape)?])
}

/// Whether all elements of a tensor are one value, as a fill has them: then it does not matter how often an element is written.
fn is_uniform(value: V) -> bool {
    const KEEP: &[&str] = &[
        "functional._to_copy",
        "functional.as_strided",
        "functional.diagonal",
        "functional.expand",
        "functional.flip",
        "functional.permute",
        "functional.select",
        "functional.slice",
        "functional.squeeze",
        "functional.unsqueeze",
        "functional.view",
    ];
    let Some(op) = definition(value) else { return false };
    match op.name().as_string_ref().as_str() {
        Ok("functional.full") => true,
        Ok("arith.constant") => op.attribute("value").is_ok_and(|a| attributes::splat(a).is_some()),
        Ok(name) if KEEP.contains(&name) => op.operand(0).is_ok_and(is_uniform),
        _ => false,
    }
}

/// Whether the places of a small region are all different, by looking at each; a large one counts as not.
fn all_distinct(size: &[i64], stride: &[i64]) -> bool {
    const LARGEST: i64 = 1 << 16;
    if size.iter().try_fold(1i64, |n, s| n.checked_mul(*s)).is_none_or(|n| n > LARGEST) {
        return false;
    }
    let mut places = vec![0i64];
    for (n, s) in size.iter().zip(stride) {
        places = places.iter().flat_map(|p| (0..*n).map(move |i| p + i * s)).collect();
    }
    let mut seen = std::collections::HashSet::new();
    places.into_iter().all(|p| seen.insert(p))
}

/// No two indices may name one element: which of two writes stays is not defined. In the order of their strides, each
/// must reach beyond all that the smaller ones span.
fn check_distinct(size: &[i64], stride: &[i64]) -> Result<(), Failure> {
    if size.contains(&0) {
        return Ok(());
    }
    let mut dims: Vec<_> = size.iter().zip(stride).filter(|(n, _)| **n > 1).collect();
    dims.sort_by_key(|(_, stride)| **stride);
    let mut span = 0i128;
    for (n, s) in dims {
        if i128::from(*s) <= span && !all_distinct(size, stride) {
            return Err(format!(
                "may write an element more than once: sizes {} and strides {} overlap",
                Shape(size),
                Shape(stride)
            )
            .into());
        }
        span += i128::from(*s) * i128::from(n - 1);
    }
    Ok(())
}
