//! Which functions are boundaries already.

use super::super::{
    analysis::{custom, state::accesses_tensors},
    program::{blocks, operations},
};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::ir::{
    operations::{arguments, name_of},
    registry,
    types::is_graph_tensor,
};

/// Operations of graph that stand at a boundary, beside views: those that are put there, and what is asked or
/// made true of storages.
const BOUNDARY: &[&str] = &[
    "graph.assert_distinct",
    "graph.assert_storage",
    "graph.check_disjoint",
    "graph.check_distinct",
    "graph.check_same",
    "graph.check_same_storage",
    "graph.check_storage",
    "graph.fresh",
    "graph.generator_state",
    "graph.guard",
    "graph.resize_storage",
    "graph.set_generator_state",
    "graph.sym_size",
    "graph.sym_storage_offset",
    "graph.sym_stride",
    "graph.value",
    "graph.write_back",
];

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
        name if BOUNDARY.contains(&name) => true,
        name if name.starts_with("arith.") || name.starts_with("tensor.") => true,
        _ => registry::of(*op).is_some_and(|class| class.dialect == "graph" && class.view),
    };
    on_values && custom::on_values(&all)
        || all.iter().any(|op| MADE.contains(&name_of(*op))) && all.iter().all(stands)
}
