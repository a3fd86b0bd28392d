//! Between storages and values: `graph.value`, `graph.fresh`, `graph.write_back`,
//! `graph.assert_distinct`.

use crate::{
    machine::{Flow, Table},
    semantics::{copy, overlap, scatter},
};
use terrace_tensor::Tensor;

pub(super) fn register(table: &mut Table) {
    // Nothing writes a value, but something may write the storage it was read from: it is a copy.
    table.graph("value", |op| {
        let view = op.tensor(0);
        op.value(move |f| fresh(f.tensor(view)))
    });
    table.graph("fresh", |op| {
        let value = op.tensor(0);
        op.value(move |f| fresh(f.tensor(value)))
    });
    table.graph("write_back", |op| {
        let (value, view) = (op.tensor(0), op.tensor(1));
        Ok(Box::new(move |_, frame| {
            scatter::write(frame.tensor(view), frame.tensor(value))?;
            Ok(Flow::Next)
        }))
    });
    table.graph("assert_distinct", |op| {
        let view = op.tensor(0);
        Ok(Box::new(move |_, frame| {
            overlap::check_distinct(frame.tensor(view))?;
            Ok(Flow::Next)
        }))
    });
}

fn fresh(tensor: &Tensor) -> crate::semantics::Result<Tensor> {
    let out = Tensor::zeros(tensor.dtype(), tensor.sizes())?;
    copy::copy_(&out, tensor)
}
