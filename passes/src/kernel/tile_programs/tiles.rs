//! The program of a nest: over what a grid point has of the outer domain, over strips of the lanes, and in a
//! reduction over the inner domain, the body; then the store of what it yields, was combined, or is made of
//! that. A scan stores at each step; a scatter that combines loads what is there first, or does both at once.

mod columns;
mod sums;

use super::{
    body::{Body, Scope},
    cascade,
    crossing::{self, Crossing},
    cursor::{Bound, Cursor, Env, Lane, Parts, part_key},
    nest::{Kind, Nest, Scan},
    schedule::Schedule,
    strips::{Part, Strip, Tail, parts, strips},
};
use terrace_dialects::{
    internal,
    ir::{OperationLike, cursor::V, operations::key, pass::Failure},
    loops::scatters::Meeting,
    ops::{Combiner, kernel},
};

/// A kernel for a nest: its schedule, its body, the loops around it.
pub(crate) struct Program<'c, 'a, 'n> {
    nest: &'n Nest<'c, 'a>,
    schedule: &'n Schedule<'c, 'a>,
    body: Body<'c, 'a, 'n>,
    /// What is made of what a reduction or a scan has combined, the one value given, and where that goes.
    finish: Option<Body<'c, 'a, 'n>>,
}

/// What a grid point has of each dimension, and its memory: for loads that cross the lanes, or for totals.
struct Place<'p, 'c, 'a> {
    parts: &'p [Part<'c, 'a>],
    memory: &'p [V<'c, 'a>],
}

