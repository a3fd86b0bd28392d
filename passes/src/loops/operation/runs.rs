//! Short runs: a few elements that lie side by side in memory along one dimension, the next few along another
//! one.
//!
//! `%x[%r, %g * 4 + %c]` with `%c` below 4 has runs of 4 along `%c`, and the next run is that of the next
//! `%g`. Lanes along both are neighbours, lanes along one are too few or lie apart.

use super::{place, read::Loop};
use terrace_dialects::{
    analysis::dependence::{Form, Term},
    ir::OperationLike,
    ops::loop_,
};

/// Elements of f32 in a line of the cache: a run of as many has lanes of its own.
const LINE: i64 = 16;

/// The dimension of a reduction's runs and that of the next run, the same in whatever the inner domain moves;
/// both together fill a line.
pub(crate) fn short_run<'c: 'a, 'a>(nest: &Loop<'c, 'a>) -> Option<(usize, usize)> {
    let body = nest.end.operation().block()?;
    let inner = &nest.indices[nest.outer..];
    let moved = |load: &loop_::LoadOp<'c, 'a>| load.indices().iter().any(|index| inner.contains(index));
    let mut found = None;
    for load in nest.loads().filter(moved) {
        let (exprs, values) = place::of(load);
        let terms: Vec<Term> = values.iter().map(|value| Term::of(*value, &nest.indices, body)).collect();
        let form = Form::of(exprs.last()?, &terms)?;
        let along = |factor: i64| (0..nest.sizes.len()).find(|d| form.factor(*d) == factor);
        let run = along(1).filter(|d| nest.sizes[*d] > 1 && nest.sizes[*d] < LINE)?;
        let next = along(nest.sizes[run])?;
        let others = (nest.outer..nest.sizes.len()).filter(|d| *d != run);
        let fits = next < nest.outer
            && nest.sizes[run].saturating_mul(nest.sizes[next]) >= LINE
            && others.clone().all(|d| form.factor(d) == 0)
            && found.is_none_or(|known| known == (run, next));
        found = Some((run, next)).filter(|_| fits);
        found?;
    }
    found
}
