//! A layout as a chain of named views of another layout: what a strided triple means in terms of shapes.
//!
//! `recognize(base, target)` finds steps from a tensor that has the elements of `base`, in its order, to one
//! that has the elements of `target`. The chain's length is bounded by the rank, however long the chain of
//! views was that made the target. Three forms are tried:
//!
//! 1. *Direct*: each dimension of the target walks along one dimension of the base (a slice), or along two of
//!    them in
//!    step (a diagonal); dimensions that nothing walks along are selected from.
//! 2. *Reshaped*: dimensions of the base that lie packed inside each other are one run; the target's strides
//!    cut the run
//!    into other dimensions (a view), of which it takes slices.
//! 3. *Strided*: where the base is one run, `as_strided` over its places says everything else.
//!
//! A permutation, dimensions of size 1 and repetition (`expand`) come last. The base must be *nested*: by
//! descending stride, each stride is greater than all that the later dimensions reach, so that a place has
//! one set of coordinates.

mod chain;
mod rows;
#[cfg(test)]
mod tests;

use super::Layout;
use chain::Chain;
pub use chain::Step;
use terrace_size::{Number, sort_where};

/// A dimension of the base with more than one index, and the target's first coordinate in it.
struct Axis<N> {
    dim: usize,
    size: N,
    stride: N,
    at: N,
}

/// Coordinates of a place, relative to the base's offset, in axes by descending stride.
fn coordinates<N: Number>(axes: &[(N, N)], place: N) -> Option<Vec<N>> {
    let mut rest = place;
    let mut out = vec![];
    for (size, stride) in axes {
        // Before the first place there is nothing.
        if rest.assume_lt(N::ZERO) {
            return None;
        }
        // Asked first: of sizes that are not known the quotient would be one that nothing is known of.
        let at = if rest.assume_lt(*stride) { N::ZERO } else { rest / *stride };
        if at.assume_ge(*size) {
            return None;
        }
        rest = rest - at * *stride;
        out.push(at);
    }
    rest.assume_eq(0).then_some(out)
}

/// Whether every place of the layout has one set of coordinates that greedy division finds.
pub fn is_nested<N: Number>(base: &Layout<N>) -> bool {
    let mut dims: Vec<(N, N)> = base.moving().collect();
    sort_where(&mut dims, |(_, a), (_, b)| a.assume_lt(*b));
    let mut reach = N::ZERO;
    dims.iter().all(|(n, s)| {
        let above = s.assume_gt(reach);
        reach = reach + (*n - N::ONE) * *s;
        above
    })
}

/// The steps from `base` to `target` that are known without a guard: of the first elements of each dimension,
/// of one index of a dimension, of all in other dimensions, and of what lies inside of rows that stay; any of
/// them may be repeated. None where there are none of these, or all sizes are numbers, of which nothing has
/// to be asked. Either layout may be empty.
pub fn known_steps<N: Number>(base: &Layout<N>, target: &Layout<N>) -> Option<Vec<Step<N>>> {
    if [base, target].iter().all(|layout| layout.sizes.iter().all(|size| size.known().is_some())) {
        return None;
    }
    let repeated = |d: usize| target.strides[d].known() == Some(0) && target.sizes[d].known() != Some(1);
    if !(0..target.rank()).any(repeated) {
        return first_elements(base, target)
            .or_else(|| in_other_dimensions(base, target))
            .or_else(|| selected(base, target))
            .or_else(|| narrowed(base, target))
            .or_else(|| rows::in_rows(base, target));
    }
    let mut once = target.clone();
    (0..target.rank()).filter(|d| repeated(*d)).for_each(|d| once.sizes[d] = N::ONE);
    let mut steps = known_steps(base, &once)?;
    steps.push(Step::Expand(target.sizes.clone()));
    Some(steps)
}

