//! What a reduction combines: loops over the inner domain, and their totals.

use super::{Program, lanes, one_for_each};
use crate::kernel::tile_programs::{
    body::Scope,
    cascade::{self, Cascade},
    cursor::{Bound, Cursor, Env, Lane, Parts, product},
    schedule,
    strips::{Part, Strip, Tail, strips},
};
use melior::ir::ValueLike;
use terrace_dialects::{
    ir::{OperationLike, cursor::V, operations::key, pass::Failure, types::is_float},
    ops::{Combiner, kernel},
};
use terrace_size::DYNAMIC;

/// Rounds of an innermost loop that has a sum of its own.
const SHORT: i64 = 3;
const LONG: i64 = 16;

/// How a reduction combines.
pub(super) struct Sum<'c, 'a> {
    pub combiner: Combiner,
    /// The identity by its parts, as tiles where the accumulator is one.
    pub start: Vec<V<'c, 'a>>,
    /// The outer points that are combined at once.
    pub strip: Option<Strip<'c, 'a>>,
    /// The inner dimension whose indices are lanes.
    pub inner_vector: Option<usize>,
}

impl<'c: 'a, 'a> Sum<'c, 'a> {
    /// Whether these are the identity.
    fn is_start(&self, carried: &[V<'c, 'a>]) -> bool {
        carried.len() == self.start.len()
            && carried.iter().zip(&self.start).all(|(own, start)| key(*own) == key(*start))
    }
}

impl<'c: 'a, 'a> Program<'c, 'a, '_> {
    /// What a reduction combines at one outer point, or at those of a strip.
    pub(super) fn accumulate(
        &self,
        at: Cursor<'c, 'a, '_>,
        combiner: Combiner,
        env: &Env<'c, 'a>,
        strip: Option<Strip<'c, 'a>>,
    ) -> Result<Parts<'c, 'a>, Failure> {
        let element = self.nest.element_type();
        let inner_vector = self.schedule.vector.filter(|d| *d >= self.nest.outer);
        let width = inner_vector.map(|_| self.schedule.lanes).or(strip.map(|s| s.lanes));
        let start = at.identity(combiner, element, width)?;
        let sum = Sum { combiner, start, strip, inner_vector };
        let loops = self.loops(inner_vector);
        let terms = if self.nest.yields_product() { cascade::PRODUCTS } else { cascade::TERMS };
        let rounds: Vec<i64> = loops.iter().map(|own| own.1).collect();
        let cascade = Cascade::of(combiner, element, &rounds, terms);
        let mut total = match cascade {
            None => self.inner(at, 0, &sum, env.clone(), &sum.start)?,
            Some(cascade) => {
                let start = cascade::start(at, &sum.start)?;
                self.blocks_of_terms(at, (0, cascade), &sum, env.clone(), &start)?
            }
        };
        for part in &mut total {
            if inner_vector.is_some() {
                *part = at.append(kernel::reduce(at.location, combiner, *part, None))?.result_at(0)?.into();
            }
            if cascade.is_some() {
                *part = cascade::narrow(at, *part)?;
            }
        }
        Ok(lanes(&total, width.is_some() && inner_vector.is_none()))
    }

    /// The loops over the inner domain, from the outermost on: the dimensions, and how many rounds they have;
    /// the last may be over strips of lanes.
    fn loops(&self, inner_vector: Option<usize>) -> Vec<(usize, i64)> {
        let dims = self.schedule.inner.iter().copied().filter(|d| Some(*d) != inner_vector);
        let dims = dims.map(|d| (d, self.nest.sizes[d]));
        let strips = |d: usize| match self.nest.sizes[d] {
            DYNAMIC => DYNAMIC,
            size => schedule::ceil_div(size, self.schedule.lanes),
        };
        dims.chain(inner_vector.map(|d| (d, strips(d)))).collect()
    }

    /// The loops over the inner domain from the `n`th on, whose totals are wide.
    fn blocks_of_terms(
        &self,
        at: Cursor<'c, 'a, '_>,
        (n, cascade): (usize, Cascade),
        sum: &Sum<'c, 'a>,
        mut env: Env<'c, 'a>,
        carried: &[V<'c, 'a>],
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let loops = self.loops(sum.inner_vector);
        if n == cascade.level {
            let Some(terms) = cascade.terms else {
                let block = self.inner(at, n, sum, env, &sum.start)?;
                return cascade::add(at, sum.combiner, carried, &block);
            };
            let (d, _) = loops[n];
            let lanes = if sum.inner_vector == Some(d) { self.schedule.lanes } else { 1 };
            let (size, block) = (self.nest.bound(d, &env)?, terms * lanes);
            return at.repeat((Bound::Number(0), size, block), carried, |at, from, carried| {
                let part = Part { from: Bound::Value(from), block, size };
                let total = self.terms(at, part, (d, sum), &env, &sum.start)?;
                cascade::add(at, sum.combiner, carried, &total)
            });
        }
        let (d, _) = loops[n];
        let bounds = (Bound::Number(0), self.nest.bound(d, &env)?, 1);
        at.repeat(bounds, carried, |at, i, carried| {
            env.insert(key(self.nest.indices[d]), Lane::One(i));
            self.blocks_of_terms(at, (n + 1, cascade), sum, env.clone(), carried)
        })
    }

