//! memref: buffers that are allocated, read and written.

use terrace_tensor::Tensor;

use super::tensor::{Window, element, indices, without_ones};
use crate::machine::{Action, Flow, Integers, Op, Table};
use crate::semantics::copy;

pub(super) fn register(table: &mut Table) {
    for name in ["memref.alloc", "memref.alloca"] {
        table.add(name, |op| {
            let kind = op.result_kind(0)?;
            let sizes = Integers::new(&kind.sizes, &op.segments()?[0])?;
            // Nothing may be read before it is written, so zeros are as good as anything.
            op.value(move |f| Ok(Tensor::zeros(kind.dtype, &sizes.get(f))?))
        });
    }
    table.add("memref.dealloc", |_| Ok(Box::new(|_, _| Ok(Flow::Next))));
    table.add("memref.load", element);
    table.add("memref.store", |op: &mut Op| -> Result<Action, String> {
        let operands = op.operands();
        Ok(Box::new(move |_, frame| {
            frame.tensor(operands[1]).set(&indices(frame, &operands[2..]), frame.scalar(operands[0]))?;
            Ok(Flow::Next)
        }))
    });
    table.add("memref.copy", |op| {
        let (from, to) = (op.operand(0), op.operand(1));
        Ok(Box::new(move |_, frame| {
            copy::copy_(frame.tensor(to), frame.tensor(from))?;
            Ok(Flow::Next)
        }))
    });
    table.add("memref.subview", |op| {
        let (window, kind) = (Window::of(op, 0)?, op.result_kind(0)?);
        op.value(move |f| without_ones(&window.view(f, f.tensor(window.source))?, &kind.sizes))
    });
}
