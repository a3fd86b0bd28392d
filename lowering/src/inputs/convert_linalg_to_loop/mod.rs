//! The pass `convert-linalg-to-loop`: from linalg operations to loop operations.
//!
//! What is made of several operations (softmax, pack, unpack, winograd) becomes these, a named operation a
//! `linalg.generic`, which [`structured`] reads: sizes of the domain, expressions of the operands, the body.
//! [`body`] copies what computes a value of the body to a point. Here it is decided what becomes of it:
//! parallel dimensions alone are `loop.pointwise` (`loop.scatter` where a map is no permutation, one
//! `loop.group` for several memrefs), dimensions of reduction a `loop.reduction`, see [`reductions`].
//!
//! An operation that has no such form stays, with a remark that says why. On memrefs what is read may be what
//! is written at the same point only; memories of which nothing is known are apart, for linalg gives the
//! order of points no meaning.

mod body;
mod numbers;
mod reductions;
mod structured;

use crate::{
    inputs::not_converted::NotConverted,
    loops::write::{self, Insert},
};
use body::Body;
use melior::ir::OperationRef;
pub(crate) use reductions::combiner_of;
use structured::Structured;
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Cursor, V},
        diagnostics::emit_op_remark,
        operations::{collect_within, name_of},
        pass::Failure,
        rewrite::{erase, replace_uses},
        upstream,
    },
    loops::affine::Expr,
};

fn is_linalg(op: OperationRef) -> bool {
    name_of(op).starts_with("linalg.")
}

/// Converts every linalg operation below an operation that has a form as a loop operation.
pub fn run(op: OperationRef, _: &crate::options::ConvertLinalgToLoop) -> Result<(), Failure> {
    for op in collect_within(op, |op| !is_linalg(op), is_linalg) {
        // SAFETY: nothing of this list is used again.
        upstream::decompose(op);
    }
    for op in collect_within(op, |op| !is_linalg(op), is_linalg) {
        let generic = if name_of(op) == "linalg.generic" {
            op
        } else {
            // SAFETY: only the general operation is used afterwards.
            match upstream::generalize(op) {
                Some(generic) => generic,
                None => {
                    emit_op_remark(&op, "stays: it has no general form of maps and a body");
                    continue;
                }
            }
        };
        match convert(generic) {
            Ok(()) => erase(generic),
            Err(NotConverted::For(why)) => emit_op_remark(&generic, &format!("stays: {why}")),
            Err(NotConverted::Failed(failure)) => return Err(failure),
        }
    }
    Ok(())
}

/// Writes what an operation becomes in front of it.
fn convert<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), NotConverted> {
    let it = Structured::read(op)?;
    it.check()?;
    let at = Cursor::before(op)?;
    if it.is_reduction() {
        return reductions::convert(at, &it);
    }
    let bodies = (0..it.outputs.len())
        .map(|k| Body::of(&it, it.yielded(k)?))
        .collect::<Result<Vec<_>, NotConverted>>()?;
    for k in 0..it.outputs.len() {
        it.check_distinct(k)?;
    }
    let sizes = it.sizes(at)?;
    if it.is_on_memrefs() && it.outputs.len() > 1 {
        write::group(at, &sizes, &it.outputs, |at, i| {
            let at_point = |(k, body): (usize, &Body<'c, 'a>)| {
                let (place, values) = (it.output_map(k).to_vec(), i.to_vec());
                Ok(Insert { value: body.write(at, &it, i)?, into: k, place, values })
            };
            bodies.iter().enumerate().map(at_point).collect()
        })?;
        return Ok(());
    }
    for (k, body) in bodies.iter().enumerate() {
        let init = it.outputs[k];
        let written = match it.destination_order(k) {
            // Over the dimensions of the destination.
            Some(order) => {
                let sizes: Vec<_> = order.iter().map(|d| sizes[*d]).collect();
                write::pointwise(at, &sizes, init, |at, i| body.write(at, &it, &scattered(&order, i)))?
            }
            None => write::scatter(at, &sizes, init, |at, i| {
                Ok((body.write(at, &it, i)?, it.output_map(k).to_vec(), i.to_vec()))
            })?,
        };
        replace(&it, k, written)?;
    }
    Ok(())
}

/// Indices by dimension of the domain, of those in another order: `order[i]` is the dimension that comes
/// i-th.
fn scattered<'c, 'a>(order: &[usize], indices: &[V<'c, 'a>]) -> Vec<V<'c, 'a>> {
    let mut by_dimension = indices.to_vec();
    order.iter().zip(indices).for_each(|(d, index)| by_dimension[*d] = *index);
    by_dimension
}

/// Puts the result of an operation in the place of a result.
fn replace<'c, 'a>(it: &Structured<'c, 'a>, k: usize, by: OperationRef<'c, 'a>) -> Result<(), NotConverted> {
    if !it.is_on_memrefs() {
        let (old, new): (V, V) = (it.op.result_at(k)?.into(), by.result_at(0)?.into());
        replace_uses(old, new);
    }
    Ok(())
}

/// The dimension that an expression is and nothing else.
fn dimension(expr: &Expr) -> Option<usize> {
    if let Expr::Dim(d) = expr { Some(*d) } else { None }
}
