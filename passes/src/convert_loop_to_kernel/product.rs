//! Matrix products: sums of products of two loads, as register tiles around `kernel.dot`.
//!
//! A reduction is a product if its body multiplies `%a[.., i, k]` by `%b[.., k, j]` and adds over `k`: one index of the
//! outer domain moves the left factor only (the rows), one the right factor only (the columns), and each of the three
//! moves one dimension of a buffer. All other indices are batches. A point of the grid computes one register tile:
//!
//! ```text
//! %t = scf.for %k iter_args(%acc = 0) { kernel.dot %a[i : rows, k : 1], %b[k : 1, j : columns], %acc }
//! kernel.store %t, %c[i : rows, j : columns]
//! ```
//!
//! Rows that are left over make a tile of their own, exactly as high; columns that are left over one that is masked. A
//! right factor whose columns do not lie side by side (the weight of a linear layer) is packed first, and so are factors
//! whose rows would push each other out of the cache (see [`pack`](super::pack)).

use super::{
    access::{Access, Pattern},
    body::Env,
    cursor::{Bound, Cursor, Lane, key},
    nest::{Element, Kind, Nest},
    schedule::{Level, ceil_div, power_of_two},
    strips::{Strip, Tail, parts, strips},
};
use crate::{
    emit::{V, is_float, name_of},
    options::ConvertLoopToKernel as Options,
};
use melior::ir::{Type, TypeLike, ValueLike, attribute::FloatAttribute, operation::OperationLike};
use terrace_dialects::{
    ops::{Combiner, kernel, loop_},
    pass::Failure,
    shaped::Shaped,
    types::DYNAMIC,
};

/// A dimension of a buffer, and how many of its elements neighbours are apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Along {
    pub dim: usize,
    pub step: i64,
}

/// A factor, or the result: a buffer with a dimension of rows and one of columns.
pub(super) struct Matrix<'c, 'a> {
    pub access: Access<'c, 'a>,
    pub rows: Along,
    pub columns: Along,
}

/// A matrix product.
pub(super) struct Product<'c, 'a> {
    /// The dimension of the domain that is the rows of the result.
    pub m: usize,
    /// The columns.
    pub n: usize,
    /// What is summed over.
    pub k: usize,
    pub lhs: Matrix<'c, 'a>,
    pub rhs: Matrix<'c, 'a>,
    /// Rows and columns of a register tile.
    pub tile: (i64, i64),
}

impl<'c, 'a> Matrix<'c, 'a> {
    /// An access as a matrix whose rows are along one index and whose columns are along another; None where they are not
    /// two dimensions of its buffer.
    fn of(nest: &Nest<'c, 'a>, access: Access<'c, 'a>, rows: usize, columns: usize) -> Option<Self> {
        let along = |d: usize| match access.pattern(nest.indices[d], &[key(nest.indices[d])].into()) {
            Pattern::Range { dim, step } => Some(Along { dim, step }),
            Pattern::Uniform | Pattern::Any => None,
        };
        let (rows, columns) = (along(rows)?, along(columns)?);
        (rows.dim != columns.dim).then_some(Self { access, rows, columns })
    }

    /// Whether a tile's rows come before its columns in the buffer, as its dimensions must.
    pub fn in_order(&self) -> bool {
        self.rows.dim < self.columns.dim
    }

    /// Whether the elements of a row lie side by side.
    pub fn has_contiguous_rows(&self) -> bool {
        self.access.strides()[self.columns.dim].checked_mul(self.columns.step) == Some(1)
    }

