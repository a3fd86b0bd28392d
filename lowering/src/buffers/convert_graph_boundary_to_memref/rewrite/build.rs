//! What the boundary is rewritten with: buffers, views of them, operations and attributes of upstream.

use super::state::{Boundary, MATERIALIZE, View};
use crate::buffers::convert_graph_boundary_to_memref::{
    symbols::{Places, Sum},
    types::{identity, memref},
};
use melior::{
    Context,
    ir::{
        Attribute, Identifier, OperationRef, Value,
        attribute::AttributeLike,
        operation::{OperationMutLike, OperationRefMut},
    },
};
use mlir_sys::*;
use terrace_dialects::ir::{
    OperationLike,
    cursor::{Cursor, V},
    descriptor,
    pass::Failure,
    rewrite::replace_uses,
    strings,
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
    facts: &[Vec<(Identifier<'c>, Attribute<'c>)>],
) -> Attribute<'c> {
    unsafe {
        let one = |fact: &Vec<(Identifier, Attribute)>| {
            let named: Vec<MlirNamedAttribute> =
                fact.iter().map(|(n, a)| mlirNamedAttributeGet(n.to_raw(), a.to_raw())).collect();
            mlirDictionaryAttrGet(context.to_raw(), named.len() as isize, named.as_ptr())
        };
        let all: Vec<MlirAttribute> = facts.iter().map(one).collect();
        Attribute::from_raw(mlirArrayAttrGet(context.to_raw(), all.len() as isize, all.as_ptr()))
    }
}

/// Declarations are spent: layouts are in the types now, and the function is compiled.
pub(in super::super) fn drop_graph_attributes<'c>(
    mut function: OperationRefMut<'c, '_>,
    context: &'c Context,
) {
    let Ok(all) = function.attribute("arg_attrs") else { return };
    let kept = unsafe {
        let count = mlirArrayAttrGetNumElements(all.to_raw());
        (0..count)
            .map(|i| {
                let dictionary = mlirArrayAttrGetElement(all.to_raw(), i);
                let n = mlirDictionaryAttrGetNumElements(dictionary);
                (0..n)
                    .map(|k| mlirDictionaryAttrGetElement(dictionary, k))
                    .filter(|named| !strings::text(mlirIdentifierStr(named.name)).starts_with("graph."))
                    .map(|named| (Identifier::from_raw(named.name), Attribute::from_raw(named.attribute)))
                    .collect()
            })
            .collect::<Vec<Vec<_>>>()
    };
    if kept.iter().all(Vec::is_empty) {
        let _ = function.remove_attribute("arg_attrs");
    } else {
        function.set_attribute("arg_attrs", dictionaries(context, &kept));
    }
}
