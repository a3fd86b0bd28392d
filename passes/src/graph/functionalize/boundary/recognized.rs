//! Which functions are boundaries already.

use super::super::{
    analysis::{custom, state::accesses_tensors},
    program::{blocks, operations},
};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::ir::{
    operations::{arguments, name_of},
    operator::Role,
    registry,
    types::is_graph_tensor,
};

/// What makes a boundary of a function, when all that it has is one's.
const MADE: &[&str] = &["func.call", "graph.fresh", "graph.value", "graph.write_back"];

pub(crate) fn has_tensors(function: OperationRef) -> bool {
    blocks(function).flat_map(arguments).any(|v| is_graph_tensor(v.r#type())) || accesses_tensors(function)
}

/// Whether a function is split already: it moves values out of storages and into some and calls functions of
/// values, or is on values alone.
pub(crate) fn is_boundary(function: OperationRef) -> bool {
    let all: Vec<_> = blocks(function).flat_map(operations).collect();
    let on_values = !blocks(function).flat_map(arguments).any(|v| is_graph_tensor(v.r#type()));
    let stands = |op: &OperationRef| match name_of(*op) {
        "func.call" => !accesses_tensors(*op),
        "func.return" | "cf.assert" => true,
        name if name.starts_with("arith.") || name.starts_with("tensor.") => true,
        _ => registry::of(*op)
            .is_some_and(|class| class.dialect == "graph" && (class.view || class.role == Role::Boundary)),
    };
    on_values && custom::on_values(&all)
        || all.iter().any(|op| MADE.contains(&name_of(*op))) && all.iter().all(stands)
}
