//! Dimensions in parts and strips: what a grid point has of one, and that cut into tiles.
//!
//! A dimension of `n` is whole strips of `T` indices, then one for the rest:
//!
//! ```text
//! scf.for %j = 0 to n / T * T step T { T lanes }
//! T' lanes, valid(n mod T)
//! ```
//!
//! Where the dimension is split over the grid, both are loops from and to what the block has of them, the
//! second with a trip in the last block and none in the others. So they are where `n` is known when the
//! program runs, and `n mod T` is computed.

use super::{
    cursor::{Bound, Cursor},
    schedule::{Level, ceil_div, lanes_for, power_of_two},
};
use crate::emit::known;
use std::collections::VecDeque;
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::V,
        operations::{definition, name_of},
        pass::Failure,
    },
};

/// What a grid point has of a dimension.
#[derive(Clone, Copy)]
pub(crate) struct Part<'c, 'a> {
    /// The first index.
    pub from: Bound<'c, 'a>,
    /// Indices of a whole part; the last may have fewer. Of no meaning where the part is all of the
    /// dimension.
    pub block: i64,
    /// Size of the dimension.
    pub size: Bound<'c, 'a>,
}

/// Consecutive indices of the vector dimension.
#[derive(Clone, Copy)]
pub(crate) struct Strip<'c, 'a> {
    /// The first index.
    pub base: V<'c, 'a>,
    /// How many lanes a tile has.
    pub lanes: i64,
    /// How many of them, from the first, are there; None: all.
    pub valid: Option<V<'c, 'a>>,
}

/// How many lanes the last strip has, which has fewer indices than the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    /// As many as the others, some of them not there.
    Masked,
    /// The power of two that is enough, some of them not there.
    PowerOfTwo,
    /// As many as whole registers have, some of them not there.
    Registers,
    /// The multiple of this that is enough, some of them not there.
    Multiple(i64),
    /// One for each index; where their number is not known, strips of one.
    Exact,
    /// The same, with strips of four before those of one.
    Fours,
}

/// Writes one strip: from what is carried to what is carried on.
pub(crate) type Step<'s, 'c, 'a> = &'s mut dyn for<'k> FnMut(
    Cursor<'c, 'a, 'k>,
    Strip<'c, 'a>,
    &[V<'c, 'a>],
) -> Result<Vec<V<'c, 'a>>, Failure>;

impl<'c, 'a> Part<'c, 'a> {
    /// All of a dimension.
    pub fn whole(size: Bound<'c, 'a>) -> Self {
        Self { from: Bound::Number(0), block: size.number().unwrap_or(1), size }
    }

    /// The end of what it has, within `limit`.
    pub fn end(&self, at: Cursor<'c, 'a, '_>, limit: Bound<'c, 'a>) -> Result<Bound<'c, 'a>, Failure> {
        let Bound::Value(from) = self.from else { return Ok(limit) };
        let end = at.index_op("arith.addi", from, at.index(self.block)?)?;
        let whole = limit.number().is_some_and(|n| n % self.block == 0) && limit == self.size;
        Ok(Bound::Value(if whole { end } else { at.index_op("arith.minsi", end, at.bound(limit)?)? }))
    }

    /// Runs through its indices: `body` writes what is done at one.
    pub fn each<'k>(
        &self,
        at: Cursor<'c, 'a, 'k>,
        mut body: impl FnMut(Cursor<'c, 'a, 'k>, V<'c, 'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let (Bound::Value(from), 1) = (self.from, self.block) {
            return body(at, from);
        }
        let to = self.end(at, self.size)?;
        at.repeat((self.from, to, 1), &[], |at, i, _| {
            body(at, i)?;
            Ok(vec![])
        })?;
        Ok(())
    }

    /// The greater of its start and `least`.
    fn start(&self, at: Cursor<'c, 'a, '_>, least: Bound<'c, 'a>) -> Result<Bound<'c, 'a>, Failure> {
        let Bound::Value(from) = self.from else { return Ok(least) };
        Ok(Bound::Value(at.index_op("arith.maxsi", from, at.bound(least)?)?))
    }
}

