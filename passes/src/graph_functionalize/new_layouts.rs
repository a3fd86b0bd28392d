//! The layouts that eager gives to new tensors, where strides are known.

use super::{analysis::Analysis, frames::Frame};
use melior::ir::OperationRef;
use terrace_dialects::{
    placement::{self, Asked, Strides, is_mask},
    registry::OpImpl,
    strided::Layout,
    types::TensorType,
    view,
};

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
        let by_mask = || view::variadic(op, op_impl, 1).into_iter().any(is_mask);
        if placement::strides(op_impl) == Strides::Index && by_mask() {
            return Err(
                "indexes by a mask: how many of its elements are true is known at run time only, and \
                        graph-functionalize has no dynamic sizes"
                    .into(),
            );
        }
        let layout = &|value| self.layout(value).cloned();
        let made = Asked { op, op_impl, number, sizes: &ty.shape, device: ty.device, layout }.new_layout()?;
        Ok((made, Frame::Known))
    }
}