/// The index of a dimension at which elements begin at an offset: the first, the last, or one that strides in
/// numbers tell.
fn index_at<N: Number>(base: &Layout<N>, dim: usize, offset: N) -> Option<N> {
    let (size, stride) = (base.sizes[dim], base.strides[dim]);
    let is_at = |index: &N| offset.is_same(base.offset + *index * stride);
    let told = || {
        let (far, stride) = ((offset - base.offset).known()?, stride.known()?);
        (stride > 0 && far % stride == 0).then(|| N::from(far / stride))
    };
    let is_there = |index: &N| N::ZERO.is_at_most(*index) && (*index + N::ONE).is_at_most(size);
    [N::ZERO, size - N::ONE].into_iter().chain(told()).find(is_at).filter(is_there)
}

/// The steps where the target has one index of a dimension.
fn selected<N: Number>(base: &Layout<N>, target: &Layout<N>) -> Option<Vec<Step<N>>> {
    if base.rank() != target.rank() + 1 {
        return None;
    }
    (0..base.rank()).find_map(|dim| {
        let index = index_at(base, dim, target.offset)?;
        let rest = Layout { offset: target.offset, ..base.select(dim, N::ZERO) };
        let steps = first_elements(&rest, target)?;
        Some([Step::Select { dim, index }].into_iter().chain(steps).collect())
    })
}

/// The steps where the target has one index of a dimension, which stays.
fn narrowed<N: Number>(base: &Layout<N>, target: &Layout<N>) -> Option<Vec<Step<N>>> {
    if base.rank() != target.rank() {
        return None;
    }
    (0..base.rank()).filter(|d| target.sizes[*d].known() == Some(1)).find_map(|dim| {
        let start = index_at(base, dim, target.offset)?;
        let mut rest = Layout { offset: target.offset, ..base.clone() };
        rest.sizes[dim] = N::ONE;
        let steps = first_elements(&rest, target)?;
        Some([Step::Slice { dim, start, length: N::ONE, step: N::ONE }].into_iter().chain(steps).collect())
    })
}

/// The steps where both have the same places, each once.
fn in_other_dimensions<N: Number>(base: &Layout<N>, target: &Layout<N>) -> Option<Vec<Step<N>>> {
    if !base.offset.is_same(target.offset) || !base.numel().is_same(target.numel()) {
        return None;
    }
    let (from, to) = (base.packed_order()?, target.packed_order()?);
    let sizes =
        |layout: &Layout<N>, order: &[usize]| -> Vec<N> { order.iter().map(|d| layout.sizes[*d]).collect() };
    let is_order = |order: &[usize]| order.iter().copied().eq(0..order.len());
    let (own, wanted) = (sizes(base, &from), sizes(target, &to));
    let mut steps = vec![];
    if !is_order(&from) {
        steps.push(Step::Permute(from));
    }
    if own.len() != wanted.len() || !own.iter().zip(&wanted).all(|(a, b)| a.is_same(*b)) {
        steps.push(Step::View(wanted));
    }
    if !is_order(&to) {
        let mut back = vec![0; to.len()];
        to.iter().enumerate().for_each(|(place, dim)| back[*dim] = place);
        match steps.last_mut() {
            Some(Step::Permute(order)) => *order = back.iter().map(|place| order[*place]).collect(),
            _ => steps.push(Step::Permute(back)),
        }
    }
    steps.retain(|step| !matches!(step, Step::Permute(order) if is_order(order)));
    Some(steps)
}

/// The steps where the target has the first elements of each dimension.
fn first_elements<N: Number>(base: &Layout<N>, target: &Layout<N>) -> Option<Vec<Step<N>>> {
    let fits = |d: usize| {
        let (own, part) = (base.sizes[d], target.sizes[d]);
        (part.is_same(own) || part.is_at_most(own))
            && (own.known() == Some(1) || base.strides[d].is_same(target.strides[d]))
    };
    let same = base.rank() == target.rank() && base.offset.is_same(target.offset);
    if !same || !(0..base.rank()).all(fits) {
        return None;
    }
    let shorter = (0..base.rank()).filter(|d| !target.sizes[*d].is_same(base.sizes[*d]));
    let slice = |dim| Step::Slice { dim, start: N::ZERO, length: target.sizes[dim], step: N::ONE };
    Some(shorter.map(slice).collect())
}