impl<'c: 'a, 'a, 'n> Program<'c, 'a, 'n> {
    /// A kernel for a nest by a schedule.
    pub fn new(nest: &'n Nest<'c, 'a>, schedule: &'n Schedule<'c, 'a>) -> Self {
        Self { nest, schedule, body: Body::new(nest, schedule.vector), finish: None }
    }

    /// The same, where another nest over its outer domain makes an element of what a nest combines.
    pub fn then(self, finish: &'n Nest<'c, 'a>) -> Self {
        Self { finish: Some(Body::new(finish, self.schedule.outer_vector())), ..self }
    }

    /// Memory of its own, which stands at the head of a kernel.
    pub fn memory(&self, at: Cursor<'c, 'a, '_>) -> Result<Vec<V<'c, 'a>>, Failure> {
        match (&self.schedule.crossing, &self.schedule.stream) {
            (Some(crossing), _) => crossing.memory(at),
            (None, Some(stream)) => Ok(vec![self.totals(at, stream)?]),
            (None, None) => Ok(vec![]),
        }
    }

    /// Writes it; `env` has what the nest uses from outside, `grid` the indices of the grid point.
    pub fn write(&self, at: Cursor<'c, 'a, '_>, env: Env<'c, 'a>, grid: &[V<'c, 'a>]) -> Result<(), Failure> {
        let memory = self.memory(at)?;
        self.write_in(at, env, (grid, &memory))
    }

    /// The same with memory that is there.
    pub fn write_in(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: Env<'c, 'a>,
        (grid, memory): (&[V<'c, 'a>], &[V<'c, 'a>]),
    ) -> Result<(), Failure> {
        let (levels, sizes) = self.schedule.ordered(&self.nest.bounds(&env)?);
        let parts = parts(at, &levels, &sizes, grid)?;
        self.rows(at, 0, &Place { parts: &parts, memory }, env)
    }

    /// Writes what gives the only element of a nest without an outer domain, instead of storing it.
    pub fn number(&self, at: Cursor<'c, 'a, '_>, env: Env<'c, 'a>) -> Result<Parts<'c, 'a>, Failure> {
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
        place: &Place<'_, 'c, 'a>,
        mut env: Env<'c, 'a>,
    ) -> Result<(), Failure> {
        let Some((d, part)) = self.schedule.outer.get(n).map(|d| (*d, place.parts[n])) else {
            return match &self.schedule.crossing {
                Some(crossing) => self.blocks(at, crossing, place, &env),
                None => self.row(at, place, env),
            };
        };
        let crosses = self.schedule.crossing.as_ref().is_some_and(|crossing| crossing.dim == d);
        if self.schedule.vector == Some(d) || self.nest.scanned() == Some(d) || crosses {
            return self.rows(at, n + 1, place, env);
        }
        part.each(at, |at, i| {
            self.set(&mut env, d, Lane::One(i));
            self.rows(at, n + 1, place, env.clone())
        })
    }

    /// Sets the index of a dimension, also for what is made of what is combined.
    fn set(&self, env: &mut Env<'c, 'a>, d: usize, index: Lane<'c, 'a>) {
        env.insert(key(self.nest.indices[d]), index);
        if let Some(finish) = &self.finish
            && let Some(own) = finish.nest.indices.get(d)
        {
            env.insert(key(*own), index);
        }
    }

    /// What the grid point has of a dimension of the outer domain.
    fn part(&self, place: &Place<'_, 'c, 'a>, d: usize) -> Result<Part<'c, 'a>, Failure> {
        let part = self.schedule.outer.iter().position(|own| *own == d).map(|n| place.parts[n]);
        Ok(part.ok_or(internal!("has lanes outside of its domain"))?)
    }

    /// All points of the lanes' dimension and of the one that loads cross it along, block by block.
    fn blocks(
        &self,
        at: Cursor<'c, 'a, '_>,
        crossing: &Crossing<'c, 'a>,
        place: &Place<'_, 'c, 'a>,
        env: &Env<'c, 'a>,
    ) -> Result<(), Failure> {
        let vector = self.schedule.vector.ok_or(internal!("crosses no lanes"))?;
        let (wide, high) = (self.part(place, vector)?, self.part(place, crossing.dim)?);
        let tail = Tail::Multiple(crossing.rows);
        let (memory, nest) = (place.memory, self.nest);
        // Places of a block may depend on what is computed for all of it.
        let env = &self.body.uniform_but(at, env.clone(), &nest.varying(Some(crossing.dim)))?;
        let across = &mut |at: Cursor<'c, 'a, '_>, lanes: Strip<'c, 'a>, _: &[_]| {
            let down = &mut |at: Cursor<'c, 'a, '_>, rows: Strip<'c, 'a>, _: &[_]| {
                crossing.fill(nest, at, env, (vector, lanes), (rows, memory))?;
                at.repeat((Bound::Number(0), crossing::count(&rows), 1), &[], |at, row, _| {
                    let mut env = env.clone();
                    let index = at.index_op("arith.addi", rows.base, row)?;
                    env.insert(key(nest.indices[crossing.dim]), Lane::One(index));
                    crossing.row(at, &mut env, (row, lanes.lanes), memory)?;
                    let env = self.body.uniform(at, env)?;
                    let mut scope = Scope::new(&self.body, at, env, Some(lanes));
                    scope.varying_but(|op| crossing.has(op))?;
                    let parts = scope.element()?;
                    scope.at = at.of(nest.op.location());
                    scope.store(&parts)?;
                    Ok(vec![])
                })
            };
            strips(at, high, crossing.rows, tail, &[], down)
        };
        strips(at, wide, self.schedule.lanes, tail, &[], across).map(drop)
    }

    /// All points of one index of the outer dimensions, but for that of the lanes.
    fn row(
        &self,
        at: Cursor<'c, 'a, '_>,
        place: &Place<'_, 'c, 'a>,
        env: Env<'c, 'a>,
    ) -> Result<(), Failure> {
        // What runs through an inner dimension writes its body inside the loops over it.
        let kind = self.nest.kind;
        let env = match kind {
            Kind::Pointwise | Kind::Scatter(_) => self.body.uniform(at, env)?,
            Kind::Reduction(_) | Kind::Scan(_) => env,
        };
        let element = |at: Cursor<'c, 'a, '_>, strip: Option<Strip<'c, 'a>>| -> Result<(), Failure> {
            let mut scope = Scope::new(&self.body, at, env.clone(), strip);
            let parts = match kind {
                Kind::Scan(scan) => return self.scan(at, scan, &env, strip),
                Kind::Reduction(combiner) => {
                    let parts = self.accumulate(at, combiner, &env, strip)?;
                    match &self.finish {
                        Some(body) => return finish(at, body, env.clone(), &parts, strip),
                        None => parts,
                    }
                }
                Kind::Pointwise | Kind::Scatter(Meeting::Alike | Meeting::Ordered) => {
                    scope.varying()?;
                    scope.element()?
                }
                Kind::Scatter(Meeting::Combined(combiner)) if self.schedule.atomic => {
                    scope.varying()?;
                    let parts = scope.element()?;
                    scope.at = at.of(self.nest.op.location());
                    return scope.combine(combiner, parts[0]);
                }
                Kind::Scatter(Meeting::Combined(combiner)) => {
                    scope.varying()?;
                    let new = one_for_each(at, scope.element()?, strip)?;
                    let old = one_for_each(at, scope.load(&self.nest.store)?, strip)?;
                    lanes(&at.combine_parts(combiner, &old, &new)?, strip.is_some())
                }
            };
            scope.at = at.of(self.nest.op.location());
            scope.store(&parts)
        };
        if let (Kind::Scan(scan), Some(vector)) = (kind, self.schedule.outer_vector())
            && scan.dim == vector
        {
            return self.scan_lanes(at, scan.combiner, self.part(place, vector)?, &env);
        }
        if let (Kind::Reduction(combiner), Some(_)) = (kind, &self.schedule.stream) {
            return self.columns(at, combiner, place, &env);
        }
        match self.schedule.outer_vector() {
            None => element(at, None),
            Some(vector) => {
                let step = &mut |at: Cursor<'c, 'a, '_>, strip, _: &[_]| {
                    element(at, Some(strip))?;
                    Ok(vec![])
                };
                let lanes = self.schedule.lanes;
                strips(at, self.part(place, vector)?, lanes, Tail::Registers, &[], step).map(drop)
            }
        }
    }

    /// Runs along the dimension of a scan, whose indices are the lanes.
    fn scan_lanes(
        &self,
        at: Cursor<'c, 'a, '_>,
        combiner: Combiner,
        part: Part<'c, 'a>,
        env: &Env<'c, 'a>,
    ) -> Result<(), Failure> {
        let element = self.nest.element_type();
        let mut start = at.identity(combiner, element, None)?;
        if cascade::is_rounded(combiner, element) {
            start = cascade::start(at, &start)?;
        }
        let env = self.body.uniform(at, env.clone())?;
        strips(at, part, self.schedule.lanes, Tail::PowerOfTwo, &start, &mut |at, strip, carried| {
            let mut scope = Scope::new(&self.body, at, env.clone(), Some(strip));
            scope.varying()?;
            let term = one_for_each(at, scope.element()?, Some(strip))?;
            let at = at.of(self.nest.op.location());
            let scan = at.append(kernel::scan(at.location, combiner, term[0], carried[0]))?;
            self.give(scope, at, &env, (&vec![Lane::Tile(scan.result_at(0)?.into())], Some(strip)))?;
            Ok(vec![scan.result_at(1)?.into()])
        })?;
        Ok(())
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
        let mut start = at.identity(scan.combiner, element, strip.map(|strip| strip.lanes))?;
        // As long as a sum is it is wide, as totals of blocks are.
        let is_wide = cascade::is_rounded(scan.combiner, element);
        if is_wide {
            start = cascade::start(at, &start)?;
        }
        let size = self.nest.bound(scan.dim, env)?;
        let last = match size {
            Bound::Number(size) => Bound::Number(size - 1),
            Bound::Value(size) if scan.reverse => {
                Bound::Value(at.index_op("arith.subi", size, at.index(1)?)?)
            }
            size => size,
        };
        at.repeat((Bound::Number(0), size, 1), &start, |at, i, carried| {
            let mut index = Lane::One(i);
            if scan.reverse {
                index = at.binary("arith.subi", Lane::One(at.bound(last)?), index)?;
            }
            let mut env = env.clone();
            self.set(&mut env, scan.dim, index);
            let env = self.body.uniform(at, env)?;
            let mut scope = Scope::new(&self.body, at, env.clone(), strip);
            scope.varying()?;
            let term = one_for_each(at, scope.element()?, strip)?;
            let next = match is_wide {
                true => cascade::add(at, scan.combiner, carried, &term)?,
                false => at.combine_parts(scan.combiner, carried, &term)?,
            };
            let mut total = if scan.exclusive { carried.to_vec() } else { next.clone() };
            for part in total.iter_mut().filter(|_| is_wide) {
                *part = cascade::narrow(at, *part)?;
            }
            let at = at.of(self.nest.op.location());
            self.give(scope, at, &env, (&lanes(&total, strip.is_some()), strip))?;
            Ok(next)
        })?;
        Ok(())
    }

    /// Stores what a scan has combined, or what is made of it.
    fn give<'k>(
        &self,
        mut scope: Scope<'c, 'a, 'k, '_>,
        at: Cursor<'c, 'a, 'k>,
        env: &Env<'c, 'a>,
        (combined, strip): (&Parts<'c, 'a>, Option<Strip<'c, 'a>>),
    ) -> Result<(), Failure> {
        match &self.finish {
            Some(body) => finish(at, body, env.clone(), combined, strip),
            None => {
                scope.at = at;
                scope.store(combined)
            }
        }
    }
}

