//! `memref.alloc` of sizes that the run knows: upstream multiplies them without a look at what that gives, so that buffers of more bytes than
//! numbers go to would be small ones. The runtime multiplies them first, and ends the process as where there is no memory.
//!
//! ```text
//! %0 = call @terrace_rt_room(%c4, %m) : (index, index) -> index
//! %1 = call @terrace_rt_room(%0, %n) : (index, index) -> index
//! %2 = memref.alloc(%m, %n) : memref<?x?xf32>
//! ```

use melior::ir::{OperationRef, ValueLike, attribute::FlatSymbolRefAttribute, operation::OperationLike};
use terrace_dialects::{
    cursor::{Cursor, V},
    operations::name_of,
    pass::Failure,
    shaped::Shaped,
    types::bytes,
};

/// What multiplies bytes by a size.
const ROOM: &str = "terrace_rt_room";

/// Whether an operation allocates memory of sizes that the run knows.
pub(super) fn is_open(op: OperationRef) -> bool {
    name_of(op) == "memref.alloc" && op.operand_count() > 0
}

/// Has the runtime look at the sizes before.
pub(super) fn look(op: OperationRef) -> Result<(), Failure> {
    let at = Cursor::before(op)?;
    let shaped = Shaped::expect(op.result(0)?.r#type())?;
    let known = shaped.shape.iter().copied().filter(|size| *size >= 0).fold(1, i64::saturating_mul);
    let element = bytes(shaped.element).ok_or("is of elements of no known size")?;
    let callee = at.named("callee", FlatSymbolRefAttribute::new(at.context, ROOM));
    let mut room: V = at.index(known.saturating_mul(element))?;
    for size in op.operands() {
        room = at.with("func.call", &[room, size], at.index_type(), &[callee])?;
    }
    Ok(())
}

/// Declares what looks at sizes.
pub(super) fn declare(module: &Cursor, declared: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let index = module.index_type();
    match declared(ROOM) {
        true => Ok(()),
        false => module.declare(ROOM, &[index, index], &[index], &[]).map(drop),
    }
}
