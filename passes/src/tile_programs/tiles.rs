//! The program of a nest: over what a grid point has of the outer domain, over the strips of the vector dimension, and in
//! a reduction over the inner domain, the body; then the store of what it yields or what was combined. A scan is like a
//! reduction that stores at each step; a scatter that combines loads what is there before it stores.

use super::{
    body::{Body, Env, Scope},
    cursor::{Bound, Cursor, Lane, key},
    nest::{Kind, Nest, Scan},
    schedule::Schedule,
    strips::{Part, Strip, Tail, parts, strips},
};
use melior::ir::{ValueLike, operation::OperationLike};
use terrace_dialects::{
    combiners,
    cursor::V,
    ops::{Combiner, kernel},
    pass::Failure,
    scatters::Meeting,
};

/// A kernel for a nest: its schedule, its body, the loops around it.
pub(crate) struct Program<'c, 'a, 'n> {
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
        let (levels, sizes) = self.schedule.ordered(&self.nest.bounds(&env)?);
        let parts = parts(at, &levels, &sizes, grid)?;
        self.rows(at, 0, &parts, env)
    }

    /// Writes what gives the only element of a nest without an outer domain, instead of storing it.
    pub fn number(&self, at: Cursor<'c, 'a, '_>, env: Env<'c, 'a>) -> Result<Lane<'c, 'a>, Failure> {
        match self.nest.kind {
            Kind::Reduction(combiner) => self.accumulate(at, combiner, &env, None),
            _ => {
                let env = self.body.uniform(at, env)?;
                Scope::new(&self.body, at, env, None).element()
            }
        }
    }

    /// The outer dimensions from the `n`th of their order on, but for that of the lanes and that of a scan.
    fn rows(
        &self,
        at: Cursor<'c, 'a, '_>,
        n: usize,
        parts: &[Part<'c, 'a>],
        mut env: Env<'c, 'a>,
    ) -> Result<(), Failure> {
        let Some((d, part)) = self.schedule.outer.get(n).map(|d| (*d, parts[n])) else {
            return self.row(at, parts, env);
        };
        if self.schedule.vector == Some(d) || self.nest.scanned() == Some(d) {
            return self.rows(at, n + 1, parts, env);
        }
        let index = key(self.nest.indices[d]);
        part.each(at, |at, i| {
            env.insert(index, Lane::One(i));
            self.rows(at, n + 1, parts, env.clone())
        })
    }

    /// All points of one index of the outer dimensions, but for that of the lanes.
    fn row(&self, at: Cursor<'c, 'a, '_>, parts: &[Part<'c, 'a>], env: Env<'c, 'a>) -> Result<(), Failure> {
        // What runs through an inner dimension writes its body inside the loops over it.
        let kind = self.nest.kind;
        let env = match kind {
            Kind::Pointwise | Kind::Scatter(_) => self.body.uniform(at, env)?,
            Kind::Reduction(_) | Kind::Scan(_) => env,
        };
        let element = |at: Cursor<'c, 'a, '_>, strip: Option<Strip<'c, 'a>>| -> Result<(), Failure> {
            let mut scope = Scope::new(&self.body, at, env.clone(), strip);
            let lane = match kind {
                Kind::Scan(scan) => return self.scan(at, scan, &env, strip),
                Kind::Reduction(combiner) => self.accumulate(at, combiner, &env, strip)?,
                Kind::Pointwise | Kind::Scatter(Meeting::Alike | Meeting::Ordered) => {
                    scope.varying()?;
                    scope.element()?
                }
                Kind::Scatter(Meeting::Combined(combiner)) => {
                    scope.varying()?;
                    let new = one_for_each(at, scope.element()?, strip)?;
                    let old = one_for_each(at, scope.load(&self.nest.store)?, strip)?;
                    let both = at.combine(combiner, old, new)?;
                    if strip.is_some() { Lane::Tile(both) } else { Lane::One(both) }
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
                let part = self.schedule.outer.iter().position(|d| *d == vector).map(|n| parts[n]);
                let part = part.ok_or("has lanes outside of its domain")?;
                strips(at, part, lanes, Tail::PowerOfTwo, &[], step).map(drop)
            }
        }
    }

    /// Runs along the dimension of a scan, at one point of the others or at those of a strip.
    fn scan(
        &self,
        at: Cursor<'c, 'a, '_>,
        scan: Scan,
        env: &Env<'c, 'a>,
        strip: Option<Strip<'c, 'a>>,
    ) -> Result<(), Failure> {
        let element = self.nest.element_type();
        let identity = combiners::identity(at.context, scan.combiner, element);
        let start = match strip {
            Some(strip) => at.constant_tile(&[strip.lanes], identity)?,
            None => at.constant(element, identity)?,
        };
        let size = self.nest.bound(scan.dim, env)?;
        let last = match size {
            Bound::Number(size) => Bound::Number(size - 1),
            Bound::Value(size) if scan.reverse => {
                Bound::Value(at.index_op("arith.subi", size, at.index(1)?)?)
            }
            size => size,
        };
        at.repeat((Bound::Number(0), size, 1), &[start], |at, i, carried| {
            let mut index = Lane::One(i);
            if scan.reverse {
                index = at.binary("arith.subi", Lane::One(at.bound(last)?), index)?;
            }
            let mut env = env.clone();
            env.insert(key(self.nest.indices[scan.dim]), index);
            let env = self.body.uniform(at, env)?;
            let mut scope = Scope::new(&self.body, at, env, strip);
            scope.varying()?;
            let term = one_for_each(at, scope.element()?, strip)?;
            let next = at.combine(scan.combiner, carried[0], term)?;
            let total = if scan.exclusive { carried[0] } else { next };
            scope.at = at.of(self.nest.op.location());
            scope.store(if strip.is_some() { Lane::Tile(total) } else { Lane::One(total) })?;
            Ok(vec![next])
        })?;
        Ok(())
    }

    /// What a reduction combines at one outer point, or at those of a strip.
    fn accumulate(
        &self,
        at: Cursor<'c, 'a, '_>,
        combiner: Combiner,
        env: &Env<'c, 'a>,
        strip: Option<Strip<'c, 'a>>,
    ) -> Result<Lane<'c, 'a>, Failure> {
        let element = self.nest.element_type();
        let identity = combiners::identity(at.context, combiner, element);
        let inner_vector = self.schedule.vector.filter(|d| *d >= self.nest.outer);
        let lanes = inner_vector.map(|_| self.schedule.lanes).or(strip.map(|s| s.lanes));
        let start = match lanes {
            Some(lanes) => at.constant_tile(&[lanes], identity)?,
            None => at.constant(element, identity)?,
        };
        let sum = Sum { combiner, start, strip, inner_vector };
        let total = self.inner(at, 0, &sum, env.clone(), start)?;
        Ok(match (lanes, inner_vector) {
            (None, _) => Lane::One(total),
            (Some(_), None) => Lane::Tile(total),
            (Some(_), Some(_)) => {
                Lane::One(at.append(kernel::reduce(at.location, combiner, total, None))?.result(0)?.into())
            }
        })
    }

    /// The inner dimensions from the `n`th of their order on, but for that of the lanes, then the points themselves.
    fn inner(
        &self,
        at: Cursor<'c, 'a, '_>,
        n: usize,
        sum: &Sum<'c, 'a>,
        mut env: Env<'c, 'a>,
        carried: V<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        if let Some(&d) = self.schedule.inner.get(n) {
            if sum.inner_vector == Some(d) {
                return self.inner(at, n + 1, sum, env, carried);
            }
            let bounds = (Bound::Number(0), self.nest.bound(d, &env)?, 1);
            let total = at.repeat(bounds, &[carried], |at, i, carried| {
                env.insert(key(self.nest.indices[d]), Lane::One(i));
                Ok(vec![self.inner(at, n + 1, sum, env.clone(), carried[0])?])
            })?;
            return Ok(total[0]);
        }
        let env = self.body.uniform(at, env)?;
        let add = |at: Cursor<'c, 'a, '_>, strip: Option<Strip<'c, 'a>>, masked: bool, carried| {
            let mut scope = Scope::new(&self.body, at, env.clone(), strip);
            scope.varying()?;
            let mut value = one_for_each(at, scope.element()?, strip)?;
            if let (true, Some(active)) = (masked, scope.active()?) {
                value = at.op("arith.select", &[active, value, sum.start], value.r#type())?;
            }
            at.combine(sum.combiner, carried, value)
        };
        let Some(vector) = sum.inner_vector else { return add(at, sum.strip, false, carried) };
        let part = Part::whole(self.nest.bound(vector, &env)?);
        let step = &mut |at: Cursor<'c, 'a, '_>, strip, carried: &[V<'c, 'a>]| {
            Ok(vec![add(at, Some(strip), true, carried[0])?])
        };
        let total = strips(at, part, self.schedule.lanes, Tail::Masked, &[carried], step)?;
        Ok(total[0])
    }
}

/// An element for each point of a strip, or the one where there is none.
fn one_for_each<'c, 'a>(
    at: Cursor<'c, 'a, '_>,
    lane: Lane<'c, 'a>,
    strip: Option<Strip<'c, 'a>>,
) -> Result<V<'c, 'a>, Failure> {
    match (lane, strip) {
        (Lane::One(one), None) => Ok(one),
        (lane, Some(strip)) => at.splat(lane, strip.lanes),
        (Lane::Tile(_), None) => Err("has a tile without lanes".into()),
    }
}
