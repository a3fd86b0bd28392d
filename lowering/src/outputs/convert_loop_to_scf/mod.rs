//! The pass `convert-loop-to-scf`: the way out, from loop operations on memrefs to scf loops.
//!
//! Points that may run in any order are an `scf.parallel`, inner domains and scans `scf.for` with what they
//! have combined so far. [`write`] makes loops and copies bodies, [`nest`] one operation or member, [`group`]
//! a group. Nothing is decided here: loops are in the order and tiles that the operation says ([`schedule`]),
//! else in the order of the domain.
//!
//! In a loop operation all points read before any writes. Loops do both point by point, so an operation is
//! refused where a point may read what another one writes ([`terrace_dialects::analysis::dependence`]);
//! memories of which nothing is known are taken to be apart, as `convert-loop-to-kernel` takes them.

mod group;
mod nest;
mod schedule;
mod strip;
mod write;

use melior::ir::OperationRef;
use nest::Nest;
use terrace_dialects::{
    ir::{
        cursor::Cursor, diagnostics::emit_op_remark, operations::collect_within, pass::Failure,
        rewrite::erase,
    },
    ops::loop_,
};
use write::Env;

fn is_group(op: OperationRef) -> bool {
    loop_::GroupOp::try_from(op).is_ok()
}

/// Converts every loop operation below an operation; stops at the first that can't be.
pub fn run(op: OperationRef, _: &crate::options::ConvertLoopToScf) -> Result<(), Failure> {
    // The members of a group are parts of it.
    for op in collect_within(op, |op| !is_group(op), |op| is_group(op) || nest::is_nest(op)) {
        let at = Cursor::before(op)?;
        match loop_::GroupOp::try_from(op) {
            Ok(group) => group::write(at, group)?,
            Err(op) => {
                let nest = Nest::read(op)?;
                nest.check(&nest.buffer()?)?;
                if nest.drops_order() {
                    emit_op_remark(
                        &op,
                        "runs its inner domain inside of the outer one, whatever its order says",
                    );
                }
                nest.write(at, &Env::default(), nest.buffer()?)?;
            }
        }
        erase(op);
    }
    Ok(())
}
