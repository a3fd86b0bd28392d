//! The loops of a kernel: over what a grid point has of the outer domain, and over the tiles of the vector dimension.
//!
//! A dimension of `n` is full tiles, then one masked tile for the rest:
//!
//! ```text
//! scf.for %j = 0 to n / T * T step T { T lanes }
//! T' lanes, valid(n mod T)
//! ```
//!
//! Where the dimension is split over the grid, both are loops from and to what the block has of them, the second with a
//! trip in the last block and none in the others.

use super::{
    body::{Body, Env, Scope, Strip},
    cursor::{Bound, Cursor, Lane, identity, key},
    nest::{Kind, Nest},
    schedule::{Level, Schedule, power_of_two},
};
use crate::emit::V;
use melior::ir::{ValueLike, operation::OperationLike};
use std::collections::VecDeque;
use terrace_dialects::{
    ops::{Combiner, kernel},
    pass::Failure,
    shaped::Shaped,
};

/// What a grid point has of a dimension.
#[derive(Clone, Copy)]
struct Part<'c, 'a> {
    from: Bound<'c, 'a>,
    /// Indices of a whole part; the last may have fewer.
    block: i64,
    /// Size of the dimension.
    size: i64,
}

/// A kernel for a nest: its schedule, its body, the loops around it.
pub(super) struct Program<'c, 'a, 'n> {
    nest: &'n Nest<'c, 'a>,
    schedule: &'n Schedule,
    body: Body<'c, 'a, 'n>,
}

/// How a reduction combines.
struct Sum<'c, 'a> {
    combiner: Combiner,
    /// The identity, as a tile where the accumulator is one.
    start: V<'c, 'a>,
    /// The outer points that are combined at once.
    strip: Option<Strip<'c, 'a>>,
    /// The inner dimension whose indices are lanes.
    inner_vector: Option<usize>,
}

/// Writes one strip: from what is carried to what is carried on.
type Step<'s, 'c, 'a> = &'s mut dyn for<'k> FnMut(
    Cursor<'c, 'a, 'k>,
    Strip<'c, 'a>,
    &[V<'c, 'a>],
) -> Result<Vec<V<'c, 'a>>, Failure>;

impl<'c, 'a> Part<'c, 'a> {
    /// All of a dimension.
    fn whole(size: i64) -> Self {
        Self { from: Bound::Number(0), block: size, size }
    }

    /// The end of what it has, within `limit`.
    fn end(&self, at: Cursor<'c, 'a, '_>, limit: i64) -> Result<Bound<'c, 'a>, Failure> {
        let Bound::Value(from) = self.from else { return Ok(Bound::Number(limit)) };
        let block = Lane::One(at.index(self.block)?);
        let end = at.binary("arith.addi", Lane::One(from), block)?;
        let end = if limit % self.block == 0 && limit == self.size {
            end
        } else {
            at.binary("arith.minsi", end, Lane::One(at.index(limit)?))?
        };
        let (Lane::One(end) | Lane::Tile(end)) = end;
        Ok(Bound::Value(end))
    }

    /// The greater of its start and `least`.
    fn start(&self, at: Cursor<'c, 'a, '_>, least: i64) -> Result<Bound<'c, 'a>, Failure> {
        let Bound::Value(from) = self.from else { return Ok(Bound::Number(least)) };
        let least = Lane::One(at.index(least)?);
        let (Lane::One(start) | Lane::Tile(start)) = at.binary("arith.maxsi", Lane::One(from), least)?;
        Ok(Bound::Value(start))
    }
}

