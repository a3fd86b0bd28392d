//! The layouts of Fourier transforms: batch dimensions outermost in the order of the operand's strides, those that are transformed
//! innermost. The values are those of the functional operators of the same names.

use super::layouts::Asked;
use terrace_dialects::{attributes as convert, strided::Layout, view};

/// The layout of a result.
pub fn layout(asked: &Asked) -> Result<Layout, String> {
    let own = asked.operand(0)?;
    let dims: Vec<usize> =
        convert::i64s(view::required(asked.op, "dim")).into_iter().map(|dim| dim as usize).collect();
    // A conjugate is copied first, and so is what passes through several transforms.
    let (last, others) = dims.split_last().map_or((None, &[][..]), |(last, others)| (Some(*last), others));
    match asked.op_impl.operator() {
        _ if asked.sizes.contains(&0) => Ok(Layout::contiguous(asked.sizes)),
        "_fft_c2c" if dims.is_empty() => Ok(terrace_dialects::strided::creation::like(&own)),
        "_fft_c2c" => Ok(innermost(asked.sizes, &own, &by_stride(&own, &dims))),
        "_fft_r2c" => {
            let order: Vec<usize> = by_stride(&own, others).into_iter().chain(last).collect();
            Ok(innermost(asked.sizes, &own, &order))
        }
        _ => {
            let between =
                if others.is_empty() { own } else { innermost(&own.sizes, &own, &by_stride(&own, others)) };
            Ok(innermost(asked.sizes, &between, last.as_slice()))
        }
    }
}

/// Dimensions by stride, the largest first.
fn by_stride(own: &Layout, dims: &[usize]) -> Vec<usize> {
    let mut dims = dims.to_vec();
    dims.sort_by_key(|dim| std::cmp::Reverse(own.strides[*dim]));
    dims
}

/// Dense strides: the other dimensions by stride, then `dims`.
fn innermost(sizes: &[i64], own: &Layout, dims: &[usize]) -> Layout {
    let batch = by_stride(own, &partitioned(own.rank(), |dim| !dims.contains(&dim)));
    let mut strides = vec![0; sizes.len()];
    let mut step = 1;
    for dim in batch.iter().chain(dims).rev() {
        strides[*dim] = step;
        step *= sizes[*dim];
    }
    Layout { sizes: sizes.to_vec(), strides, offset: 0 }
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
