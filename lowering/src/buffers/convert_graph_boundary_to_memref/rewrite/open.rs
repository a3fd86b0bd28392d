//! Views of sizes of the run: each is written where it stands, for what it is made of is known there; its
//! buffer has the numbers. Views are `graph.as_strided`, as graph-functionalize leaves them, and those whose
//! elements stay in their places.

use super::state::{Boundary, Form, TO_BUFFER, View};
use crate::buffers::convert_graph_boundary_to_memref::{
    symbols::Places,
    types::{identity, memref, strided},
};
use melior::{
    Context,
    ir::{OperationRef, Type, Value, ValueLike, attribute::IntegerAttribute},
};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike, attributes as convert,
        cursor::{Cursor, V},
        descriptor::{self, Descriptor},
        dtype::Dtype,
        extent::Extent,
        operations::{self, name_of, users},
        pass::Failure,
        refusal::Reason,
        rewrite::replace_uses,
        shaped::Shaped,
        types::TensorType,
    },
    loops::reinterpret::Ratio,
    ops::graph,
};
use terrace_layout::Layout;
use terrace_size::DYNAMIC;

/// The operations that ask for a number of a tensor.
const NUMBERS: &[&str] =
    &["graph.sym_numel", "graph.sym_size", "graph.sym_storage_offset", "graph.sym_stride"];

/// Whether an operation asks for a number of a tensor.
pub(in super::super) fn is_number(op: OperationRef) -> bool {
    NUMBERS.contains(&name_of(op))
}

