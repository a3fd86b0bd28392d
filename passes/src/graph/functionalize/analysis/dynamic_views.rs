//! Views at a dynamic index.
//!
//! ```text
//! %row = graph.select %x, %i {dim = 0}      // %i is no constant
//! graph.fill_ %row, %zero
//! ```
//!
//! `graph.select` at such an index, and `graph.narrow` to one element from there, make a *dynamic view*: a
//! tensor that is read out of the one it views, and written back into it, by the same operation of the
//! functional dialect. Views of it are layouts over it, as if the index were 0. What it may cover of the
//! storage is all that the tensor covers which it views. One that is returned is made on the boundary, at an
//! offset that is computed there.

use super::{
    state::Analysis,
    tensors::{DynamicView, Layout, Origin, Tensor},
    transform::ElementTransform,
};
use crate::{
    functional::writer::Written,
    graph::functionalize::{decompositions::lowering::Lowering, rewriting::place::Place},
};
use melior::ir::{OperationRef, Value, attribute::StringAttribute};
use terrace_dialects::{
    ir::{
        OperationLike, attributes as convert, dtype::Dtype, pass::Failure, refusal::Reason, registry::OpImpl,
        view,
    },
    ops::functional as f,
};
use terrace_layout::overlap::may_overlap_itself;
use terrace_size::{DYNAMIC, Size};

/// What is said of places in a storage, where a tensor is at an index of the run.
pub const AT_AN_INDEX: &str =
    "names places of a storage from an index that is known at run time only: copy it by graph.clone first";

/// The dimension, if an operation makes a dynamic view, and whether it has that dimension still.
pub fn opened(op: OperationRef, class: &OpImpl) -> Option<(i64, bool)> {
    let (name, length, keeps) = match class.name {
        "graph.select" => ("index", None, false),
        "graph.narrow" => ("start", Some("length"), true),
        _ => return None,
    };
    let number = |name: &str| convert::i64s(view::required(op, name)).first().copied();
    let is_constant = || {
        op.operand(1).is_ok_and(|index| crate::graph::functionalize::program::constant_int(index).is_some())
    };
    let one = length.is_none_or(|length| number(length) == Some(1));
    let dim = view::attribute(op, "dim").map_or(0, convert::i64);
    (number(name) == Some(DYNAMIC) && one && !is_constant()).then_some((dim, keeps))
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// The storage of a dynamic view; that of anything else is its own.
    pub fn root(&self, mut origin: Origin) -> Origin {
        while let Origin::DynamicView(number) = origin {
            origin = self.identities[self.dynamic_views[number].parent].0.origin;
        }
        origin
    }

    /// The dynamic views that a tensor is in, from the innermost, each with the tensor that it views.
    pub(crate) fn dynamic_views_around(&self, mut origin: Origin) -> Vec<(usize, &Tensor)> {
        let mut around = vec![];
        while let Origin::DynamicView(number) = origin {
            let parent = &self.identities[self.dynamic_views[number].parent].0;
            around.push((number, parent));
            origin = parent.origin;
        }
        around
    }

    /// Takes in an operation that opens a dynamic view of a tensor.
    pub(crate) fn dynamic_view(
        &mut self,
        op: OperationRef<'c, 'a>,
        parent: usize,
        dim: i64,
        keeps: bool,
    ) -> Result<(), String> {
        let tensor = self.identities[parent].0.clone();
        if self.is_logical(tensor.origin) {
            return Err(format!(
                "views a tensor of strides at an index known at run time only, {}",
                crate::graph::functionalize::UNKNOWN
            ));
        }
        let dim = crate::graph::functionalize::decompositions::places::wrap(dim, tensor.layout.rank());
        let base = if keeps {
            tensor.layout.slice(dim, Size::ZERO, Size::ONE, Size::ONE)
        } else {
            tensor.layout.select(dim, Size::ZERO)
        };
        let index = op.operand(1).map_err(|e| e.to_string())?;
        let (number, dtype) = (self.dynamic_views.len(), tensor.transform.dtype);
        self.dynamic_views.push(DynamicView { parent, dim, index, keeps, base: base.clone(), dtype });
        let transform = ElementTransform::stored(dtype);
        if tensor.transform != transform {
            return Err(Reason::RunTime.says("views a conjugate or a negative at an index that is known at run time only: resolve it first"));
        }
        let result: Value = op.result_at(0).map_err(|e| e.to_string())?.into();
        let dynamic_view =
            Tensor { origin: Origin::DynamicView(number), identity: 0, layout: base, transform, ..tensor };
        let identity = self.object(dynamic_view, None);
        self.is(result, identity);
        Ok(())
    }

    /// Refuses to write a dynamic view on what repeats elements: those at other indices would be written over
    /// it as they were.
    pub(crate) fn written_dynamic_view(&self, tensor: &Tensor) -> Result<(), String> {
        match self
            .dynamic_views_around(tensor.origin)
            .iter()
            .any(|(_, parent)| may_overlap_itself(&parent.layout))
        {
            true => Err(Reason::RunTime.says(
                "writes one of elements that share memory, at an index that is known at run time only",
            )),
            false => Ok(()),
        }
    }

    /// What a view of a dynamic view may cover.
    pub(crate) fn dynamic_view_span(
        &self,
        class: &OpImpl,
        source: usize,
        transform: ElementTransform,
    ) -> Result<Layout, String> {
        let own = &self.identities[source].0;
        if class.name == "graph.as_strided" || transform.dtype != own.transform.dtype {
            return Err(Reason::RunTime.says(AT_AN_INDEX));
        }
        Ok(own.span.clone())
    }

    /// Whether two tensors are the same part of two dynamic views on one tensor: the same elements, or none
    /// in common.
    pub(crate) fn are_alike(&self, a: &Tensor, b: &Tensor) -> bool {
        let (Origin::DynamicView(first), Origin::DynamicView(second)) = (a.origin, b.origin) else {
            return false;
        };
        let (first, second) = (&self.dynamic_views[first], &self.dynamic_views[second]);
        let [own, other] = [first, second].map(|dynamic_view| &self.identities[dynamic_view.parent].0);
        a.layout.is_same(&b.layout)
            && (first.dim, first.keeps) == (second.dim, second.keeps)
            && own.origin == other.origin
            && own.layout.is_same(&other.layout)
    }
}

