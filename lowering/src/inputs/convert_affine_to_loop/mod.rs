//! The pass `convert-affine-to-loop`: from nests of affine loops to loop operations, where their order means nothing.
//!
//! A nest is read ([`nest`]) as its stores, each with the loops around it, the conditions that it stands under and what computes
//! its value; [`statement`] says what such a store is as a loop operation: a body at each point, or a combination over the
//! loops that do not move its element. [`legal`] proves that points of one store have nothing to do with each other, and that all
//! points of an earlier store may run before the first of a later one. Then [`write`] writes the operations in front of the nest.
//!
//! All or nothing: where something is not proven the nest stays, with a remark that says why, and the loops inside are tried,
//! their surroundings given.

mod legal;
mod nest;
mod statement;
mod write;

use super::stays::Stays;
use crate::options::ConvertAffineToLoop as Options;
use melior::ir::OperationRef;
use nest::{Inside, Nest, is_loop};
use statement::Statement;
use terrace_dialects::ir::{
    OperationLike,
    cursor::Cursor,
    diagnostics::emit_op_remark,
    operations::{collect_within, erase},
    pass::Failure,
};

/// Converts every nest below an operation that may be converted.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    for nest in collect_within(op, |op| !is_loop(op), is_loop) {
        convert_within(nest, options)?;
    }
    Ok(())
}

/// Converts a nest, or the nests in it.
fn convert_within(root: OperationRef, options: &Options) -> Result<(), Failure> {
    match convert(root, options) {
        // SAFETY: it has no results, and nothing refers to what is inside.
        Ok(()) => unsafe { erase(root) },
        Err(Stays::Failed(failure)) => return Err(failure),
        Err(Stays::For(why)) => {
            emit_op_remark(&root, &format!("stays: {why}"));
            let inside =
                collect_within(root, |op| op == root || !is_loop(op), |op| op != root && is_loop(op));
            for nest in inside.into_iter().filter(|op| op.result_count() == 0) {
                convert_within(nest, options)?;
            }
        }
    }
    Ok(())
}

/// Writes what a nest becomes in front of it.
fn convert<'c: 'a, 'a>(root: OperationRef<'c, 'a>, options: &Options) -> Result<(), Stays> {
    if root.result_count() > 0 {
        return Err("its result is used outside of any store".into());
    }
    let nest = Nest::read(root)?;
    if nest.stores.is_empty() {
        return Err("stores nothing".into());
    }
    // What stands in a loop that never goes round stores nothing.
    let runs = |store: &&Inside| store.loops.iter().all(|l| nest.loops[*l].size != Some(0));
    let stores = nest.stores.iter().filter(runs);
    let statements = stores.map(|store| Statement::of(&nest, store)).collect::<Result<Vec<_>, _>>()?;
    if !options.reassociate_floats && !statements.iter().all(Statement::may_be_reordered) {
        return Err("combines floats in an order: expects fastmath<reassoc>, or reassociate-floats".into());
    }
    let arguments = options.distinct_arguments;
    for (i, statement) in statements.iter().enumerate() {
        legal::points(&nest, statement, arguments)?;
        statements[i + 1..].iter().try_for_each(|later| legal::apart(&nest, statement, later, arguments))?;
    }
    let at = Cursor::before(root)?;
    let sizes = nest.sizes(at)?;
    statements.iter().try_for_each(|statement| write::statement(at, &nest, &sizes, statement))
}