    /// Whether rows lie so far apart that they share places in the cache: a multiple of half a page.
    fn collides(&self) -> bool {
        let element = Shaped::of(self.access.buffer.r#type()).map(|s| s.element);
        let bytes = if element.is_some_and(|e| e.is_f64()) { 8 } else { 4 };
        let stride = self.access.strides()[self.rows.dim];
        stride != DYNAMIC && stride.wrapping_mul(self.rows.step).wrapping_mul(bytes) % 2048 == 0
    }

    /// The operands of a tile's access; the indices of the matrix are those given.
    fn operands(
        &self,
        indices: &[(V<'c, 'a>, V<'c, 'a>)],
        env: &Env<'c, 'a>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let operand = |value: &V<'c, 'a>| {
            if let Some((_, inside)) = indices.iter().find(|(index, _)| index == value) {
                return Ok(*inside);
            }
            match env.get(&key(*value)) {
                Some(Lane::One(inside)) => Ok(*inside),
                _ => Err(Failure::from("uses an index before it is there")),
            }
        };
        self.access.operands.iter().map(operand).collect()
    }

    /// Ranges and steps of a tile.
    fn ranges(&self, rows: i64, columns: i64) -> (Vec<i64>, Vec<i64>) {
        let rank = self.access.exprs.len();
        let (mut ranges, mut steps) = (vec![0; rank], vec![1; rank]);
        for (along, range) in [(self.rows, rows), (self.columns, columns)] {
            ranges[along.dim] = range;
            // Of one element every step is the same.
            steps[along.dim] = if range == 1 { 1 } else { along.step };
        }
        (ranges, steps)
    }
}

/// The rows of a register tile: at most `most`, such that tiles come out even, if that does not make them too small.
fn tile_rows(size: i64, most: i64) -> i64 {
    if size <= most {
        return size;
    }
    let least = ceil_div(most * 4, 7);
    let even = (least..=most).rev().find(|rows| size % rows == 0);
    even.unwrap_or_else(|| ceil_div(size, ceil_div(size, most)))
}

impl<'c: 'a, 'a> Product<'c, 'a> {
    /// Reads a nest as a product; None where it is none, or where register tiles would not pay.
    pub fn of(nest: &Nest<'c, 'a>, options: &Options) -> Option<Self> {
        if nest.kind != Kind::Reduction(Combiner::Add) || nest.outer + 1 != nest.sizes.len() {
            return None;
        }
        let [a, b, product] = nest.body[..] else { return None };
        let (left, right) = (loop_::LoadOp::try_from(a).ok()?, loop_::LoadOp::try_from(b).ok()?);
        let factors: [V; 2] = [product.operand(0).ok()?, product.operand(1).ok()?];
        let loads: [V; 2] = [a.result(0).ok()?.into(), b.result(0).ok()?.into()];
        let yielded = matches!(nest.element, Element::Value(v) if v == product.result(0).unwrap().into());
        let both = factors == loads || factors == [loads[1], loads[0]];
        let element: Type = loads[0].r#type();
        if name_of(product) != "arith.mulf" || !both || !yielded || !is_multiplied(element) {
            return None;
        }
        let accesses = [Access::load(left), Access::load(right)];
        if accesses.iter().any(|a| a.mask.is_some()) {
            return None;
        }
        let k = nest.outer;
        let moves = |i: usize, d: usize| accesses[i].used().any(|v| v == nest.indices[d]);
        // The last dimension that moves one factor only is the columns, and that factor is the right one.
        let alone = |d: &usize| nest.sizes[*d] > 1 && moves(0, *d) != moves(1, *d);
        let n = (0..nest.outer).rev().find(alone)?;
        let right = usize::from(moves(1, n));
        let m = (0..n).rev().find(|d| alone(d) && moves(1 - right, *d))?;
        let [first, second] = accesses;
        let (lhs, rhs) = if right == 1 { (first, second) } else { (second, first) };
        let (lhs, rhs) = (Matrix::of(nest, lhs, m, k)?, Matrix::of(nest, rhs, k, n)?);
        let words = if element.is_f64() { 2 } else { 1 };
        let columns = (options.dot_n / words).max(1).min(power_of_two(nest.sizes[n]));
        let product = Self { m, n, k, lhs, rhs, tile: (tile_rows(nest.sizes[m], options.dot_m), columns) };
        // Packing is one pass over the right factor: it wants some rows to pay for it.
        (!product.must_pack_right() || nest.sizes[m] >= 6).then_some(product)
    }

    /// Whether the right factor must be packed.
    pub fn must_pack_right(&self) -> bool {
        !self.rhs.in_order() || !self.rhs.has_contiguous_rows()
    }

    /// Whether the right factor is packed: where it must be, and where a panel would not stay in the cache from one
    /// tile of rows to the next.
    pub fn packs_right(&self, nest: &Nest) -> bool {
        self.must_pack_right() || self.rhs.collides() && nest.sizes[self.k] > 256 && nest.sizes[self.m] >= 64
    }

    /// Whether the left factor is packed: where its rows and columns are exchanged, and where the lines of a tile's rows
    /// would push each other out of the cache before they are used up.
    pub fn packs_left(&self, nest: &Nest) -> bool {
        !self.lhs.in_order() || self.lhs.collides() && nest.sizes[self.k] > 64 && nest.sizes[self.n] >= 128
    }

    /// The dimensions of the outer domain as the grid has them, and how: batches, then columns, then rows, so that points
    /// that follow each other share a panel of columns.
    pub fn levels(&self, nest: &Nest) -> Vec<(usize, Level)> {
        let batches = (0..nest.outer).filter(|d| *d != self.m && *d != self.n);
        let level = |d: usize| if nest.sizes[d] == 1 { Level::Inside } else { Level::Grid };
        let tiled = |d: usize, block: i64| {
            (d, if nest.sizes[d] <= block { Level::Inside } else { Level::Block(block) })
        };
        let last = [tiled(self.n, self.tile.1), tiled(self.m, self.tile.0)];
        batches.map(|d| (d, level(d))).chain(last).collect()
    }

