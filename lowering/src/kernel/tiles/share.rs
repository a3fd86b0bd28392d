//! The share that a thread holds of a tile, as the tile's layout says.
//!
//! A dimension of `b` vectors over `T` threads comes in rounds: in round `r` a thread holds vector `(r T + t)
//! mod b`, its own only where `r T + t < b`, else a copy. Copies are defined and equal, so that what is
//! computed of them is; but only what is a thread's own is stored, and counts in a sum. A dimension that the
//! tile has no more is held alike by all threads along it; the first of them owns it.

use melior::ir::ValueLike;
use terrace_dialects::{
    ir::{
        cursor::{Cursor, V},
        pass::Failure,
    },
    loops::layout::Layout,
};
use terrace_size::symbols::Predicate;

/// One dimension of a tile, over threads.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dim {
    /// How many vectors there are.
    pub vectors: i64,
    /// The elements of one.
    vector: i64,
    /// How many threads lie along it.
    pub threads: i64,
    /// How far apart the numbers of two of them are.
    pub distance: i64,
}

/// How a tile is shared out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Share {
    /// The dimensions of the tile.
    pub dims: Vec<Dim>,
    /// Those that it has no more.
    gone: Vec<Dim>,
    /// The threads of the block.
    threads: i64,
}

/// The elements of a thread's share: where they are in the tile, and which are its own.
pub(crate) struct Held<'c, 'a> {
    dims: Vec<Vec<Round<'c, 'a>>>,
    vectors: Vec<i64>,
    /// Whether the thread is the first of those that hold the same; None: there is one.
    first: Option<V<'c, 'a>>,
}

/// A vector of a dimension that a thread holds.
struct Round<'c, 'a> {
    /// The index of its first element.
    start: V<'c, 'a>,
    /// Whether it is the thread's own; None: always.
    own: Option<V<'c, 'a>>,
}

/// An index into a tile.
#[derive(Clone, Copy)]
pub(crate) struct Position<'c, 'a> {
    pub base: Option<V<'c, 'a>>,
    pub plus: i64,
}

impl Dim {
    fn rounds(&self) -> i64 {
        self.vectors / self.threads + i64::from(self.vectors % self.threads != 0)
    }

    /// Whether no element of it is with two threads.
    fn is_dealt_out(&self) -> bool {
        self.vectors % self.threads == 0
    }

    /// The place of a thread along the dimension.
    fn coordinate<'c, 'a>(&self, at: &Cursor<'c, 'a>, id: V<'c, 'a>, all: i64) -> Result<V<'c, 'a>, Failure> {
        let mut place = id;
        if self.distance > 1 {
            place = at.op("arith.divui", &[place, at.index(self.distance)?], at.index_type())?;
        }
        if self.distance * self.threads < all {
            place = at.op("arith.remui", &[place, at.index(self.threads)?], at.index_type())?;
        }
        Ok(place)
    }

    fn round<'c, 'a>(
        &self,
        at: &Cursor<'c, 'a>,
        coordinate: V<'c, 'a>,
        round: i64,
    ) -> Result<Round<'c, 'a>, Failure> {
        let ty = at.index_type();
        let plus = |value, n| match n {
            0 => Ok(value),
            n => at.op("arith.addi", &[value, at.index(n)?], ty),
        };
        let scale = |value, n| match n {
            1 => Ok(value),
            n => at.op("arith.muli", &[value, at.index(n)?], ty),
        };
        let before = round * self.threads;
        if self.threads == 1 {
            return Ok(Round { start: at.index(before * self.vector)?, own: None });
        }
        if before + self.threads <= self.vectors {
            return Ok(Round {
                start: plus(scale(coordinate, self.vector)?, before * self.vector)?,
                own: None,
            });
        }
        let number = plus(coordinate, before)?;
        let wrapped = at.op("arith.remui", &[number, at.index(self.vectors)?], ty)?;
        let own = at.compare(Predicate::Below, number, at.index(self.vectors)?)?;
        Ok(Round { start: scale(wrapped, self.vector)?, own: Some(own) })
    }
}