/// Makes elements of what was combined, and stores them.
fn finish<'c: 'a, 'a>(
    at: Cursor<'c, 'a, '_>,
    body: &Body<'c, 'a, '_>,
    mut env: Env<'c, 'a>,
    combined: &Parts<'c, 'a>,
    strip: Option<Strip<'c, 'a>>,
) -> Result<(), Failure> {
    for (i, part) in combined.iter().enumerate() {
        env.insert(part_key(body.nest.given[0], i), *part);
    }
    let env = body.uniform(at, env)?;
    let mut scope = Scope::new(body, at, env, strip);
    scope.varying()?;
    let parts = scope.element()?;
    scope.at = at.of(body.nest.op.location());
    scope.store(&parts)
}

/// The parts of an element for each point of a strip, or of the one where there is none.
fn one_for_each<'c, 'a>(
    at: Cursor<'c, 'a, '_>,
    parts: Parts<'c, 'a>,
    strip: Option<Strip<'c, 'a>>,
) -> Result<Vec<V<'c, 'a>>, Failure> {
    let part = |lane| match (lane, strip) {
        (Lane::One(one), None) => Ok(one),
        (lane, Some(strip)) => at.splat(lane, strip.lanes),
        (Lane::Tile(_), None) => Err("has a tile without lanes".into()),
    };
    parts.into_iter().map(part).collect()
}

/// Values that are tiles, or each one for all points.
fn lanes<'c, 'a>(values: &[V<'c, 'a>], tiles: bool) -> Parts<'c, 'a> {
    values.iter().map(|value| if tiles { Lane::Tile(*value) } else { Lane::One(*value) }).collect()
}
