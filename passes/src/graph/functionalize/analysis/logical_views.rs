//! Tensors whose strides are dynamic: logical row-major views.
//!
//! An argument may declare `graph.layout = "any"`, or `?` for a stride or the offset. What its elements are
//! does not depend on strides. So it is a *logical* tensor here, row-major in its sizes: views of it, reads
//! and writes are layouts in that, by the same arithmetic as those in memory. A view that would be another
//! one by other strides is refused.
//!
//! What the caller sees does depend on strides. Views are made on the boundary by the operations that made
//! them here, and so have eager's strides whatever these are. A new tensor that eager lays out by the strides
//! of its operands is logical too; its strides are open, and it can't be returned.

use super::{
    state::Analysis,
    tensors::{Derivation, Layout, Origin, UNKNOWN, ViewOp},
};
use crate::{functional::writer::Writer, graph::functionalize::rewriting::place::as_strided};
use melior::ir::{
    Identifier, Location, Operation, OperationRef, Value, ValueLike, attribute::DenseI64ArrayAttribute,
    operation::OperationBuilder,
};
use std::collections::HashMap;
use terrace_dialects::{
    aten::{placement::iterated, rules},
    internal,
    ir::{
        OperationLike,
        args::KnownValues,
        operator::Strides,
        pass::Failure,
        refusal::Reason,
        registry::OpImpl,
        types::{TensorType, is_graph_tensor},
        view,
    },
};
use terrace_layout::creation;
use terrace_size::{Number, Size};

/// Refuses a view that strides decide.
pub fn check<N: Number>(
    op: OperationRef,
    op_impl: &OpImpl,
    own: &terrace_layout::Layout<N>,
    sizes: &[N],
) -> Result<(), String> {
    match op_impl.name {
        "graph.view_as_real" | "graph.view_as_complex" | "graph.view.dtype" => {
            let bytes = |value: Value| TensorType::of(value.r#type()).map(|t| t.dtype.bytes());
            let (own, result) = (op.operand(0).ok(), op.result_at(0).ok());
            if own.and_then(bytes) == result.and_then(|result| bytes(result.into())) {
                return Ok(());
            }
            Err(Reason::Layout
                .says(format!("sees elements as ones of another size, which depends on strides, {UNKNOWN}")))
        }
        "graph.as_strided" => {
            Err(Reason::Layout.says(format!("names places of a storage by strides of it, {UNKNOWN}")))
        }
        "graph.view" | "graph.view_as" => {
            if own.is_empty() || splits(&own.sizes, sizes) {
                Ok(())
            } else {
                Err(Reason::Layout.says(format!("joins dimensions, which depends on strides, {UNKNOWN}")))
            }
        }
        _ => Ok(()),
    }
}

/// How the strides of a new tensor come about: those of a few pointwise operators are the operand's, or
/// row-major.
fn strides(op: OperationRef, op_impl: &OpImpl) -> Strides {
    match op_impl.strides {
        Strides::Pointwise if iterated::is_row_major(op, op_impl) => Strides::Contiguous,
        Strides::Pointwise if iterated::is_like(op_impl, view::operand(op, op_impl, 0)) => Strides::Like,
        strides => strides,
    }
}

/// Whether a new tensor is packed, whatever the operands are: it has one dimension.
pub(crate) fn is_simple(op: OperationRef, op_impl: &OpImpl, ty: &rules::TensorType) -> bool {
    let copied = strides(op, op_impl) == Strides::Like;
    ty.rank() == 0 || ty.rank() == 1 && (!copied || ty.shape[0].known().is_some_and(|n| n > 1))
}

/// Whether the new sizes are the old ones, each split into several or one; sizes of 1 come and go.
pub fn splits<N: Number>(old: &[N], new: &[N]) -> bool {
    let mut new = new.iter().filter(|n| n.assume_ne(1));
    let whole = old.iter().filter(|n| n.assume_ne(1)).all(|size| {
        let mut parts = N::ONE;
        while parts.assume_lt(*size)
            && let Some(n) = new.next()
        {
            parts = parts * *n;
        }
        parts.assume_eq(*size)
    });
    whole && new.next().is_none()
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// Takes a view operation apart; its results are `sizes`. The operand whose shape is taken goes: the
    /// shape says it.
    pub(crate) fn named(&self, op: OperationRef<'c, 'a>, sizes: &[Vec<Size>]) -> Result<ViewOp<'c>, String> {
        let context = terrace_dialects::ir::context::of(op.context());
        let mut numbers = vec![];
        let (name, by_shape) =
            match terrace_dialects::ir::registry::of(op).map(|i| i.name).unwrap_or_default() {
                "graph.view_as" => ("graph.view", true),
                "graph.expand_as" => ("graph.expand", true),
                name => (name, false),
            };
        let mut attributes = vec![];
        if by_shape {
            let shape: Vec<i64> = sizes.iter().flatten().map(|size| size.in_type()).collect();
            numbers.extend(sizes.iter().flatten().filter(|size| size.known().is_none()));
            let size = DenseI64ArrayAttribute::new(context, &shape).into();
            attributes.push((Identifier::new(context, "size"), size));
        } else {
            attributes.extend(op.attributes());
            for value in op.operands().skip(1) {
                let number = self
                    .number(value)
                    .or_else(|| crate::graph::functionalize::program::constant_int(value).map(Size::of_run));
                numbers.push(number.ok_or_else(|| {
                    Reason::RunTime
                        .says("has a number that is known at run time only: it must be static here")
                })?);
            }
        }
        Ok(ViewOp { name, location: op.location(), attributes, numbers })
    }
}

