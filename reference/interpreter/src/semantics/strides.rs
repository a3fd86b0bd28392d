//! The strides of results.
//!
//! Eager allocates most results row-major. Pointwise operators and copies keep instead the order of
//! dimensions that their operands have in memory, without gaps: when all operands agree on a dense layout,
//! exactly that layout; otherwise dimensions are ordered by the strides of the operands, the first operand
//! that tells two dimensions apart deciding, and repeated elements (stride 0) telling nothing.
//!
//! Source: ATen's TensorIterator (`reorder_dimensions`, `fast_set_up`) and `empty_like` with
//! `preserve_format`.

use std::cmp::Ordering;
use terrace_tensor::{
    Tensor,
    layout::{contiguous_strides, is_contiguous, is_dense},
};

/// Sizes and strides of an operand.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Elements per dimension.
    pub sizes: Vec<i64>,
    /// Elements of memory between neighbours.
    pub strides: Vec<i64>,
}

impl Layout {
    /// The layout of a tensor.
    pub fn of(tensor: &Tensor) -> Layout {
        Layout { sizes: tensor.sizes().to_vec(), strides: tensor.strides().to_vec() }
    }

    /// The layout of the copy that a conversion to another dtype makes.
    pub fn of_copy(tensor: &Tensor) -> Layout {
        Layout { sizes: tensor.sizes().to_vec(), strides: preserved(tensor) }
    }

    /// Images alone: of volumes eager's iterator knows no such layout.
    fn is_channels_last(&self) -> bool {
        let strides = channels_last_strides(&self.sizes).filter(|_| self.sizes.len() == 4);
        strides.is_some_and(|strides| {
            let mut dims = self.sizes.iter().zip(&self.strides).zip(&strides);
            self.sizes.contains(&0) || dims.all(|((&size, own), wanted)| size == 1 || own == wanted)
        })
    }
}

/// The strides of a pointwise result of the given sizes, from its operands in order; numbers and tensors
/// without dimensions count as operands of no dimensions.
pub fn pointwise(sizes: &[i64], operands: &[Layout]) -> Vec<i64> {
    if let Some(first) = operands.first().filter(|_| operands.iter().all(|operand| operand.sizes == sizes)) {
        let all = |holds: fn(&Layout) -> bool| operands.iter().all(holds);
        if all(|operand| is_contiguous(&operand.sizes, &operand.strides)) {
            return contiguous_strides(sizes);
        }
        if all(Layout::is_channels_last) {
            return channels_last_strides(sizes).expect("an operand of these sizes is channels last");
        }
        let dense = all(|operand| is_dense(&operand.sizes, &operand.strides));
        if dense && operands.iter().all(|operand| operand.strides == first.strides) {
            return first.strides.clone();
        }
    }
    let broadcast: Vec<Vec<i64>> = operands.iter().map(|operand| broadcast_strides(operand, sizes)).collect();
    in_memory_order(sizes, &broadcast)
}

/// The strides of a copy that preserves the layout of a tensor: its own where they are dense.
pub fn preserved(tensor: &Tensor) -> Vec<i64> {
    if tensor.is_dense() {
        return tensor.strides().to_vec();
    }
    in_memory_order(tensor.sizes(), &[tensor.strides().to_vec()])
}

/// Dense strides whose dimensions are in the order the given strides have in memory.
pub fn in_memory_order(sizes: &[i64], operands: &[Vec<i64>]) -> Vec<i64> {
    // Dimensions from the innermost outwards. Comparisons may be undecided, so this is an insertion sort that
    // walks on past undecided neighbours.
    let mut order: Vec<usize> = (0..sizes.len()).rev().collect();
    for start in 1..order.len() {
        let mut place = start;
        for other in (0..start).rev() {
            match compare(order[other], order[place], sizes, operands) {
                Ordering::Greater => {
                    order.swap(other, place);
                    place = other;
                }
                Ordering::Less => break,
                Ordering::Equal => {}
            }
        }
    }
    if order.iter().rev().copied().eq(0..sizes.len()) {
        return contiguous_strides(sizes);
    }
    let mut strides = vec![0; sizes.len()];
    let mut next = 1;
    for dim in order {
        strides[dim] = next;
        next *= sizes[dim];
    }
    strides
}

