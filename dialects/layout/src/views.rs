//! What each view does to a layout, as ATen does it: dimensions are wrapped and bounds are checked already.

use super::{Layout, row_major};
use terrace_size::Number;

impl<N: Number> Layout<N> {
    /// Result dimension `i` is dimension `order[i]`.
    pub fn permute(&self, order: &[usize]) -> Self {
        Self {
            sizes: order.iter().map(|d| self.sizes[*d]).collect(),
            strides: order.iter().map(|d| self.strides[*d]).collect(),
            offset: self.offset,
        }
    }

    /// One index of a dimension, which goes.
    pub fn select(&self, dim: usize, index: N) -> Self {
        let mut out = self.clone();
        out.offset = out.offset + index * self.strides[dim];
        out.sizes.remove(dim);
        out.strides.remove(dim);
        out
    }

    /// `length` indices of a dimension from `start` on, every `step`.
    pub fn slice(&self, dim: usize, start: N, length: N, step: N) -> Self {
        let mut out = self.clone();
        out.offset = out.offset + start * self.strides[dim];
        out.sizes[dim] = length;
        out.strides[dim] = self.strides[dim].saturating_mul(step);
        out
    }

    /// A dimension of size 1 at `dim`.
    pub fn unsqueeze(&self, dim: usize) -> Self {
        let mut out = self.clone();
        let stride =
            if dim < self.rank() { self.sizes[dim].saturating_mul(self.strides[dim]) } else { N::ONE };
        out.sizes.insert(dim, N::ONE);
        out.strides.insert(dim, stride);
        out
    }

    /// Without those of `dims` that have size 1.
    pub fn squeeze(&self, dims: &[usize]) -> Self {
        let kept: Vec<usize> =
            (0..self.rank()).filter(|d| !(dims.contains(d) && self.sizes[*d].assume_eq(1))).collect();
        self.permute(&kept)
    }

    /// The same elements, in row-major order, in another shape of as many elements. None where strides can't
    /// say it: a new dimension would span places that are not evenly spaced.
    pub fn view(&self, sizes: &[N]) -> Option<Self> {
        let with = |strides| Some(Self { sizes: sizes.to_vec(), strides, offset: self.offset });
        if self.rank() == 0 {
            return with(vec![N::ONE; sizes.len()]);
        }
        if self.sizes.iter().chain(sizes).any(|size| size.known().is_none())
            && !self.sizes.iter().any(|size| size.known() == Some(0))
            && let Some(strides) = self.view_by_parts(sizes)
        {
            return with(strides);
        }
        if self.is_empty() {
            return with(if N::assume_same(&self.sizes, sizes) {
                self.strides.clone()
            } else {
                row_major(sizes)
            });
        }
        self.view_of_chunks(sizes).and_then(with)
    }

    /// The strides of a view between whose dimensions of the run those are found first that stay: what lies
    /// between them is a view of its own. So nothing is asked of them: whether they are 0 or 1 makes no
    /// difference to a view that there is. None where something would have to be asked.
    fn view_by_parts(&self, sizes: &[N]) -> Option<Vec<N>> {
        let mut strides = vec![N::ONE; sizes.len()];
        // Ends of the part, and how far it reaches.
        let ([mut old_end, mut new_end], [mut old, mut new]) =
            ([self.rank(), sizes.len()], [self.rank(), sizes.len()]);
        let (mut old_count, mut new_count) = (N::ONE, N::ONE);
        let part = |strides: &mut [N], old: std::ops::Range<usize>, new: std::ops::Range<usize>| {
            let own = Self {
                sizes: self.sizes[old.clone()].to_vec(),
                strides: self.strides[old].to_vec(),
                offset: self.offset,
            };
            strides[new.clone()].clone_from_slice(&own.view_of_part(&sizes[new])?);
            Some(())
        };
        while old > 0 && new > 0 {
            let even = old_count.is_same(new_count);
            if even && self.sizes[old - 1].is_same(sizes[new - 1]) && sizes[new - 1].known() != Some(1) {
                part(&mut strides, old..old_end, new..new_end)?;
                (old, new) = (old - 1, new - 1);
                strides[new] = self.strides[old];
                (old_end, new_end, old_count, new_count) = (old, new, N::ONE, N::ONE);
                continue;
            }
            let (both, old_first) = match (old_count.known(), new_count.known()) {
                _ if even => (true, true),
                (Some(a), Some(b)) => (false, a < b),
                // Which side has more nobody knows: what is left is one part.
                _ => break,
            };
            if both || old_first {
                old -= 1;
                old_count = old_count * self.sizes[old];
            }
            if both || !old_first {
                new -= 1;
                new_count = new_count * sizes[new];
            }
        }
        part(&mut strides, 0..old_end, 0..new_end)?;
        // New dimensions of size 1 go on with what is right of them, as in eager: of several operands they
        // have a say.
        for d in (0..sizes.len()).rev().filter(|d| sizes[*d].known() == Some(1)) {
            strides[d] = match strides.get(d + 1) {
                Some(inner) => inner.saturating_mul(sizes[d + 1]),
                None => self.strides[self.rank() - 1],
            };
        }
        Some(strides)
    }