/// What the grid point at these indices has of each dimension of the outer domain.
pub(crate) fn parts<'c, 'a>(
    at: Cursor<'c, 'a, '_>,
    levels: &[Level],
    sizes: &[Bound<'c, 'a>],
    grid: &[V<'c, 'a>],
) -> Result<Vec<Part<'c, 'a>>, Failure> {
    let mut grid: VecDeque<_> = grid.to_vec().into();
    let mut index = || grid.pop_front().ok_or(internal!("has a grid of too few dimensions"));
    let part = |(level, size): (&Level, &Bound<'c, 'a>)| {
        let size = *size;
        Ok(match *level {
            Level::Inside => Part::whole(size),
            Level::Grid => Part { from: Bound::Value(index()?), block: 1, size },
            Level::Block(block) => {
                let from = at.index_op("arith.muli", index()?, at.index(block)?)?;
                Part { from: Bound::Value(from), block, size }
            }
        })
    };
    levels.iter().zip(sizes).map(part).collect()
}

/// Whether a size is one of so many lanes by how it is computed.
fn is_multiple(size: V, lanes: i64) -> bool {
    let Some(op) = definition(size) else { return false };
    let mut operands = op.operands();
    match name_of(op) {
        "arith.constant" => known(size).is_some_and(|size| size.float() % lanes as f64 == 0.0),
        "arith.muli" => operands.any(|factor| is_multiple(factor, lanes)),
        "arith.minsi" => operands.all(|size| is_multiple(size, lanes)),
        _ => false,
    }
}

/// The strips of `lanes` indices of a part; `body` writes one.
pub(crate) fn strips<'c, 'a>(
    at: Cursor<'c, 'a, '_>,
    part: Part<'c, 'a>,
    lanes: i64,
    tail: Tail,
    carried: &[V<'c, 'a>],
    body: Step<'_, 'c, 'a>,
) -> Result<Vec<V<'c, 'a>>, Failure> {
    let (full, rest) = match part.size {
        Bound::Number(size) => (Bound::Number(size - size % lanes), Bound::Number(size % lanes)),
        size if lanes == 1 => (size, Bound::Number(0)),
        Bound::Value(size) if is_multiple(size, lanes) => (part.size, Bound::Number(0)),
        Bound::Value(size) => {
            let rest = at.index_op("arith.remui", size, at.index(lanes)?)?;
            (Bound::Value(at.index_op("arith.subi", size, rest)?), Bound::Value(rest))
        }
    };
    if let (Bound::Value(base), true) = (part.from, rest.is(0) && part.block == lanes) {
        return body(at, Strip { base, lanes, valid: None }, carried);
    }
    let to = part.end(at, full)?;
    let carried = at.repeat((part.from, to, lanes), carried, |at, base, carried| {
        body(at, Strip { base, lanes, valid: None }, carried)
    })?;
    if rest.is(0) {
        return Ok(carried);
    }
    let (mut full, mut carried) = (full, carried);
    if let (Tail::Fours, 5.., Bound::Value(rest), Bound::Value(size)) = (tail, lanes, rest, part.size) {
        let ones = at.index_op("arith.remui", rest, at.index(4)?)?;
        let fours = Bound::Value(at.index_op("arith.subi", size, ones)?);
        carried =
            at.repeat((part.start(at, full)?, part.end(at, fours)?, 4), &carried, |at, base, carried| {
                body(at, Strip { base, lanes: 4, valid: None }, carried)
            })?;
        full = fours;
    }
    let (lanes, valid) = match (tail, rest) {
        (Tail::Masked, rest) => (lanes, Some(rest)),
        (Tail::PowerOfTwo, Bound::Number(rest)) => (power_of_two(rest), Some(Bound::Number(rest))),
        (Tail::Registers, Bound::Number(rest)) => (lanes_for(rest).min(lanes), Some(Bound::Number(rest))),
        (Tail::Multiple(of), Bound::Number(rest)) => (ceil_div(rest, of) * of, Some(Bound::Number(rest))),
        (Tail::PowerOfTwo | Tail::Registers | Tail::Multiple(_), rest) => (lanes, Some(rest)),
        (Tail::Exact | Tail::Fours, rest) => (rest.number().unwrap_or(1), None),
    };
    let valid = valid.filter(|rest| !rest.is(lanes)).map(|rest| at.bound(rest)).transpose()?;
    let (from, to) = (part.start(at, full)?, part.end(at, part.size)?);
    at.repeat((from, to, lanes), &carried, |at, base, carried| {
        body(at, Strip { base, lanes, valid }, carried)
    })
}
