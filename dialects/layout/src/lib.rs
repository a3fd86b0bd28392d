//! Strided layouts: which elements of a storage a tensor has, and in which order.
//!
//! A [`Layout`] is the triple of sizes, strides and offset, counted in elements, that the eager data model
//! gives to every tensor. This module is arithmetic on triples and knows nothing of MLIR:
//!
//! * [`views`](self): what each view does to a triple;
//! * [`creation`]: the strides that eager gives to a new tensor;
//! * [`overlap`]: whether triples share elements;
//! * [`recognize`]: a triple as a chain of named views of another one.
//!
//! Sizes and strides are not negative, and [`Layout::check`] has bounded what is computed with: sums and
//! products of a checked layout's numbers fit in 63 bits.

pub mod creation;
pub mod dtype;
pub mod overlap;
pub mod recognize;
mod reinterpret;
mod views;

use smallvec::SmallVec;
use terrace_size::{Number, Size, sort_where};

/// Sizes, strides and offset of a tensor, counted in elements of its storage: numbers, or expressions
/// ([`terrace_size`]).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout<N = i64> {
    /// One size per dimension.
    pub sizes: Vec<N>,
    /// One stride per dimension.
    pub strides: Vec<N>,
    /// The place of the first element.
    pub offset: N,
}

/// A layout in a table: sizes, strides and offset, no memory of its own up to six dimensions.
pub type Key = SmallVec<[i64; 13]>;

/// The strides of a row-major tensor; an empty dimension counts as one of size 1.
pub fn row_major<N: Number>(sizes: &[N]) -> Vec<N> {
    let mut strides = vec![N::ONE; sizes.len()];
    for d in (1..sizes.len()).rev() {
        strides[d - 1] = strides[d].saturating_mul(sizes[d].or_one());
    }
    strides
}

impl<N: Number> Layout<N> {
    /// A row-major tensor at offset 0.
    pub fn contiguous(sizes: &[N]) -> Self {
        Self { sizes: sizes.to_vec(), strides: row_major(sizes), offset: N::ZERO }
    }

