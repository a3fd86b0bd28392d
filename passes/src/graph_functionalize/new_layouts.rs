//! The layouts that eager gives to new tensors.

use super::{
    analysis::{Analysis, graph_type},
    elementary,
    frames::Frame,
    gates, layouts, operators,
};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::{
    dtype::Dtype,
    registry::OpImpl,
    strided::{Layout, creation},
    types::TensorType,
    view,
};

/// The dtype of the first operand.
fn own_dtype(op: OperationRef, op_impl: &OpImpl) -> Option<Dtype> {
    graph_type(view::operand(op, op_impl, 0).r#type()).map(|own| own.dtype)
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// The layout that eager gives to a new tensor: its frame, where that depends on strides that are not known.
    pub(super) fn new_layout(
        &self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        operator: &operators::Operator,
        number: usize,
        ty: &TensorType<'c>,
    ) -> Result<(Layout, Frame), String> {
        if let Some(frame) = self.frame(op, op_impl, operator, ty)? {
            return Ok((Layout::contiguous(&ty.shape), frame));
        }
        let all = |values: &[Value<'c, 'a>]| -> Result<Vec<Layout>, String> {
            values.iter().map(|v| self.layout(*v).cloned()).collect()
        };
        let layout = match operator.strides {
            operators::Strides::Contiguous => Layout::contiguous(&ty.shape),
            operators::Strides::Given => {
                creation::in_format(&ty.shape, operators::format(op).as_deref().unwrap_or_default())
            }
            operators::Strides::Like => match operators::format(op).as_deref() {
                None => creation::like(self.layout(view::operand(op, op_impl, 0))?),
                Some(format) => creation::in_format(&ty.shape, format),
            },
            operators::Strides::Whole => {
                let own = self.layout(view::operand(op, op_impl, 0))?;
                let plain = own.offset == 0 && own.is_dense();
                if !plain && !own.repeats() || op_impl.rule == "as_strided_scatter" && !own.is_contiguous() {
                    return Err(
                        "copies the whole storage of a tensor that is a part of it: make it contiguous"
                            .into(),
                    );
                }
                creation::like(own)
            }
            operators::Strides::Cat => creation::cat(&ty.shape, &all(&view::variadic(op, op_impl, 0))?),
            operators::Strides::Pointwise if gates::is_power_of_number(op, op_impl) => {
                Layout::contiguous(&ty.shape)
            }
            operators::Strides::Pointwise if elementary::is_like(op_impl, own_dtype(op, op_impl)) => {
                creation::like(self.layout(view::operand(op, op_impl, 0))?)
            }
            operators::Strides::Pointwise => {
                let mut operands = vec![];
                for (value, dtype) in operators::iterated(op, op_impl) {
                    operands.push(match graph_type(value.r#type()) {
                        // What is cast is copied first.
                        Some(t) if dtype.is_some_and(|d| d != t.dtype) => creation::like(self.layout(value)?),
                        Some(_) => self.layout(value)?.clone(),
                        None => Layout::contiguous(&[]),
                    });
                }
                creation::pointwise(&ty.shape, &operands)
            }
            operators::Strides::Convolution => {
                let [input, weight] = [0, 1].map(|place| self.layout(view::operand(op, op_impl, place)));
                creation::convolution(&ty.shape, input?, weight?)
                    .ok_or("has strides in eager that depend on a library: make its operands contiguous")?
            }
            operators::Strides::Suggested => {
                creation::suggested_like(&ty.shape, self.layout(view::operand(op, op_impl, 0))?)
            }
            operators::Strides::Own(layout) => layout(&layouts::Asked {
                op,
                op_impl,
                number,
                sizes: &ty.shape,
                layout: &|value| self.layout(value).cloned(),
            })?,
            operators::Strides::Index => {
                let own = self.layout(view::operand(op, op_impl, 0))?;
                let mask = |v: &Value| {
                    matches!(graph_type(v.r#type()).map(|t| t.dtype), Some(Dtype::Bool | Dtype::U8))
                };
                if view::variadic(op, op_impl, 1).iter().any(mask) {
                    return Err("indexes by a mask: how many of its elements are true is known at run time only, and \
                                graph-functionalize has no dynamic sizes"
                        .into());
                }
                let indices = all(&view::variadic(op, op_impl, 1))?;
                let present = terrace_dialects::attributes::bools(view::required(op, "present"));
                creation::index(&ty.shape, own, &present, &indices)
            }
        };
        Ok((layout, Frame::Known))
    }
}
