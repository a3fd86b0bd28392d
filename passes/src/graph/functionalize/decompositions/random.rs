//! Draws: functional in the state of the generator.
//!
//! The state is a storage of two numbers, the seed and how many operations have drawn
//! ([`Source::Generator`](crate::graph::functionalize::rewriting::storages::Source)). An operator that draws
//! takes the current version and makes the next, which goes through control flow as any storage does. The
//! boundary gives the core the generator's state and makes the generator go on from the one that comes back.
//! An operation that may draw by itself, as it has unknown effects, finds the generator up to date, and is
//! asked afterwards.

use super::lowering::{Lowered, Lowering};
use crate::{
    functional::writer::{Writer, Written},
    graph::functionalize::analysis::tensors::Origin,
};
use melior::ir::{Location, Operation, Type, Value};
use terrace_dialects::{
    internal,
    ir::{attributes as convert, builder::BuildError, dtype::Dtype, view},
    ops::functional as f,
};

impl<'c, 'a> Lowering<'_, 'c, 'a> {
    /// The state that this operation draws by; those after it have the next one.
    fn draw(&mut self) -> Written<'c, 'a> {
        let number = self.analysis.generator.ok_or(internal!("draws from a generator that is not there"))?;
        let storage = self.storages.of(Origin::Fresh(number));
        let state = self.values.whole(storage)?;
        let next = self.values.value(f::skip_draws(self.values.location(), state, 1))?;
        self.values.set(storage, next)?;
        Ok(state)
    }

    fn number(&self, name: &str, default: f64) -> f64 {
        view::attribute(self.op, name).map_or(default, convert::f64)
    }

    /// Numbers of a dtype; of a complex one both parts.
    fn parts(
        &mut self,
        draw: impl FnOnce(
            Location<'c>,
            &[Type<'c>],
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Operation<'c>, BuildError>,
    ) -> Lowered<'c, 'a> {
        let ((mut sizes, dtype), state) = (self.result()?, self.draw()?);
        let w: Writer = **self.values;
        if sizes.iter().any(|size| size.known() == Some(0)) {
            // Of any dtype.
            return Ok(vec![w.full(w.number(dtype, 0)?, dtype, &sizes)?]);
        }
        if dtype.is_complex() {
            sizes.push(2.into());
        }
        let drawn = w.of_sizes(dtype.part(), &sizes, |at, ty, dynamic| draw(at, ty, state, dynamic))?;
        Ok(vec![if dtype.is_complex() { w.closed(drawn, dtype)? } else { drawn }])
    }
}

/// `uniform_`, and `rand` by the bounds that are its default.
fn uniform<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>, from: f64, to: f64) -> Lowered<'c, 'a> {
    l.parts(|at, ty, state, sizes| f::random_uniform(at, ty, state, from, to, sizes))
}

fn normal<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>, mean: f64, std: f64) -> Lowered<'c, 'a> {
    // Either part of a complex number has the mean, and half of the variance.
    let std = if l.result()?.1.is_complex() { std / 2f64.sqrt() } else { std };
    l.parts(|at, ty, state, sizes| f::random_normal(at, ty, state, mean, std, sizes))
}

/// `uniform_`.
pub fn uniform_in_place<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (from, to) = (l.number("from", 0.0), l.number("to", 1.0));
    uniform(l, from, to)
}

/// `normal_`.
pub fn normal_in_place<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (mean, std) = (l.number("mean", 0.0), l.number("std", 1.0));
    normal(l, mean, std)
}

/// `rand`, `randn`, and like another tensor.
pub fn sized<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    if l.base_name().starts_with("randn") { normal(l, 0.0, 1.0) } else { uniform(l, 0.0, 1.0) }
}

/// `randint`, and like another tensor.
pub fn integers<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let low = view::attribute(l.op, "low").map_or(0, convert::i64);
    let high = view::attribute(l.op, "high").map(convert::i64).ok_or(internal!("misses attribute 'high'"))?;
    l.parts(|at, ty, state, sizes| f::random_integers(at, ty, state, low, high, sizes))
}

/// `randperm`.
pub fn permutation<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    l.parts(f::randperm)
}

/// `bernoulli`: of the tensor's elements, or of one probability.
pub fn trials<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    if !l.op_impl.is_in_place() && view::attribute(l.op, "p").is_none() {
        let (own, state) = (l.read(l.operand(0))?, l.draw()?);
        return Ok(vec![l.values.value(f::bernoulli(l.values.location(), own, state))?]);
    }
    let ((sizes, dtype), p, state) = (l.result()?, l.number("p", 0.5), l.draw()?);
    let w: Writer = **l.values;
    let uniform = |at, ty: &[_], dynamic: &[_]| f::random_uniform(at, ty, state, 0.0, 1.0, dynamic);
    let drawn = w.of_sizes(Dtype::F64, &sizes, uniform)?;
    Ok(vec![w.cast(w.binary(f::lt, drawn, w.like(drawn, p)?)?, dtype)?])
}

/// `multinomial`.
pub fn samples<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, state) = (l.read(l.operand(0))?, l.draw()?);
    l.build("multinomial", &[vec![own], vec![state]], &[])
}
