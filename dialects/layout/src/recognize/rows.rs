//! Views of rows: dimensions of open sizes stay, and what is viewed lies inside of what is behind them.
//!
//! A projection of a batch of tokens to queries, keys and values, `[n, 3 * h * w]`, of which the keys are
//! seen head by head, `[h, n, w]`: the rows stay, whatever `n` is, and inside of a row everything is a
//! number. So the steps inside of a row are those of [`recognize`], on the dimensions behind the others, and
//! nothing is asked of `n`.

use super::{Step, recognize};
use crate::Layout;
use terrace_size::Number;

/// The steps where some dimensions stay, and the others lie inside of the dimensions of known sizes that are
/// behind them.
pub fn in_rows<N: Number>(base: &Layout<N>, target: &Layout<N>) -> Option<Vec<Step<N>>> {
    // The last dimensions that are a block of numbers.
    let (mut outer, mut count) = (base.rank(), 1i64);
    while outer > 0 && base.strides[outer - 1].known() == Some(count) {
        let Some(size) = base.sizes[outer - 1].known() else { break };
        count = count.checked_mul(size)?;
        outer -= 1;
    }
    let mut inside: Vec<usize> = (0..target.rank()).collect();
    let mut order = vec![0; target.rank()];
    for d in 0..outer {
        let stays = |t: &usize| {
            let one = base.sizes[d].known() == Some(1);
            target.sizes[*t].is_same(base.sizes[d]) && (one || target.strides[*t].is_same(base.strides[d]))
        };
        let at = inside.iter().position(stays)?;
        order[inside.remove(at)] = d;
    }
    inside.iter().enumerate().for_each(|(place, t)| order[*t] = outer + place);
    let numbers = |layout: &Layout<N>, dims: &[usize], offset: N| {
        let known = |all: &[N]| dims.iter().map(|d| all[*d].known()).collect::<Option<Vec<_>>>();
        Some(Layout {
            sizes: known(&layout.sizes)?,
            strides: known(&layout.strides)?,
            offset: offset.known()?,
        })
    };
    let rows = numbers(base, &(outer..base.rank()).collect::<Vec<_>>(), N::ZERO)?;
    let own = numbers(target, &inside, target.offset - base.offset)?;
    if own.is_empty() || own.offset < 0 || own.end() > count {
        return None;
    }
    let whole =
        |sizes: Vec<i64>| base.sizes[..outer].iter().copied().chain(sizes.into_iter().map(N::from)).collect();
    let behind = |dims: Vec<usize>| dims.into_iter().map(|d| d + outer);
    let lifted = |step: Step<i64>| {
        Some(match step {
            Step::Permute(dims) => Step::Permute((0..outer).chain(behind(dims)).collect()),
            Step::View(sizes) => Step::View(whole(sizes)),
            Step::Expand(sizes) => Step::Expand(whole(sizes)),
            Step::Unsqueeze(dim) => Step::Unsqueeze(dim + outer),
            Step::Squeeze(dims) => Step::Squeeze(behind(dims).collect()),
            Step::Select { dim, index } => Step::Select { dim: dim + outer, index: index.into() },
            Step::Slice { dim, start, length, step } => {
                let (start, length, step) = (start.into(), length.into(), step.into());
                Step::Slice { dim: dim + outer, start, length, step }
            }
            Step::Diagonal { offset, dim1, dim2 } => {
                Step::Diagonal { offset, dim1: dim1 + outer, dim2: dim2 + outer }
            }
            Step::AsStrided(_) => return None,
        })
    };
    let mut steps = recognize(&rows, &own)?.into_iter().map(lifted).collect::<Option<Vec<_>>>()?;
    if !order.iter().copied().eq(0..order.len()) {
        steps.push(Step::Permute(order));
    }
    Some(steps)
}
