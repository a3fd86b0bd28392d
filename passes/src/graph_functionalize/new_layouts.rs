//! The layouts that eager gives to new tensors, where strides are known.

use super::{analysis::Analysis, frames::Frame};
use melior::ir::OperationRef;
use terrace_dialects::{placement::Asked, registry::OpImpl, strided::Layout, types::TensorType};

impl<'c, 'a> Analysis<'c, 'a> {
    /// The layout that eager gives to a new tensor: its frame, where that depends on strides that are not known.
    pub(super) fn new_layout(
        &self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        number: usize,
        ty: &TensorType<'c>,
    ) -> Result<(Layout, Frame), String> {
        if let Some(frame) = self.frame(op, op_impl, ty)? {
            return Ok((Layout::contiguous(&ty.shape), frame));
        }
        let layout = &|value| self.layout(value).cloned();
        let made = Asked { op, op_impl, number, sizes: &ty.shape, layout }.new_layout()?;
        Ok((made, Frame::Known))
    }
}
