//! The pass `functional-grow-concatenations`: concatenations that grow share one tensor.
//!
//! ```text
//! %1 = cat %a, %b                %t = slice_scatter (slice_scatter (empty), %a at 0), %b at 1
//! %c = ... %1 ...                %c = ... slice %t[0 : 2] ...
//! %2 = cat %a, %b, %c            %u = slice_scatter %t, %c at 2
//! ```
//!
//! Each layer of a dense block reads the joined results of all layers before it. Written one by one, `n`
//! layers copy, or read as parts, `n * n / 2` tensors; here each is written once, and a layer is one
//! operation on a slice. A concatenation continues another one in the same block whose operands are all of
//! its own but the last, if everything that reads that one stands before it, and at its elements alone:
//! what is written for the next one is then written over nothing that is still to be read. Of three at
//! least, of known sizes. Linear in the operands.

use crate::{
    functional::{convert_to_loop::is_read_through, writer::Writer},
    options::FunctionalGrowConcatenations as Options,
};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationBuilder};
use std::collections::HashMap;
use terrace_dialects::{
    ir::{
        OperationLike, annotations,
        operations::{collect, key, name_of, users},
        pass::Failure,
        rewrite::replace,
        types::TensorType,
    },
    ops::functional,
};
use terrace_size::Size;

/// Concatenations of one tensor at least.
const LEAST: usize = 3;

/// Runs the pass below an operation.
pub fn run(op: OperationRef, _: &Options) -> Result<(), Failure> {
    let mut chains: Vec<Vec<Joined>> = vec![];
    let mut last: HashMap<(Vec<usize>, i64), usize> = HashMap::new();
    for op in collect(op, |op| functional::CatOp::try_from(op).is_ok()) {
        let Some(joined) = Joined::read(op) else { continue };
        let all: Vec<usize> = joined.tensors.iter().map(|tensor| key(*tensor)).collect();
        let before = last.remove(&(all[..all.len() - 1].to_vec(), joined.dim));
        let continued = before.filter(|chain| chains[*chain].last().is_some_and(|one| one.ends_before(op)));
        let chain = continued.unwrap_or_else(|| {
            chains.push(vec![]);
            chains.len() - 1
        });
        last.insert((all, joined.dim), chain);
        chains[chain].push(joined);
    }
    chains.into_iter().filter(|chain| chain.len() >= LEAST).try_for_each(|chain| write(&chain))
}

/// A concatenation.
struct Joined<'c, 'a> {
    op: OperationRef<'c, 'a>,
    tensors: Vec<Value<'c, 'a>>,
    dim: i64,
    ty: TensorType<'c>,
}

impl<'c: 'a, 'a> Joined<'c, 'a> {
    /// None where sizes are known when the program runs.
    fn read(op: OperationRef<'c, 'a>) -> Option<Self> {
        let view = functional::CatOp::try_from(op).ok()?;
        let (result, tensors) = (Value::from(op.result_at(0).ok()?), view.tensors());
        let ty = TensorType::of(result.r#type()).filter(|ty| ty.rank() > 0)?;
        let alike = |tensor: &Value<'c, 'a>| {
            let own = TensorType::<i64>::of(tensor.r#type());
            own.is_some_and(|own| own.is_static() && own.rank() == ty.rank())
        };
        let is_known = tensors.iter().chain([&result]).all(alike);
        let rank = ty.rank() as i64;
        let dim = (view.dim().unwrap_or(0) + rank) % rank;
        (tensors.len() > 1 && is_known).then_some(Self { op, tensors, dim, ty })
    }

    /// Whether all that reads it is in its block, in front of an operation, and writes over nothing.
    fn ends_before(&self, op: OperationRef<'c, 'a>) -> bool {
        let Ok(result) = self.op.result_at(0) else { return false };
        self.op.block() == op.block()
            && users(result.into()).all(|user| {
                user.block() == op.block()
                    && user.is_before_in_block(op)
                    && name_of(user).starts_with("functional.")
                    && !is_read_through(user)
                    && annotations::in_place(user).is_none()
            })
    }
}

/// Writes what is joined into one tensor.
fn write<'c: 'a, 'a>(chain: &[Joined<'c, 'a>]) -> Result<(), Failure> {
    let Some(largest) = chain.last() else { return Ok(()) };
    let dim = largest.dim as usize;
    let size = |tensor: Value| TensorType::<i64>::of(tensor.r#type()).map_or(0, |ty| ty.shape[dim]);
    let (mut whole, mut written, mut from) = (None, 0, 0);
    for joined in chain {
        let w = Writer::before(joined.op);
        let mut value = match whole {
            Some(value) => value,
            None => {
                let empty = OperationBuilder::new("tensor.empty", w.location())
                    .add_results(&[largest.ty.to_type(w.context)]);
                w.value(Ok(empty.build()?))?
            }
        };
        for tensor in &joined.tensors[written..] {
            let (to, at) = (from + size(*tensor), Some(dim as i64));
            let part = functional::slice_scatter(
                w.location(),
                value,
                *tensor,
                at,
                &[],
                &[from],
                &[],
                &[to],
                &[],
                &[1],
            );
            value = w.value(part)?;
            from = to;
        }
        (whole, written) = (Some(value), joined.tensors.len());
        let own =
            if joined.op == largest.op { value } else { w.part_of(value, dim, Size::ZERO, from.into())? };
        replace(joined.op, &[own]);
    }
    Ok(())
}
