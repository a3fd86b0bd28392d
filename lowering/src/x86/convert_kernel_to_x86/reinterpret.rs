//! Views that upstream does not lower, as the same pointer with sizes and strides of its own:
//! `kernel.reinterpret`, and `memref.expand_shape` to several sizes of the run.

use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Cursor, V},
        descriptor::{self, Descriptor},
        extent::Extent,
        operations::name_of,
        pass::Failure,
        reassociation::groups,
        rewrite::{erase, replace_uses},
        shaped::Shaped,
    },
    loops::reinterpret::{Ratio, reinterpreted},
    ops::kernel,
};
use terrace_size::DYNAMIC;

/// A number of elements of the source as one of the result's.
fn counted<'c, 'a>(at: &Cursor<'c, 'a>, number: V<'c, 'a>, ratio: Ratio) -> Result<V<'c, 'a>, Failure> {
    match ratio {
        Ratio { from: 1, to: 1 } => Ok(number),
        Ratio { from: 1, to } => at.op("arith.muli", &[number, at.index(to)?], at.index_type()),
        Ratio { from, .. } => at.op("arith.divsi", &[number, at.index(from)?], at.index_type()),
    }
}

/// Puts a value in an operation's place.
fn replace(op: OperationRef, value: V) -> Result<(), Failure> {
    let result: V = op.result_at(0)?.into();
    replace_uses(result, value);
    erase(op);
    Ok(())
}

/// Puts upstream's operations in the place of a `kernel.reinterpret`.
pub(super) fn lower(op: OperationRef) -> Result<(), Failure> {
    let reinterpret = kernel::ReinterpretOp::try_from(op).map_err(|_| "is no reinterpretation")?;
    let at = Cursor::before(op)?;
    let source = reinterpret.source();
    let (from, to) = (source.r#type(), V::from(op.result_at(0)?).r#type());
    let ratio = reinterpreted(from, to)?;
    let (old, new) = (Shaped::expect(from)?, Shaped::expect(to)?);
    let parts = Descriptor::of(&at, source)?;
    let base = descriptor::base(from, new.element);
    let base = at.op("builtin.unrealized_conversion_cast", &[parts.base], base)?;
    // What is not known, counted when the program runs.
    let scaled = |d: usize| old.rank() == new.rank() && d + 1 == new.rank();
    let size = |d: usize| if scaled(d) { counted(&at, parts.sizes[d], ratio) } else { Ok(parts.sizes[d]) };
    let stride = |d: usize| counted(&at, parts.strides[d], ratio);
    replace(op, descriptor::reinterpreted(&at, base, to, || counted(&at, parts.offset, ratio), size, stride)?)
}

/// Whether an operation splits a dimension into several of sizes of the run, for which upstream has no
/// lowering.
pub(super) fn is_open_split(op: OperationRef) -> bool {
    let open = |group: &Vec<usize>| {
        let shape = op.result_at(0).ok().and_then(|result| Shaped::of(result.r#type())).map(|new| new.shape);
        shape.is_some_and(|shape| group.iter().filter(|d| shape[**d] == DYNAMIC).count() > 1)
    };
    name_of(op) == "memref.expand_shape" && groups(op).is_some_and(|groups| groups.iter().any(open))
}

/// Puts upstream's operations in the place of such a split: from the inside each stride is the product of
/// those sizes.
pub(super) fn split(op: OperationRef) -> Result<(), Failure> {
    let (at, source, to) = (Cursor::before(op)?, op.operand(0)?, V::from(op.result_at(0)?).r#type());
    let new = Shaped::expect(to)?;
    let given: Vec<V> = op.operands().skip(1).collect();
    let sizes = Extent::listed(&new.shape, &given).into_iter().map(|size| at.extent(size));
    let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
    let parts = Descriptor::of(&at, source)?;
    let mut strides = vec![parts.offset; new.rank()];
    for (group, own) in groups(op).ok_or(internal!("says no groups"))?.iter().zip(&parts.strides) {
        let mut next = *own;
        for d in group.iter().rev() {
            strides[*d] = next;
            next = at.op("arith.muli", &[next, sizes[*d]], at.index_type())?;
        }
    }
    replace(
        op,
        descriptor::reinterpreted(
            &at,
            parts.base,
            to,
            || Ok(parts.offset),
            |d| Ok(sizes[d]),
            |d| Ok(strides[d]),
        )?,
    )
}
