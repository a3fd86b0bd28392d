//! The pass `convert-graph-boundary-to-memref`: storages become buffers.
//!
//! After `graph-functionalize` a function holds graph operations only at its boundary: values are read out of
//! storages, the core is called, values are written back and put into new storages, and views are named by
//! `graph.as_strided`. Here `!graph.tensor` becomes `memref`, with the declared layout; values become
//! `bufferization.to_tensor`, writes `bufferization.materialize_in_destination`.
//!
//! Bufferization sees who reads and writes a tensor, but not what happens behind a memref. So a value that a
//! new storage holds is put into a buffer of its own that nothing else touches, and a region that is read and
//! written as a whole stays a tensor until its last write. A value that goes anywhere else waits in a buffer.
//! Then, when everything is read and every value has its place, memory that the caller sees changes.
//!
//! Guards stay, and stand in front of all that is allocated; what they ask about tensors becomes calls of the
//! runtime ([`guards`](rewrite)).
//!
//! Sizes may be known at run time only: such views are written where they stand ([`rewrite`]).
//!
//! Strides need not be known: [`symbols`] says what those of views are, and
//! [`strides`] writes both down.

mod rewrite;
mod strides;
mod symbols;
mod types;
mod words;

use melior::ir::{BlockRef, OperationRef, RegionLike};
pub(crate) use rewrite::RESIZE_STORAGE;
use rewrite::state::Boundary;
use std::collections::HashMap;
use terrace_dialects::ir::{
    BlockLike, OperationLike, attributes as convert, cursor::Cursor, diagnostics, pass::Failure,
    types::is_graph_tensor,
};
pub(crate) use words::OUT_OF_BOUNDS;
use words::Services;

/// Lowers every function of a module that has graph tensors.
pub fn run(op: OperationRef, _: &crate::options::ConvertGraphBoundaryToMemref) -> Result<(), Failure> {
    let Some(body) = op.region(0).ok().and_then(|r| r.first_block()) else { return Ok(()) };
    let mut functions = vec![];
    let mut next = body.first_operation();
    while let Some(function) = next {
        next = function.next_in_block();
        if function.name().as_string_ref().as_str() == Ok("func.func") && has_graph_tensors(function) {
            functions.push(function);
        }
    }
    let mut services = Services::default();
    let named = by_name(body);
    for function in functions {
        let boundary = Boundary::of(function, &named).and_then(|b| b.lower(&mut services));
        boundary.map_err(|(at, message)| {
            diagnostics::emit_op_error(&at, &message);
            Failure::Reported
        })?;
    }
    // Once more: functions of libraries may have come.
    let named = by_name(body);
    let Some(first) = body.first_operation() else { return Ok(()) };
    services.declare(&Cursor::before(first)?, |name| named.contains_key(name))
}

/// The functions of a module.
fn by_name<'c, 'a>(module: BlockRef<'c, 'a>) -> HashMap<String, OperationRef<'c, 'a>> {
    std::iter::successors(module.first_operation(), |op| op.next_in_block())
        .filter_map(|op| Some((convert::string(op.attribute("sym_name").ok()?), op)))
        .collect()
}

fn has_graph_tensors(function: OperationRef) -> bool {
    let Ok(signature) = types::signature(function) else { return false };
    let inputs = (0..signature.input_count()).filter_map(|i| signature.input(i).ok());
    let results = (0..signature.result_count()).filter_map(|i| signature.result(i).ok());
    if inputs.chain(results).any(is_graph_tensor) {
        return true;
    }
    // A function of numbers alone may still make storages inside.
    let block = function.region(0).ok().and_then(|r| r.first_block());
    let mut next = block.and_then(|b| b.first_operation());
    while let Some(op) = next {
        if op.results().any(|r| is_graph_tensor(melior::ir::ValueLike::r#type(&r))) {
            return true;
        }
        next = op.next_in_block();
    }
    false
}