/// The steps from `base` to `target`; None where the target has elements that the base has not, where the
/// base is not nested, or where neither views nor one `as_strided` say it. Neither layout may be empty.
pub fn recognize<N: Number>(base: &Layout<N>, target: &Layout<N>) -> Option<Vec<Step<N>>> {
    if base.same_elements(target) {
        return Some(vec![]);
    }
    if let Some(steps) = known_steps(base, target) {
        return Some(steps);
    }
    if !is_nested(base) || base.is_empty() || target.is_empty() {
        return None;
    }
    let mut dims: Vec<usize> = (0..base.rank()).filter(|d| base.sizes[*d].assume_gt(N::ONE)).collect();
    sort_where(&mut dims, |a, b| base.strides[*b].assume_lt(base.strides[*a]));
    let plain: Vec<(N, N)> = dims.iter().map(|d| (base.sizes[*d], base.strides[*d])).collect();
    let first = target.offset - base.offset;
    let at = coordinates(&plain, first)?;
    let axes: Vec<Axis<N>> = dims
        .iter()
        .zip(at)
        .map(|(d, at)| Axis { dim: *d, size: base.sizes[*d], stride: base.strides[*d], at })
        .collect();
    let once = target.without_repeats();
    let mut steps = direct(base, &once, &axes)
        .or_else(|| reshaped(base, &once, &axes))
        .or_else(|| strided(base, &once, &axes))?;
    if !N::assume_same(&once.sizes, &target.sizes) {
        steps.push(Step::Expand(target.sizes.clone()));
    }
    Some(steps)
}

/// What a dimension of the target does in the base.
enum Walk<N> {
    Along { axis: usize, step: N },
    Diagonal { axes: [usize; 2], step: N },
}

fn walk<N: Number>(axes: &[Axis<N>], size: N, stride: N) -> Option<Walk<N>> {
    let plain: Vec<(N, N)> = axes.iter().map(|a| (a.size, a.stride)).collect();
    let place = axes.iter().map(|a| a.at * a.stride).sum::<N>();
    let next = coordinates(&plain, place.saturating_add(stride))?;
    let moved: Vec<usize> = (0..axes.len()).filter(|i| next[*i].assume_ne(axes[*i].at)).collect();
    let step = next[*moved.first()?] - axes[moved[0]].at;
    let fits = moved.iter().all(|i| {
        let a = &axes[*i];
        (next[*i] - a.at).assume_eq(step)
            && step.assume_gt(N::ZERO)
            && (a.at + step * (size - N::ONE)).assume_lt(a.size)
    });
    match (fits, moved.as_slice()) {
        (true, [axis]) => Some(Walk::Along { axis: *axis, step }),
        (true, [p, q]) => {
            let (p, q) = if axes[*p].dim < axes[*q].dim { (*p, *q) } else { (*q, *p) };
            Some(Walk::Diagonal { axes: [p, q], step })
        }
        _ => None,
    }
}

