//! Strided layouts: which elements of a storage a tensor has, and in which order.
//!
//! A [`Layout`] is the triple of sizes, strides and offset, counted in elements, that the eager data model gives to every
//! tensor. This module is arithmetic on triples and knows nothing of MLIR:
//!
//! * [`views`](self): what each view does to a triple;
//! * [`creation`]: the strides that eager gives to a new tensor;
//! * [`overlap`]: whether triples share elements;
//! * [`recognize`]: a triple as a chain of named views of another one.
//!
//! Sizes and strides are not negative, and [`Layout::check`] has bounded what is computed with: sums and products of a
//! checked layout's numbers fit in 63 bits.

pub mod creation;
pub mod overlap;
pub mod recognize;
mod reinterpret;
mod views;

/// Sizes, strides and offset of a tensor, counted in elements of its storage.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// One size per dimension.
    pub sizes: Vec<i64>,
    /// One stride per dimension.
    pub strides: Vec<i64>,
    /// The place of the first element.
    pub offset: i64,
}

/// The strides of a row-major tensor; an empty dimension counts as one of size 1.
pub fn row_major(sizes: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; sizes.len()];
    for d in (1..sizes.len()).rev() {
        strides[d - 1] = strides[d].saturating_mul(sizes[d].max(1));
    }
    strides
}

impl Layout {
    /// A row-major tensor at offset 0.
    pub fn contiguous(sizes: &[i64]) -> Self {
        Self { sizes: sizes.to_vec(), strides: row_major(sizes), offset: 0 }
    }

    /// Refuses layouts whose element count, in bytes, or whose last place leaves 63 bits.
    pub fn check(self) -> Result<Self, String> {
        let bound = i64::MAX as i128 / 16;
        let mut count = 1i128;
        let mut last = self.offset as i128;
        for (n, s) in self.sizes.iter().zip(&self.strides) {
            count *= (*n).max(1) as i128;
            last += ((*n).max(1) - 1) as i128 * *s as i128 + *s as i128;
            if count > bound || last > bound {
                return Err(format!(
                    "a tensor of sizes {:?} and strides {:?} is too large to be addressed",
                    self.sizes, self.strides
                ));
            }
        }
        Ok(self)
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The number of elements.
    pub fn numel(&self) -> i64 {
        self.sizes.iter().product()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.sizes.contains(&0)
    }

    /// One past the last place that an element has; `offset` where there are no elements.
    pub fn end(&self) -> i64 {
        if self.is_empty() {
            return self.offset;
        }
        self.offset + self.sizes.iter().zip(&self.strides).map(|(n, s)| (n - 1) * s).sum::<i64>() + 1
    }

    /// Size and stride of the dimensions that have more than one index.
    pub fn moving(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        self.sizes.iter().copied().zip(self.strides.iter().copied()).filter(|(n, _)| *n > 1)
    }

    /// Whether both have the same sizes and every index names the same element in both.
    pub fn same_elements(&self, other: &Self) -> bool {
        self.sizes == other.sizes
            && (self.is_empty()
                || self.offset == other.offset
                    && (0..self.rank()).all(|d| self.sizes[d] == 1 || self.strides[d] == other.strides[d]))
    }

    /// Whether elements are repeated: a stride of 0 over more than one index.
    pub fn repeats(&self) -> bool {
        !self.is_empty() && self.moving().any(|(_, s)| s == 0)
    }

    /// The layout with each repeated dimension cut to one index.
    pub fn without_repeats(&self) -> Self {
        let once = |(n, s): (&i64, &i64)| if *s == 0 && *n > 1 { 1 } else { *n };
        Self { sizes: self.sizes.iter().zip(&self.strides).map(once).collect(), ..self.clone() }
    }

    /// Row-major without gaps; dimensions of size 1 may have any stride.
    pub fn is_contiguous(&self) -> bool {
        self.packed_in((0..self.rank()).rev())
    }

    /// Whether the dimensions, given from the innermost, lie packed inside each other.
    fn packed_in(&self, order: impl Iterator<Item = usize>) -> bool {
        let mut expected = 1;
        self.is_empty()
            || order.into_iter().all(|d| {
                let fits = self.sizes[d] == 1 || self.strides[d] == expected;
                expected *= self.sizes[d];
                fits
            })
    }

    /// Packed with channels innermost: of 4 dimensions, or of 5 where `dims` is 5.
    pub fn is_channels_last(&self, dims: usize) -> bool {
        self.rank() == dims && dims >= 4 && self.packed_in(channels_last_order(dims).into_iter())
    }

    /// Some permutation of a row-major tensor without gaps: no place between the first and the last is left out, and
    /// none is taken twice.
    pub fn is_dense(&self) -> bool {
        let mut dims: Vec<(i64, i64)> = self.moving().collect();
        dims.sort_by_key(|(_, s)| *s);
        let mut expected = 1;
        self.is_empty()
            || dims.into_iter().all(|(n, s)| {
                let fits = s == expected;
                expected *= n;
                fits
            })
    }

    /// Every place that an index names, in row-major order of the indices: as many as there are elements.
    pub fn places(&self) -> Vec<i64> {
        let mut out = vec![self.offset];
        for (n, s) in self.sizes.iter().zip(&self.strides) {
            out = out.iter().flat_map(|p| (0..*n).map(move |i| p + i * s)).collect();
        }
        out
    }
}

/// Dimensions from the innermost, with channels (dimension 1) first: 1, then the spatial ones from the last, then 0.
fn channels_last_order(dims: usize) -> Vec<usize> {
    std::iter::once(1).chain((2..dims).rev()).chain([0]).collect()
}

/// Random numbers for tests: a linear congruential generator with the multiplier of Knuth's MMIX.
#[cfg(test)]
pub(crate) struct Random(pub u64);

#[cfg(test)]
impl Random {
    /// A number from 0 to `n - 1`.
    pub fn below(&mut self, n: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as i64) % n.max(1)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below(high - low + 1)
    }
}
