//! The kernel of a matrix product. A point of its grid computes one register tile:
//!
//! ```text
//! %t = scf.for %k iter_args(%acc = 0) { kernel.dot %a[i : rows, k : 1], %b[k : 1, j : columns], %acc }
//! kernel.store %t, %c[i : rows, j : columns]
//! ```
//!
//! Rows that are left over make a tile of their own, exactly as high, or tiles of four and of one where it is
//! not known how many they are; columns that are left over one that is masked. A factor that is no matrix in
//! memory is computed where it is used, a row or column of a tile at once. An epilogue takes the sums row by
//! row, out of a scratch buffer: rolled, for its body may be long and there are many vectors in a tile.

pub(crate) mod choices;
mod dots;
pub(crate) mod pack;
mod spans;
mod stage;
mod words;

use self::words::Words;
use super::{
    access::Access,
    body::{Body, Scope},
    cursor::{Bound, Cursor, Env, Lane, tile_type},
    matmul::Matmul,
    matrix::{Matrix, Size},
    nest::{Nest, bound},
    schedule::{Level, power_of_two},
    strips::{Part, Strip, Tail, parts, strips},
};
use melior::ir::{Attribute, ValueLike, attribute::FloatAttribute, r#type::MemRefType};
use terrace_dialects::{
    internal,
    ir::{OperationLike, cursor::V, extent::Extent, operations::key, pass::Failure, shaped::Shaped},
    ops::kernel,
};
use terrace_size::DYNAMIC;

/// Indices at most of the last of several inner dimensions whose products follow each other in the code.
const UNROLLED: i64 = 8;

/// Where the elements of a factor come from.
pub(crate) enum Factor<'c, 'a, 'n> {
    /// A matrix in memory, in terms of the indices of a domain.
    Matrix(Matrix<'c, 'a>, &'n [V<'c, 'a>]),
    /// A matrix in memory whose columns come before its rows; here it is transposed.
    Transposed(Matrix<'c, 'a>, &'n [V<'c, 'a>]),
    /// A body.
    Computed(&'n Nest<'c, 'a>),
}

/// A product whose factors are where they are read from.
pub(crate) struct Product<'c, 'a, 'n> {
    pub(super) matmul: &'n Matmul<'c, 'a>,
    pub(super) lhs: Factor<'c, 'a, 'n>,
    pub(super) rhs: Factor<'c, 'a, 'n>,
    /// Rows and columns of a register tile.
    pub(super) tile: (i64, i64),
    /// Inner indices whose factors are in memory of the kernel at once; 0: none.
    pub(super) depth: i64,
    /// Lanes along what is summed over; 0: they are along the columns.
    pub(super) lanes: i64,
    /// Elements between the columns of neighbours along the last batch dimension, where those of several are
    /// one run; 0: where each has its own.
    pub(super) pitch: i64,
}

/// Puts sums into the scratch, from a column on.
fn keep<'c: 'a, 'a>(
    at: Cursor<'c, 'a, '_>,
    sums: V<'c, 'a>,
    (scratch, from): (V<'c, 'a>, V<'c, 'a>),
    ranges: [i64; 2],
) -> Result<(), Failure> {
    let zero = at.index(0)?;
    let map = Access::identity(scratch, &[zero, from]).map;
    at.append(kernel::store(at.location, &[], sums, scratch, &[zero, from], map, &ranges, &[1, 1], &[]))?;
    Ok(())
}

impl<'c: 'a, 'a, 'n> Factor<'c, 'a, 'n> {
    /// A factor that is not packed.
    pub fn new(nest: &'n Nest<'c, 'a>, matrix: Option<Matrix<'c, 'a>>) -> Self {
        match matrix.filter(Matrix::in_order) {
            Some(matrix) => Self::Matrix(matrix, &nest.indices),
            None => Self::Computed(nest),
        }
    }

    /// A factor as words of pairs where it lies, its own dimension that of rows; None where these are no
    /// matrix.
    pub fn words(nest: &'n Nest<'c, 'a>, own: usize) -> Option<Result<Self, Failure>> {
        let along = [nest.indices[own], *nest.indices.last()?];
        let words = Words::of(nest)?.access(nest);
        let matrix = words.map(|access| Matrix::of(access, along).filter(Matrix::in_order));
        matrix.transpose().map(|matrix| Ok(Self::Matrix(matrix?, &nest.indices)))
    }

    /// A factor of rows along the inner dimension, its own that of rows; None where it is none.
    pub fn rows(nest: &'n Nest<'c, 'a>, own: usize) -> Option<Self> {
        let access = nest.plain().or_else(|| nest.extended())?;
        let matrix = Matrix::of(access, [nest.indices[own], *nest.indices.last()?])?;
        let lies = matrix.in_order() && matrix.has_contiguous_rows();
        lies.then_some(Self::Matrix(matrix, &nest.indices))
    }

    /// A factor whose parts are brought into memory of the kernel.
    pub fn staged(nest: &'n Nest<'c, 'a>, matrix: Option<Matrix<'c, 'a>>) -> Self {
        match matrix {
            Some(matrix) if matrix.in_order() => Self::Matrix(matrix, &nest.indices),
            Some(matrix) => Self::Transposed(matrix.transposed(), &nest.indices),
            None => Self::Computed(nest),
        }
    }

    fn captured(&self) -> Vec<V<'c, 'a>> {
        match self {
            Self::Computed(nest) => nest.captured(),
            Self::Matrix(matrix, indices) | Self::Transposed(matrix, indices) => {
                let access = &matrix.access;
                let operands = access.operands.iter().filter(|v| !indices.contains(v));
                operands.copied().chain([access.buffer]).collect()
            }
        }
    }
}