fn direct<N: Number>(base: &Layout<N>, target: &Layout<N>, axes: &[Axis<N>]) -> Option<Vec<Step<N>>> {
    let mut used = vec![false; axes.len()];
    let mut take = |axis: usize| !std::mem::replace(&mut used[axis], true);
    let mut walks = vec![];
    for (n, s) in target.sizes.iter().zip(&target.strides) {
        if n.assume_eq(1) {
            walks.push(None);
            continue;
        }
        let walk = walk(axes, *n, *s)?;
        let free = match &walk {
            Walk::Along { axis, .. } => take(*axis),
            Walk::Diagonal { axes: [p, q], .. } => take(*p) && take(*q),
        };
        if !free {
            return None;
        }
        walks.push(Some(walk));
    }
    let mut chain = Chain::new(&base.sizes);
    let mut walked = vec![None; walks.len()];
    for (j, walk) in walks.iter().enumerate() {
        let Some(Walk::Diagonal { axes: [p, q], step }) = walk else { continue };
        let (p, q) = (&axes[*p], &axes[*q]);
        let (dim1, dim2) = (chain.place(p.dim), chain.place(q.dim));
        chain.push(Step::Diagonal { offset: (q.at - p.at).known()?, dim1, dim2 });
        chain.names.retain(|n| *n != p.dim && *n != q.dim);
        let name = base.rank() + j;
        chain.names.push(name);
        chain.slice(name, p.at.assume_min(q.at), target.sizes[j], *step);
        walked[j] = Some(name);
    }
    let unused: Vec<&Axis<N>> = axes.iter().zip(&used).filter(|(_, u)| !**u).map(|(a, _)| a).collect();
    let ones = base.sizes.iter().filter(|n| n.assume_eq(1)).count();
    let wanted = target.sizes.iter().filter(|n| n.assume_eq(1)).count();
    for a in &unused {
        // A dimension that is not walked along stays, with one index, where the target has a place for it.
        if ones + unused.len() == wanted {
            chain.slice(a.dim, a.at, N::ONE, N::ONE);
        } else {
            chain.select(a.dim, a.at);
        }
    }
    for (j, walk) in walks.iter().enumerate() {
        let Some(Walk::Along { axis, step }) = walk else { continue };
        chain.slice(axes[*axis].dim, axes[*axis].at, target.sizes[j], *step);
        walked[j] = Some(axes[*axis].dim);
    }
    Some(chain.finish(&walked, &target.sizes))
}

/// Dimensions of the base that lie packed inside each other.
struct Run<N> {
    size: N,
    stride: N,
    at: N,
}

fn runs<N: Number>(axes: &[Axis<N>]) -> Vec<Run<N>> {
    let mut out: Vec<Run<N>> = vec![];
    for a in axes {
        match out.last_mut() {
            Some(run) if run.stride.assume_eq(a.stride * a.size) => {
                *run = Run { size: run.size * a.size, stride: a.stride, at: run.at * a.size + a.at };
            }
            _ => out.push(Run { size: a.size, stride: a.stride, at: a.at }),
        }
    }
    out
}

/// The order that brings the base's dimensions to descending strides.
fn storage_order<N: Number>(base: &Layout<N>, axes: &[Axis<N>]) -> Vec<usize> {
    let ones = (0..base.rank()).filter(|d| base.sizes[*d].assume_eq(1));
    let in_order = axes.windows(2).all(|w| w[0].dim < w[1].dim);
    if in_order { (0..base.rank()).collect() } else { ones.chain(axes.iter().map(|a| a.dim)).collect() }
}

/// How a run is cut: its part, the dimensions that the part becomes, and in each of them a start and, where
/// the target walks along it, the target's dimension and its step.
struct Cut<N> {
    start: N,
    length: N,
    sizes: Vec<N>,
    picks: Vec<(N, Option<(usize, N)>)>,
}

/// Cuts `length` places from coordinate `at` on by the given dimensions of the target: (dimension, size,
/// step), by descending step.
fn cut<N: Number>(start: N, length: N, at: N, walks: &[(usize, N, N)]) -> Option<Cut<N>> {
    let mut out = Cut { start, length, sizes: vec![], picks: vec![] };
    let mut block = length;
    let Some(((dim, n, step), outer)) = walks.split_last() else {
        return Some(Cut { sizes: vec![length], picks: vec![(at, None)], ..out });
    };
    for (dim, n, step) in outer {
        let from = at % block / *step;
        if (block % *step).assume_ne(0) || (from + *n).assume_gt(block / *step) {
            return None;
        }
        out.sizes.push(block / *step);
        out.picks.push((from, Some((*dim, N::ONE))));
        block = *step;
    }
    let from = at % block;
    if (from + *step * (*n - N::ONE)).assume_ge(block) {
        return None;
    }
    out.sizes.push(block);
    out.picks.push((from, Some((*dim, *step))));
    Some(out)
}

