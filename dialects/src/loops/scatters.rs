//! Points of a `loop.scatter` that write one element: what becomes of it, and in which dimensions of the domain they may
//! meet.

use crate::{
    loops::affine::{self, Expr},
    ops::{Combiner, loop_},
};
use melior::ir::{Attribute, Value};

/// What becomes of an element that several points write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// They write the same value.
    Alike,
    /// The last point in row-major order wins.
    Ordered,
    /// What they write is combined, from the old value on.
    Combined(Combiner),
}

impl Meeting {
    /// What the operation says.
    pub fn of(op: loop_::ScatterOp) -> Self {
        match op.combiner() {
            Some(combiner) => Self::Combined(combiner),
            None if op.ordered().is_some() => Self::Ordered,
            None => Self::Alike,
        }
    }
}

/// For each index of a domain, whether points that differ in it alone may write one element at `map` of `operands`. Not
/// where an expression is linear in the index and in nothing else: then all points that differ in it write different ones.
pub fn may_meet<'c, 'a>(
    indices: &[Value<'c, 'a>],
    map: Attribute<'c>,
    operands: &[Value<'c, 'a>],
) -> Vec<bool> {
    let exprs = affine::exprs(map);
    let tells_apart = |index: &Value<'c, 'a>, expr: &Expr| {
        let mut used = vec![];
        expr.dims(&mut used);
        let alone = !used.is_empty() && used.iter().all(|d| operands[*d] == *index);
        let linear = expr.linear().filter(|_| alone);
        linear.is_some_and(|linear| used.iter().map(|d| linear.factor(*d)).sum::<i64>() != 0)
    };
    indices.iter().map(|index| !exprs.iter().any(|expr| tells_apart(index, expr))).collect()
}
