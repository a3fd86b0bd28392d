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
    strips::{Part, Strip, Tail, strips},
};
use terrace_dialects::ir::{cursor::V, operations::key, pass::Failure};

impl<'c: 'a, 'a, 'n> Product<'c, 'a, 'n> {
    /// Writes some rows of the product of what a grid point has of the lines: indices of the last batch
    /// dimension.
    pub(super) fn spans(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        lines: Part<'c, 'a>,
        rows: Part<'c, 'a>,
    ) -> Result<(), Failure> {
        let span = lines.size.number().map_or(self.matmul.span, |size| self.matmul.span.min(size));
        let run = self.run(span);
        // Whole tiles are written, and whole registers read of the last line.
        let scratch = self.scratch(at, round_up(run, power_of_two(self.tile.1)).max(run + REGISTER))?;
        strips(at, lines, span, Tail::Exact, &[], &mut |at, lines, _| {
            let env = self.at_line(env, lines.base);
            let columns = Part::whole(Bound::Number(self.run(lines.lanes)));
            strips(at, rows, self.tile.0, Tail::Fours, &[], &mut |at, rows, _| {
                strips(at, columns, self.tile.1, Tail::PowerOfTwo, &[], &mut |at, columns, _| {
                    let sums = self.sum(at, &env, rows, columns)?;
                    keep(at, sums, (scratch, columns.base), [rows.lanes, columns.lanes])?;
                    Ok(vec![])
                })?;
                self.finish_lines(at, &env, (rows, lines), scratch)?;
                Ok(vec![])
            })?;
            Ok(vec![])
        })?;
        Ok(())
    }

    /// Computes what is stored of the sums of some rows of some lines.
    fn finish_lines(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        (rows, lines): (Strip<'c, 'a>, Strip<'c, 'a>),
        scratch: V<'c, 'a>,
    ) -> Result<(), Failure> {
        let columns = Part::whole(bound(self.matmul.extents[self.matmul.n()], env)?);
        at.repeat((Bound::Number(0), Bound::Number(rows.lanes), 1), &[], |at, row, _| {
            at.repeat((Bound::Number(0), Bound::Number(lines.lanes), 1), &[], |at, line, _| {
                let env = self.at_line(env, at.index_op("arith.addi", lines.base, line)?);
                let from = at.index_op("arith.muli", line, at.index(self.pitch)?)?;
                strips(at, columns, self.tile.1, Tail::Registers, &[], &mut |at, columns, _| {
                    let from = at.index_op("arith.addi", from, columns.base)?;
                    self.finish_row(at, &env, (rows.base, row), columns, (scratch, from))?;
                    Ok(vec![])
                })?;
                Ok(vec![])
            })?;
            Ok(vec![])
        })?;
        Ok(())
    }

    /// The elements from the first one of so many lines to the last one.
    fn run(&self, lines: i64) -> i64 {
        (lines - 1) * self.pitch + self.matmul.sizes[self.matmul.n()]
    }

    /// What is known at a line.
    fn at_line(&self, env: &Env<'c, 'a>, line: V<'c, 'a>) -> Env<'c, 'a> {
        let mut env = env.clone();
        for indices in [&self.matmul.lhs.indices, &self.matmul.rhs.indices, &self.matmul.outer] {
            env.insert(key(indices[self.matmul.m() - 1]), Lane::One(line));
        }
        env
    }
}
