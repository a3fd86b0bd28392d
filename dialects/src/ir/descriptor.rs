//! What a memref is made of when the program runs: base, offset, sizes and strides; taken apart, and put
//! together.

use super::{
    OperationLike,
    cursor::{Cursor, V},
    failure::Failure,
    shaped::{Shaped, strides_and_offset},
};
use melior::ir::{Type, TypeLike, ValueLike, attribute::DenseI32ArrayAttribute};
use mlir_sys::*;
use terrace_size::DYNAMIC;

/// The parts of a memref, as upstream takes it apart; all but the base are indices.
pub struct Descriptor<'c, 'a> {
    /// A memref without dimensions, of the first element that there is memory for.
    pub base: V<'c, 'a>,
    /// Elements from there to the first of the memref.
    pub offset: V<'c, 'a>,
    /// One per dimension.
    pub sizes: Vec<V<'c, 'a>>,
    /// One per dimension, in elements.
    pub strides: Vec<V<'c, 'a>>,
}

impl<'c, 'a> Descriptor<'c, 'a> {
    /// Takes a memref apart.
    pub fn of(at: &Cursor<'c, 'a>, memref: V<'c, 'a>) -> Result<Self, Failure> {
        let own = Shaped::expect(memref.r#type())?;
        let (index, rank) = (at.index_type(), own.rank());
        let types = [vec![base(memref.r#type(), own.element)], vec![index; 1 + 2 * rank]].concat();
        let metadata = at.build("memref.extract_strided_metadata", &[memref], &types, &[], vec![])?;
        let mut parts: Vec<V> = metadata.results().map(V::from).collect();
        let strides = parts.split_off(2 + rank);
        let sizes = parts.split_off(2);
        Ok(Self { base: parts[0], offset: parts[1], sizes, strides })
    }
}

/// The type of the base of a memref, with elements of this type.
pub fn base<'c>(memref: Type<'c>, element: Type<'c>) -> Type<'c> {
    of(memref, element, &[], None)
}

/// A memref in the memory space of another one, from its first element on, with these strides.
pub fn strided<'c>(like: Type<'c>, element: Type<'c>, sizes: &[i64], strides: &[i64]) -> Type<'c> {
    of(like, element, sizes, Some((strides, 0)))
}

/// A memref in the memory space of another one, with strides and offset where they are to be spelled.
fn of<'c>(like: Type<'c>, element: Type<'c>, sizes: &[i64], strides: Option<(&[i64], i64)>) -> Type<'c> {
    // SAFETY: sizes and strides are as many as is said.
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
        let rank = sizes.len() as isize;
        Type::from_raw(mlirMemRefTypeGet(element.to_raw(), rank, sizes.as_ptr(), layout, space))
    }
}

/// The memory of a memref as one of another type: `open` are the offset, the sizes and the strides that the
/// type does not say, in order.
pub fn reinterpret<'c, 'a>(
    at: &Cursor<'c, 'a>,
    memref: V<'c, 'a>,
    to: Type<'c>,
    open: [Vec<V<'c, 'a>>; 3],
) -> Result<V<'c, 'a>, Failure> {
    let new = Shaped::expect(to)?;
    let (strides, offset) = strides_and_offset(to).ok_or("is no strided memref")?;
    let segments = [1, open[0].len() as i32, open[1].len() as i32, open[2].len() as i32];
    let attributes = [
        at.named("static_offsets", at.numbers(&[offset])),
        at.named("static_sizes", at.numbers(&new.shape)),
        at.named("static_strides", at.numbers(&strides)),
        at.named("operandSegmentSizes", DenseI32ArrayAttribute::new(at.context, &segments)),
    ];
    // The cast's own type always spells strides and offset.
    let spelled = of(to, new.element, &new.shape, Some((&strides, offset)));
    let operands = [vec![memref], open.concat()].concat();
    let value = at.with("memref.reinterpret_cast", &operands, spelled, &attributes)?;
    if spelled == to { Ok(value) } else { at.op("memref.cast", &[value], to) }
}

/// The memory of a memref as one of another type: asked for the offset, the sizes and the strides that the
/// type does not say.
pub fn reinterpreted<'c, 'a>(
    at: &Cursor<'c, 'a>,
    memref: V<'c, 'a>,
    to: Type<'c>,
    offset: impl FnOnce() -> Result<V<'c, 'a>, Failure>,
    size: impl Fn(usize) -> Result<V<'c, 'a>, Failure>,
    stride: impl Fn(usize) -> Result<V<'c, 'a>, Failure>,
) -> Result<V<'c, 'a>, Failure> {
    let new = Shaped::expect(to)?;
    let (strides, at_offset) = strides_and_offset(to).ok_or("is no strided memref")?;
    let offsets: Vec<V> = if at_offset == DYNAMIC { vec![offset()?] } else { vec![] };
    let open = |list: &[i64]| -> Vec<usize> { (0..list.len()).filter(|d| list[*d] == DYNAMIC).collect() };
    let sizes = open(&new.shape).into_iter().map(size).collect::<Result<Vec<_>, _>>()?;
    let steps = open(&strides).into_iter().map(stride).collect::<Result<Vec<_>, _>>()?;
    reinterpret(at, memref, to, [offsets, sizes, steps])
}