    /// The strides of a view of a part whose dimensions are known to lie packed inside each other.
    fn view_of_part(&self, sizes: &[N]) -> Option<Vec<N>> {
        if self.rank() == 0 || sizes.is_empty() {
            let ones = |sizes: &[N]| sizes.iter().all(|size| size.known() == Some(1));
            return (ones(&self.sizes) && ones(sizes)).then(|| vec![N::ONE; sizes.len()]);
        }
        let count = |sizes: &[N]| sizes.iter().copied().product::<N>();
        let moving = || (0..self.rank()).filter(|d| self.sizes[*d].known() != Some(1));
        let Some(last) = moving().next_back() else {
            return count(sizes).is_same(N::ONE).then(|| row_major(sizes));
        };
        let inner = self.strides[last];
        let mut expected = inner;
        let packed = moving().rev().all(|d| {
            let fits = self.strides[d].is_same(expected);
            expected = expected * self.sizes[d];
            fits
        });
        let known = packed && count(&self.sizes).is_same(count(sizes));
        known.then(|| row_major(sizes).into_iter().map(|stride| stride * inner).collect())
    }

    /// The strides of a view of a tensor that has elements.
    fn view_of_chunks(&self, sizes: &[N]) -> Option<Vec<N>> {
        let mut strides = vec![N::ZERO; sizes.len()];
        let mut new = sizes.len();
        // From the last dimension: chunks of old dimensions that lie packed inside each other are filled by
        // new ones.
        let mut inner = self.strides[self.rank() - 1];
        let (mut old_count, mut new_count) = (N::ONE, N::ONE);
        for d in (0..self.rank()).rev() {
            old_count = old_count * self.sizes[d];
            let chunk_ends =
                d == 0 || self.strides[d - 1].assume_ne(old_count * inner) && !self.sizes[d - 1].assume_eq(1);
            if !chunk_ends {
                continue;
            }
            while new > 0 && (new_count.assume_lt(old_count) || sizes[new - 1].assume_eq(1)) {
                new -= 1;
                strides[new] = new_count * inner;
                new_count = new_count * sizes[new];
            }
            if new_count.assume_ne(old_count) {
                return None;
            }
            if d > 0 {
                inner = self.strides[d - 1];
                (old_count, new_count) = (N::ONE, N::ONE);
            }
        }
        (new == 0).then_some(strides)
    }

    /// Dimensions of size 1 repeat, and new ones come in front. `sizes` are the result's.
    pub fn expand(&self, sizes: &[N]) -> Self {
        let mut strides = vec![N::ZERO; sizes.len()];
        let lead = sizes.len() - self.rank();
        for d in (0..sizes.len()).rev() {
            let (size, stride) = if d >= lead {
                (self.sizes[d - lead], self.strides[d - lead])
            } else if self.rank() == 0 {
                (N::ONE, N::ZERO)
            } else {
                (N::ONE, sizes[d + 1].saturating_mul(strides[d + 1]))
            };
            // What stands for many is repeated, and where they are one nobody can tell.
            let repeats = size.known() == Some(1) && !size.is_same(sizes[d]);
            strides[d] = if !repeats && size.assume_eq(sizes[d]) { stride } else { N::ZERO };
        }
        Self { sizes: sizes.to_vec(), strides, offset: self.offset }
    }