    /// What a part of the innermost dimension adds.
    pub(super) fn terms(
        &self,
        at: Cursor<'c, 'a, '_>,
        part: Part<'c, 'a>,
        (d, sum): (usize, &Sum<'c, 'a>),
        env: &Env<'c, 'a>,
        carried: &[V<'c, 'a>],
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        if sum.inner_vector == Some(d) {
            let env = self.body.uniform(at, env.clone())?;
            let step = &mut |at: Cursor<'c, 'a, '_>, strip, carried: &[V<'c, 'a>]| {
                self.term(at, &env, (sum, Some(strip)), carried)
            };
            return strips(at, part, self.schedule.lanes, Tail::Masked, carried, step);
        }
        let bounds = (part.from, part.end(at, part.size)?, 1);
        at.repeat(bounds, carried, |at, i, carried| {
            let mut env = env.clone();
            env.insert(key(self.nest.indices[d]), Lane::One(i));
            let env = self.body.uniform(at, env)?;
            self.term(at, &env, (sum, sum.strip), carried)
        })
    }

    /// Adds the terms of a strip, or of one point; lanes of an inner strip that are not there add nothing.
    pub(super) fn term(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        (sum, strip): (&Sum<'c, 'a>, Option<Strip<'c, 'a>>),
        carried: &[V<'c, 'a>],
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let mut scope = Scope::new(&self.body, at, env.clone(), strip);
        scope.varying()?;
        let mut value = one_for_each(at, scope.element()?, strip)?;
        if let (Some(_), Some(active)) = (sum.inner_vector, scope.active()?) {
            for (part, start) in value.iter_mut().zip(&sum.start) {
                *part = at.op("arith.select", &[active, *part, *start], part.r#type())?;
            }
        }
        // Of a row of lanes the first term is the total so far; what reduces it starts by the identity.
        if sum.inner_vector.is_some() && sum.is_start(carried) {
            return Ok(value);
        }
        match (sum.combiner, carried, &value[..]) {
            (Combiner::Add, [total], [term]) if product(*term).is_some() => {
                Ok(vec![at.add_product(*total, *term)?])
            }
            _ => at.combine_parts(sum.combiner, carried, &value),
        }
    }

    /// Whether the innermost loop of several, along `d`, has a sum of its own, so that a round of the next
    /// one need not wait for this one's: an addition takes several cycles.
    fn adds_alone(&self, sum: &Sum<'c, 'a>, d: usize) -> bool {
        let is_float = is_float(self.nest.element_type());
        sum.inner_vector.is_none()
            && sum.combiner == Combiner::Add
            && is_float
            && (SHORT..=LONG).contains(&self.nest.sizes[d])
    }

    /// The inner dimensions from the `n`th of their order on, but for that of the lanes; then the points.
    pub(super) fn inner(
        &self,
        at: Cursor<'c, 'a, '_>,
        n: usize,
        sum: &Sum<'c, 'a>,
        mut env: Env<'c, 'a>,
        carried: &[V<'c, 'a>],
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        // The dimension of the lanes is the innermost, wherever it stands in the order.
        let mut others = self.schedule.inner.iter().copied().filter(|d| sum.inner_vector != Some(*d));
        if let Some(d) = others.nth(n) {
            let bounds = (Bound::Number(0), self.nest.bound(d, &env)?, 1);
            let alone = n > 0 && others.next().is_none() && self.adds_alone(sum, d);
            let first = if alone { &sum.start[..] } else { carried };
            let total = at.repeat(bounds, first, |at, i, carried| {
                env.insert(key(self.nest.indices[d]), Lane::One(i));
                self.inner(at, n + 1, sum, env.clone(), carried)
            })?;
            return if alone { at.combine_parts(sum.combiner, carried, &total) } else { Ok(total) };
        }
        let Some(vector) = sum.inner_vector else {
            let env = self.body.uniform(at, env)?;
            return self.term(at, &env, (sum, sum.strip), carried);
        };
        let part = Part::whole(self.nest.bound(vector, &env)?);
        self.terms(at, part, (vector, sum), &env, carried)
    }
}