    /// What the kernel uses from outside, in order.
    pub fn captured(&self, nest: &Nest<'c, 'a>) -> Vec<V<'c, 'a>> {
        let mut found = vec![];
        for access in [&self.lhs.access, &self.rhs.access, &nest.store] {
            for value in access.operands.iter().copied().chain([access.buffer]) {
                if !nest.indices.contains(&value) && !found.contains(&value) {
                    found.push(value);
                }
            }
        }
        found
    }

    /// Writes the kernel.
    pub fn write(
        &self,
        nest: &Nest<'c, 'a>,
        at: Cursor<'c, 'a, '_>,
        mut env: Env<'c, 'a>,
        grid: &[V<'c, 'a>],
    ) -> Result<(), Failure> {
        let (dims, levels): (Vec<usize>, Vec<Level>) = self.levels(nest).into_iter().unzip();
        let sizes: Vec<i64> = dims.iter().map(|d| nest.sizes[*d]).collect();
        let parts = parts(at, &levels, &sizes, grid)?;
        let [batches @ .., columns, rows] = &parts[..] else { return Err("has no rows and columns".into()) };
        for (d, part) in dims.iter().zip(batches) {
            env.insert(key(nest.indices[*d]), Lane::One(at.bound(part.from)?));
        }
        strips(at, *columns, self.tile.1, Tail::PowerOfTwo, &[], &mut |at, columns, _| {
            strips(at, *rows, self.tile.0, Tail::Exact, &[], &mut |at, rows, _| {
                self.tile(nest, at, &env, rows, columns)?;
                Ok(vec![])
            })
        })?;
        Ok(())
    }

    /// One register tile: all of the sum.
    fn tile(
        &self,
        nest: &Nest<'c, 'a>,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        rows: Strip<'c, 'a>,
        columns: Strip<'c, 'a>,
    ) -> Result<(), Failure> {
        let location = at.location;
        let one = |value: V<'c, 'a>| match env.get(&key(value)) {
            Some(Lane::One(inside)) => Ok(*inside),
            _ => Err(Failure::from("uses a buffer before it is there")),
        };
        let element = Shaped::expect(nest.store.buffer.r#type())?.element;
        let zero = FloatAttribute::new(at.kernel.context, element, 0.0);
        let start = at.constant_tile(&[rows.lanes, columns.lanes], zero.into())?;
        let index = |d: usize| nest.indices[d];
        let bounds = (Bound::Number(0), Bound::Number(nest.sizes[self.k]), 1);
        let total = at.repeat(bounds, &[start], |at, k, sum| {
            let indices = [(index(self.m), rows.base), (index(self.n), columns.base), (index(self.k), k)];
            let tile = |matrix: &Matrix<'c, 'a>, sizes: (i64, i64), valid: Option<V<'c, 'a>>| {
                let (ranges, steps) = matrix.ranges(sizes.0, sizes.1);
                let valid = valid.map_or(Ok(vec![]), |n| Ok::<_, Failure>(vec![at.index(sizes.0)?, n]))?;
                let pad = if valid.is_empty() { None } else { Some(at.zero(element)?) };
                let (buffer, operands) = (one(matrix.access.buffer)?, matrix.operands(&indices, env)?);
                let map = matrix.access.map;
                let load = kernel::load(location, buffer, &operands, map, &ranges, &steps, &valid, pad, None);
                Ok::<V<'c, 'a>, Failure>(at.append(load)?.result(0)?.into())
            };
            let lhs = tile(&self.lhs, (rows.lanes, 1), None)?;
            let rhs = tile(&self.rhs, (1, columns.lanes), columns.valid)?;
            Ok(vec![at.append(kernel::dot(location, lhs, rhs, sum[0]))?.result(0)?.into()])
        })?;
        let (m, n) = (Along { dim: self.m, step: 1 }, Along { dim: self.n, step: 1 });
        let result = Matrix { access: nest.store.clone(), rows: m, columns: n };
        let operands = result.operands(&[(index(self.m), rows.base), (index(self.n), columns.base)], env)?;
        let (ranges, steps) = result.ranges(rows.lanes, columns.lanes);
        let valid = columns.valid.map_or(Ok(vec![]), |n| Ok::<_, Failure>(vec![at.index(rows.lanes)?, n]))?;
        let (buffer, map) = (one(nest.store.buffer)?, nest.store.map);
        at.append(kernel::store(location, &[], total[0], buffer, &operands, map, &ranges, &steps, &valid))?;
        Ok(())
    }
}

/// Whether register tiles multiply elements of this type.
fn is_multiplied(ty: Type) -> bool {
    is_float(ty) && (ty.is_f32() || ty.is_f64())
}
