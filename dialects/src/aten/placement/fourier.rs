//! The layouts of Fourier transforms: batch dimensions outermost in the order of the operand's strides, those
//! that are transformed innermost.

use super::Asked;
use crate::ir::{attributes as convert, registry::OpImpl, view};
use terrace_layout::{Layout, creation};
use terrace_size::{Number, sort_where};

/// The layout of a result.
pub fn layout<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let dims: Vec<usize> =
        convert::i64s(view::required(asked.op, "dim")).into_iter().map(|dim| dim as usize).collect();
    transformed(asked.op_impl, asked.sizes, asked.operand(0)?, &dims, asked.on_cuda())
}

/// The layout of what `_fft_c2c`, `_fft_r2c` or `_fft_c2r` makes of an operand.
pub(super) fn transformed<N: Number>(
    class: &OpImpl,
    sizes: &[N],
    own: Layout<N>,
    dims: &[usize],
    on_cuda: bool,
) -> Result<Layout<N>, String> {
    // A conjugate is copied first, and so is what passes through several transforms.
    let (last, others) = dims.split_last().map_or((None, &[][..]), |(last, others)| (Some(*last), others));
    Ok(match class.operator() {
        "_fft_c2c" if dims.is_empty() => creation::like(&own),
        _ if sizes.iter().any(|n| n.assume_eq(0)) => Layout::contiguous(sizes),
        operator if on_cuda => by_cufft(operator, sizes, own, dims),
        "_fft_c2c" => innermost(sizes, &own, &by_stride(&own, dims)),
        "_fft_r2c" => {
            let order: Vec<usize> = by_stride(&own, others).into_iter().chain(last).collect();
            innermost(sizes, &own, &order)
        }
        _ => {
            let between =
                if others.is_empty() { own } else { innermost(&own.sizes, &own, &by_stride(&own, others)) };
            innermost(sizes, &between, last.as_slice())
        }
    })
}

/// How many dimensions cuFFT transforms at once.
const AT_ONCE: usize = 3;

/// Transforms of complex numbers as cuFFT makes them: some dimensions at once, the innermost first.
fn in_steps<N: Number>(sizes: &[N], mut own: Layout<N>, dims: &[usize]) -> Layout<N> {
    let mut left = dims.to_vec();
    while !left.is_empty() {
        left = by_stride(&own, &left);
        let last = left.split_off(left.len().saturating_sub(AT_ONCE));
        own = innermost(sizes, &own, &last);
    }
    own
}

/// What cuFFT makes of an operand: few dimensions in one step, else those of complex numbers apart from the
/// last.
fn by_cufft<N: Number>(operator: &str, sizes: &[N], own: Layout<N>, dims: &[usize]) -> Layout<N> {
    let at_once = dims.len() <= AT_ONCE && !dims.starts_with(&[0, 1]);
    let (others, last) = dims.split_at(dims.len() - 1);
    match operator {
        "_fft_c2c" => in_steps(sizes, own, dims),
        "_fft_r2c" if at_once => innermost(sizes, &own, dims),
        "_fft_r2c" => {
            // The half that is computed; the rest of it is filled in afterwards, row by row.
            let mut half = own.sizes.clone();
            half[last[0]] = half[last[0]] / N::from(2) + N::ONE;
            if half[last[0]].assume_ne(sizes[last[0]]) {
                return Layout::contiguous(sizes);
            }
            in_steps(&half, innermost(&half, &own, last), others)
        }
        _ if at_once => innermost(sizes, &Layout::contiguous(&own.sizes), dims),
        _ => {
            let between = match others {
                [] => Layout::contiguous(&own.sizes),
                _ => in_steps(&own.sizes.clone(), own, others),
            };
            innermost(sizes, &between, last)
        }
    }
}

/// Dimensions by stride, the largest first.
fn by_stride<N: Number>(own: &Layout<N>, dims: &[usize]) -> Vec<usize> {
    let mut dims = dims.to_vec();
    sort_where(&mut dims, |a, b| own.strides[*b].assume_lt(own.strides[*a]));
    dims
}

/// Dense strides: the other dimensions by stride, then `dims`.
fn innermost<N: Number>(sizes: &[N], own: &Layout<N>, dims: &[usize]) -> Layout<N> {
    let batch = by_stride(own, &partitioned(own.rank(), |dim| !dims.contains(&dim)));
    let mut strides = vec![N::ZERO; sizes.len()];
    let mut step = N::ONE;
    for dim in batch.iter().chain(dims).rev() {
        strides[*dim] = step;
        step = step * sizes[*dim];
    }
    Layout { sizes: sizes.to_vec(), strides, offset: N::ZERO }
}

/// The dimensions that are wanted, in the order that exchanging them with others from both ends leaves.
fn partitioned(rank: usize, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut dims: Vec<usize> = (0..rank).collect();
    let count = dims.iter().filter(|dim| wanted(**dim)).count();
    for place in 0..count {
        if !wanted(dims[place])
            && let Some(other) = (count..rank).rev().find(|other| wanted(dims[*other]))
        {
            dims.swap(place, other);
        }
    }
    dims.truncate(count);
    dims
}
