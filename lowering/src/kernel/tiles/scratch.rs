//! Scratch memory of a kernel's point: each `memref.alloca` at the head of the body.

use melior::ir::{BlockRef, OperationRef, ValueLike};
use terrace_dialects::ir::{
    BlockLike, OperationLike,
    cursor::V,
    operations::{self, name_of},
    shaped::Shaped,
    types::{bytes, has_identity_layout},
};

/// One piece of it.
pub(crate) struct Scratch<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub shaped: Shaped<'c>,
    /// None where a size is an argument of the kernel.
    pub bytes: Option<i64>,
}

impl<'c: 'a, 'a> Scratch<'c, 'a> {
    /// All of a kernel's, in order; what is wrong with one that is none.
    pub fn all(body: BlockRef<'c, 'a>) -> Result<Vec<Self>, (OperationRef<'c, 'a>, &'static str)> {
        let operations = std::iter::successors(body.first_operation(), |op| op.next_in_block());
        operations.filter(|op| name_of(*op) == "memref.alloca").map(Self::of).collect()
    }

    fn of(op: OperationRef<'c, 'a>) -> Result<Self, (OperationRef<'c, 'a>, &'static str)> {
        const WHY: &str = "is scratch memory of a kernel: expects numbers in row-major order";
        let known = || {
            let ty = op.result_at(0).ok()?.r#type();
            let shaped = Shaped::of(ty)?;
            let element = bytes(shaped.element).filter(|_| has_identity_layout(ty))?;
            let bytes = match shaped.elements() {
                Some(elements) => Some(elements.checked_mul(element)?),
                None => None,
            };
            Some(Self { op, shaped, bytes })
        };
        known().ok_or((op, WHY))
    }

    /// The bytes of several, each from a place on that 64 divides; of a size of the run as many as there are.
    pub fn total(all: &[Self]) -> i64 {
        let bytes = |one: &Self| one.bytes.map_or(i64::MAX, |bytes| bytes.saturating_add(63) & !63);
        all.iter().map(bytes).fold(0, i64::saturating_add)
    }
}

/// Whether a memref is scratch memory itself.
pub(crate) fn is_scratch(memref: V) -> bool {
    operations::definition(memref).is_some_and(|op| name_of(op) == "memref.alloca")
}