/// Whether dimension `a` belongs inside (less) or outside (greater) of dimension `b`.
fn compare(a: usize, b: usize, sizes: &[i64], operands: &[Vec<i64>]) -> Ordering {
    for strides in operands {
        if strides[a] == 0 || strides[b] == 0 {
            continue;
        }
        let decided = strides[a].cmp(&strides[b]);
        if decided != Ordering::Equal {
            return decided;
        }
        if sizes[a] > sizes[b] {
            return Ordering::Greater;
        }
    }
    Ordering::Equal
}

fn broadcast_strides(operand: &Layout, sizes: &[i64]) -> Vec<i64> {
    let leading = sizes.len() - operand.sizes.len();
    let mut strides = vec![0; sizes.len()];
    for (dim, (&size, &stride)) in operand.sizes.iter().zip(&operand.strides).enumerate() {
        let repeated = size == 1 && sizes[leading + dim] != 1;
        strides[leading + dim] = if repeated { 0 } else { stride };
    }
    strides
}

/// The strides of images and volumes (`[N, C, H, W]`, `[N, C, D, H, W]`) whose channels are innermost; `None`
/// for other ranks.
pub fn channels_last_strides(sizes: &[i64]) -> Option<Vec<i64>> {
    if !(4..=5).contains(&sizes.len()) {
        return None;
    }
    let mut strides = vec![0; sizes.len()];
    let mut next = 1i64;
    for dim in std::iter::once(1).chain((2..sizes.len()).rev()).chain([0]) {
        strides[dim] = next;
        next = next.saturating_mul(sizes[dim].max(1));
    }
    Some(strides)
}

/// Whether a tensor's strides suggest that its channels are innermost; ambiguous layouts, where sizes of 1
/// leave it open, do not.
///
/// Source: `c10::is_channels_last_strides_2d`.
pub fn suggests_channels_last(tensor: &Tensor) -> bool {
    let (sizes, strides) = (tensor.sizes(), tensor.strides());
    if !(4..=5).contains(&sizes.len()) || strides[1] == 0 {
        return false;
    }
    let mut least = 0;
    for dim in std::iter::once(1).chain((2..sizes.len()).rev()).chain([0]) {
        if sizes[dim] == 0 || strides[dim] < least {
            return false;
        }
        // An [N, 1, 1, 1] tensor of this layout is contiguous as well.
        if dim == 0 && least == strides[1] {
            return false;
        }
        least = strides[dim];
        if sizes[dim] > 1 {
            least *= sizes[dim];
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(sizes: &[i64], strides: &[i64]) -> Layout {
        Layout { sizes: sizes.to_vec(), strides: strides.to_vec() }
    }

    /// Expected values are eager's.
    #[test]
    fn pointwise_results_follow_their_operands() {
        let number = layout(&[], &[]);
        let sliced = layout(&[3, 4], &[2, 6]);
        assert_eq!(pointwise(&[3, 4], &[sliced.clone(), number.clone()]), [1, 3]);
        let repeated = layout(&[3, 2], &[1, 0]);
        assert_eq!(pointwise(&[3, 2], &[repeated, number.clone()]), [2, 1]);
        let odd = layout(&[3, 1, 2], &[1, 9, 3]);
        assert_eq!(pointwise(&[3, 1, 2], &[odd.clone(), number.clone()]), [1, 6, 3]);
        assert_eq!(pointwise(&[3, 1, 2], &[odd]), [1, 9, 3]);
        assert_eq!(pointwise(&[1, 1, 3], &[layout(&[1, 1, 3], &[7, 9, 1]), number]), [3, 3, 1]);
        let permuted = layout(&[4, 1, 3], &[1, 12, 4]);
        assert_eq!(pointwise(&[4, 1, 3], &[permuted]), [1, 12, 4]);
        let (row, column) = (layout(&[2, 3], &[3, 1]), layout(&[2, 3], &[1, 2]));
        assert_eq!(pointwise(&[2, 3], &[row.clone(), column.clone()]), [3, 1]);
        assert_eq!(pointwise(&[2, 3], &[column, row]), [1, 2]);
    }

    #[test]
    fn channels_last() {
        assert_eq!(channels_last_strides(&[2, 3, 4, 5]), Some(vec![60, 1, 15, 3]));
        assert_eq!(channels_last_strides(&[2, 3]), None);
        let tensor =
            Tensor::zeros_strided(terrace_tensor::Dtype::F32, &[1, 2, 4, 4], &[32, 1, 8, 2]).unwrap();
        assert!(suggests_channels_last(&tensor));
        let plain = Tensor::zeros(terrace_tensor::Dtype::F32, &[1, 2, 4, 4]).unwrap();
        assert!(!suggests_channels_last(&plain));
    }
}
