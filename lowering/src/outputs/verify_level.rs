//! The pass `verify-level`: no operation of a level above is left.
//!
//! Contract: nothing changes. A named pipeline ends on it, so that what has no way down is an error at its
//! location, and not exit status 0 with an operation of another level in the output. Operations of dialects
//! that the option does not name are no matter of this pass. Linear in the operations.

use crate::options::VerifyLevel as Options;
use melior::ir::OperationRef;
use terrace_dialects::ir::{
    diagnostics::emit_op_error,
    operations::{collect, name_of},
    pass::Failure,
};

/// Runs the pass on a module: an error for the first operation that is left.
pub fn run(module: OperationRef, options: &Options) -> Result<(), Failure> {
    let dialect = |op| name_of(op).split_once('.').map_or("builtin", |(dialect, _)| dialect);
    let [above, except] = [&options.above, &options.except].map(|names| names.split(' ').collect::<Vec<_>>());
    let left = |op| above.contains(&dialect(op)) && !except.contains(&name_of(op));
    match collect(module, left).first() {
        Some(op) => {
            let dialect = dialect(*op);
            emit_op_error(op, &format!("has no way down from here: expects no operation of {dialect}"));
            Err(Failure::Reported)
        }
        None => Ok(()),
    }
}