fn reshaped<N: Number>(base: &Layout<N>, target: &Layout<N>, axes: &[Axis<N>]) -> Option<Vec<Step<N>>> {
    let runs = runs(axes);
    let as_axes: Vec<Axis<N>> = runs
        .iter()
        .enumerate()
        .map(|(dim, r)| Axis { dim, size: r.size, stride: r.stride, at: r.at })
        .collect();
    let mut walks: Vec<Vec<(usize, N, N)>> = vec![vec![]; runs.len()];
    for (j, (n, s)) in
        target.sizes.iter().zip(&target.strides).enumerate().filter(|(_, (n, _))| n.assume_gt(N::ONE))
    {
        let Walk::Along { axis, step } = walk(&as_axes, *n, *s)? else { return None };
        walks[axis].push((j, *n, step));
    }
    let mut cuts = vec![];
    for (run, walks) in runs.iter().zip(&mut walks) {
        sort_where(walks, |(_, _, a), (_, _, b)| b.assume_lt(*a));
        let whole = cut(N::ZERO, run.size, run.at, walks);
        cuts.push(match (whole, walks.first()) {
            (Some(c), _) => c,
            // A part of the run that the outermost dimension divides evenly.
            (None, Some((_, n, step))) => {
                let length = Some(n.saturating_mul(*step)).filter(|l| l.assume_le(run.size))?;
                let start = run.at.assume_min(run.size - length);
                cut(start, length, run.at - start, walks)?
            }
            (None, None) => return None,
        });
    }
    let mut chain = Chain::new(&base.sizes);
    chain.permute(&storage_order(base, axes));
    if cuts.iter().zip(&runs).any(|(c, r)| c.length.assume_ne(r.size)) {
        chain.reshape(&runs.iter().map(|r| r.size).collect::<Vec<_>>());
        chain.names = (0..runs.len()).collect();
        for (i, c) in cuts.iter().enumerate() {
            chain.slice(i, c.start, c.length, N::ONE);
        }
    }
    chain.reshape(&cuts.iter().flat_map(|c| c.sizes.iter().copied()).collect::<Vec<_>>());
    chain.names = (0..chain.sizes.len()).collect();
    let mut walked = vec![None; target.rank()];
    for (name, (start, pick)) in cuts.iter().flat_map(|c| &c.picks).enumerate() {
        match pick {
            None => chain.select(name, *start),
            Some((j, step)) => {
                chain.slice(name, *start, target.sizes[*j], *step);
                walked[*j] = Some(name);
            }
        }
    }
    Some(chain.finish(&walked, &target.sizes))
}

fn strided<N: Number>(base: &Layout<N>, target: &Layout<N>, axes: &[Axis<N>]) -> Option<Vec<Step<N>>> {
    let runs = runs(axes);
    let (unit, at) = match runs.as_slice() {
        [] => (N::ONE, N::ZERO),
        [run] => (run.stride, run.at),
        _ => return None,
    };
    let mut strides = vec![];
    for (n, s) in target.sizes.iter().zip(&target.strides) {
        if n.assume_gt(N::ONE) && (*s % unit).assume_ne(0) {
            return None;
        }
        strides.push(if n.assume_gt(N::ONE) { *s / unit } else { N::ONE });
    }
    let strided = Layout { sizes: target.sizes.clone(), strides, offset: at };
    if strided.end().assume_gt(runs.first().map_or(N::ONE, |r| r.size)) {
        return None;
    }
    let mut chain = Chain::new(&base.sizes);
    chain.permute(&storage_order(base, axes));
    chain.push(Step::AsStrided(strided));
    Some(chain.steps)
}
