//! Sums of neighbouring elements side by side, where their terms lie so: a strip of a dimension at a time.
//!
//! ```text
//! y[j] = sum of x[i, j] over i            for each strip of j:
//!                                           sums[l] = 0 for each l of the strip
//!                                           for each i: for each l: sums[l] += x[i, j + l]
//!                                           y[j + l] = sums[l] for each l
//! ```
//!
//! Element by element each term would be a row further on than the one before, one in each line of the cache.
//! By strips loads are of neighbours, and so are the sums, which the innermost loop has all of: it is
//! vectorized without turning a sum around.

use super::{
    group::allocate,
    nest::Nest,
    schedule::Schedule,
    write::{Env, bound, ordered, parallel, read, step, store},
};
use crate::loops::write::{Size, combine};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::{
    analysis::dependence::{Form, Term},
    ir::{
        OperationLike,
        cursor::{Cursor, V},
        operations::{collect, definition, key},
        pass::Failure,
        shaped::strides_and_offset,
    },
    loops::affine,
    ops::loop_,
};

/// How many elements a strip has at most: their sums stay in the cache, and rows are read along.
const WIDTH: i64 = 8192;

/// Elements below which a dimension has no strips.
const LEAST: i64 = 16;

/// Terms of a sum up to which it stays one loop: it is unrolled, and the loop around it vectorized.
const TERMS: i64 = 32;

/// A reduction, and what of the point is computed for it.
pub struct Member<'c, 'a> {
    pub nest: Nest<'c, 'a>,
    /// Operations of the point in front of it, members among them.
    pub needs: Vec<OperationRef<'c, 'a>>,
}

/// A domain whose points are reductions, and something that is done with them.
pub struct Strips<'c, 'a> {
    pub sizes: Vec<Size<'c, 'a>>,
    pub indices: Vec<V<'c, 'a>>,
    pub members: Vec<Member<'c, 'a>>,
    /// The dimension.
    dim: usize,
}

/// How a load moves with an index.
#[derive(PartialEq)]
enum Move {
    NotConverted,
    ToTheNext,
    Far,
}

impl Move {
    fn of<'c: 'a, 'a>(load: loop_::LoadOp<'c, 'a>, index: V<'c, 'a>) -> Self {
        let term = |value: V<'c, 'a>| match definition(value) {
            _ if value == index => Term::Index(0),
            Some(op) if loop_of(op) => Term::Unknown,
            _ => Term::Symbol(key(value)),
        };
        let terms: Vec<Term> = load.indices().into_iter().map(term).collect();
        let forms: Option<Vec<Form>> =
            affine::exprs(load.map()).iter().map(|expr| Form::of(expr, &terms)).collect();
        let Some((last, rest)) = forms.as_deref().and_then(|forms| forms.split_last()) else {
            return if forms.is_some() { Self::NotConverted } else { Self::Far };
        };
        let dense = strides_and_offset(load.source().r#type()).is_some_and(|(s, _)| s.last() == Some(&1));
        match last.factor(0) {
            _ if rest.iter().any(|form| form.factor(0) != 0) => Self::Far,
            0 => Self::NotConverted,
            1 if dense => Self::ToTheNext,
            _ => Self::Far,
        }
    }
}

/// Whether an operation is in a body.
fn loop_of(op: OperationRef) -> bool {
    let mut holder = op.parent_operation();
    while let Some(op) = holder {
        if loop_::GroupOp::try_from(op).is_ok() || super::nest::is_nest(op) {
            return true;
        }
        holder = op.parent_operation();
    }
    false
}