impl<'c, 'a> Lowering<'_, 'c, 'a> {
    /// The elements of a tensor.
    pub(crate) fn elements(
        &mut self,
        origin: Origin,
        layout: &Layout,
        transform: ElementTransform,
    ) -> Written<'c, 'a> {
        let Origin::DynamicView(number) = origin else {
            return self.values.read_transformed(self.storages.of(origin), layout, transform);
        };
        if layout.is_known_empty() {
            let zero = self.values.number(transform.dtype, 0)?;
            return self.values.full(zero, transform.dtype, &layout.sizes);
        }
        let value = self.opened(number)?;
        let value = self.values.viewed(value, &self.analysis.dynamic_views[number].base, layout)?;
        self.values.flagged(value, transform)
    }

    /// The elements of a dynamic view.
    fn opened(&mut self, number: usize) -> Written<'c, 'a> {
        let dynamic_view = &self.analysis.dynamic_views[number];
        let parent = &self.analysis.identities[dynamic_view.parent].0;
        let whole = self.elements(parent.origin, &parent.layout, parent.transform)?;
        let (location, dim, index) =
            (self.values.location(), dynamic_view.dim as i64, self.values.current(dynamic_view.index));
        let value = self.values.value(f::select(location, whole, Some(dim), &[index], &[DYNAMIC]))?;
        if dynamic_view.keeps { self.values.value(f::unsqueeze(location, value, dim)) } else { Ok(value) }
    }

    /// Makes `src` the elements of a tensor.
    pub(crate) fn overwrite(
        &mut self,
        origin: Origin,
        layout: &Layout,
        transform: ElementTransform,
        src: Value<'c, 'a>,
    ) -> Result<(), Failure> {
        let Origin::DynamicView(number) = origin else {
            return self.values.write_transformed(self.storages.of(origin), layout, transform, src);
        };
        if layout.is_known_empty() {
            return Ok(());
        }
        let dynamic_view = &self.analysis.dynamic_views[number];
        let parent = &self.analysis.identities[dynamic_view.parent].0;
        let src = self.values.flagged(src, transform)?;
        let mut part = src;
        if !layout.is_same(&dynamic_view.base) {
            let own = self.opened(number)?;
            part = self.values.scattered(own, &dynamic_view.base, layout, src)?;
        }
        let (location, dim, index) =
            (self.values.location(), dynamic_view.dim as i64, self.values.current(dynamic_view.index));
        if dynamic_view.keeps {
            part = self.values.value(f::squeeze(location, part, Some(&[dim])))?;
        }
        let whole = self.elements(parent.origin, &parent.layout, parent.transform)?;
        let whole =
            self.values.value(f::select_scatter(location, whole, part, Some(dim), &[index], &[DYNAMIC]))?;
        self.overwrite(parent.origin, &parent.layout, parent.transform, whole)
    }
}

/// Where a dynamic view begins in its storage: where it would at index 0, and as far on as the index says,
/// which is tested.
pub(crate) fn offset<'c, 'a>(
    at: Place<'_, 'c, 'a>,
    start: Value<'c, 'a>,
    index: Value<'c, 'a>,
    (all, stride): (Value<'c, 'a>, Value<'c, 'a>),
) -> Written<'c, 'a> {
    let word = at.scalar(Dtype::I64);
    let zero = at.constant(word, 0)?;
    // Below.
    let back = at.compared(2, index, zero)?;
    let wrapped = at.value("arith.addi", &[index, all], &[], word)?;
    let place = at.value("arith.select", &[back, wrapped, index], &[], word)?;
    // Below the size, and not below 0, which counts as very large.
    let there = at.compared(6, place, all)?;
    let context = terrace_dialects::ir::context::of(at.location.context());
    let message = StringAttribute::new(context, "index out of range of the dimension that is viewed").into();
    at.op("cf.assert", &[there], &[("msg", message)], &[])?;
    // The call goes on, where it has memory.
    let place = at.value("arith.select", &[there, place, zero], &[], word)?;
    let far = at.value("arith.muli", &[place, stride], &[], word)?;
    at.value("arith.addi", &[start, far], &[], word)
}