impl<'c> ViewOp<'c> {
    /// The operation on a tensor.
    fn build(&self, operands: &[Value<'c, '_>]) -> Result<Operation<'c>, Failure> {
        Ok(OperationBuilder::new(self.name, self.location)
            .add_operands(operands)
            .add_attributes(&self.attributes)
            .enable_result_type_inference()
            .build()?)
    }
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// Whether the strides of a new tensor depend on some that are not known.
    pub(crate) fn has_open_layout(
        &self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        ty: &rules::TensorType<'c>,
    ) -> Result<bool, String> {
        let own = || view::operand(op, op_impl, 0);
        let strides = strides(op, op_impl);
        let asked: Vec<Value> = match strides {
            _ if is_simple(op, op_impl, ty) && strides != Strides::Whole => return Ok(false),
            Strides::Contiguous | Strides::Given | Strides::Columns => return Ok(false),
            Strides::Like if iterated::format(op).is_some() => return Ok(false),
            Strides::Like => vec![own()],
            Strides::Pointwise => {
                iterated::iterated(op, op_impl).into_iter().map(|(value, _)| value).collect()
            }
            _ => op.operands().collect(),
        };
        let (mut open, mut known) = (false, vec![]);
        for value in asked.into_iter().filter(|value| is_graph_tensor(value.r#type())) {
            let tensor = self.tensor(value).ok_or(internal!("uses a tensor that comes from elsewhere"))?;
            if self.is_logical(tensor.origin) {
                open = true;
            } else {
                known.push(tensor.layout.clone());
            }
        }
        // One tensor that does not suggest channels last is enough.
        let one = |t: &Layout| creation::cat(&ty.shape, std::slice::from_ref(t)).is_contiguous();
        let decided = strides == Strides::Cat && (!(4..=5).contains(&ty.rank()) || known.iter().any(one));
        Ok(open && !decided)
    }
}

/// Tensors on the boundary, by identity.
pub struct Tensors<'c, 'a> {
    /// Those that are there.
    pub named: HashMap<usize, Value<'c, 'a>>,
}

impl<'c, 'a> Tensors<'c, 'a> {
    /// Those that are arguments.
    pub fn of_arguments(analysis: &Analysis<'c, 'a>, arguments: &[Value<'c, 'a>]) -> Self {
        let all = analysis.arguments.iter().zip(arguments);
        Self { named: all.filter_map(|(own, value)| Some((own.as_ref()?.identity, *value))).collect() }
    }

    /// The tensor of an identity, made where it is not there yet, with all that it is made of.
    pub fn get(
        &mut self,
        analysis: &Analysis<'c, 'a>,
        w: &Writer<'c, 'a>,
        location: Location<'c>,
        identity: usize,
    ) -> Result<Value<'c, 'a>, Failure> {
        let mut missing = vec![];
        let mut next = Some(identity);
        while let Some(identity) = next.filter(|identity| !self.named.contains_key(identity)) {
            missing.push(identity);
            next = analysis.identities[identity].1.as_ref().map(|made| made.source);
        }
        // What a tensor is made of comes before it.
        for identity in missing.into_iter().rev() {
            self.make(analysis, w, location, identity)?;
        }
        self.named.get(&identity).copied().ok_or_else(|| "a tensor is not made".into())
    }

    fn make(
        &mut self,
        analysis: &Analysis<'c, 'a>,
        w: &Writer<'c, 'a>,
        location: Location<'c>,
        identity: usize,
    ) -> Result<(), Failure> {
        let (tensor, made) = &analysis.identities[identity];
        let value = if let Some(Derivation { op, source, index, .. }) = made {
            let mut operands = vec![self.named[source]];
            for number in &op.numbers {
                operands.push(w.size(*number)?);
            }
            w.insert(Ok(op.build(&operands)?))?.result_at(*index)?.into()
        } else {
            match tensor.origin {
                Origin::Fresh(_) => return Err(internal!("a new tensor is made elsewhere").into()),
                Origin::DynamicView(_) => return Err("a window is made of numbers".into()),
                Origin::Argument(i) => {
                    let own = analysis.arguments[i].as_ref().ok_or(internal!("an argument is no tensor"))?;
                    let root = self.named[&own.identity];
                    as_strided(w, location, root, &tensor.layout)?
                }
            }
        };
        self.named.insert(identity, value);
        Ok(())
    }
}