/// Whether a view has to do with sizes of the run.
pub(super) fn is_open(op: OperationRef, source: &View) -> bool {
    let open = |ty: Type| TensorType::<i64>::of(ty).is_some_and(|tensor| !tensor.is_static());
    source.form != Form::Static
        || is_cast(op)
        || op.results().any(|result| open(result.r#type()))
        || graph::AsStridedOp::try_from(op)
            .is_ok_and(|view| !view.dynamic_stride().is_empty() || !view.dynamic_storage_offset().is_empty())
}

/// A view of a view, as far as types say where it lies: its elements are in the same places,
/// `graph.as_strided` says in which, or they become longer or shorter ones.
pub(super) fn through<'c, 'a>(
    op: OperationRef,
    source: View<'c, 'a>,
) -> Result<(View<'c, 'a>, Places), String> {
    if is_in_place(op) {
        let places = source.places.clone();
        return Ok((source, places));
    }
    if is_cast(op) {
        let to = op.results().find_map(|result| TensorType::<i64>::of(result.r#type()));
        let sizes = to.ok_or(internal!("is no tensor"))?.shape;
        let form = if source.form == Form::Static { Form::Strided } else { source.form };
        let places = Places::open(&Layout { sizes, ..source.places.layout() });
        return Ok((View { form, ..source }, places));
    }
    if graph::ViewDtypeOp::try_from(op).is_ok() {
        let to = op.results().find_map(|result| TensorType::<i64>::of(result.r#type()));
        let places =
            retyped(source.places.layout(), source.dtype, to.ok_or(internal!("is no tensor"))?.dtype)?;
        return Ok((source, Places::open(&places)));
    }
    let view = graph::AsStridedOp::try_from(op).map_err(|_| {
        "is a view of a tensor of sizes of the run: run graph-functionalize first, which leaves graph.as_strided"
    })?;
    let offset = *view.storage_offset().first().ok_or(internal!("has no storage offset"))?;
    let places = Places::open(&Layout { sizes: view.size(), strides: view.stride(), offset });
    Ok((View { form: Form::Strided, ..source }, places))
}

/// Where elements lie that become longer or shorter ones, along a last dimension without gaps.
fn retyped(own: Layout, from: Dtype, to: Dtype) -> Result<Layout, String> {
    let ratio = Ratio::of_widths(from.bytes() as i64, to.bytes() as i64);
    let ratio = ratio.ok_or_else(|| Reason::Layout.says("has elements that are no parts of others"))?;
    let counted = |number: i64| {
        ratio.of(number).ok_or_else(|| {
            Reason::Layout.says(format!("has sizes or strides that are no multiples of {}", ratio.from))
        })
    };
    let Layout { mut sizes, mut strides, offset } = own;
    let (size, outer) =
        sizes.last_mut().zip(strides.split_last_mut()).ok_or(internal!("has no dimensions"))?;
    if *outer.0 != 1 {
        return Err(Reason::Layout
            .says(format!("has a last dimension whose stride, {}, is not known to be 1", outer.0)));
    }
    *size = counted(*size)?;
    for stride in outer.1 {
        *stride = counted(*stride)?;
    }
    Ok(Layout { sizes, strides, offset: counted(offset)? })
}

/// Whether an operation is the tensor that it is on, by another type.
pub(super) fn is_cast(op: OperationRef) -> bool {
    graph::CastOp::try_from(op).is_ok()
}

/// Whether the elements of a view are those of its operand, each in its place: as another object, as
/// conjugates or negatives, or as elements of a dtype of as many bytes.
fn is_in_place(op: OperationRef) -> bool {
    let bytes = |ty: Type| TensorType::<i64>::of(ty).map(|tensor| tensor.dtype.bytes());
    match name_of(op) {
        "graph._conj" | "graph._neg_view" | "graph.alias" => true,
        "graph.view.dtype" => op
            .operand(0)
            .is_ok_and(|own| op.results().all(|result| bytes(result.r#type()) == bytes(own.r#type()))),
        _ => false,
    }
}

impl<'c> View<'c, '_> {
    /// The type of its buffer.
    pub(super) fn memref(&self, context: &'c Context) -> Type<'c> {
        match self.form {
            Form::Static => memref(context, &self.places.layout(), self.dtype),
            Form::Contiguous => identity(context, &self.places.sizes, self.dtype),
            Form::Strided => strided(context, &self.places.layout(), self.dtype),
        }
    }
}

impl<'c, 'a> Boundary<'c, 'a> {
    /// The buffer of a new storage, or a view of one.
    pub(super) fn place_open(
        &self,
        op: OperationRef<'c, 'a>,
        view: &View<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let at = Cursor::before(op)?;
        let index = |value: &V<'c, 'a>| at.op("arith.index_cast", &[*value], at.index_type());
        let indices = |values: Vec<V<'c, 'a>>| values.iter().map(index).collect::<Result<Vec<_>, _>>();
        if let Ok(fresh) = graph::FreshOp::try_from(op) {
            let value = fresh.value();
            if self.computed(value).is_some() && self.is_returned_once(value) && users(value).count() == 1 {
                // Where another result of the core is the same value this is another storage all the same.
                let result = operations::result(value)
                    .ok_or(internal!("no result of an operation"))?
                    .result_number() as i64;
                let number = at.named("storage", IntegerAttribute::new(at.index_type(), result));
                return at.with(TO_BUFFER, &[value], view.memref(self.context), &[number]);
            }
            let sizes = dims(&at, "tensor.dim", value, &view.places.sizes)?;
            return at.allocate("memref.alloc", view.memref(self.context), &sizes);
        }
        let source = op.operand(0).ok().and_then(|source| self.view(source)).and_then(|view| view.buffer);
        let Ok(strided) = graph::AsStridedOp::try_from(op) else {
            // The elements stay in their places.
            let (source, ty) =
                (source.ok_or(internal!("views a storage that has no buffer"))?, view.memref(self.context));
            return match source.r#type() == ty {
                true => Ok(source),
                false => at.op(if is_cast(op) { "memref.cast" } else { "kernel.reinterpret" }, &[source], ty),
            };
        };
        let offsets = indices(strided.dynamic_storage_offset())?;
        let (sizes, strides) = (indices(strided.dynamic_size())?, indices(strided.dynamic_stride())?);
        let source = source.ok_or(internal!("views a storage that has no buffer"))?;
        descriptor::reinterpret(&at, source, view.memref(self.context), [offsets, sizes, strides])
    }

    /// A new buffer of a view's sizes.
    pub(super) fn allocate_open(
        &self,
        at: OperationRef<'c, 'a>,
        view: &View<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let (at, sizes) = (Cursor::before(at)?, &view.places.sizes);
        let own = dims(&at, "memref.dim", view.buffer.ok_or(internal!("has no buffer"))?, sizes)?;
        at.allocate("memref.alloc", identity(self.context, sizes, view.dtype), &own)
    }

    /// Gives the number that an operation asks for.
    pub(super) fn number(&self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        // An argument may be seen in other memory from some place on, as it lies.
        let own = op.operand(0)?;
        let buffer =
            if own.is_block_argument() { Some(own) } else { self.view(own).and_then(|view| view.buffer) };
        let number = number(op, buffer.ok_or(internal!("asks a tensor that has no buffer"))?)?;
        replace_uses(op.result_at(0)?, number);
        Ok(())
    }

    /// Sizes and strides of a view of sizes of the run; None of any other.
    #[allow(clippy::type_complexity)]
    pub(in super::super) fn open_geometry(
        &self,
        at: &Cursor<'c, 'a>,
        tensor: Value<'c, 'a>,
    ) -> Result<Option<(Vec<Extent<'c, 'a>>, Vec<V<'c, 'a>>)>, Failure> {
        let Some(view) = self.view(tensor).filter(|view| view.form != Form::Static) else { return Ok(None) };
        let buffer = view.buffer.ok_or(internal!("has no buffer"))?;
        let shaped = Shaped::expect(buffer.r#type())?;
        let Descriptor { sizes, strides, .. } = Descriptor::of(at, buffer)?;
        let known = shaped.shape.iter().zip(sizes).map(|(size, value)| match *size {
            DYNAMIC => Extent::Value(value),
            size => Extent::Number(size),
        });
        Ok(Some((known.collect(), strides)))
    }
}

/// The number that an operation asks for, of the buffer of its tensor.
pub(in super::super) fn number<'c, 'a>(
    op: OperationRef<'c, 'a>,
    buffer: V<'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    let at = Cursor::before(op)?;
    let shaped = Shaped::expect(buffer.r#type())?;
    let rank = shaped.rank();
    let dim = || {
        let dim = op.attribute("dim").map_or(0, convert::i64);
        dim.rem_euclid(rank.max(1) as i64) as usize
    };
    let size = |d: usize| at.op("memref.dim", &[buffer, at.index(d as i64)?], at.index_type());
    let number = match name_of(op) {
        "graph.sym_size" => size(dim())?,
        "graph.sym_stride" => Descriptor::of(&at, buffer)?.strides[dim()],
        "graph.sym_storage_offset" => Descriptor::of(&at, buffer)?.offset,
        _ => {
            let sizes =
                (0..rank).map(|d| Ok(Extent::Value(size(d)?))).collect::<Result<Vec<_>, Failure>>()?;
            at.extent(sizes.into_iter().try_fold(Extent::Number(1), |n, size| at.product(n, size))?)?
        }
    };
    at.op("arith.index_cast", &[number], op.result_at(0)?.r#type())
}

/// The sizes of a tensor or buffer that its type does not say.
fn dims<'c, 'a>(
    at: &Cursor<'c, 'a>,
    name: &str,
    value: V<'c, 'a>,
    sizes: &[i64],
) -> Result<Vec<V<'c, 'a>>, Failure> {
    let open = (0..sizes.len()).filter(|d| sizes[*d] == DYNAMIC);
    open.map(|d| at.op(name, &[value, at.index(d as i64)?], at.index_type())).collect()
}
