//! The windows of a sum over several indices, copied side by side: how many at a time.

use crate::{
    kernel::tile_programs::{nest::usual, products::choices::copied_lanes, schedule::Limits},
    loops::convert_to_kernel::product::{COLUMNS, Product},
};
use melior::ir::ValueLike;
use terrace_dialects::ir::{cursor::V, types::bytes};
use terrace_size::DYNAMIC;

/// Bytes of copied windows beyond which they are copied for one part after the other: where one thread runs a
/// grid point what its cache holds, and where many blocks are wanted what all of them may take.
const MOST: i64 = 2 << 20;
const MOST_OF_BLOCKS: i64 = 256 << 20;

/// Columns that a product is to have at least where its right factor is copied for some after the others; a
/// quarter of the bytes is to be copied at a time at least, for each time all threads meet.
const AT_ONCE: i64 = 96;

/// Bytes of windows that may be in memory at a time; a sum that needs more stays a loop.
const COPIED: i64 = 1 << 30;

/// Columns of a tile that the time of a product is estimated for.
pub(super) const TILE: i64 = 32;

/// Elements of a left factor that stay in a cache from one image to the next.
const CACHED: i64 = 1 << 18;

/// The time that an element of a left factor takes that does not, and that of a sum that is moved, in that of
/// as many products of a row.
const READ: i64 = 8;
const MOVED: i64 = 16;

/// So many indices of a dimension, from a number of them on.
#[derive(Clone, Copy)]
pub(super) struct Slab<'c, 'a> {
    pub dim: usize,
    pub size: i64,
    /// Known inside the loop over slabs.
    pub from: Option<V<'c, 'a>>,
}

/// What is copied at a time.
pub(super) struct Copied<'c, 'a> {
    /// The dimensions that are copied for one index after the other.
    pub(super) looped: Vec<usize>,
    /// One of which some indices are copied at a time.
    pub(super) slab: Option<Slab<'c, 'a>>,
    /// The columns, the first one a batch where those of several images are multiplied at once.
    pub(super) columns: Vec<usize>,
    /// Bytes at a time.
    pub(super) bytes: i64,
}

impl<'c: 'a, 'a> Product<'c, 'a, '_> {
    /// Whether a template pays. That of few rows one thread runs, not one of many blocks. A right factor that
    /// is copied has to fit into memory, and a left one to be read by several columns.
    pub(in super::super) fn pays(&self, limits: Limits) -> bool {
        if self.inner.len() == 1 {
            return !self.is_few || limits.blocks == 1;
        }
        let copied = || self.copied(limits);
        let fits = |own: Copied| own.bytes <= COPIED && self.has_enough(&own.columns, limits);
        self.lines(limits).is_some() || fits(copied())
    }

    /// Whether so many columns pay for a pass over the left factor, one that is to be copied.
    pub(super) fn has_enough(&self, columns: &[usize], limits: Limits) -> bool {
        let least = if limits.blocks == 1 && self.has_left_beside() { 1 } else { COLUMNS };
        columns.iter().fold(1i64, |n, d| n.saturating_mul(usual(self.nest.sizes[*d]))) >= least
    }

    /// What is copied for one index after the other, where all together takes much memory: a batch, then the
    /// first of the columns while enough are left; and of the next one as much at a time as fits.
    pub(super) fn copied(&self, limits: Limits) -> Copied<'c, 'a> {
        let Product { nest, rhs, inner, .. } = self;
        let mut parts = Copied { looped: vec![], slab: None, columns: self.columns.clone(), bytes: 0 };
        if inner.len() == 1 {
            return parts;
        }
        parts.columns.splice(0..0, self.gathered().filter(|_| limits.blocks == 1));
        let columns = &parts.columns;
        let most = if limits.blocks == 1 { MOST } else { MOST_OF_BLOCKS };
        // Two are a word of four bytes.
        let element = if self.words(limits).is_some() { Some(2) } else { bytes(rhs.value.r#type()) };
        let element = element.unwrap_or(i64::MAX);
        let moving = |d: &usize| rhs.uses(nest.indices[*d]) && !columns.contains(d);
        let batches: Vec<usize> = self.batches().filter(moving).collect();
        let all: Vec<usize> = batches.iter().chain(columns).chain(inner).copied().collect();
        let product = |n: i64, d: &usize| match nest.sizes[*d] {
            DYNAMIC => i64::MAX,
            size => n.saturating_mul(size),
        };
        let left = |looped: &[usize]| all.iter().filter(|d| !looped.contains(d)).fold(element, product);
        parts.looped.extend(batches.first().filter(|_| left(&[]) > most));
        for (i, column) in columns.iter().enumerate() {
            let (size, total) = (nest.sizes[*column], left(&parts.looped));
            if total <= most || total == i64::MAX {
                break;
            }
            let rest = columns[i + 1..].iter().fold(1, product);
            // One image after the other is what is without them, which no number of them is worse than.
            let is_batch = !self.columns.contains(column);
            let fits = |t: &i64| {
                let part = total / size * t;
                let pays = is_batch || part >= most / 4 && rest * t >= AT_ONCE;
                size % t == 0 && pays
            };
            // No more fit than of so many bytes each.
            let at_most = (most / (total / size).max(1)).min(size - 1);
            if let Some(at_once) = (2..=at_most).rev().find(fits) {
                parts.slab = Some(Slab { dim: *column, size: at_once, from: None });
                break;
            }
            if !is_batch && (rest < AT_ONCE || total / size < most / 4) {
                break;
            }
            parts.looped.push(*column);
        }
        let at_once = |d: &usize| match parts.slab {
            Some(slab) if slab.dim == *d => slab.size,
            _ => usual(nest.sizes[*d]),
        };
        let copied = all.iter().filter(|d| !parts.looped.contains(d));
        parts.bytes = copied.fold(element, |n, d| n.saturating_mul(at_once(d)));
        parts.columns.retain(|d| !parts.looped.contains(d));
        parts
    }

    /// The batch whose images together have columns that fill registers, or spare the left factor from being
    /// read for each, in less time than it takes to bring the sums to where they belong.
    fn gathered(&self) -> Option<usize> {
        let Product { nest, lhs, rhs, rows, columns, inner, .. } = self;
        let moving = |d: &usize| rhs.uses(nest.indices[*d]);
        let batch = self.batches().filter(moving).last()?;
        let count =
            |dims: &[usize]| dims.iter().try_fold(1i64, |n, d| n.checked_mul(nest.extents[*d].number()?));
        let (images, rows, columns, inner) =
            (count(&[batch])?, count(&[*rows])?, count(columns)?, count(inner)?);
        let left = rows.checked_mul(inner)?;
        let read = if left > CACHED { READ } else { 0 };
        let lanes = |columns: i64| left.saturating_mul(copied_lanes(columns, TILE).saturating_add(read));
        let all = images.checked_mul(columns)?;
        let alone = lanes(columns).saturating_mul(images);
        let together = lanes(all).saturating_add(rows.saturating_mul(all).saturating_mul(MOVED));
        (!lhs.uses(nest.indices[batch]) && images > 1 && together < alone).then_some(batch)
    }
}
