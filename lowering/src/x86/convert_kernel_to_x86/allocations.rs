//! `memref.alloc` of sizes that the run knows: upstream multiplies them without a look at what that gives, so
//! that buffers of more bytes than numbers go to would be small ones. The runtime multiplies them first, and
//! too many are an error as where there is no memory.
//!
//! ```text
//! %0 = call @terrace_rt_capacity(%c4, %m) : (index, index) -> index
//! %1 = call @terrace_rt_capacity(%0, %n) : (index, index) -> index
//! call @terrace_rt_check_capacity(%1) : (index) -> ()
//! %2 = memref.alloc(%m, %n) : memref<?x?xf32>
//! ```

use super::launch::call;
use melior::ir::{OperationRef, ValueLike, attribute::FlatSymbolRefAttribute};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Cursor, V},
        operations::name_of,
        pass::Failure,
        shaped::Shaped,
        types::bytes,
    },
};

/// What multiplies bytes by a size, and what looks at how many they are in the end: a size of 0 may come
/// last.
const ROOM: &str = "terrace_rt_capacity";
const CHECK_ROOM: &str = "terrace_rt_check_capacity";

/// The bytes of a buffer that the sizes of its type come to, where the run knows others.
fn known(op: OperationRef) -> Option<i64> {
    let is_open = name_of(op) == "memref.alloc" && op.operand_count() > 0;
    let shaped = Shaped::of(op.result_at(0).ok().filter(|_| is_open)?.r#type())?;
    let sizes = shaped.shape.iter().filter(|size| **size >= 0);
    Some(sizes.fold(bytes(shaped.element)?, |bytes, size| bytes.saturating_mul(*size)))
}

/// Whether an operation allocates memory of sizes that the run knows, of elements of known bytes.
pub(super) fn is_open(op: OperationRef) -> bool {
    known(op).is_some()
}

/// Has the runtime look at the sizes before.
pub(super) fn look(op: OperationRef) -> Result<(), Failure> {
    let at = Cursor::before(op)?;
    let callee = at.named("callee", FlatSymbolRefAttribute::new(at.context, ROOM));
    let mut room: V = at.index(known(op).ok_or(internal!("allocates no memory of open sizes"))?)?;
    for size in op.operands() {
        room = at.with("func.call", &[room, size], at.index_type(), &[callee])?;
    }
    call(&at, CHECK_ROOM, &[room])
}

/// Declares what looks at sizes.
pub(super) fn declare(module: &Cursor, declared: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let index = module.index_type();
    for (name, takes, gives) in [(ROOM, &[index; 2][..], &[index][..]), (CHECK_ROOM, &[index], &[])] {
        if !declared(name) {
            module.declare(name, takes, gives, &[])?;
        }
    }
    Ok(())
}
