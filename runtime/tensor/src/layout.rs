//! Arithmetic of strided layouts: sizes and strides in elements, no memory.
//!
//! Element `[i, j, ..]` of a layout lies `i * strides[0] + j * strides[1] + ..` elements after the first one.
//! The rules on what is contiguous, dense and viewable are ATen's; a size of 1 has no meaningful stride.

/// The strides of a row-major layout without gaps; a size of 0 counts as 1, as ATen has it.
pub fn contiguous_strides(sizes: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; sizes.len()];
    for dim in (1..sizes.len()).rev() {
        strides[dim - 1] = strides[dim].wrapping_mul(sizes[dim].max(1));
    }
    strides
}

/// The number of elements; `None` when no i64 can count them or a size is negative.
pub fn element_count(sizes: &[i64]) -> Option<i64> {
    if sizes.iter().any(|&size| size < 0) {
        return None;
    }
    if sizes.contains(&0) {
        return Some(0);
    }
    sizes.iter().try_fold(1i64, |count, &size| count.checked_mul(size))
}

/// Whether row-major order is memory order without gaps.
pub fn is_contiguous(sizes: &[i64], strides: &[i64]) -> bool {
    let mut expected = 1;
    sizes.contains(&0)
        || sizes.iter().zip(strides).rev().all(|(&size, &stride)| {
            let fits = size == 1 || stride == expected;
            expected *= size;
            fits
        })
}

/// Whether the elements fill a range of memory, each place once, in some order of the dimensions.
pub fn is_dense(sizes: &[i64], strides: &[i64]) -> bool {
    if sizes.contains(&0) {
        return true;
    }
    let mut dims: Vec<(i64, i64)> = strides.iter().copied().zip(sizes.iter().copied()).collect();
    dims.retain(|&(_, size)| size > 1);
    dims.sort_unstable();
    let mut expected = 1;
    dims.into_iter().all(|(stride, size)| {
        let fits = stride == expected;
        expected *= size;
        fits
    })
}

/// The lowest and highest element offset, relative to the first element; `None` for an empty layout. In i128,
/// where nothing that is made of i64 overflows.
pub fn extent(sizes: &[i64], strides: &[i64]) -> Option<(i128, i128)> {
    let mut range = (0, 0);
    for (&size, &stride) in sizes.iter().zip(strides) {
        if size <= 0 {
            return None;
        }
        let span = i128::from(size - 1) * i128::from(stride);
        if span < 0 {
            range.0 += span;
        } else {
            range.1 += span;
        }
    }
    Some(range)
}

/// All indices of some sizes in row-major order; none where a size is 0 or negative.
pub fn positions(sizes: &[i64]) -> impl Iterator<Item = Vec<i64>> + use<> {
    let mut next = sizes.iter().all(|&size| size > 0).then(|| vec![0; sizes.len()]);
    let sizes = sizes.to_vec();
    std::iter::from_fn(move || {
        let current = next.take()?;
        let mut following = current.clone();
        for (place, &size) in following.iter_mut().zip(&sizes).rev() {
            *place += 1;
            if *place < size {
                next = Some(following);
                break;
            }
            *place = 0;
        }
        Some(current)
    })
}

/// Element offsets of a layout in row-major order of its indices.
#[derive(Debug, Clone)]
pub struct Offsets<'a> {
    sizes: &'a [i64],
    strides: &'a [i64],
    index: Vec<i64>,
    offset: i64,
    left: i64,
}

impl<'a> Offsets<'a> {
    /// The offsets of a layout whose first element lies at `offset`; its elements must be countable.
    pub fn new(sizes: &'a [i64], strides: &'a [i64], offset: i64) -> Offsets<'a> {
        let left = element_count(sizes).expect("the layout of a tensor is countable");
        Offsets { sizes, strides, index: vec![0; sizes.len()], offset, left }
    }
}

impl Iterator for Offsets<'_> {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let offset = self.offset;
        for dim in (0..self.sizes.len()).rev() {
            self.index[dim] += 1;
            // Beyond the last index there need not be a place.
            self.offset = self.offset.wrapping_add(self.strides[dim]);
            if self.index[dim] < self.sizes[dim] {
                break;
            }
            self.offset = self.offset.wrapping_sub(self.strides[dim].wrapping_mul(self.sizes[dim]));
            self.index[dim] = 0;
        }
        Some(offset)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Offsets<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contiguity() {
        assert_eq!(contiguous_strides(&[2, 3, 4]), [12, 4, 1]);
        assert_eq!(contiguous_strides(&[2, 0, 4]), [4, 4, 1]);
        assert!(is_contiguous(&[2, 1, 3], &[3, 99, 1]));
        assert!(!is_contiguous(&[2, 3], &[1, 2]));
        assert!(is_dense(&[2, 3], &[1, 2]));
        assert!(!is_dense(&[2, 3], &[4, 1]));
        assert!(!is_dense(&[2, 3], &[0, 1]));
        assert!(is_dense(&[0, 3], &[7, 9]));
    }

    #[test]
    fn offsets_are_row_major() {
        assert_eq!(Offsets::new(&[2, 3], &[1, 2], 10).collect::<Vec<_>>(), [10, 12, 14, 11, 13, 15]);
        assert_eq!(Offsets::new(&[], &[], 7).collect::<Vec<_>>(), [7]);
        assert_eq!(Offsets::new(&[0, 3], &[3, 1], 0).count(), 0);
        assert_eq!(Offsets::new(&[2, 2], &[0, -1], 1).collect::<Vec<_>>(), [1, 0, 1, 0]);
    }

    #[test]
    fn positions_are_row_major() {
        assert_eq!(positions(&[2, 2]).collect::<Vec<_>>(), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(positions(&[]).collect::<Vec<_>>(), [vec![0i64; 0]]);
        assert_eq!(positions(&[3, 0]).count(), 0);
    }

    #[test]
    fn extents() {
        assert_eq!(extent(&[2, 3], &[3, -1]), Some((-2, 3)));
        assert_eq!(extent(&[2, 0], &[3, 1]), None);
    }
}