impl<'c: 'a, 'a> Strips<'c, 'a> {
    /// The strips by which fewer loads are far from those before them; None where that is none.
    pub fn of(
        op: OperationRef<'c, 'a>,
        sizes: &[Size<'c, 'a>],
        indices: &[V<'c, 'a>],
        members: Vec<Member<'c, 'a>>,
    ) -> Option<Self> {
        let is_short = |member: &Member<'c, 'a>| {
            let (sizes, _) = member.nest.inner();
            let terms = sizes.iter().try_fold(1i64, |n, size| n.checked_mul(size.known()?));
            terms.is_some_and(|terms| terms <= TERMS)
        };
        if members.iter().all(is_short) || op.attribute("tile").is_ok() {
            return None;
        }
        let mut loads = vec![];
        for Member { nest, .. } in &members {
            let own = collect(nest.op, |op| loop_::LoadOp::try_from(op).is_ok());
            let along = nest.innermost()?;
            loads.extend(own.into_iter().filter_map(|op| Some((loop_::LoadOp::try_from(op).ok()?, along))));
        }
        let far = |count: &dyn Fn(&(loop_::LoadOp<'c, 'a>, V<'c, 'a>)) -> V<'c, 'a>| {
            loads.iter().filter(|own| Move::of(own.0, count(own)) == Move::Far).count()
        };
        let by_dim = |dim: &usize| far(&|_| indices[*dim]);
        let wide = |dim: &usize| sizes[*dim].known().is_none_or(|size| size >= LEAST);
        let dim = (0..sizes.len()).rev().filter(wide).min_by_key(by_dim)?;
        let better = by_dim(&dim) < far(&|own| own.1);
        better.then(|| Self { sizes: sizes.to_vec(), indices: indices.to_vec(), members, dim })
    }

    /// Writes the loops; `finish` is what is done at a point when its sums are there: `given` of each
    /// reduction, in order.
    pub fn write(
        &self,
        at: Cursor<'c, 'a>,
        schedule: &Schedule,
        mut finish: impl FnMut(Cursor<'c, 'a>, &[V<'c, 'a>], &[V<'c, 'a>]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let dims: Vec<usize> = (0..self.sizes.len()).collect();
        let size = self.sizes[self.dim];
        let width = size.known().map_or(WIDTH, |size| size.min(WIDTH));
        // The strips lie inside of the other dimensions.
        let mut order = schedule.order(&dims);
        order.retain(|dim| *dim != self.dim);
        order.push(self.dim);
        let sizes: Vec<Size> = order.iter().map(|dim| self.sizes[*dim]).collect();
        let steps: Vec<i64> = order.iter().map(|dim| if *dim == self.dim { width } else { 1 }).collect();
        parallel(at, &sizes, &steps, |at, starts| {
            let mut start = vec![at.index(0)?; dims.len()];
            order.iter().zip(starts).for_each(|(dim, value)| start[*dim] = *value);
            let mut count = at.index(width)?;
            if size.known().is_none_or(|size| size % width != 0) {
                let left = at.op("arith.subi", &[bound(at, size)?, start[self.dim]], at.index_type())?;
                count = at.op("arith.minsi", &[count, left], at.index_type())?;
            }
            let zero = at.index(0)?;
            let mut sums = vec![];
            for member in &self.members {
                let own = self.sums(at, member, (&start, count, width), &sums)?;
                sums.push(own);
            }
            at.repeat(zero, count, |at, l| {
                let point = self.point(at, &start, l)?;
                finish(at, &point, &self.read(at, &sums, l)?)
            })?;
            for sums in sums {
                at.build("memref.dealloc", &[sums], &[], &[], vec![])?;
            }
            Ok(())
        })
    }

    /// The indices of an element of a strip.
    fn point(
        &self,
        at: Cursor<'c, 'a>,
        start: &[V<'c, 'a>],
        l: V<'c, 'a>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let mut point = start.to_vec();
        point[self.dim] = at.op("arith.addi", &[start[self.dim], l], at.index_type())?;
        Ok(point)
    }

    /// The sums of an element.
    fn read(&self, at: Cursor<'c, 'a>, sums: &[V<'c, 'a>], l: V<'c, 'a>) -> Result<Vec<V<'c, 'a>>, Failure> {
        let number =
            |(sums, member): (&V<'c, 'a>, &Member<'c, 'a>)| read(at, *sums, &[l], member.nest.element()?);
        sums.iter().zip(&self.members).map(number).collect()
    }

    /// Memory with the sums of a strip.
    fn sums(
        &self,
        at: Cursor<'c, 'a>,
        Member { nest, needs }: &Member<'c, 'a>,
        (start, count, width): (&[V<'c, 'a>], V<'c, 'a>, i64),
        earlier: &[V<'c, 'a>],
    ) -> Result<V<'c, 'a>, Failure> {
        let at = at.of(nest.op.location());
        let (combiner, identity) = nest.combined(at)?;
        let sums = allocate(at, nest.element()?, &[width], &[])?;
        let zero = at.index(0)?;
        at.repeat(zero, count, |at, l| store(at, identity, sums, &[l]))?;
        let (sizes, indices) = nest.inner();
        ordered(at, &sizes, &mut |at, inner| {
            at.repeat(zero, count, |at, l| {
                let point = self.point(at, start, l)?;
                let mut env = Env::default().with(&self.indices, &point).with(&indices, inner);
                let given = self.read(at, earlier, l)?;
                self.replay(at, &mut env, needs, &given)?;
                let term = nest.term(at, &mut env)?;
                let sum = combine(at, combiner, read(at, sums, &[l], nest.element()?)?, term)?;
                store(at, sum, sums, &[l])
            })
        })?;
        Ok(sums)
    }

    /// Writes operations of a point; a member is what is given.
    pub fn replay(
        &self,
        at: Cursor<'c, 'a>,
        env: &mut Env<'c, 'a>,
        ops: &[OperationRef<'c, 'a>],
        given: &[V<'c, 'a>],
    ) -> Result<(), Failure> {
        for op in ops {
            match self.members.iter().position(|member| member.nest.op == *op) {
                Some(number) => env.set(op.result_at(0)?.into(), given[number]),
                None => step(at, env, *op)?,
            }
        }
        Ok(())
    }
}
