//! Where a member's value goes, with fewer dimensions.

use crate::emit::Emitter;
use melior::ir::{OperationRef, RegionLike};
use terrace_dialects::{
    ir::{cursor::V, operations::arguments, pass::Failure, rewrite::erase},
    loops::affine::{self, Expr},
    ops::loop_,
};

/// A value that a group puts into a destination.
pub(super) struct Insert<'c, 'a> {
    pub op: loop_::InsertOp<'c, 'a>,
    /// The operand of the group behind the destination, by its number among them.
    pub init: usize,
    /// An index of each dimension; None: all of it.
    pub slots: Vec<Option<Expr>>,
}

impl<'c: 'a, 'a> Insert<'c, 'a> {
    /// Reads one of a group's; None where what is there is combined with the value.
    pub fn of(group: loop_::GroupOp<'c, 'a>, op: OperationRef<'c, 'a>) -> Option<Self> {
        let op = loop_::InsertOp::try_from(op).ok().filter(|op| op.combiner().is_none())?;
        let mut destinations = arguments(group.body().first_block()?).skip(group.sizes().len());
        let init = destinations.position(|own| own == op.destination())?;
        let mut exprs = affine::exprs(op.map()).into_iter();
        let slots = op.whole().iter().map(|whole| if *whole { None } else { exprs.next() }).collect();
        Some(Self { op, init, slots })
    }

    /// Whether a dimension of the destination is at an index as it is.
    pub fn is_index(&self, slot: usize, index: V<'c, 'a>) -> bool {
        let at = self.slots.get(slot);
        matches!(at, Some(Some(Expr::Dim(d))) if self.op.indices().get(*d) == Some(&index))
    }

    /// Puts `:` in the place of `count` dimensions from `at` on.
    pub fn write(&self, at: usize, count: usize) -> Result<(), Failure> {
        let e = Emitter::before(self.op.operation())?;
        let slots = [&self.slots[..at], &[None], &self.slots[at + count..]].concat();
        let whole: Vec<bool> = slots.iter().map(Option::is_none).collect();
        let exprs: Vec<_> = slots.iter().flatten().map(|expr| expr.write(e.context)).collect();
        let (indices, map) = affine::access(e.context, &exprs, &self.op.indices());
        let (value, destination) = (self.op.value(), self.op.destination());
        e.insert(loop_::insert(e.location, &[], None, value, destination, &indices, map, &whole)?);
        erase(self.op.operation());
        Ok(())
    }
}
