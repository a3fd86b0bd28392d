//! Tensors that a function which is called changes: another shape, or another storage.
//!
//! The verifier refuses a later use of such a tensor in the same block. Where the change comes from a function that is called, the program was valid, and is an
//! error only when it comes there: before the body goes in the place of the call, later uses become an error at run time.
//!
//! ```mlir
//! call @f(%x)                     // which has graph.t_ %x
//! %0 = graph.neg %x
//! ```
//!
//! becomes
//!
//! ```mlir
//! %s = graph.alias %x
//! call @f(%x)
//! cf.assert %false, "uses a tensor whose sizes, strides or storage 'graph.t_' has changed: use its result"
//! %0 = graph.neg %s
//! ```

use melior::ir::{
    BlockLike, BlockRef, OperationRef, Value, ValueLike,
    operation::{OperationLike, OperationMutLike, OperationRefMut},
    r#type::IntegerType,
};
use terrace_dialects::{
    cursor::Cursor,
    operations::{arguments, name_of},
    pass::Failure,
    placement::changes_object,
    registry,
    verifiers::{changed, first, later_uses},
};

/// Makes errors of the uses behind a call of what the body of its callee changes.
pub fn refuse_when_it_runs<'c: 'a, 'a>(
    call: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
) -> Result<(), Failure> {
    let changes = |op: &OperationRef| registry::of(*op).is_some_and(changes_object);
    for op in std::iter::successors(body.first_operation(), |op| op.next_in_block()).filter(changes) {
        let own = first(op.operand(0)?);
        let Some(place) = arguments(body).position(|argument| argument == own) else { continue };
        for (user, value) in later_uses(call.operand(place)?, call) {
            let same = Cursor::before(call)?.op("graph.alias", &[value], value.r#type())?;
            let at = Cursor::before(user)?.of(user.location());
            let never = at.integer(IntegerType::new(at.context, 1).into(), 0)?;
            at.assert(never, &changed(name_of(op)))?;
            replace(user, value, same)?;
        }
    }
    Ok(())
}

/// Gives an operation another operand in the place of one.
fn replace<'c, 'a>(
    user: OperationRef<'c, 'a>,
    old: Value<'c, 'a>,
    new: Value<'c, 'a>,
) -> Result<(), Failure> {
    // SAFETY: nobody holds on to its operands.
    let mut mutable = unsafe { OperationRefMut::from_raw(user.to_raw()) };
    for place in 0..user.operand_count() {
        if user.operand(place)? == old {
            mutable.set_operand(place, new);
        }
    }
    Ok(())
}
