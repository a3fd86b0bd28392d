//! Copies of views.

use super::resolver::{Resolved, Resolver};
use melior::ir::Value;
use terrace_dialects::ir::OperationLike;

const PACKED: &str = "contiguous_format";

/// A row-major copy of the operand.
pub fn packed<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    Ok(vec![r.clone(r.operand(0), PACKED)?])
}

/// `NAME_copy`: a row-major copy of each result of the view `NAME`.
pub fn of_view<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let name = r.class.name.trim_start_matches("graph.").trim_end_matches("_copy");
    let views: Vec<Value> = r.renamed(name)?.results().map(Value::from).collect();
    views.into_iter().map(|view| r.clone(view, PACKED)).collect()
}

/// `view_copy`: whatever the strides of the operand, a row-major copy of it can be viewed.
pub fn view_copy<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let shape = r.result_sizes(0)?;
    let copy = r.clone(r.operand(0), PACKED)?;
    Ok(vec![r.view(copy, &shape)?])
}
