//! What an operation writes: refused where eager refuses it, or where the result depends on an order of
//! evaluation.

use super::{checks, visits::unknown};
use crate::graph::functionalize::{
    analysis::{state::Analysis, tensors::Origin},
    decompositions::{dispatch, places},
};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::ir::{
    OperationLike,
    registry::OpImpl,
    types::{TensorType, is_graph_tensor},
    view,
};
use terrace_layout::overlap::{BESIDE, may_overlap as overlap};

/// How an operator in place takes it that operands share elements with the tensor that it writes.
#[derive(Clone, Copy, Debug)]
pub struct Writing {
    rule: &'static str,
    /// It overwrites with one number.
    pub fills: bool,
    /// It overwrites, and leaves alone what is the tensor itself.
    pub copies: bool,
    /// Eager looks whether elements of the tensor are repeated.
    pub looked_for: bool,
    /// Eager does not look, and no operand may share elements.
    alone: bool,
    /// Eager looks, and no operand may share elements.
    disjoint: bool,
}

impl Writing {
    /// That of a class.
    pub fn of(class: &OpImpl) -> Self {
        let rule = class.rule;
        let product =
            matches!(rule, "addmm_in_place" | "addmv_in_place" | "baddbmm_in_place" | "addbmm_in_place");
        let not_looked_for = matches!(
            rule,
            "threshold_in_place"
                | "masked_fill_in_place"
                | "triangle_in_place"
                | "index_fill_in_place"
                | "index_put_in_place"
        );
        let disjoint = matches!(
            rule,
            "scatter_in_place"
                | "scatter_reduce_in_place"
                | "index_copy_in_place"
                | "index_add_in_place"
                | "index_fill_in_place"
                | "index_put_in_place"
                | "put_in_place"
                | "scatter_by_in_place"
        );
        Self {
            rule,
            fills: rule == "fill_in_place" || class.name == "graph.fill_diagonal_",
            copies: rule == "copy_in_place",
            looked_for: !product && !not_looked_for,
            alone: product || rule == "masked_scatter_in_place",
            disjoint,
        }
    }

    /// Whether eager compares the operand of this place with the tensor.
    pub fn compares(&self, place: usize) -> bool {
        self.looked_for || self.rule == "masked_fill_in_place" && place == 1
    }

    /// Whether an operand is read before anything is written.
    pub fn is_read_first(&self, op: OperationRef, class: &OpImpl, place: usize) -> bool {
        self.fills || self.disjoint && places::is_read_first(op, class, place)
    }

