//! A buffer as a matrix: one dimension of rows, one of columns, all others at one index.

use super::{
    access::{Access, Pattern},
    cursor::{Cursor, Env, Lane},
};
use melior::ir::ValueLike;
use terrace_dialects::{
    ir::{OperationLike, cursor::V, operations::key, pass::Failure, shaped::Shaped, types::bytes},
    ops::kernel,
};
use terrace_size::DYNAMIC;

/// A dimension of a buffer, and how many of its elements neighbours are apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Along {
    pub dim: usize,
    pub step: i64,
}

/// A buffer with a dimension of rows and one of columns.
#[derive(Clone)]
pub(crate) struct Matrix<'c, 'a> {
    pub access: Access<'c, 'a>,
    /// The indices of the domain that rows and columns are along.
    pub along: [V<'c, 'a>; 2],
    pub rows: Along,
    pub columns: Along,
}

/// How many rows and columns a tile has, and how many of them are there.
#[derive(Clone, Copy)]
pub(crate) struct Size<'c, 'a> {
    pub rows: i64,
    pub columns: i64,
    /// Of the rows and of the columns; None: all.
    pub valid: [Option<V<'c, 'a>>; 2],
}

/// The operands of the access to a tile.
struct Place<'c, 'a> {
    buffer: V<'c, 'a>,
    indices: Vec<V<'c, 'a>>,
    ranges: Vec<i64>,
    steps: Vec<i64>,
    valid: Vec<V<'c, 'a>>,
}

impl<'c, 'a> Matrix<'c, 'a> {
    /// An access as a matrix whose rows are along one index and whose columns are along another; None where
    /// they are not two dimensions of its buffer.
    pub fn of(access: Access<'c, 'a>, along: [V<'c, 'a>; 2]) -> Option<Self> {
        let [rows, columns] = along.map(|index| match access.pattern(index, &[key(index)].into()) {
            Pattern::Range { dim, step } => Some(Along { dim, step }),
            Pattern::Uniform | Pattern::Any => None,
        });
        let (rows, columns) = (rows?, columns?);
        (rows.dim != columns.dim).then_some(Self { access, along, rows, columns })
    }

    /// The matrix with its rows for columns.
    pub fn transposed(self) -> Self {
        let [rows, columns] = self.along;
        Self { along: [columns, rows], rows: self.columns, columns: self.rows, ..self }
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
    pub fn collides(&self) -> bool {
        let element = Shaped::of(self.access.buffer.r#type()).map(|s| s.element);
        let bytes = element.and_then(bytes).unwrap_or(1);
        let stride = self.access.strides()[self.rows.dim];
        stride != DYNAMIC && stride.wrapping_mul(self.rows.step).wrapping_mul(bytes) % 2048 == 0
    }

    /// The tile of this size at a row and a column.
    pub fn load(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        from: [V<'c, 'a>; 2],
        size: Size<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let Place { buffer, indices, ranges, steps, valid } = self.place(at, env, from, size)?;
        let element = Shaped::expect(buffer.r#type())?.element;
        let pad = if valid.is_empty() { None } else { Some(at.zero(element)?) };
        let map = self.access.map;
        let load = kernel::load(at.location, buffer, &indices, map, &ranges, &steps, &valid, pad, None);
        Ok(at.append(load)?.result_at(0)?.into())
    }

    /// Stores a tile of this size at a row and a column.
    pub fn store(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        from: [V<'c, 'a>; 2],
        size: Size<'c, 'a>,
        tile: V<'c, 'a>,
    ) -> Result<(), Failure> {
        let Place { buffer, indices, ranges, steps, valid } = self.place(at, env, from, size)?;
        let map = self.access.map;
        at.append(kernel::store(at.location, &[], tile, buffer, &indices, map, &ranges, &steps, &valid))?;
        Ok(())
    }

    fn place(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        from: [V<'c, 'a>; 2],
        size: Size<'c, 'a>,
    ) -> Result<Place<'c, 'a>, Failure> {
        let inside = |value: V<'c, 'a>| match env.get(&key(value)) {
            Some(Lane::One(inside)) => Ok(*inside),
            _ => Err(Failure::from("uses a value before it is there")),
        };
        let index = |operand: &V<'c, 'a>| match self.along.iter().position(|index| index == operand) {
            Some(i) => Ok(from[i]),
            None => inside(*operand),
        };
        let rank = self.access.exprs.len();
        let (mut ranges, mut steps) = (vec![0; rank], vec![1; rank]);
        for (along, range) in [(self.rows, size.rows), (self.columns, size.columns)] {
            ranges[along.dim] = range;
            // Of one element every step is the same.
            steps[along.dim] = if range == 1 { 1 } else { along.step };
        }
        let valid = match size.valid {
            [None, None] => vec![],
            [rows, columns] => {
                let all = |n: i64| at.index(n);
                vec![rows.map_or_else(|| all(size.rows), Ok)?, columns.map_or_else(|| all(size.columns), Ok)?]
            }
        };
        let indices = self.access.operands.iter().map(index).collect::<Result<_, _>>()?;
        Ok(Place { buffer: inside(self.access.buffer)?, indices, ranges, steps, valid })
    }
}
