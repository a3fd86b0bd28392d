//! Numbers out of tensors: `item`, sizes and strides.

use crate::{
    machine::{Action, Flow, Op, Table},
    semantics::Error,
};
use terrace_tensor::{Dtype, Scalar, Tensor};

pub(super) fn register(table: &mut Table) {
    for name in ["item", "_local_scalar_dense"] {
        table.graph(name, |op| number(op, item));
    }
    table.graph("sym_size", |op| of_dim(op, |tensor, dim| tensor.sizes()[dim]));
    table.graph("sym_stride", |op| of_dim(op, |tensor, dim| tensor.strides()[dim]));
    table.graph("sym_numel", |op| number(op, |tensor| Ok(Scalar::Int(tensor.len() as i64))));
    table.graph("sym_storage_offset", |op| number(op, |tensor| Ok(Scalar::Int(tensor.offset()))));
}

/// The first element; how many there are is asked before.
fn item(tensor: &Tensor) -> crate::semantics::Result<Scalar> {
    let element = tensor.offsets().next().map(|offset| tensor.read(offset));
    let element = element.ok_or_else(|| Error::new("_local_scalar_dense: Empty tensor not supported"))?;
    Ok(if tensor.dtype().is_integer() { element.cast(Dtype::I64) } else { element })
}

fn of_dim(op: &mut Op, of: fn(&Tensor, usize) -> i64) -> Result<Action, String> {
    let dim = op.int("dim")?;
    let wrapped = move |rank: usize| if dim < 0 { dim + rank as i64 } else { dim } as usize;
    number(op, move |tensor| Ok(Scalar::Int(of(tensor, wrapped(tensor.rank())))))
}

fn number(
    op: &mut Op,
    of: impl Fn(&Tensor) -> crate::semantics::Result<Scalar> + 'static,
) -> Result<Action, String> {
    let (own, results) = (op.tensor(0), op.results());
    Ok(Box::new(move |_, frame| {
        let number = of(frame.tensor(own))?;
        frame.set(results[0], number);
        Ok(Flow::Next)
    }))
}
