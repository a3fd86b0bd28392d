//! `#kernel.layout`: how a tile lies in the threads of a block.
//!
//! Along a dimension of `b` vectors of `v` elements and with `T` threads, slot `r` of thread `t` is the
//! vector `(r T + t) mod b`: it wraps round where the tile is larger than the threads hold in one slot, and
//! repeats where it is smaller. A slot with `r T + t >= b` is a copy. The idea is that of Triton's blocked
//! layouts and their slices.

use crate::{
    ir::{builder::BuildError, shaped::Shaped, types},
    ops::kernel::LayoutAttr,
};
use melior::{
    Context,
    ir::{Attribute, Location, Type, r#type::RankedTensorType},
};

/// Threads that run in step and exchange values.
pub const WARP: i64 = 32;
/// The most threads that a block has.
pub const MAX_THREADS: i64 = 1024;

/// A layout, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Threads along each dimension.
    pub threads: Vec<i64>,
    /// Elements of a vector along each dimension: they lie side by side in one thread.
    pub vector: Vec<i64>,
    /// The dimensions in the order in which threads are counted, fastest first.
    pub order: Vec<i64>,
    /// The dimensions that the tile has no more: all threads along them hold the same.
    pub without: Vec<i64>,
}

impl Layout {
    /// A layout whose last dimension is the fastest.
    pub fn new(threads: Vec<i64>, vector: Vec<i64>) -> Self {
        let order = (0..threads.len() as i64).rev().collect();
        Self { threads, vector, order, without: vec![] }
    }

    /// Reads an attribute; None where it is no layout.
    pub fn read(attribute: Attribute) -> Option<Self> {
        let view = LayoutAttr::try_from(attribute).ok()?;
        let [threads, vector, order, without] =
            [view.threads(), view.vector(), view.order(), view.without()].map(<[i64]>::to_vec);
        Some(Self { threads, vector, order, without })
    }

    /// The layout of a tile's type; None where it has none yet, or is no tile.
    pub fn of(ty: Type) -> Option<Self> {
        Self::read(encoding(ty)?)
    }

    /// The attribute.
    ///
    /// # Errors
    /// What is wrong with it has been said.
    pub fn attribute<'c>(&self, context: &'c Context) -> Result<Attribute<'c>, BuildError> {
        let location = Location::unknown(context);
        LayoutAttr::new(location, &self.threads, &self.vector, &self.order, &self.without).map(Into::into)
    }

    /// The threads of a block.
    pub fn count(&self) -> i64 {
        self.threads.iter().product()
    }

    /// The dimensions of the layout that the tile still has.
    pub fn kept(&self) -> Vec<usize> {
        (0..self.threads.len()).filter(|d| !self.without.contains(&(*d as i64))).collect()
    }

    /// How far apart the numbers of two threads are that are neighbours along a dimension.
    pub fn distance(&self, dim: usize) -> i64 {
        let faster = self.order.iter().take_while(|d| **d != dim as i64);
        faster.map(|d| self.threads[*d as usize]).product()
    }

    /// The layout of what is left when dimensions of the tile go.
    pub fn sliced(&self, dims: &[usize]) -> Self {
        let kept = self.kept();
        let mut without = self.without.clone();
        without.extend(dims.iter().filter_map(|d| kept.get(*d)).map(|d| *d as i64));
        without.sort();
        Self { without, ..self.clone() }
    }

    /// The layout of a factor of a product, of the accumulator's: along a dimension of the tile each thread
    /// holds all, `size` elements.
    pub fn factor(&self, dim: usize, size: i64) -> Self {
        let mut layout = self.clone();
        if let Some(dim) = self.kept().get(dim) {
            layout.vector[*dim] = size;
        }
        layout
    }

    /// Whether it is a layout, of a tile of any shape.
    pub fn check(&self) -> Result<(), String> {
        let Self { threads, vector, order, without } = self;
        let rank = threads.len();
        if vector.len() != rank {
            return Err(format!(
                "expects a vector for each of {rank} dimensions of threads, got {}",
                vector.len()
            ));
        }
        let power = |n: &&i64| **n < 1 || **n & (**n - 1) != 0;
        if let Some(n) = threads.iter().chain(vector).find(power) {
            return Err(format!("expects threads and vectors of a power of two, got {n}"));
        }
        let mut sorted = order.clone();
        sorted.sort();
        if sorted != (0..rank as i64).collect::<Vec<_>>() {
            return Err(format!("expects an order of all {rank} dimensions, fastest first, got {order:?}"));
        }
        if !without.windows(2).all(|w| w[0] < w[1]) || without.iter().any(|d| *d < 0 || *d >= rank as i64) {
            return Err(format!(
                "expects to be without some of {rank} dimensions, in order, got {without:?}"
            ));
        }
        let count = threads.iter().try_fold(1i64, |n, t| n.checked_mul(*t)).unwrap_or(i64::MAX);
        if !(WARP..=MAX_THREADS).contains(&count) {
            return Err(format!("expects whole warps of {WARP}, at most {MAX_THREADS} threads, got {count}"));
        }
        Ok(())
    }

    /// Whether a tile of a shape can be laid out so.
    pub fn check_shape(&self, shape: &[i64]) -> Result<(), String> {
        let kept = self.kept();
        if kept.len() != shape.len() {
            return Err(format!(
                "expects a layout of {} dimensions for the tile, got one of {}",
                shape.len(),
                kept.len()
            ));
        }
        for (d, size) in kept.into_iter().zip(shape) {
            let vector = self.vector[d];
            if *size < 1 || size % vector != 0 {
                return Err(format!("expects sizes in whole vectors, got {size} in vectors of {vector}"));
            }
        }
        Ok(())
    }
}

/// The encoding of a ranked tensor type.
pub fn encoding(ty: Type) -> Option<Attribute> {
    RankedTensorType::try_from(ty).ok()?.encoding()
}

/// A tile's type; the layout has to fit the shape.
pub fn tile<'c>(shape: &[i64], element: Type<'c>, layout: Option<Attribute<'c>>) -> Type<'c> {
    types::tensor(shape, element, layout)
}

/// The type of the same tile with a layout.
pub fn with_layout<'c>(ty: Type<'c>, layout: Option<Attribute<'c>>) -> Type<'c> {
    Shaped::of(ty).map_or(ty, |shaped| tile(&shaped.shape, shaped.element, layout))
}

/// The dimensions of the tile that an access reads or writes.
pub fn tile_shape(ranges: &[i64]) -> Vec<i64> {
    ranges.iter().copied().filter(|r| *r != 0).collect()
}
