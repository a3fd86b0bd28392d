//! Parts of the factors of a product in memory of the kernel, from which the sums are then computed:
//!
//! ```text
//! %t = scf.for %k step depth iter_args(%acc = 0) {
//!   kernel.store %a[i : rows, k : depth], %left          // on a GPU all threads do, and meet
//!   kernel.store %b[k : depth, j : columns], %right
//!   scf.for %l = 0 to depth { kernel.dot %left[: rows, l], %right[l, : columns], %acc }
//! }
//! ```
//!
//! A part lies as the matrix does that it comes from, so that both are read along what is side by side; where
//! that is the inner dimension its rows have an element more, and threads that read down a column meet
//! different banks.

use super::{Factor, Product};
use crate::kernel::tile_programs::{
    access::Access,
    cursor::{Bound, Cursor, Env, Lane, tile_type},
    matrix::Size,
    nest::bound,
    schedule::power_of_two,
    strips::{Part, Strip, Tail, strips},
};
use melior::ir::{ValueLike, attribute::FloatAttribute, r#type::MemRefType};
use terrace_dialects::{
    ir::{OperationLike, cursor::V, pass::Failure, shaped::Shaped},
    ops::kernel,
};

/// Memory for a part of a factor.
struct Stage<'c, 'a> {
    memory: V<'c, 'a>,
    /// Whether the inner dimension is the last.
    inner_last: bool,
}

/// The memory of both factors.
pub(super) struct Stages<'c, 'a>(Stage<'c, 'a>, Stage<'c, 'a>);

impl<'c, 'a> Stage<'c, 'a> {
    /// Where a line along the factor's own dimension is, of so many lanes: indices and ranges.
    fn line(
        &self,
        at: Cursor<'c, 'a, '_>,
        inner: V<'c, 'a>,
        lanes: i64,
    ) -> Result<([V<'c, 'a>; 2], [i64; 2]), Failure> {
        let zero = at.index(0)?;
        Ok(if self.inner_last { ([zero, inner], [lanes, 0]) } else { ([inner, zero], [0, lanes]) })
    }

    fn store(
        &self,
        at: Cursor<'c, 'a, '_>,
        tile: V<'c, 'a>,
        (indices, ranges): ([V<'c, 'a>; 2], [i64; 2]),
    ) -> Result<(), Failure> {
        let map = Access::identity(self.memory, &indices).map;
        at.append(kernel::store(at.location, &[], tile, self.memory, &indices, map, &ranges, &[1, 1], &[]))?;
        Ok(())
    }

    /// The elements at one inner index.
    fn load(&self, at: Cursor<'c, 'a, '_>, inner: V<'c, 'a>, lanes: i64) -> Result<V<'c, 'a>, Failure> {
        let (indices, ranges) = self.line(at, inner, lanes)?;
        let map = Access::identity(self.memory, &indices).map;
        let load = kernel::load(at.location, self.memory, &indices, map, &ranges, &[1, 1], &[], None, None);
        Ok(at.append(load)?.result_at(0)?.into())
    }
}

impl<'c: 'a, 'a, 'n> Product<'c, 'a, 'n> {
    /// Memory for parts of both factors.
    pub(super) fn stages(&self, at: Cursor<'c, 'a, '_>) -> Result<Stages<'c, 'a>, Failure> {
        let depth = match self.matmul.extents[self.matmul.k()].number() {
            Some(size) => self.depth.min(size.max(1)),
            None => self.depth,
        };
        let stage = |own: i64, inner_last: bool| {
            let sizes = if inner_last { [own, depth + 1] } else { [depth, own] };
            let ty = MemRefType::contiguous(self.matmul.element, &sizes, None).into();
            Ok::<_, Failure>(Stage { memory: at.allocate("memref.alloca", ty, &[])?, inner_last })
        };
        let left = stage(self.tile.0, matches!(self.lhs, Factor::Matrix(..)))?;
        let right = stage(power_of_two(self.tile.1), matches!(self.rhs, Factor::Transposed(..)))?;
        Ok(Stages(left, right))
    }

    /// The sums of one register tile, by way of memory.
    pub(super) fn staged_sum(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        (rows, columns): (Strip<'c, 'a>, Strip<'c, 'a>),
        Stages(left, right): &Stages<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let zero = FloatAttribute::new(at.context, self.matmul.element, 0.0);
        let start = at.constant_tile(&[rows.lanes, columns.lanes], zero.into())?;
        let inner = Part::whole(bound(self.matmul.extents[self.matmul.k()], env)?);
        let total = strips(at, inner, self.depth, Tail::Exact, &[start], &mut |at, inner, sum| {
            self.fill(at, env, (&self.lhs, left), (rows, self.matmul.m()), inner)?;
            self.fill(at, env, (&self.rhs, right), (columns, self.matmul.n()), inner)?;
            at.repeat((Bound::Number(0), Bound::Number(inner.lanes), 1), sum, |at, l, sum| {
                let lhs = self.edge(at, left.load(at, l, rows.lanes)?, rows.lanes, 0)?;
                let rhs = self.edge(at, right.load(at, l, columns.lanes)?, columns.lanes, 1)?;
                Ok(vec![at.append(kernel::dot(at.location, lhs, rhs, sum[0], None))?.result_at(0)?.into()])
            })
        })?;
        Ok(total[0])
    }

    /// Brings a part of a factor into memory.
    fn fill(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        (factor, stage): (&Factor<'c, 'a, 'n>, &Stage<'c, 'a>),
        (own, dim): (Strip<'c, 'a>, usize),
        inner: Strip<'c, 'a>,
    ) -> Result<(), Failure> {
        match factor {
            Factor::Matrix(matrix, _) | Factor::Transposed(matrix, _) => {
                let (from, ranges, valid) = if stage.inner_last {
                    ([own.base, inner.base], [own.lanes, inner.lanes], [own.valid, None])
                } else {
                    ([inner.base, own.base], [inner.lanes, own.lanes], [None, own.valid])
                };
                let tile = matrix.load(at, env, from, Size { rows: ranges[0], columns: ranges[1], valid })?;
                let narrow = Shaped::expect(tile.r#type())?.element != self.matmul.element;
                let whole = tile_type(&ranges, self.matmul.element);
                let tile = if narrow { at.op("arith.extf", &[tile], whole)? } else { tile };
                let zero = at.index(0)?;
                stage.store(at, tile, ([zero, zero], ranges))
            }
            Factor::Computed(nest) => {
                let bounds = (Bound::Number(0), Bound::Number(inner.lanes), 1);
                at.repeat(bounds, &[], |at, l, _| {
                    let k = at.binary("arith.addi", Lane::One(inner.base), Lane::One(l))?;
                    let (Lane::One(k) | Lane::Tile(k)) = k;
                    let line = self.line(at, env, nest, k, dim, own)?;
                    stage.store(at, line, stage.line(at, l, own.lanes)?)?;
                    Ok(vec![])
                })?;
                Ok(())
            }
        }
    }
}