    /// Refuses layouts whose element count, in bytes, or whose last place leaves 63 bits.
    pub fn check(self) -> Result<Self, String> {
        let bound = i64::MAX as i128 / 16;
        let known = |n: N| n.known().map_or(1, i128::from);
        let mut count = 1i128;
        let mut last = known(self.offset);
        for (n, s) in self.sizes.iter().zip(&self.strides) {
            let (n, s) = (known(*n).max(1), known(*s));
            count *= n;
            last += (n - 1) * s + s;
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
    pub fn numel(&self) -> N {
        self.sizes.iter().copied().product()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.sizes.iter().any(|n| n.assume_eq(0))
    }

    /// One past the last place that an element has; `offset` where there are no elements.
    pub fn end(&self) -> N {
        if self.is_empty() {
            return self.offset;
        }
        self.sizes.iter().zip(&self.strides).fold(self.offset, |at, (n, s)| at + (*n - N::ONE) * *s) + N::ONE
    }

    /// How many places of its storage it needs, from the start: none where there are no elements, which may
    /// lie anywhere.
    pub fn needed(&self) -> N {
        if self.is_empty() { N::ZERO } else { self.end() }
    }

    /// One past the last place of an element if each dimension had some, without a guard: as many places as
    /// are enough.
    pub fn reach(&self) -> N {
        let far = self.sizes.iter().zip(&self.strides).map(|(n, s)| (n.or_one() - N::ONE) * *s);
        self.offset + far.sum::<N>() + N::ONE
    }

    /// Size and stride of the dimensions that have more than one index.
    pub fn moving(&self) -> impl Iterator<Item = (N, N)> + '_ {
        self.sizes.iter().copied().zip(self.strides.iter().copied()).filter(|(n, _)| n.assume_gt(N::ONE))
    }

    /// Whether both have the same sizes and every index names the same element in both, as far as is known
    /// without a guard.
    pub fn same_elements(&self, other: &Self) -> bool {
        let one = |size: N| size.known() == Some(1);
        let fits = |d: usize| one(self.sizes[d]) || self.strides[d].is_same(other.strides[d]);
        self.rank() == other.rank()
            && self.sizes.iter().zip(&other.sizes).all(|(a, b)| a.is_same(*b))
            && (self.sizes.iter().any(|size| size.known() == Some(0))
                || self.offset.is_same(other.offset) && (0..self.rank()).all(fits))
    }

    /// Whether elements are repeated: a stride of 0 over more than one index.
    pub fn repeats(&self) -> bool {
        !self.is_empty() && self.moving().any(|(_, s)| s.assume_eq(0))
    }

    /// The layout with each repeated dimension cut to one index.
    pub fn without_repeats(&self) -> Self {
        let once = |(n, s): (&N, &N)| if s.assume_eq(0) && n.assume_gt(N::ONE) { N::ONE } else { *n };
        Self { sizes: self.sizes.iter().zip(&self.strides).map(once).collect(), ..self.clone() }
    }

    /// Row-major without gaps; dimensions of size 1 may have any stride.
    pub fn is_contiguous(&self) -> bool {
        self.packed_in((0..self.rank()).rev())
    }

    /// Whether the dimensions, given from the innermost, lie packed inside each other. What holds of most
    /// tensors is asked first, since a question about an expression may be answered by a guard.
    fn packed_in(&self, order: impl Iterator<Item = usize>) -> bool {
        let mut expected = N::ONE;
        order.into_iter().all(|d| {
            let fits = self.sizes[d].known() == Some(1)
                || self.strides[d].assume_eq(expected)
                || self.sizes[d].assume_eq(1);
            expected = expected.saturating_mul(self.sizes[d].or_one());
            fits
        }) || self.is_empty()
    }

    /// Packed with channels innermost: of 4 dimensions, or of 5 where `dims` is 5.
    pub fn is_channels_last(&self, dims: usize) -> bool {
        self.rank() == dims && dims >= 4 && self.packed_in(channels_last_order(dims).into_iter())
    }

    /// Whether that is known of a tensor with sizes of the run, without a guard: whichever of them are 0
    /// or 1.
    pub fn is_known_dense(&self) -> bool {
        self.sizes.iter().any(|size| size.known().is_none()) && self.packed_order().is_some()
    }

    /// Whether it is known, without a guard, that dimensions which are not repeated lie inside each other in
    /// their order, with gaps or without.
    pub fn is_known_in_order(&self) -> bool {
        // How far the dimensions so far reach.
        let (mut reach, mut rows) = (N::ONE, N::ONE);
        // Dimensions of size 1 have a say, too.
        let moves = |d: &usize| self.strides[*d].known() != Some(0);
        (0..self.rank()).rev().filter(moves).all(|d| {
            let (size, stride) = (self.sizes[d], self.strides[d]);
            let fits = stride.is_same(reach) || stride.is_same(rows) || rows.is_at_most(stride);
            (reach, rows) = (stride.saturating_mul(size), stride.saturating_mul(size.or_one()));
            fits
        })
    }

    /// The dimensions from the innermost to the outermost, where sizes of the run are among them and they are
    /// known, without a guard, to lie inside each other in this order; those of size 1 come last.
    pub fn known_order(&self) -> Option<Vec<usize>> {
        // What repeats has no say where order is asked for.
        let repeats = self.strides.iter().any(|stride| stride.known() == Some(0));
        if repeats || self.sizes.iter().all(|size| size.known().is_some()) {
            return None;
        }
        let (ones, moving): (Vec<usize>, Vec<usize>) =
            (0..self.rank()).partition(|d| self.sizes[*d].known() == Some(1));
        let mut order: Vec<usize> = vec![];
        for d in moving {
            let within = |a: usize, b: usize| self.strides[a].is_at_most(self.strides[b]);
            if !order.iter().all(|e| within(d, *e) || within(*e, d)) {
                return None;
            }
            // Of equal ones the later is inside.
            let at = order.iter().position(|e| within(d, *e)).unwrap_or(order.len());
            order.insert(at, d);
        }
        let of = |all: &[N]| order.iter().rev().map(|d| all[*d]).collect();
        let inside = Layout { sizes: of(&self.sizes), strides: of(&self.strides), offset: self.offset };
        inside.is_known_in_order().then(|| order.into_iter().chain(ones.into_iter().rev()).collect())
    }

    /// The dimensions from the outermost to the innermost where they are known, without a guard, to lie
    /// packed inside each other; those of size 1 come first.
    pub fn packed_order(&self) -> Option<Vec<usize>> {
        let (mut order, mut left): (Vec<usize>, Vec<usize>) =
            (0..self.rank()).partition(|d| self.sizes[*d].known() == Some(1));
        let (mut inner, mut expected) = (vec![], N::ONE);
        // From the last one: of several that fit all but one have one index, which nobody can tell apart.
        while let Some(next) = left.iter().rposition(|d| self.strides[*d].is_same(expected)) {
            let dim = left.remove(next);
            expected = expected.saturating_mul(self.sizes[dim].or_one());
            inner.push(dim);
        }
        order.extend(inner.into_iter().rev());
        left.is_empty().then_some(order)
    }

    /// Some permutation of a row-major tensor without gaps: no place between the first and the last is left
    /// out, and none is taken twice.
    pub fn is_dense(&self) -> bool {
        if self.is_known_dense() || self.is_contiguous() {
            return true;
        }
        let mut dims: Vec<(N, N)> = self.moving().collect();
        sort_where(&mut dims, |(_, a), (_, b)| a.assume_lt(*b));
        let mut expected = N::ONE;
        dims.into_iter().all(|(n, s)| {
            let fits = s.assume_eq(expected);
            expected = expected.saturating_mul(n);
            fits
        })
    }
}

impl From<Layout> for Layout<Size> {
    fn from(layout: Layout) -> Self {
        let sizes = |numbers: Vec<i64>| numbers.into_iter().map(Size::from).collect();
        Self { sizes: sizes(layout.sizes), strides: sizes(layout.strides), offset: layout.offset.into() }
    }
}

impl Layout<Size> {
    /// The layout in numbers, where it has no expressions.
    pub fn numbers(&self) -> Option<Layout> {
        let numbers = |sizes: &[Size]| sizes.iter().map(|size| size.known()).collect::<Option<_>>();
        Some(Layout {
            sizes: numbers(&self.sizes)?,
            strides: numbers(&self.strides)?,
            offset: self.offset.known()?,
        })
    }

