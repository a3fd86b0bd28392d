//! The windows of a sum over several indices, copied side by side: how many at a time.

use crate::{
    kernel::tile_programs::{nest::usual, schedule::Limits},
    loops::convert_to_kernel::product::Product,
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
const COLUMNS: i64 = 96;

/// So many indices of a dimension, from a number of them on.
#[derive(Clone, Copy)]
pub(super) struct Slab<'c, 'a> {
    pub dim: usize,
    pub size: i64,
    /// Known inside the loop over slabs.
    pub from: Option<V<'c, 'a>>,
}

/// What is copied at a time.
pub(in super::super) struct Copied<'c, 'a> {
    /// The dimensions that are copied for one index after the other.
    pub(super) looped: Vec<usize>,
    /// One of which some indices are copied at a time.
    pub(super) slab: Option<Slab<'c, 'a>>,
    /// Bytes at a time.
    pub(in super::super) bytes: i64,
}

impl<'c: 'a, 'a> Product<'c, 'a, '_> {
    /// What is copied for one index after the other, where all together takes much memory: a batch, then the
    /// first of the columns while enough are left; and of the next one as much at a time as fits.
    pub(in super::super) fn copied(&self, limits: Limits) -> Copied<'c, 'a> {
        let Product { nest, rhs, columns, inner, .. } = self;
        let mut parts = Copied { looped: vec![], slab: None, bytes: 0 };
        if inner.len() == 1 {
            return parts;
        }
        let most = if limits.blocks == 1 { MOST } else { MOST_OF_BLOCKS };
        let element = bytes(rhs.value.r#type()).unwrap_or(i64::MAX);
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
            let fits = |t: &i64| {
                let part = total / size * t;
                size % t == 0 && (most / 4..=most).contains(&part) && rest * t >= COLUMNS
            };
            if let Some(at_once) = (2..size).rev().find(fits) {
                parts.slab = Some(Slab { dim: *column, size: at_once, from: None });
                break;
            }
            if rest < COLUMNS || total / size < most / 4 {
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
        parts
    }
}
