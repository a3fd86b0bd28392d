//! Points of a `loop.scatter` that write one element: what becomes of it, and in which dimensions of the
//! domain they may meet.

use crate::{
    ir::{
        BlockLike,
        operations::{arguments, key},
    },
    loops::affine::{self, Expr},
    ops::{Combiner, loop_},
};
use melior::ir::{Attribute, RegionLike, Value};
use std::collections::BTreeMap;

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

/// For each index of a domain, whether points that differ in it alone may write one element at `map` of
/// `operands`. Not where an expression is linear in the index and in nothing else: then all points that
/// differ in it write different ones.
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

/// A place: expressions, and what their dimensions are.
pub type Place<'c, 'a, 'p> = (Attribute<'c>, &'p [Value<'c, 'a>]);

/// Whether two places are the same for sure; values that `name` names alike are the same.
pub fn is_same_place<'c, 'a>(
    a: Place<'c, 'a, '_>,
    b: Place<'c, 'a, '_>,
    name: impl Fn(Value<'c, 'a>) -> usize,
) -> bool {
    let form = |expr: &Expr, operands: &[Value<'c, 'a>]| {
        let (linear, mut used) = (expr.linear()?, vec![]);
        expr.dims(&mut used);
        let mut factors = BTreeMap::new();
        used.sort_unstable();
        used.dedup();
        for dim in used {
            *factors.entry(name(*operands.get(dim)?)).or_insert(0) += linear.factor(dim);
        }
        factors.retain(|_, factor| *factor != 0);
        Some((factors, linear.constant))
    };
    let (own, other) = (affine::exprs(a.0), affine::exprs(b.0));
    own.len() == other.len()
        && own
            .iter()
            .zip(&other)
            .all(|(own, other)| form(own, a.1).is_some_and(|own| Some(own) == form(other, b.1)))
}

/// Whether a load in the body of a scatter without a combiner reads, of the destination, the element that its
/// point writes, and no other point does.
pub fn reads_own<'c, 'a>(op: loop_::ScatterOp<'c, 'a>, load: loop_::LoadOp<'c, 'a>) -> bool {
    let Some(block) = op.body().first_block() else { return false };
    let Some(end) = block.terminator().and_then(|end| loop_::YieldOp::try_from(end).ok()) else {
        return false;
    };
    let Some(map) = end.map() else { return false };
    let (written, read) = (end.indices(), load.indices());
    let indices: Vec<Value> = arguments(block).collect();
    load.source() == op.init()
        && op.combiner().is_none()
        && !may_meet(&indices, map, &written).contains(&true)
        && is_same_place((load.map(), &read), (map, &written), key)
}
