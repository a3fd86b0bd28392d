//! The layouts that eager gives to new tensors, where strides are known.

use crate::graph::functionalize::analysis::{logical_views::is_simple, state::Analysis, tensors::Layout};
use melior::ir::OperationRef;
use terrace_dialects::{
    aten::{placement::Asked, rules::TensorType},
    ir::registry::OpImpl,
};
use terrace_size::symbols::current;

impl<'c, 'a> Analysis<'c, 'a> {
    /// The layout that eager gives to a new tensor; its frame, where that depends on strides that are not
    /// known.
    pub(crate) fn new_layout(
        &self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        number: usize,
        ty: &TensorType<'c>,
    ) -> Result<(Layout, bool), String> {
        if self.has_open_layout(op, op_impl, ty)? {
            return Ok((Layout::contiguous(&ty.shape), true));
        }
        let late = self.has_late_sizes(op, ty);
        if late && is_simple(op, op_impl, ty) {
            return Ok((Layout::contiguous(&ty.shape), false));
        }
        let before = late.then(|| current(|symbols| (symbols.checkpoint(), symbols.guards().len())));
        let layout = &|value| self.layout(value).cloned();
        let question = Asked { op, op_impl, number, sizes: &ty.shape, device: ty.device, layout };
        let made = question.new_layout()?;
        let asked = |from: usize| current(|symbols| symbols.guards()[from..].to_vec());
        if let Some((before, from)) = before
            && asked(from).iter().any(|guard| self.is_late([guard.left, guard.right]))
        {
            // Which strides it has depends on sizes that nobody could test: they are as good as not known.
            current(|symbols| symbols.back_to(before));
            return Ok((Layout::contiguous(&ty.shape), true));
        }
        Ok((made, false))
    }
}