impl Share {
    /// The share of a tile of a shape.
    pub fn new(layout: &Layout, shape: &[i64]) -> Self {
        let dim = |d: usize, size: i64| Dim {
            vectors: size / layout.vector[d],
            vector: layout.vector[d],
            threads: layout.threads[d],
            distance: layout.distance(d),
        };
        Self {
            dims: layout.kept().into_iter().zip(shape).map(|(d, size)| dim(d, *size)).collect(),
            gone: layout.without.iter().map(|d| dim(*d as usize, 1)).collect(),
            threads: layout.count(),
        }
    }

    /// The sizes of the share.
    pub fn shape(&self) -> Vec<i64> {
        self.dims.iter().map(|dim| dim.rounds() * dim.vector).collect()
    }

    /// The elements of a vector.
    pub fn lanes(&self) -> i64 {
        self.dims.last().map_or(1, |dim| dim.vector)
    }

    /// The sizes of the tile.
    pub fn whole(&self) -> Vec<i64> {
        self.dims.iter().map(|dim| dim.vectors * dim.vector).collect()
    }

    /// Whether each element is with one thread alone.
    pub fn is_dealt_out(&self) -> bool {
        self.dims.iter().all(Dim::is_dealt_out) && self.gone.iter().all(|dim| dim.threads == 1)
    }

    /// What a thread holds.
    pub fn held<'c, 'a>(&self, at: &Cursor<'c, 'a>, id: V<'c, 'a>) -> Result<Held<'c, 'a>, Failure> {
        let mut dims = vec![];
        for dim in &self.dims {
            let coordinate = dim.coordinate(at, id, self.threads)?;
            dims.push((0..dim.rounds()).map(|r| dim.round(at, coordinate, r)).collect::<Result<_, _>>()?);
        }
        let mut first = None;
        for dim in self.gone.iter().filter(|dim| dim.threads > 1) {
            let is = at.compare(Predicate::Equal, dim.coordinate(at, id, self.threads)?, at.index(0)?)?;
            first = both(at, first, Some(is))?;
        }
        Ok(Held { dims, vectors: self.dims.iter().map(|dim| dim.vector).collect(), first })
    }
}

/// Whether both hold; None: yes.
fn both<'c, 'a>(
    at: &Cursor<'c, 'a>,
    a: Option<V<'c, 'a>>,
    b: Option<V<'c, 'a>>,
) -> Result<Option<V<'c, 'a>>, Failure> {
    Ok(match (a, b) {
        (Some(a), Some(b)) => Some(at.op("arith.andi", &[a, b], a.r#type())?),
        (one, other) => one.or(other),
    })
}

impl<'c, 'a> Held<'c, 'a> {
    fn round(&self, dim: usize, index: i64) -> &Round<'c, 'a> {
        &self.dims[dim][(index / self.vectors[dim]) as usize]
    }

    /// The index into the tile of what has an index in the share.
    pub fn position(&self, dim: usize, index: i64) -> Position<'c, 'a> {
        Position { base: Some(self.round(dim, index).start), plus: index % self.vectors[dim] }
    }

    /// Whether an element along a dimension is the thread's own; None: always.
    pub fn is_own_along(&self, dim: usize, index: i64) -> Option<V<'c, 'a>> {
        self.round(dim, index).own
    }

    /// Whether an element is the thread's own; None: always.
    pub fn is_own(&self, at: &Cursor<'c, 'a>, indices: &[i64]) -> Result<Option<V<'c, 'a>>, Failure> {
        let own = indices.iter().enumerate().map(|(d, i)| self.is_own_along(d, *i));
        own.into_iter().try_fold(self.first, |all, one| both(at, all, one))
    }
}

impl<'c, 'a> Position<'c, 'a> {
    /// The index as a value.
    pub fn value(self, at: &Cursor<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        match self.base {
            None => at.index(self.plus),
            Some(base) if self.plus == 0 => Ok(base),
            Some(base) => at.op("arith.addi", &[base, at.index(self.plus)?], at.index_type()),
        }
    }
}
