//! Views that upstream does not lower, as the same pointer with sizes and strides of its own: `kernel.reinterpret`, and
//! `memref.expand_shape` to several sizes of the run.

use melior::ir::{
    OperationRef, Type, TypeLike, ValueLike, attribute::DenseI32ArrayAttribute, operation::OperationLike,
};
use mlir_sys::*;
use terrace_dialects::{
    cursor::{Cursor, V},
    extent::Extent,
    operations::{erase, name_of},
    ops::kernel,
    pass::Failure,
    reassociation::groups,
    reinterpret::{Ratio, reinterpreted},
    shaped::{Shaped, strides_and_offset},
    types::DYNAMIC,
};

type Made<'c, 'a> = Result<V<'c, 'a>, Failure>;

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

/// What a memref is made of: its base, offset, sizes and strides, as upstream takes it apart.
struct Parts<'c, 'a> {
    base: V<'c, 'a>,
    offset: V<'c, 'a>,
    sizes: Vec<V<'c, 'a>>,
    strides: Vec<V<'c, 'a>>,
}

impl<'c, 'a> Parts<'c, 'a> {
    fn of(at: &Cursor<'c, 'a>, source: V<'c, 'a>) -> Result<Self, Failure> {
        let own = Shaped::expect(source.r#type())?;
        let (index, rank) = (at.index_type(), own.rank());
        let mut types = vec![memref(source.r#type(), own.element, &[], None), index];
        types.extend(vec![index; 2 * rank]);
        let metadata = at.build("memref.extract_strided_metadata", &[source], &types, &[], vec![])?;
        let mut parts: Vec<V> = metadata.results().map(V::from).collect();
        let strides = parts.split_off(2 + rank);
        let sizes = parts.split_off(2);
        Ok(Self { base: parts[0], offset: parts[1], sizes, strides })
    }
}

/// A memref of a type at a base: offset, sizes and strides are these where the type does not say them.
fn view<'c, 'a>(
    at: &Cursor<'c, 'a>,
    base: V<'c, 'a>,
    to: Type<'c>,
    offset: impl FnOnce() -> Made<'c, 'a>,
    size: impl Fn(usize) -> Made<'c, 'a>,
    stride: impl Fn(usize) -> Made<'c, 'a>,
) -> Made<'c, 'a> {
    let new = Shaped::expect(to)?;
    let (strides, at_offset) = strides_and_offset(to).ok_or("is no strided memref")?;
    let offsets: Vec<V> = if at_offset == DYNAMIC { vec![offset()?] } else { vec![] };
    let open = |list: &[i64]| -> Vec<usize> { (0..list.len()).filter(|d| list[*d] == DYNAMIC).collect() };
    let sizes = open(&new.shape).into_iter().map(size).collect::<Result<Vec<_>, _>>()?;
    let steps = open(&strides).into_iter().map(stride).collect::<Result<Vec<_>, _>>()?;
    let segments = [1, offsets.len() as i32, sizes.len() as i32, steps.len() as i32];
    let operands = [vec![base], offsets, sizes, steps].concat();
    let attributes = [
        at.named("static_offsets", at.numbers(&[at_offset])),
        at.named("static_sizes", at.numbers(&new.shape)),
        at.named("static_strides", at.numbers(&strides)),
        at.named("operandSegmentSizes", DenseI32ArrayAttribute::new(at.context, &segments)),
    ];
    // The cast's own type always spells strides and offset.
    let spelled = memref(to, new.element, &new.shape, Some((&strides, at_offset)));
    let value = at.with("memref.reinterpret_cast", &operands, spelled, &attributes)?;
    if spelled == to { Ok(value) } else { at.op("memref.cast", &[value], to) }
}

/// Puts a value in an operation's place.
fn replace(op: OperationRef, value: V) -> Result<(), Failure> {
    let result: V = op.result(0)?.into();
    // SAFETY: the value stands in front of the operation, which nobody looks at any more.
    unsafe {
        mlirValueReplaceAllUsesOfWith(result.to_raw(), value.to_raw());
        erase(op);
    }
    Ok(())
}

/// Puts upstream's operations in the place of a `kernel.reinterpret`.
pub(super) fn lower(op: OperationRef) -> Result<(), Failure> {
    let reinterpret = kernel::ReinterpretOp::try_from(op).map_err(|_| "is no reinterpretation")?;
    let at = Cursor::before(op)?;
    let source = reinterpret.source();
    let (from, to) = (source.r#type(), V::from(op.result(0)?).r#type());
    let ratio = reinterpreted(from, to)?;
    let (old, new) = (Shaped::expect(from)?, Shaped::expect(to)?);
    let parts = Parts::of(&at, source)?;
    let base = memref(from, new.element, &[], None);
    let base = at.op("builtin.unrealized_conversion_cast", &[parts.base], base)?;
    // What is not known, counted when the program runs.
    let scaled = |d: usize| old.rank() == new.rank() && d + 1 == new.rank();
    let size = |d: usize| if scaled(d) { counted(&at, parts.sizes[d], ratio) } else { Ok(parts.sizes[d]) };
    let stride = |d: usize| counted(&at, parts.strides[d], ratio);
    replace(op, view(&at, base, to, || counted(&at, parts.offset, ratio), size, stride)?)
}

/// Whether an operation splits a dimension into several of sizes of the run, for which upstream has no lowering.
pub(super) fn is_open_split(op: OperationRef) -> bool {
    let open = |group: &Vec<usize>| {
        let shape = op.result(0).ok().and_then(|result| Shaped::of(result.r#type())).map(|new| new.shape);
        shape.is_some_and(|shape| group.iter().filter(|d| shape[**d] == DYNAMIC).count() > 1)
    };
    name_of(op) == "memref.expand_shape" && groups(op).is_some_and(|groups| groups.iter().any(open))
}

/// Puts upstream's operations in the place of such a split: from the inside each stride is the product of those sizes.
pub(super) fn split(op: OperationRef) -> Result<(), Failure> {
    let (at, source, to) = (Cursor::before(op)?, op.operand(0)?, V::from(op.result(0)?).r#type());
    let new = Shaped::expect(to)?;
    let given: Vec<V> = op.operands().skip(1).collect();
    let sizes = Extent::listed(&new.shape, &given).into_iter().map(|size| at.extent(size));
    let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
    let parts = Parts::of(&at, source)?;
    let mut strides = vec![parts.offset; new.rank()];
    for (group, own) in groups(op).ok_or("says no groups")?.iter().zip(&parts.strides) {
        let mut next = *own;
        for d in group.iter().rev() {
            strides[*d] = next;
            next = at.op("arith.muli", &[next, sizes[*d]], at.index_type())?;
        }
    }
    replace(op, view(&at, parts.base, to, || Ok(parts.offset), |d| Ok(sizes[d]), |d| Ok(strides[d]))?)
}
