//! A layout as a chain of named views of another layout: what a strided triple means in terms of shapes.
//!
//! `recognize(base, target)` finds steps from a tensor that has the elements of `base`, in its order, to one that has
//! the elements of `target`. The chain's length is bounded by the rank, however long the chain of views was that made
//! the target. Three forms are tried:
//!
//! 1. *Direct*: each dimension of the target walks along one dimension of the base (a slice), or along two of them in
//!    step (a diagonal); dimensions that nothing walks along are selected from.
//! 2. *Reshaped*: dimensions of the base that lie packed inside each other are one run; the target's strides cut the run
//!    into other dimensions (a view), of which it takes slices.
//! 3. *Strided*: where the base is one run, `as_strided` over its places says everything else.
//!
//! A permutation, dimensions of size 1 and repetition (`expand`) come last. The base must be *nested*: by descending
//! stride, each stride is greater than all that the later dimensions reach, so that a place has one set of coordinates.

mod chain;
#[cfg(test)]
mod tests;

use super::Layout;
use chain::Chain;
pub use chain::Step;

/// A dimension of the base with more than one index, and the target's first coordinate in it.
struct Axis {
    dim: usize,
    size: i64,
    stride: i64,
    at: i64,
}

/// Coordinates of a place, relative to the base's offset, in axes by descending stride.
fn coordinates(axes: &[(i64, i64)], place: i64) -> Option<Vec<i64>> {
    let mut rest = place;
    let mut out = vec![];
    for (size, stride) in axes {
        let at = rest.div_euclid(*stride);
        if !(0..*size).contains(&at) {
            return None;
        }
        rest -= at * stride;
        out.push(at);
    }
    (rest == 0).then_some(out)
}

/// Whether every place of the layout has one set of coordinates that greedy division finds.
pub fn is_nested(base: &Layout) -> bool {
    let mut dims: Vec<(i64, i64)> = base.moving().collect();
    dims.sort_by_key(|(_, s)| *s);
    let mut reach = 0;
    dims.iter().all(|(n, s)| {
        let above = *s > reach;
        reach += (n - 1) * s;
        above
    })
}

/// The steps from `base` to `target`; None where the target has elements that the base has not, where the base is not
/// nested, or where neither views nor one `as_strided` say it. Neither layout may be empty.
pub fn recognize(base: &Layout, target: &Layout) -> Option<Vec<Step>> {
    if base.same_elements(target) {
        return Some(vec![]);
    }
    if !is_nested(base) || base.is_empty() || target.is_empty() {
        return None;
    }
    let mut dims: Vec<usize> = (0..base.rank()).filter(|d| base.sizes[*d] > 1).collect();
    dims.sort_by_key(|d| std::cmp::Reverse(base.strides[*d]));
    let plain: Vec<(i64, i64)> = dims.iter().map(|d| (base.sizes[*d], base.strides[*d])).collect();
    let first = target.offset - base.offset;
    let at = coordinates(&plain, first)?;
    let axes: Vec<Axis> = dims
        .iter()
        .zip(at)
        .map(|(d, at)| Axis { dim: *d, size: base.sizes[*d], stride: base.strides[*d], at })
        .collect();
    let once = target.without_repeats();
    let mut steps = direct(base, &once, &axes)
        .or_else(|| reshaped(base, &once, &axes))
        .or_else(|| strided(base, &once, &axes))?;
    if once.sizes != target.sizes {
        steps.push(Step::Expand(target.sizes.clone()));
    }
    Some(steps)
}

/// What a dimension of the target does in the base.
enum Walk {
    Along { axis: usize, step: i64 },
    Diagonal { axes: [usize; 2], step: i64 },
}

