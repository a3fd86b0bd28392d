//! The program of a nest: over what a grid point has of the outer domain, over the strips of the vector dimension, and in
//! a reduction over the inner domain, the body; then the store of what it yields or what was combined.

use super::{
    body::{Body, Env, Scope},
    cursor::{Bound, Cursor, Lane, identity, key},
    nest::{Kind, Nest},
    schedule::{Level, Schedule},
    strips::{Part, Strip, Tail, parts, strips},
};
use crate::emit::V;
use melior::ir::{ValueLike, operation::OperationLike};
use terrace_dialects::{
    ops::{Combiner, kernel},
    pass::Failure,
    shaped::Shaped,
};

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

impl<'c: 'a, 'a, 'n> Program<'c, 'a, 'n> {
    /// A kernel for a nest by a schedule.
    pub fn new(nest: &'n Nest<'c, 'a>, schedule: &'n Schedule) -> Self {
        Self { nest, schedule, body: Body::new(nest, schedule.vector) }
    }

    /// Writes it; `env` has what the nest uses from outside, `grid` the indices of the grid point.
    pub fn write(&self, at: Cursor<'c, 'a, '_>, env: Env<'c, 'a>, grid: &[V<'c, 'a>]) -> Result<(), Failure> {
        let parts = parts(at, &self.schedule.levels, &self.nest.sizes, grid)?;
        self.rows(at, 0, &parts, env)
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
                let lanes = self.schedule.lanes;
                strips(at, parts[vector], lanes, Tail::PowerOfTwo, &[], step).map(drop)
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
        let step = &mut |at: Cursor<'c, 'a, '_>, strip, carried: &[V<'c, 'a>]| {
            Ok(vec![add(at, Some(strip), true, carried[0])?])
        };
        let total = strips(at, part, self.schedule.lanes, Tail::Masked, &[carried], step)?;
        Ok(total[0])
    }
}