    /// The diagonal of two dimensions, as the last one.
    pub fn diagonal(&self, offset: i64, dim1: usize, dim2: usize) -> Self {
        let (rows, columns) = (self.sizes[dim1], self.sizes[dim2]);
        let (rows, columns) = if offset >= 0 {
            (rows, columns.saturating_add(N::from(-offset)))
        } else {
            (rows.saturating_add(N::from(offset)), columns)
        };
        let length = if rows.assume_le(columns) { rows } else { columns };
        let length = if length.assume_lt(N::ZERO) { N::ZERO } else { length };
        let rest: Vec<usize> = (0..self.rank()).filter(|d| *d != dim1 && *d != dim2).collect();
        let mut out = self.permute(&rest);
        out.sizes.push(length);
        out.strides.push(self.strides[dim1] + self.strides[dim2]);
        if offset != 0 && length.assume_gt(N::ZERO) {
            let skipped = if offset >= 0 { self.strides[dim2] } else { self.strides[dim1] };
            out.offset = out.offset + N::from(offset.abs()) * skipped;
        }
        out
    }

    /// Windows of `size` every `step` along a dimension, as one more dimension at the end.
    pub fn unfold(&self, dim: usize, size: i64, step: i64) -> Self {
        let (size, step) = (N::from(size), N::from(step));
        let mut out = self.clone();
        out.sizes.push(size);
        out.strides.push(self.strides.get(dim).copied().unwrap_or(N::ONE));
        if dim < self.rank() {
            out.sizes[dim] = (self.sizes[dim] - size) / step + N::ONE;
            out.strides[dim] = self.strides[dim].saturating_mul(step);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Values from PyTorch: sizes, strides and storage_offset of the views.
    #[test]
    fn views_have_eager_strides() {
        let x = Layout::contiguous(&[2, 3, 4]);
        let is = |l: Layout, sizes: &[i64], strides: &[i64], offset: i64| {
            assert_eq!((l.sizes.as_slice(), l.strides.as_slice(), l.offset), (sizes, strides, offset));
        };
        is(x.permute(&[2, 0, 1]), &[4, 2, 3], &[1, 12, 4], 0);
        is(x.select(1, 2), &[2, 4], &[12, 1], 8);
        is(x.slice(2, 1, 2, 2), &[2, 3, 2], &[12, 4, 2], 1);
        is(x.unsqueeze(3), &[2, 3, 4, 1], &[12, 4, 1, 1], 0);
        is(x.unsqueeze(1), &[2, 1, 3, 4], &[12, 12, 4, 1], 0);
        is(x.diagonal(-1, 0, 1), &[4, 1], &[1, 16], 12);
        is(x.unfold(2, 3, 1), &[2, 3, 2, 3], &[12, 4, 1, 1], 0);
        is(x.view(&[6, 4]).unwrap(), &[6, 4], &[4, 1], 0);
        is(x.view(&[2, 1, 12]).unwrap(), &[2, 1, 12], &[12, 12, 1], 0);
        is(x.select(1, 0).unsqueeze(0).expand(&[5, 2, 4]), &[5, 2, 4], &[0, 12, 1], 0);
        is(Layout::contiguous(&[3]).expand(&[1, 2, 3]), &[1, 2, 3], &[0, 0, 1], 0);
        is(Layout::contiguous(&[3]).expand(&[1, 3]), &[1, 3], &[3, 1], 0);
        assert!(x.permute(&[1, 0, 2]).view(&[6, 4]).is_none());
        assert!(x.permute(&[1, 0, 2]).view(&[3, 2, 2, 2]).is_some());
        assert!(x.permute(&[0, 2, 1]).view(&[24]).is_none());
    }
}
