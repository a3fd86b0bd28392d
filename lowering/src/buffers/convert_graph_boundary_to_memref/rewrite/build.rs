//! What the boundary is rewritten with: buffers, views of them, operations and attributes of upstream.

use super::state::{Boundary, MATERIALIZE, View};
use crate::buffers::convert_graph_boundary_to_memref::{
    symbols::{Places, Sum},
    types::{identity, memref},
};
use melior::{
    Context,
    ir::{Attribute, Identifier, OperationRef, Value, attribute::ArrayAttribute},
};
use terrace_dialects::ir::{
    OperationLike,
    attributes::{array, dictionary, entries},
    cursor::{Cursor, V},
    descriptor,
    pass::Failure,
    rewrite::{remove_attribute, replace_uses, set_attribute},
};
use terrace_layout::Layout;

impl<'c, 'a> Boundary<'c, 'a> {
    /// A new buffer with the layout of a view that is all of it, without gaps.
    pub(super) fn allocate_whole(
        &self,
        at: OperationRef<'c, 'a>,
        view: &View<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        if view.places.is_known() {
            return self.allocate(at, view);
        }
        let flat = Layout::contiguous(&[view.places.sizes.iter().product()]);
        let buffer = self.allocate(at, &View { places: Places::declared(&flat), ..view.clone() })?;
        self.reinterpret(at, buffer, view)
    }

    /// A new contiguous buffer for the elements of a view.
    pub(super) fn allocate(
        &self,
        at: OperationRef<'c, 'a>,
        view: &View<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let layout = Layout::contiguous(&view.places.sizes);
        let ty = identity(self.context, &layout.sizes, view.dtype);
        let buffer = Cursor::before(at)?.allocate("memref.alloc", ty, &[])?;
        if memref(self.context, &layout, view.dtype) == ty {
            return Ok(buffer);
        }
        self.reinterpret(at, buffer, &View { places: Places::declared(&layout), ..view.clone() })
    }

    /// Puts a value into a buffer that nothing else touches: it may be computed there.
    pub(super) fn compute_into(
        &self,
        at: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        buffer: Value<'c, 'a>,
    ) -> Result<(), Failure> {
        let at = Cursor::before(at)?;
        let attributes = ["restrict", "writable"].map(|name| at.named(name, Attribute::unit(self.context)));
        at.build(MATERIALIZE, &[value, buffer], &[], &attributes, vec![]).map(drop)
    }

    /// Another view of a buffer's storage.
    pub(super) fn reinterpret(
        &self,
        at: OperationRef<'c, 'a>,
        source: Value<'c, 'a>,
        view: &View<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let at = Cursor::before(at)?;
        let View { root, places, .. } = view;
        let open = |sums: &[Sum]| {
            let open = sums.iter().filter(|sum| !sum.terms.is_empty());
            open.map(|sum| self.value(&at, *root, sum)).collect::<Result<Vec<_>, _>>()
        };
        let open = [open(std::slice::from_ref(&places.offset))?, vec![], open(&places.strides)?];
        descriptor::reinterpret(&at, source, memref(self.context, &places.layout(), view.dtype), open)
    }
}

pub(super) fn replace<'c>(op: OperationRef<'c, '_>, value: Value<'c, '_>) {
    let result = op.result_at(0).expect("a value has a result");
    replace_uses(result, value)
}

pub(in super::super) fn dictionaries<'c>(
    context: &'c Context,
    all: &[Vec<(Identifier<'c>, Attribute<'c>)>],
) -> Attribute<'c> {
    let all: Vec<_> = all.iter().map(|entries| dictionary(context, entries)).collect();
    ArrayAttribute::new(context, &all).into()
}

/// Declarations are spent: layouts are in the types now, and the function is compiled.
pub(in super::super) fn drop_graph_attributes<'c>(function: OperationRef<'c, '_>, context: &'c Context) {
    let Ok(all) = function.attribute("arg_attrs") else { return };
    let is_graph =
        |name: &Identifier| name.as_string_ref().as_str().is_ok_and(|name| name.starts_with("graph."));
    let keep = |of: Attribute<'c>| entries(of).into_iter().filter(|(name, _)| !is_graph(name)).collect();
    let kept: Vec<Vec<_>> = array(all).into_iter().map(keep).collect();
    if kept.iter().all(Vec::is_empty) {
        remove_attribute(function, "arg_attrs");
    } else {
        set_attribute(function, "arg_attrs", dictionaries(context, &kept));
    }
}
