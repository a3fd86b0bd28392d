//! Where accesses are, by the indices of the operation that they stand in.

use super::{range_of, read::Loop};
use terrace_dialects::{
    ir::{cursor::V, operations::key},
    loops::{
        affine::{self, Expr, Range},
        scatters::{is_same_place, may_meet},
    },
    ops::loop_,
};

/// The expressions of a load, by dimension of its source, and their operands.
pub(crate) fn of<'c, 'a>(load: loop_::LoadOp<'c, 'a>) -> (Vec<Expr>, Vec<V<'c, 'a>>) {
    (affine::exprs(load.map()), load.indices())
}

/// The value that dimension `d` of a load's place is, as it is.
pub(crate) fn index<'c, 'a>(load: loop_::LoadOp<'c, 'a>, d: usize) -> Option<V<'c, 'a>> {
    match affine::exprs(load.map()).get(d)? {
        Expr::Dim(i) => load.indices().get(*i).copied(),
        _ => None,
    }
}

/// Whether a load reads, in dimension `d` of its source, the operation's own index in its dimension `own`.
pub(crate) fn is_index(load: loop_::LoadOp, d: usize, of: &Loop, own: usize) -> bool {
    index(load, d).is_some_and(|value| of.indices.get(own) == Some(&value))
}

/// Elements of the last dimension that lie in one line of a cache, about.
const LINE: i64 = 16;

/// Whether two loads, of any points of their operations, may read elements of one line of a cache.
pub(crate) fn reads_may_meet(a: loop_::LoadOp, b: loop_::LoadOp) -> bool {
    let ranges = |load: loop_::LoadOp| -> Vec<Range> {
        let (exprs, values) = of(load);
        let values: Vec<Range> = values.into_iter().map(range_of).collect();
        exprs.iter().map(|expr| expr.range(&values)).collect()
    };
    let (a_ranges, b_ranges) = (ranges(a), ranges(b));
    let last = a_ranges.len().saturating_sub(1);
    let meet = |(d, (a, b)): (usize, (&Range, &Range))| {
        let span = a.high.max(b.high).saturating_sub(a.low.min(b.low));
        a.low <= b.high && b.low <= a.high || d == last && span < LINE
    };
    a.source() == b.source() && a_ranges.iter().zip(&b_ranges).enumerate().all(meet)
}

/// Whether a load reads exactly the element that the operation's point writes. In a dimension of size 1 that
/// is at 0.
pub(crate) fn is_own(load: loop_::LoadOp, of: &Loop) -> bool {
    let exprs = affine::exprs(load.map());
    let is_only = |d: usize| of.sizes[d] == 1 && exprs[d] == Expr::Constant(0);
    exprs.len() == of.outer && (0..of.outer).all(|d| is_index(load, d, of, d) || is_only(d))
}

/// Whether a load reads, of each point, the element that a scatter over the same points writes, and no other
/// point of it does.
pub(crate) fn is_written<'c: 'a, 'a>(
    load: loop_::LoadOp<'c, 'a>,
    of: &Loop<'c, 'a>,
    scatter: &Loop<'c, 'a>,
) -> bool {
    let Some(map) = scatter.end.map() else { return false };
    let (read, written) = (load.indices(), scatter.end.indices());
    let name = |value: V<'c, 'a>| {
        let own = |of: &Loop<'c, 'a>| of.indices.iter().position(|index| *index == value);
        own(of).or_else(|| own(scatter)).unwrap_or_else(|| key(value))
    };
    loop_::ScatterOp::try_from(scatter.op).is_ok_and(|scatter| scatter.combiner().is_none())
        && !may_meet(&scatter.indices, map, &written).contains(&true)
        && is_same_place((load.map(), &read), (map, &written), name)
}
