//! Sums of columns, a few rows at a time.
//!
//! ```text
//! y[j] = sum of x[i, j] over i        totals[j] = 0 for each j that the grid point has
//!                                     for each 16 rows i:
//!                                       for each strip of j: totals[j : 64] += the sum of x[i : 16, j : 64] over i
//!                                     y[j : 64] = totals[j : 64] for each strip of j
//! ```
//!
//! A strip after the other, each over all rows, would read a few lines of the cache of each row and come back
//! for the next ones much later: memory is read ahead along a row. 16 rows are as many as a processor follows
//! at once. The columns of 4096x4096 take 5.0 ms instead of 8.5 so, on one thread with AVX-512.

use super::{
    access::{Access, Pattern},
    cursor::parts_of,
    nest::{Kind, Nest},
    schedule::{Limits, ceil_div},
};
use melior::ir::OperationRef;
use terrace_dialects::{ir::types::bytes, ops::loop_};
use terrace_size::DYNAMIC;

/// Rows at a time.
pub(crate) const ROWS: i64 = 16;

/// Bytes from one row to the next from which on they are not read ahead together: a page.
const FAR: i64 = 4096;

/// Grid points that there are to be, where columns allow it, and the columns that one has at most.
const POINTS: i64 = 8;
const COLUMNS: i64 = 1024;

/// Strips below which there is nothing to win.
const STRIPS: i64 = 4;

/// A decision for it.
pub(crate) struct Stream {
    /// Columns of a grid point.
    pub columns: i64,
    /// Totals in memory: whole strips, the last one, too.
    pub totals: i64,
}

impl Stream {
    /// Decides for a nest with lanes along a dimension; `limits` says from how many bytes on, and whether
    /// there is memory for it.
    pub fn of(nest: &Nest, vector: Option<usize>, lanes: i64, limits: Limits) -> Option<Self> {
        let d = vector.filter(|d| *d < nest.outer)?;
        let (columns, rows) = (nest.sizes[d], *nest.sizes.get(nest.outer)?);
        let element = nest.element_type();
        if !matches!(nest.kind, Kind::Reduction(_))
            || limits.cross == 0
            || nest.is_scheduled()
            || nest.sizes.len() != nest.outer + 1
            || columns == DYNAMIC
            || rows == DYNAMIC
            || rows < 4 * ROWS
            || parts_of(element) > 1
        {
            return None;
        }
        let width = bytes(element)?;
        let index = nest.indices[nest.outer];
        let varying = nest.varying(Some(nest.outer));
        let is_far = |op: &OperationRef| {
            let Ok(load) = loop_::LoadOp::try_from(*op) else { return false };
            let access: Access = nest.load(load);
            let pattern = access.pattern(index, &varying);
            let far = |stride: i64| stride.saturating_mul(width) >= FAR.min(limits.stream);
            matches!(pattern, Pattern::Range { .. }) && access.stride(pattern).is_some_and(far)
        };
        let all = columns.saturating_mul(rows).saturating_mul(width);
        if all < limits.stream || !nest.body.iter().any(is_far) {
            return None;
        }
        let wanted = ceil_div(columns, POINTS).min(COLUMNS);
        let columns = ceil_div(wanted, lanes) * lanes;
        // A few strips alone come back to the next rows as soon.
        (columns >= STRIPS * lanes).then_some(Self { columns, totals: columns + lanes })
    }
}
