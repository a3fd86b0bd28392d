//! `kernel.reinterpret`: the same pointer with sizes and strides of its own.

use melior::ir::{OperationRef, Type, TypeLike, ValueLike, attribute::DenseI32ArrayAttribute};
use mlir_sys::*;
use terrace_dialects::{
    cursor::{Cursor, V},
    operations::erase,
    ops::kernel,
    pass::Failure,
    reinterpret::{Ratio, reinterpreted},
    shaped::{Shaped, strides_and_offset},
    types::DYNAMIC,
};

/// A memref of an element type; with strides and offset where they are to be spelled.
fn memref<'c>(like: Type<'c>, element: Type<'c>, sizes: &[i64], strides: Option<(&[i64], i64)>) -> Type<'c> {
    unsafe {
        let raw = like.to_raw();
        let layout = match strides {
            Some((strides, offset)) => mlirStridedLayoutAttrGet(
                mlirTypeGetContext(raw),
                offset,
                strides.len() as isize,
                strides.as_ptr(),
            ),
            None => MlirAttribute { ptr: std::ptr::null() },
        };
        let space = mlirMemRefTypeGetMemorySpace(raw);
        Type::from_raw(mlirMemRefTypeGet(
            element.to_raw(),
            sizes.len() as isize,
            sizes.as_ptr(),
            layout,
            space,
        ))
    }
}

/// A number of elements of the source as one of the result's.
fn counted<'c, 'a>(at: &Cursor<'c, 'a>, number: V<'c, 'a>, ratio: Ratio) -> Result<V<'c, 'a>, Failure> {
    match ratio {
        Ratio { from: 1, to: 1 } => Ok(number),
        Ratio { from: 1, to } => at.op("arith.muli", &[number, at.index(to)?], at.index_type()),
        Ratio { from, .. } => at.op("arith.divsi", &[number, at.index(from)?], at.index_type()),
    }
}

/// Puts upstream's operations in the operation's place.
pub(super) fn lower(op: OperationRef) -> Result<(), Failure> {
    let view = kernel::ReinterpretOp::try_from(op).map_err(|_| "is no reinterpretation")?;
    let at = Cursor::before(op)?;
    let result: V = op.result(0)?.into();
    let (from, to) = (view.source().r#type(), result.r#type());
    let ratio = reinterpreted(from, to)?;
    let (old, new) = (Shaped::expect(from)?, Shaped::expect(to)?);
    let (strides, offset) = strides_and_offset(to).ok_or("is no strided memref")?;

    let index = at.index_type();
    let mut types = vec![memref(from, old.element, &[], None), index];
    types.extend(vec![index; 2 * old.rank()]);
    let metadata = at.build("memref.extract_strided_metadata", &[view.source()], &types, &[], vec![])?;
    let known = |i: usize| -> Result<V, Failure> { Ok(metadata.result(i)?.into()) };
    let base = memref(from, new.element, &[], None);
    let base = at.op("builtin.unrealized_conversion_cast", &[known(0)?], base)?;
    // What is not known, counted when the program runs.
    let (mut offsets, mut sizes, mut steps) = (vec![], vec![], vec![]);
    if offset == DYNAMIC {
        offsets.push(counted(&at, known(1)?, ratio)?);
    }
    let scaled = |d: usize| old.rank() == new.rank() && d + 1 == new.rank();
    for d in (0..new.rank()).filter(|d| new.shape[*d] == DYNAMIC) {
        let size = known(2 + d)?;
        sizes.push(if scaled(d) { counted(&at, size, ratio)? } else { size });
    }
    for d in (0..new.rank()).filter(|d| strides[*d] == DYNAMIC) {
        steps.push(counted(&at, known(2 + old.rank() + d)?, ratio)?);
    }
    let segments = [1, offsets.len() as i32, sizes.len() as i32, steps.len() as i32];
    let operands = [vec![base], offsets, sizes, steps].concat();
    let attributes = [
        at.named("static_offsets", at.numbers(&[offset])),
        at.named("static_sizes", at.numbers(&new.shape)),
        at.named("static_strides", at.numbers(&strides)),
        at.named("operandSegmentSizes", DenseI32ArrayAttribute::new(at.context, &segments)),
    ];
    // The cast's own type always spells strides and offset.
    let spelled = memref(to, new.element, &new.shape, Some((&strides, offset)));
    let mut value = at.with("memref.reinterpret_cast", &operands, spelled, &attributes)?;
    if spelled != to {
        value = at.op("memref.cast", &[value], to)?;
    }
    // SAFETY: the value stands in front of the operation, which nobody looks at any more.
    unsafe {
        mlirValueReplaceAllUsesOfWith(result.to_raw(), value.to_raw());
        erase(op);
    }
    Ok(())
}
