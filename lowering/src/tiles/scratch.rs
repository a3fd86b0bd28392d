//! Scratch memory of a kernel's point: each `memref.alloca` at the head of the body.

use super::body::Body;
use melior::ir::{
    BlockLike, BlockRef, OperationRef, TypeLike, ValueLike,
    operation::{OperationLike, OperationResult},
};
use mlir_sys::*;
use terrace_dialects::{
    cursor::V,
    operations::{name_of, refuse},
    pass::Failure,
    shaped::Shaped,
    types::bytes,
};

/// One piece of it.
pub(crate) struct Scratch<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub shaped: Shaped<'c>,
    pub bytes: i64,
}

impl<'c: 'a, 'a> Scratch<'c, 'a> {
    /// All of a kernel's, in order; what is wrong with one whose size is not known.
    pub fn all(body: BlockRef<'c, 'a>) -> Result<Vec<Self>, (OperationRef<'c, 'a>, &'static str)> {
        let operations = std::iter::successors(body.first_operation(), |op| op.next_in_block());
        operations.filter(|op| name_of(*op) == "memref.alloca").map(Self::of).collect()
    }

    fn of(op: OperationRef<'c, 'a>) -> Result<Self, (OperationRef<'c, 'a>, &'static str)> {
        const WHY: &str = "is scratch memory of a kernel: expects numbers in row-major order, of static size";
        let known = || {
            let ty = op.result(0).ok()?.r#type();
            let shaped = Shaped::of(ty)?;
            let row_major = unsafe { mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(ty.to_raw())) };
            let elements = shaped.elements().filter(|_| row_major)?;
            let bytes = elements.checked_mul(bytes(shaped.element)?)?;
            Some(Self { op, shaped, bytes })
        };
        known().ok_or((op, WHY))
    }

    /// The bytes of several, each from a place on that 64 divides.
    pub fn total(all: &[Self]) -> i64 {
        all.iter().fold(0, |n, one| n.saturating_add(one.bytes.saturating_add(63) & !63))
    }
}

/// Whether a memref is scratch memory itself.
pub(crate) fn is_scratch(memref: V) -> bool {
    OperationResult::try_from(memref).is_ok_and(|r| name_of(r.owner()) == "memref.alloca")
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    /// A `memref.alloca`: what stands at the head of the body is there already.
    pub(super) fn scratch(&self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        if self.get(op.result(0)?.into()).is_ok() {
            return Ok(());
        }
        Err(refuse(
            op,
            "stands inside a loop or a branch: scratch memory of a kernel is at the head of its body",
        ))
    }
}