impl<'c: 'a, 'a, 'n> Program<'c, 'a, 'n> {
    /// A kernel for a nest by a schedule.
    pub fn new(nest: &'n Nest<'c, 'a>, schedule: &'n Schedule) -> Self {
        Self { nest, schedule, body: Body::new(nest, schedule.vector) }
    }

    /// Writes it; `env` has what the nest uses from outside, `grid` the indices of the grid point.
    pub fn write(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        grid: &[V<'c, 'a>],
    ) -> Result<(), Failure> {
        let mut grid: VecDeque<_> = grid.to_vec().into();
        let mut parts = vec![];
        for (level, size) in self.schedule.levels.iter().zip(&self.nest.sizes) {
            let size = *size;
            parts.push(match level {
                Level::Inside => Part::whole(size),
                Level::Grid => {
                    let index = grid.pop_front().ok_or("has a grid of too few dimensions")?;
                    Part { from: Bound::Value(index), block: 1, size }
                }
                Level::Block(block) => {
                    let index = grid.pop_front().ok_or("has a grid of too few dimensions")?;
                    let block_size = Lane::One(at.index(*block)?);
                    let (Lane::One(from) | Lane::Tile(from)) =
                        at.binary("arith.muli", Lane::One(index), block_size)?;
                    Part { from: Bound::Value(from), block: *block, size }
                }
            });
        }
        self.rows(at, 0, &parts, env.clone())
    }

    /// The outer dimensions from `d` on, but for that of the lanes.
    fn rows(
        &self,
        at: Cursor<'c, 'a, '_>,
        d: usize,
        parts: &[Part<'c, 'a>],
        mut env: Env<'c, 'a>,
    ) -> Result<(), Failure> {
        let Some(part) = parts.get(d) else { return self.row(at, parts, env) };
        if self.schedule.vector == Some(d) {
            return self.rows(at, d + 1, parts, env);
        }
        let index = key(self.nest.indices[d]);
        if let (Level::Grid, Bound::Value(from)) = (self.schedule.levels[d], part.from) {
            env.insert(index, Lane::One(from));
            return self.rows(at, d + 1, parts, env);
        }
        let to = part.end(at, part.size)?;
        at.repeat((part.from, to, 1), &[], |at, i, _| {
            env.insert(index, Lane::One(i));
            self.rows(at, d + 1, parts, env.clone())?;
            Ok(vec![])
        })?;
        Ok(())
    }

    /// All points of one index of the outer dimensions, but for that of the lanes.
    fn row(&self, at: Cursor<'c, 'a, '_>, parts: &[Part<'c, 'a>], env: Env<'c, 'a>) -> Result<(), Failure> {
        let combiner = match self.nest.kind {
            Kind::Reduction(combiner) => Some(combiner),
            Kind::Pointwise | Kind::Scatter => None,
        };
        // A reduction writes its body once per inner point, inside the loops over them.
        let env = if combiner.is_none() { self.body.uniform(at, env)? } else { env };
        let element = |at: Cursor<'c, 'a, '_>, strip: Option<Strip<'c, 'a>>| -> Result<(), Failure> {
            let mut scope = Scope::new(&self.body, at, env.clone(), strip);
            let lane = match combiner {
                Some(combiner) => self.accumulate(at, combiner, &env, strip)?,
                None => {
                    scope.varying()?;
                    scope.element()?
                }
            };
            scope.at = at.of(self.nest.op.location());
            scope.store(lane)
        };
        match self.schedule.outer_vector() {
            None => element(at, None),
            Some(vector) => {
                let step = &mut |at: Cursor<'c, 'a, '_>, strip, _: &[_]| {
                    element(at, Some(strip))?;
                    Ok(vec![])
                };
                self.strips(at, parts[vector], false, &[], step).map(drop)
            }
        }
    }

    /// What a reduction combines at one outer point, or at those of a strip.
    fn accumulate(
        &self,
        at: Cursor<'c, 'a, '_>,
        combiner: Combiner,
        env: &Env<'c, 'a>,
        strip: Option<Strip<'c, 'a>>,
    ) -> Result<Lane<'c, 'a>, Failure> {
        let ty = self.nest.store.buffer.r#type();
        let element = Shaped::expect(ty)?.element;
        let identity = identity(at.kernel.context, combiner, element);
        let inner_vector = self.schedule.vector.filter(|d| *d >= self.nest.outer);
        let lanes = inner_vector.map(|_| self.schedule.lanes).or(strip.map(|s| s.lanes));
        let start = match lanes {
            Some(lanes) => at.constant_tile(&[lanes], identity)?,
            None => at.constant(element, identity)?,
        };
        let sum = Sum { combiner, start, strip, inner_vector };
        let total = self.inner(at, self.nest.outer, &sum, env.clone(), start)?;
        Ok(match (lanes, inner_vector) {
            (None, _) => Lane::One(total),
            (Some(_), None) => Lane::Tile(total),
            (Some(_), Some(_)) => {
                let combiner = combiner.attribute(at.kernel.context);
                Lane::One(at.append(kernel::reduce(at.location, combiner, total, None))?.result(0)?.into())
            }
        })
    }

    /// The inner dimensions from `d` on, but for that of the lanes, then the points themselves.
    fn inner(
        &self,
        at: Cursor<'c, 'a, '_>,
        d: usize,
        sum: &Sum<'c, 'a>,
        mut env: Env<'c, 'a>,
        carried: V<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        if sum.inner_vector == Some(d) {
            return self.inner(at, d + 1, sum, env, carried);
        }
        if d < self.nest.sizes.len() {
            let bounds = (Bound::Number(0), Bound::Number(self.nest.sizes[d]), 1);
            let total = at.repeat(bounds, &[carried], |at, i, carried| {
                env.insert(key(self.nest.indices[d]), Lane::One(i));
                Ok(vec![self.inner(at, d + 1, sum, env.clone(), carried[0])?])
            })?;
            return Ok(total[0]);
        }
        let env = self.body.uniform(at, env)?;
        let add = |at: Cursor<'c, 'a, '_>, strip: Option<Strip<'c, 'a>>, masked: bool, carried| {
            let mut scope = Scope::new(&self.body, at, env.clone(), strip);
            scope.varying()?;
            let mut value = match (scope.element()?, strip) {
                (Lane::One(one), None) => one,
                (lane, Some(strip)) => at.splat(lane, strip.lanes)?,
                (Lane::Tile(_), None) => return Err(Failure::from("has a tile without lanes")),
            };
            if let (true, Some(active)) = (masked, scope.active()?) {
                value = at.op("arith.select", &[active, value, sum.start], value.r#type())?;
            }
            at.combine(sum.combiner, carried, value)
        };
        let Some(vector) = sum.inner_vector else { return add(at, sum.strip, false, carried) };
        let part = Part::whole(self.nest.sizes[vector]);
        let total = self.strips(at, part, true, &[carried], &mut |at, strip, carried| {
            Ok(vec![add(at, Some(strip), true, carried[0])?])
        })?;
        Ok(total[0])
    }

    /// The strips of a part of the vector dimension; with `equal` all have the same number of lanes.
    fn strips(
        &self,
        at: Cursor<'c, 'a, '_>,
        part: Part<'c, 'a>,
        equal: bool,
        carried: &[V<'c, 'a>],
        body: Step<'_, 'c, 'a>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let lanes = self.schedule.lanes;
        let rest = part.size % lanes;
        let full = part.size - rest;
        if let (Bound::Value(base), true) = (part.from, rest == 0 && part.block == lanes) {
            return body(at, Strip { base, lanes, valid: None }, carried);
        }
        let to = part.end(at, full)?;
        let carried = at.repeat((part.from, to, lanes), carried, |at, base, carried| {
            body(at, Strip { base, lanes, valid: None }, carried)
        })?;
        if rest == 0 {
            return Ok(carried);
        }
        let lanes = if equal { lanes } else { power_of_two(rest) };
        let valid = if rest < lanes { Some(at.index(rest)?) } else { None };
        let (from, to) = (part.start(at, full)?, part.end(at, part.size)?);
        at.repeat((from, to, lanes), &carried, |at, base, carried| {
            body(at, Strip { base, lanes, valid }, carried)
        })
    }
}