    /// What tells it apart in tables: the same for equal expressions ([`Size::key`]).
    pub fn key(&self) -> Key {
        let sizes = self.sizes.iter().chain(&self.strides).chain([&self.offset]);
        sizes.map(|size| size.key()).collect()
    }

    /// Whether both are known to be one, without a guard.
    pub fn is_same(&self, other: &Self) -> bool {
        let same = |a: &[Size], b: &[Size]| a.iter().zip(b).all(|(a, b)| a.is_same(*b));
        self.rank() == other.rank()
            && self.offset.is_same(other.offset)
            && same(&self.sizes, &other.sizes)
            && same(&self.strides, &other.strides)
    }

    /// Whether both are one, as assumed of their sizes, then strides, then offsets ([`Number::assume_eq`]).
    pub fn assume_same(&self, other: &Self) -> bool {
        Size::assume_same(&self.sizes, &other.sizes)
            && Size::assume_same(&self.strides, &other.strides)
            && self.offset.assume_eq(other.offset)
    }

    /// As simple as what is known makes its expressions.
    pub fn simplified(&self) -> Self {
        let simple = |sizes: &[Size]| sizes.iter().map(|size| size.simplified()).collect();
        Self { sizes: simple(&self.sizes), strides: simple(&self.strides), offset: self.offset.simplified() }
    }

    /// Whether it is known, without a guard, that there are no elements.
    pub fn is_known_empty(&self) -> bool {
        self.sizes.iter().any(|size| size.known() == Some(0))
    }
}

impl Layout {
    /// Every place that an index names, in row-major order of the indices: as many as there are elements.
    pub fn places(&self) -> Vec<i64> {
        let mut out = vec![self.offset];
        for (n, s) in self.sizes.iter().zip(&self.strides) {
            out = out.iter().flat_map(|p| (0..*n).map(move |i| p + i * s)).collect();
        }
        out
    }
}

/// Dimensions from the innermost, with channels (dimension 1) first: 1, then the spatial ones from the last,
/// then 0.
fn channels_last_order(dims: usize) -> Vec<usize> {
    std::iter::once(1).chain((2..dims).rev()).chain([0]).collect()
}

/// Random numbers for tests: a linear congruential generator with the multiplier of Knuth's MMIX.
#[cfg(test)]
pub struct Random(pub u64);

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
