//! A sum over several indices whose right factor is read as it lies: a convolution without copied windows.
//!
//! ```text
//! loop.reduction add (%b, %o, %i, %j) over (%c, %h, %w) into %y
//!     { %w[%o, %c, %h, %w] * %x[%b, %c, %i + %h, %j + %w] }
//!
//! kernel.matmul (%b, %i, %o, %j) over (%c, %h, %w) into %y
//!     lhs { %w[%o, %c, %h, %w] } rhs { %x'[%b, %c, (%i + %h) * 58 + %j + %w] }
//! ```
//!
//! That pays where columns are neighbours in memory, and where the lanes beyond a line's end that are
//! multiplied for nothing take less time than a copy of all windows.

use super::{Source, Template, copied::TILE, words::paired};
use crate::{
    emit::Emitter,
    kernel::tile_programs::{
        access::{Access, Pattern},
        kernels::Kernels,
        nest::usual,
        products::choices::{Lines, copied_lanes},
        schedule::Limits,
    },
    loops::{convert_to_kernel::product::Product, operation::merged::mergeable},
};
use melior::ir::ValueLike;
use terrace_dialects::ir::{operations::key, pass::Failure, types::has_identity_layout};
use terrace_size::DYNAMIC;

/// The time that an element of a copy takes, in that of as many products of a row.
const COPY: i64 = 8;

impl<'c: 'a, 'a> Product<'c, 'a, '_> {
    /// The right factor of a sum over several indices as it lies, its lines in one dimension, where that
    /// takes less time than to copy it. Of many blocks each would read the same lines anew.
    pub(super) fn lines(&self, limits: Limits) -> Option<Source<'c, 'a, '_>> {
        let Product { nest, rhs, rows, columns, inner, .. } = self;
        let column = columns.last()?;
        if inner.len() == 1 || limits.blocks > 1 || !self.has_enough(columns, limits) {
            return None;
        }
        let access = Access::load(rhs.load()?);
        let along = |d: usize| access.pattern(nest.indices[d], &[key(nest.indices[d])].into());
        let Pattern::Range { dim, step: 1 } = along(*column) else { return None };
        if access.strides()[dim] != 1 {
            return None;
        }
        let size = |d: usize| nest.sizes[d];
        let (mut merged, mut lines) = ((dim, 1), [1, size(*column), size(*column)]);
        if let [.., line, _] = columns[..]
            && let Pattern::Range { dim: first, step } = along(line)
            && let Some(stride) = access.strides()[first].checked_mul(step)
        {
            let merges = mergeable(access.buffer)?;
            lines = [size(line), size(*column), stride];
            if first < dim && step > 0 && merges[first + 1..=dim].iter().all(|size| *size != DYNAMIC) {
                merged = (first, dim - first + 1);
            }
        }
        let count = columns.iter().fold(1, |n, d| usual(size(*d)).saturating_mul(n));
        let others = columns.iter().rev().skip(2).fold(1, |n, d| usual(size(*d)).saturating_mul(n));
        let lanes = Lines::of(lines, size(inner[0]), TILE).lanes.saturating_mul(others);
        let copied = copied_lanes(count, TILE).saturating_mul(usual(size(*rows)));
        let pays =
            lanes.saturating_mul(usual(size(*rows))) <= count.saturating_mul(COPY).saturating_add(copied);
        let is_whole = has_identity_layout(access.buffer.r#type());
        let of_words =
            || self.words(limits).is_none_or(|d| is_whole && paired(&access, nest.indices[d]).is_some());
        (pays && of_words()).then_some(Source::Lines(access, merged))
    }
}

impl<'c: 'a, 'a, 'n, 'p> Template<'c, 'a, 'n, 'p> {
    /// Writes a product whose right factor is read as it lies.
    pub(super) fn write_lines(
        mut self,
        at: Emitter<'c, 'a>,
        kernels: &mut Kernels<'c>,
        limits: Limits,
        (mut batches, right): (Vec<usize>, Source<'c, 'a, 'p>),
    ) -> Result<(), Failure> {
        let Product { rows, columns, inner, .. } = self.product;
        let (column, lines) = columns.split_last().ok_or("has no columns")?;
        batches.extend(lines);
        batches.extend([rows, column].into_iter().chain(inner));
        self.dims = batches.into_iter().map(|d| vec![d]).collect();
        self.columns = vec![*column];
        let mut buffers = vec![];
        let left = self.left(&at, &mut buffers)?;
        if let Source::Copy(..) = left {
            self.copy(at, kernels, limits, (&self.product.lhs, &left))?;
        }
        let right = match (right, self.words) {
            (Source::Lines(access, merged), Some(d)) => {
                let access = self.words_of(at, kernels, limits, (&access, d), &mut buffers)?;
                Source::Lines(access, merged)
            }
            (right, _) => right,
        };
        self.write(at, [&left, &right])?;
        for buffer in buffers {
            at.build("memref.dealloc", &[buffer], &[], &[]);
        }
        Ok(())
    }
}
