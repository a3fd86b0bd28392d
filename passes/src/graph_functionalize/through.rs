//! Views of sizes of the run: where each lies, by where that lies which it is a view of.
//!
//! Strides that are not known are symbols while a view is asked about; the boundary reads them from the tensor that is viewed. A view that
//! compares them has no such form.

use super::{
    analysis::{Analysis, Origin},
    boundary::as_strided,
    frames::{Frame, Like, splits},
    tensors::Layout,
};
use crate::functional::{Writer, Written, known};
use melior::ir::{Location, OperationRef, Value};
use terrace_dialects::{
    ir::OperationLike,
    ops::graph,
    registry::OpImpl,
    size::{
        Number, Size,
        symbols::{Symbol, current},
    },
};

/// Where a view lies, by where that lies which it is a view of.
#[derive(Clone, Debug)]
pub struct Through {
    /// The strides of what is viewed, then its offset.
    symbols: Vec<Symbol>,
    layout: Layout,
}

impl Through {
    /// The view of a tensor.
    pub(super) fn write<'c, 'a>(
        &self,
        w: &Writer<'c, 'a>,
        location: Location<'c>,
        source: Value<'c, 'a>,
    ) -> Written<'c, 'a> {
        for (place, symbol) in self.symbols.iter().enumerate() {
            let number = match place + 1 == self.symbols.len() {
                true => graph::sym_storage_offset(location, source),
                false => graph::sym_stride(location, source, place as i64),
            };
            known::is_symbol(*symbol, w.insert(number)?.result_at(0)?.into());
        }
        as_strided(w, location, source, &self.layout)
    }
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// Whether strides over a storage are known when the program runs only, and are no sums of an argument's.
    fn lies_openly(&self, origin: Origin) -> bool {
        let open = |layout: &Layout| layout.sizes.iter().any(|size| size.known().is_none());
        let like = |identity: usize| {
            let tensor = &self.identities[identity].0;
            open(&tensor.layout) || self.lies_openly(tensor.origin)
        };
        match origin {
            // As its type has it, whatever is known of its sizes.
            Origin::Argument(i) => self.given.keys().any(|(own, dim)| *own == i && dim.is_some()),
            Origin::Fresh(i) => match &self.fresh[i].frame {
                Frame::Ruled { like: all, .. } => {
                    open(&self.fresh[i].layout) || all.iter().filter_map(Like::identity).any(like)
                }
                Frame::Known | Frame::Open => false,
            },
            Origin::Window(_) => false,
        }
    }

    /// Where views of sizes of the run lie, by where that lies which they are views of; None where types and the view itself say it, or where it
    /// takes more to know.
    pub(super) fn through(
        &self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        (origin, own): (Origin, &[Size]),
        results: &[Vec<Size>],
    ) -> Result<Vec<Option<Through>>, String> {
        let nothing = Ok(vec![None; results.len()]);
        let open = self.lies_openly(origin)
            || own.iter().chain(results.iter().flatten()).any(|size| size.known().is_none());
        let as_it_is = ["graph._conj", "graph._neg_view", "graph.alias", "graph.view.dtype"];
        let complex = ["graph.view_as_real", "graph.view_as_complex"];
        if !open || as_it_is.contains(&op_impl.name) || complex.contains(&op_impl.name) {
            return nothing;
        }
        let asked = current(|symbols| symbols.guards().len());
        let numbers: Vec<(Symbol, Size)> =
            (0..=own.len()).map(|_| current(|symbols| symbols.symbol(None, 0))).collect();
        let before = current(|symbols| symbols.checkpoint());
        let (symbols, mut strides): (Vec<Symbol>, Vec<Size>) = numbers.into_iter().unzip();
        let offset = strides.pop().unwrap_or(Size::ZERO);
        let viewed = Layout { sizes: own.to_vec(), strides, offset };
        let layouts = self.layouts(op, op_impl, &viewed, results)?;
        let new = current(|symbols| symbols.guards()[asked..].to_vec());
        let mut compared =
            super::sizes::places(new.iter().flat_map(|guard| [guard.left, guard.right])).into_iter();
        let by_strides = compared.any(|place| symbols.iter().any(|symbol| symbol.place() == place));
        match layouts.filter(|_| !by_strides) {
            Some(layouts) => Ok(layouts
                .into_iter()
                .map(|layout| Some(Through { symbols: symbols.clone(), layout }))
                .collect()),
            // It depends on the strides.
            None => {
                current(|symbols| symbols.back_to(before));
                let reshapes = ["graph.view", "graph.view_as", "graph.unflatten"];
                match results {
                    [sizes] if reshapes.contains(&op_impl.name) => {
                        Ok(vec![split(&viewed, sizes).map(|layout| Through { symbols, layout })])
                    }
                    _ => nothing,
                }
            }
        }
    }
}

/// A view whose dimensions are each a part of one of the viewed tensor's, or of size 1: where it lies whatever strides are. None
/// where it joins dimensions.
///
/// Source: eager's `computeStride`, with no two dimensions taken for one; without elements, or dimensions, it is row-major.
fn split(own: &Layout, sizes: &[Size]) -> Option<Layout> {
    if own.sizes.is_empty() || own.sizes.iter().any(|size| size.is(0)) {
        return Some(Layout { offset: own.offset, ..Layout::contiguous(sizes) });
    }
    if !splits(&own.sizes, sizes) {
        return None;
    }
    let mut strides = vec![];
    let mut left = sizes.iter().rev().peekable();
    // A size of 1 goes with the dimension behind it, whose stride counts.
    let counts = |d: &usize| !own.sizes[*d].is(1) || *d + 1 == own.sizes.len();
    for d in (0..own.sizes.len()).rev().filter(counts) {
        let (size, stride) = (own.sizes[d], own.strides[d]);
        let mut count = Size::ONE;
        while let Some(part) = left.next_if(|part| count < size || part.is(1)) {
            strides.push(stride * count);
            count *= *part;
        }
    }
    strides.reverse();
    (strides.len() == sizes.len()).then(|| Layout { sizes: sizes.to_vec(), strides, offset: own.offset })
}