    /// Whether elements of what an operation writes lie in places of their own, or it is refused: a number
    /// may fill what repeats, and integers without nan stay as they are.
    pub fn is_tested(&self, op: OperationRef, class: &OpImpl) -> bool {
        let by_number = self.fills && op.operands().skip(1).all(|value| !is_graph_tensor(value.r#type()));
        !by_number && !Self::leaves(op, class)
    }

    /// Whether an operation that looks for nan has integers, which stay as they are.
    fn leaves(op: OperationRef, class: &OpImpl) -> bool {
        let is_exact = |own: Value| TensorType::of(own.r#type()).is_some_and(|own| !own.dtype.is_inexact());
        class.name == "graph.nan_to_num_" && op.operand(0).is_ok_and(is_exact)
    }
}

impl<'c, 'a> Analysis<'c, 'a> {
    pub(crate) fn in_place(
        &mut self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        own: Value<'c, 'a>,
    ) -> Result<(), String> {
        let layout = self.layout(own)?.clone();
        let tensor = self.known(own)?.clone();
        let others: Vec<(usize, Value)> =
            op.operands().enumerate().skip(1).filter(|(_, v)| is_graph_tensor(v.r#type())).collect();
        let writing = Writing::of(op_impl);
        let fills = writing.fills;
        let copied_onto_itself = writing.copies
            && others.iter().all(|(_, v)| {
                self.known(*v).is_ok_and(|t| {
                    self.is_comparable(t.origin, tensor.origin)
                        && self.one_storage(t.origin, tensor.origin)
                        && t.layout.assume_same(&layout)
                        && t.transform == tensor.transform
                })
            })
            || Writing::leaves(op, op_impl);
        // A tensor that fills is copied, and first set aside where it aliases.
        let (looked_for, alone, disjoint) = (writing.looked_for, writing.alone, writing.disjoint);
        if !copied_onto_itself && writing.is_tested(op, op_impl) {
            checks::written(&layout, looked_for)?;
        }
        if alone {
            self.disjoint(op, own)?;
        } else if !fills && !copied_onto_itself {
            for (place, other) in &others {
                let operand = self.known(*other)?;
                // Where two arguments meet is not known if the strides of one are not; that is refused in the
                // end.
                let comparable = self.is_comparable(operand.origin, tensor.origin);
                let meets = comparable && self.one_storage(operand.origin, tensor.origin);
                if disjoint && meets && !writing.is_read_first(op, op_impl, *place) {
                    let same = operand.identity == tensor.identity;
                    checks::disjoint(&tensor.span, &operand.span, *place, same)?;
                } else if self.are_alike(operand, &tensor) && !disjoint {
                    // Read where it is written, or not written at all.
                } else if operand.identity != tensor.identity && meets && !disjoint {
                    let alike = operand.transform.dtype == tensor.transform.dtype;
                    let in_storage = [operand, &tensor].iter().all(|t| self.root(t.origin) == t.origin);
                    let alike = alike && in_storage;
                    let (own, other) =
                        if alike { (&layout, &operand.layout) } else { (&tensor.span, &operand.span) };
                    if in_storage {
                        let compared = (writing.compares(*place), self.is_logical(tensor.origin));
                        checks::operand(own, other, *place, compared)?;
                    } else {
                        checks::disjoint(own, other, *place, false)?;
                    }
                }
            }
        }
        if dispatch::find(op_impl).is_none() {
            return Err(unknown(op_impl));
        }
        if self.has_open {
            self.result_types(op, op_impl)?;
        }
        let overwrites = fills || writing.copies;
        if !overwrites {
            self.reads(op, own)?;
        }
        for (_, other) in others {
            self.reads(op, other)?;
        }
        if !copied_onto_itself {
            self.writes(op, own, layout.without_repeats())?;
        }
        let result: Value = op.result_at(0).map_err(|e| e.to_string())?.into();
        self.is(result, tensor.identity);
        Ok(())
    }

    /// The operands that an operation writes besides making its results: they share nothing with the others.
    pub(crate) fn writes_beside(
        &mut self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
    ) -> Result<(), String> {
        let places = terrace_dialects::aten::placement::written_operands(op, op_impl);
        for place in places {
            let Some(value) = view::optional(op, op_impl, place) else { continue };
            let layout = self.layout(value)?.clone();
            checks::written(&layout, false)?;
            self.disjoint(op, value)?;
            self.writes(op, value, layout)?;
        }
        Ok(())
    }

    /// Whether layouts over two storages say where their elements lie beside each other: those of one tensor
    /// do, and those of several where all strides are known.
    fn is_comparable(&self, a: Origin, b: Origin) -> bool {
        a == b || ![a, b].into_iter().any(|origin| self.is_logical(origin))
    }

    /// Refuses an operation that writes one of its operands where another one shares elements with it.
    pub(crate) fn disjoint(&self, op: OperationRef<'c, 'a>, written: Value<'c, 'a>) -> Result<(), String> {
        let own = self.known(written)?;
        let tensors = op.operands().filter(|v| is_graph_tensor(v.r#type()));
        let mut transform = false;
        for value in tensors {
            if value == written && !std::mem::replace(&mut transform, true) {
                continue;
            }
            let other = self.known(value)?;
            if self.is_comparable(other.origin, own.origin)
                && self.one_storage(other.origin, own.origin)
                && overlap(&own.span, &other.span)
            {
                return Err(BESIDE.into());
            }
        }
        Ok(())
    }
}