impl<'c: 'a, 'a, 'n> Product<'c, 'a, 'n> {
    pub fn new(
        matmul: &'n Matmul<'c, 'a>,
        lhs: Factor<'c, 'a, 'n>,
        rhs: Factor<'c, 'a, 'n>,
        tile: (i64, i64),
        depth: i64,
    ) -> Self {
        Self { matmul, lhs, rhs, tile, depth, lanes: 0, pitch: 0 }
    }

    /// The same with so many lanes along what is summed over.
    pub fn with_lanes(self, lanes: i64) -> Self {
        Self { lanes, ..self }
    }

    /// The same with the columns of several batches as one run, so many elements apart.
    pub fn with_pitch(self, pitch: i64) -> Self {
        Self { pitch, ..self }
    }

    /// What the kernel uses from outside, in order.
    pub fn captured(&self) -> Vec<V<'c, 'a>> {
        let store = &self.matmul.store;
        let last = match &self.matmul.epilogue {
            Some(epilogue) => epilogue.captured(),
            None => {
                let operands = store.operands.iter().filter(|v| !self.matmul.outer.contains(v));
                operands.copied().chain([store.buffer]).collect()
            }
        };
        let mut found = vec![];
        let sizes = self.matmul.extents.iter().filter_map(|extent| extent.value());
        for value in self.lhs.captured().into_iter().chain(self.rhs.captured()).chain(last).chain(sizes) {
            if !found.contains(&value) {
                found.push(value);
            }
        }
        found
    }

    /// The dimensions as the grid has them: batches, then columns, then rows, so that points that follow each
    /// other share a panel of columns.
    fn dims(&self) -> Vec<usize> {
        let (m, n) = (self.matmul.m(), self.matmul.n());
        (0..m).chain([n, m]).collect()
    }

    /// The sizes of the dimensions, in the grid's order.
    pub fn extents(&self) -> Vec<Extent<'c, 'a>> {
        self.dims().into_iter().map(|d| self.matmul.extents[d]).collect()
    }

    /// How the dimensions are run through, in the grid's order.
    pub fn levels(&self) -> Vec<Level> {
        let (m, n) = (self.matmul.m(), self.matmul.n());
        let level = |d: usize| {
            let size = self.matmul.sizes[d];
            let block = if d == m {
                self.tile.0
            } else if d == n {
                self.tile.1
            } else if self.pitch > 0 && d + 1 == m {
                self.matmul.span
            } else {
                1
            };
            if size != DYNAMIC && size <= block || self.pitch > 0 && d == n {
                Level::Inside
            } else if block == 1 {
                Level::Grid
            } else {
                Level::Block(block)
            }
        };
        self.dims().into_iter().map(level).collect()
    }

    /// Writes the kernel.
    pub fn write(
        &self,
        at: Cursor<'c, 'a, '_>,
        mut env: Env<'c, 'a>,
        grid: &[V<'c, 'a>],
    ) -> Result<(), Failure> {
        let sizes = self.extents().into_iter().map(|extent| bound(extent, &env));
        let parts = parts(at, &self.levels(), &sizes.collect::<Result<Vec<_>, _>>()?, grid)?;
        let [batches @ .., columns, rows] = &parts[..] else { return Err("has no rows and columns".into()) };
        for (d, part) in batches.iter().enumerate() {
            let index = Lane::One(at.bound(part.from)?);
            for indices in [&self.matmul.lhs.indices, &self.matmul.rhs.indices, &self.matmul.outer] {
                env.insert(key(indices[d]), index);
            }
        }
        match batches.last() {
            Some(lines) if self.pitch > 0 => self.spans(at, &env, *lines, *rows),
            _ => self.tiles(at, &env, *columns, *rows),
        }
    }

    /// Writes some rows of the product; `env` has the indices of the batches.
    pub fn rows(&self, at: Cursor<'c, 'a, '_>, env: &Env<'c, 'a>, rows: Part<'c, 'a>) -> Result<(), Failure> {
        let columns = bound(self.matmul.extents[self.matmul.n()], env)?;
        self.tiles(at, env, Part::whole(columns), rows)
    }

    /// Writes the register tiles of some columns and rows.
    fn tiles(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        columns: Part<'c, 'a>,
        rows: Part<'c, 'a>,
    ) -> Result<(), Failure> {
        let scratch =
            if self.direct().is_some() { None } else { Some(self.scratch(at, power_of_two(self.tile.1))?) };
        let stages = if self.depth > 0 { Some(self.stages(at)?) } else { None };
        // A thread of a GPU has no registers left for tiles of another size.
        let tail = if stages.is_some() { Tail::Exact } else { Tail::Fours };
        strips(at, columns, self.tile.1, Tail::PowerOfTwo, &[], &mut |at, columns, _| {
            strips(at, rows, self.tile.0, tail, &[], &mut |at, rows, _| {
                let sum = match &stages {
                    Some(stages) => self.staged_sum(at, env, (rows, columns), stages)?,
                    None if self.lanes > 0 => self.dots(at, env, [rows, columns], self.lanes)?,
                    None => self.sum(at, env, rows, columns)?,
                };
                match scratch {
                    Some(scratch) => self.finish(at, env, rows, columns, sum, scratch)?,
                    None => self.store(at, env, rows, columns, sum)?,
                }
                Ok(vec![])
            })
        })?;
        Ok(())
    }

    /// Where the sums go as a whole tile: there is nothing more to compute, and the place is a matrix.
    fn direct(&self) -> Option<Matrix<'c, 'a>> {
        let sums = self.matmul.epilogue.as_ref().is_none_or(|nest| nest.yields(nest.given[0]));
        self.matmul.result().filter(|_| sums)
    }

    /// The sums of one register tile.
    fn sum(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        rows: Strip<'c, 'a>,
        columns: Strip<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let zero = FloatAttribute::new(at.context, self.matmul.element, 0.0);
        let start = at.constant_tile(&[rows.lanes, columns.lanes], zero.into())?;
        self.sum_over(at, env, self.matmul.n() + 1, [rows, columns], start)
    }

    /// The sum with what the dimensions from one on add to it, the last unrolled if it is a window's.
    fn sum_over(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        d: usize,
        [rows, columns]: [Strip<'c, 'a>; 2],
        sum: V<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let pairs = (self.matmul.pairs || self.matmul.words).then(|| Attribute::unit(at.context));
        let add = |at: Cursor<'c, 'a, '_>, k: V<'c, 'a>, sum: V<'c, 'a>| {
            let lhs = self.edge_at(at, env, (&self.lhs, 0), k, rows)?;
            let rhs = self.edge_at(at, env, (&self.rhs, 1), k, columns)?;
            Ok(at.append(kernel::dot(at.location, lhs, rhs, sum, pairs))?.result_at(0)?.into())
        };
        let is_last = d == self.matmul.k();
        let extent =
            if is_last && self.matmul.reduced == 1 { self.matmul.inner() } else { self.matmul.extents[d] };
        match extent {
            Extent::Number(size) if is_last && self.matmul.reduced > 1 && size <= UNROLLED => {
                (0..size).try_fold(sum, |sum, k| add(at, at.index(k)?, sum))
            }
            extent => {
                let total = at.repeat((Bound::Number(0), bound(extent, env)?, 1), &[sum], |at, k, sum| {
                    if is_last {
                        return Ok(vec![add(at, k, sum[0])?]);
                    }
                    let mut env = env.clone();
                    for indices in [&self.matmul.lhs.indices, &self.matmul.rhs.indices] {
                        env.insert(key(indices[d]), Lane::One(k));
                    }
                    Ok(vec![self.sum_over(at, &env, d + 1, [rows, columns], sum[0])?])
                })?;
                Ok(total[0])
            }
        }
    }

    /// What a register tile takes of a factor at one `k`: a column of the left one, along dimension 0, or a
    /// row of the right one.
    fn edge_at(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        (factor, dim): (&Factor<'c, 'a, 'n>, usize),
        k: V<'c, 'a>,
        strip: Strip<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let left = dim == 0;
        match factor {
            Factor::Matrix(matrix, _) if left => {
                let size = Size { rows: strip.lanes, columns: 1, valid: [None; 2] };
                matrix.load(at, env, [strip.base, k], size)
            }
            Factor::Matrix(matrix, _) => {
                let size = Size { rows: 1, columns: strip.lanes, valid: [None, strip.valid] };
                matrix.load(at, env, [k, strip.base], size)
            }
            Factor::Computed(nest) => {
                let own = if left { self.matmul.m() } else { self.matmul.n() };
                let line = self.line(at, env, nest, k, own, strip)?;
                self.edge(at, line, strip.lanes, dim)
            }
            Factor::Transposed(..) => Err("reads a transposed factor where it lies".into()),
        }
    }

    /// The elements of a computed factor at one `k`.
    pub(super) fn line(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        nest: &Nest<'c, 'a>,
        k: V<'c, 'a>,
        vector: usize,
        strip: Strip<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let mut env = env.clone();
        env.insert(key(nest.indices[self.matmul.k()]), Lane::One(k));
        let body = Body::new(nest, Some(vector));
        let env = body.uniform(at, env)?;
        let mut scope = Scope::new(&body, at, env, Some(strip));
        scope.varying()?;
        let element = scope.element()?;
        at.splat(element[0], strip.lanes)
    }

    /// A line as a column of the left factor, along dimension 0, or as a row of the right one.
    pub(super) fn edge(
        &self,
        at: Cursor<'c, 'a, '_>,
        line: V<'c, 'a>,
        lanes: i64,
        dim: usize,
    ) -> Result<V<'c, 'a>, Failure> {
        let mut shape = [1; 2];
        shape[dim] = lanes;
        let ty = tile_type(&shape, Shaped::expect(line.r#type())?.element);
        Ok(at.append(kernel::broadcast(at.location, &[ty], line, &[dim as i64]))?.result_at(0)?.into())
    }

    fn store(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        rows: Strip<'c, 'a>,
        columns: Strip<'c, 'a>,
        sum: V<'c, 'a>,
    ) -> Result<(), Failure> {
        let matrix = self.direct().ok_or(internal!("stores what is no matrix"))?;
        let size = Size { rows: rows.lanes, columns: columns.lanes, valid: [None, columns.valid] };
        matrix.store(at, env, [rows.base, columns.base], size, sum)
    }

    /// Memory of the kernel's own for the rows of a register tile, and so many columns.
    fn scratch(&self, at: Cursor<'c, 'a, '_>, columns: i64) -> Result<V<'c, 'a>, Failure> {
        let sizes = [self.tile.0, columns];
        let ty = MemRefType::contiguous(self.matmul.element, &sizes, None).into();
        at.allocate("memref.alloca", ty, &[])
    }

    /// Computes what is stored of the sums of a register tile, row by row.
    fn finish(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        rows: Strip<'c, 'a>,
        columns: Strip<'c, 'a>,
        sum: V<'c, 'a>,
        scratch: V<'c, 'a>,
    ) -> Result<(), Failure> {
        let zero = at.index(0)?;
        keep(at, sum, (scratch, zero), [rows.lanes, columns.lanes])?;
        let bounds = (Bound::Number(0), Bound::Number(rows.lanes), 1);
        at.repeat(bounds, &[], |at, row, _| {
            self.finish_row(at, env, (rows.base, row), columns, (scratch, zero))?;
            Ok(vec![])
        })?;
        Ok(())
    }

    /// Computes what is stored of the sums of some columns of a row, which stand in a row of the scratch from
    /// a place on.
    fn finish_row(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        (first, row): (V<'c, 'a>, V<'c, 'a>),
        columns: Strip<'c, 'a>,
        (scratch, from): (V<'c, 'a>, V<'c, 'a>),
    ) -> Result<(), Failure> {
        let map = Access::identity(scratch, &[row, from]).map;
        let ranges = [0, columns.lanes];
        let load = kernel::load(at.location, scratch, &[row, from], map, &ranges, &[1, 1], &[], None, None);
        let sums = at.append(load)?.result_at(0)?.into();
        let mut env = env.clone();
        let m = at.index_op("arith.addi", first, row)?;
        env.insert(key(self.matmul.outer[self.matmul.m()]), Lane::One(m));
        let Some(nest) = &self.matmul.epilogue else {
            let line = self.edge(at, sums, columns.lanes, 1)?;
            return self.store(at, &env, Strip { base: m, lanes: 1, valid: None }, columns, line);
        };
        env.insert(key(nest.given[0]), Lane::Tile(sums));
        let body = Body::new(nest, Some(self.matmul.n()));
        let env = body.uniform(at, env)?;
        let mut scope = Scope::new(&body, at, env, Some(columns));
        scope.varying()?;
        let element = scope.element()?;
        scope.store(&element)
    }
}