fn walk(axes: &[Axis], size: i64, stride: i64) -> Option<Walk> {
    let plain: Vec<(i64, i64)> = axes.iter().map(|a| (a.size, a.stride)).collect();
    let place = axes.iter().map(|a| a.at * a.stride).sum::<i64>();
    let next = coordinates(&plain, place.checked_add(stride)?)?;
    let moved: Vec<usize> = (0..axes.len()).filter(|i| next[*i] != axes[*i].at).collect();
    let step = next[*moved.first()?] - axes[moved[0]].at;
    let fits = moved.iter().all(|i| {
        let a = &axes[*i];
        next[*i] - a.at == step && step > 0 && a.at + step * (size - 1) < a.size
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

fn direct(base: &Layout, target: &Layout, axes: &[Axis]) -> Option<Vec<Step>> {
    let mut used = vec![false; axes.len()];
    let mut take = |axis: usize| !std::mem::replace(&mut used[axis], true);
    let mut walks = vec![];
    for (n, s) in target.sizes.iter().zip(&target.strides) {
        if *n == 1 {
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
        chain.push(Step::Diagonal { offset: q.at - p.at, dim1, dim2 });
        chain.names.retain(|n| *n != p.dim && *n != q.dim);
        let name = base.rank() + j;
        chain.names.push(name);
        chain.slice(name, p.at.min(q.at), target.sizes[j], *step);
        walked[j] = Some(name);
    }
    let unused: Vec<&Axis> = axes.iter().zip(&used).filter(|(_, u)| !**u).map(|(a, _)| a).collect();
    let ones = base.sizes.iter().filter(|n| **n == 1).count();
    let wanted = target.sizes.iter().filter(|n| **n == 1).count();
    for a in &unused {
        // A dimension that is not walked along stays, with one index, where the target has a place for it.
        if ones + unused.len() == wanted {
            chain.slice(a.dim, a.at, 1, 1);
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
struct Run {
    size: i64,
    stride: i64,
    at: i64,
}

fn runs(axes: &[Axis]) -> Vec<Run> {
    let mut out: Vec<Run> = vec![];
    for a in axes {
        match out.last_mut() {
            Some(run) if run.stride == a.stride * a.size => {
                *run = Run { size: run.size * a.size, stride: a.stride, at: run.at * a.size + a.at };
            }
            _ => out.push(Run { size: a.size, stride: a.stride, at: a.at }),
        }
    }
    out
}

/// The order that brings the base's dimensions to descending strides.
fn storage_order(base: &Layout, axes: &[Axis]) -> Vec<usize> {
    let ones = (0..base.rank()).filter(|d| base.sizes[*d] == 1);
    let in_order = axes.windows(2).all(|w| w[0].dim < w[1].dim);
    if in_order { (0..base.rank()).collect() } else { ones.chain(axes.iter().map(|a| a.dim)).collect() }
}

/// How a run is cut: its part, the dimensions that the part becomes, and in each of them a start and, where the target
/// walks along it, the target's dimension and its step.
struct Cut {
    start: i64,
    length: i64,
    sizes: Vec<i64>,
    picks: Vec<(i64, Option<(usize, i64)>)>,
}

/// Cuts `length` places from coordinate `at` on by the given dimensions of the target: (dimension, size, step), by
/// descending step.
fn cut(start: i64, length: i64, at: i64, walks: &[(usize, i64, i64)]) -> Option<Cut> {
    let mut out = Cut { start, length, sizes: vec![], picks: vec![] };
    let mut block = length;
    let Some(((dim, n, step), outer)) = walks.split_last() else {
        return Some(Cut { sizes: vec![length], picks: vec![(at, None)], ..out });
    };
    for (dim, n, step) in outer {
        let from = at % block / step;
        if block % step != 0 || from + n > block / step {
            return None;
        }
        out.sizes.push(block / step);
        out.picks.push((from, Some((*dim, 1))));
        block = *step;
    }
    let from = at % block;
    if from + step * (n - 1) >= block {
        return None;
    }
    out.sizes.push(block);
    out.picks.push((from, Some((*dim, *step))));
    Some(out)
}

fn reshaped(base: &Layout, target: &Layout, axes: &[Axis]) -> Option<Vec<Step>> {
    let runs = runs(axes);
    let as_axes: Vec<Axis> = runs
        .iter()
        .enumerate()
        .map(|(dim, r)| Axis { dim, size: r.size, stride: r.stride, at: r.at })
        .collect();
    let mut walks: Vec<Vec<(usize, i64, i64)>> = vec![vec![]; runs.len()];
    for (j, (n, s)) in target.sizes.iter().zip(&target.strides).enumerate().filter(|(_, (n, _))| **n > 1) {
        let Walk::Along { axis, step } = walk(&as_axes, *n, *s)? else { return None };
        walks[axis].push((j, *n, step));
    }
    let mut cuts = vec![];
    for (run, walks) in runs.iter().zip(&mut walks) {
        walks.sort_by_key(|(_, _, step)| std::cmp::Reverse(*step));
        let whole = cut(0, run.size, run.at, walks);
        cuts.push(match (whole, walks.first()) {
            (Some(c), _) => c,
            // A part of the run that the outermost dimension divides evenly.
            (None, Some((_, n, step))) => {
                let length = n.checked_mul(*step).filter(|l| *l <= run.size)?;
                let start = run.at.min(run.size - length);
                cut(start, length, run.at - start, walks)?
            }
            (None, None) => return None,
        });
    }
    let mut chain = Chain::new(&base.sizes);
    chain.permute(&storage_order(base, axes));
    if cuts.iter().zip(&runs).any(|(c, r)| c.length != r.size) {
        chain.reshape(&runs.iter().map(|r| r.size).collect::<Vec<_>>());
        chain.names = (0..runs.len()).collect();
        for (i, c) in cuts.iter().enumerate() {
            chain.slice(i, c.start, c.length, 1);
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

fn strided(base: &Layout, target: &Layout, axes: &[Axis]) -> Option<Vec<Step>> {
    let runs = runs(axes);
    let (unit, at) = match runs.as_slice() {
        [] => (1, 0),
        [run] => (run.stride, run.at),
        _ => return None,
    };
    let mut strides = vec![];
    for (n, s) in target.sizes.iter().zip(&target.strides) {
        if *n > 1 && s % unit != 0 {
            return None;
        }
        strides.push(if *n > 1 { s / unit } else { 1 });
    }
    let strided = Layout { sizes: target.sizes.clone(), strides, offset: at };
    if strided.end() > runs.first().map_or(1, |r| r.size) {
        return None;
    }
    let mut chain = Chain::new(&base.sizes);
    chain.permute(&storage_order(base, axes));
    chain.push(Step::AsStrided(strided));
    Some(chain.steps)
}
