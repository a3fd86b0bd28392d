//! Columns of several batches as one run: the lines of an image, of which a window reads some elements more.
//!
//! ```text
//! // %n in 0 .. 7 * 58 + 56, across 8 lines of 56
//! %b = kernel.load %image[%c, (%i + %h) * 58 + %w + %n : 32]
//! kernel.store %sums, %scratch[0, %n : 32]
//! ..
//! // of line %l, to the epilogue
//! %line = kernel.load %scratch[%m, %l * 58 : 56]
//! ```
//!
//! Whole vectors are multiplied though no line is a multiple of them; the sums between two lines are dropped.

use super::{Product, choices::REGISTER, keep};
use crate::kernel::tile_programs::{
    cursor::{Bound, Cursor, Env, Lane},
    nest::bound,
    schedule::{power_of_two, round_up},
    strips::{Part, Tail, strips},
};
use terrace_dialects::ir::{cursor::V, operations::key, pass::Failure};

impl<'c: 'a, 'a, 'n> Product<'c, 'a, 'n> {
    /// Writes some rows of the product of some lines: indices of the last batch dimension.
    pub(super) fn spans(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        lines: Part<'c, 'a>,
        rows: Part<'c, 'a>,
    ) -> Result<(), Failure> {
        let (span, width) = (self.matmul.span, self.matmul.sizes[self.matmul.n()]);
        let run = self.run(span.min(lines.size.number().unwrap_or(span)), width);
        // Whole tiles are written, and whole registers read of the last line.
        let scratch = self.scratch(at, round_up(run, power_of_two(self.tile.1)).max(run + REGISTER))?;
        let (first, end) = (at.bound(lines.from)?, lines.end(at, lines.size)?);
        let (count, run) = match (lines.from, lines.size) {
            (Bound::Number(_), Bound::Number(size)) => (Bound::Number(size), Bound::Number(run)),
            (_, Bound::Number(size)) if size % span == 0 => (Bound::Number(span), Bound::Number(run)),
            _ => {
                let count = at.index_op("arith.subi", at.bound(end)?, first)?;
                let gaps = at.index_op("arith.muli", count, at.index(self.pitch)?)?;
                let run = at.index_op("arith.addi", gaps, at.index(width - self.pitch)?)?;
                (Bound::Value(count), Bound::Value(run))
            }
        };
        strips(at, rows, self.tile.0, Tail::Fours, &[], &mut |at, rows, _| {
            strips(at, Part::whole(run), self.tile.1, Tail::PowerOfTwo, &[], &mut |at, columns, _| {
                let sums = self.sum(at, env, rows, columns)?;
                keep(at, sums, (scratch, columns.base), [rows.lanes, columns.lanes])?;
                Ok(vec![])
            })?;
            at.repeat((Bound::Number(0), Bound::Number(rows.lanes), 1), &[], |at, row, _| {
                at.repeat((Bound::Number(0), count, 1), &[], |at, line, _| {
                    let env = self.at_line(at, env, first, line)?;
                    let from = at.index_op("arith.muli", line, at.index(self.pitch)?)?;
                    let columns = Part::whole(bound(self.matmul.extents[self.matmul.n()], &env)?);
                    strips(at, columns, self.tile.1, Tail::Registers, &[], &mut |at, columns, _| {
                        let from = at.index_op("arith.addi", from, columns.base)?;
                        self.finish_row(at, &env, (rows.base, row), columns, (scratch, from))?;
                        Ok(vec![])
                    })?;
                    Ok(vec![])
                })?;
                Ok(vec![])
            })?;
            Ok(vec![])
        })?;
        Ok(())
    }

    /// The elements from the first one of so many lines to the last one.
    fn run(&self, lines: i64, width: i64) -> i64 {
        (lines - 1) * self.pitch + width
    }

    /// What is known at a line: the indices of the epilogue.
    fn at_line(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        first: V<'c, 'a>,
        line: V<'c, 'a>,
    ) -> Result<Env<'c, 'a>, Failure> {
        let mut env = env.clone();
        let index = at.index_op("arith.addi", first, line)?;
        env.insert(key(self.matmul.outer[self.matmul.m() - 1]), Lane::One(index));
        Ok(env)
    }
}
