//! Quotients and rests, by each rounding.
//!
//! Of integers, a division by zero is an error before anything is divided: a `loop.reduction` looks for
//! zeros, and a `cf.assert` stops. What divides is another number besides, so that no order of operations
//! traps; so it is where the divisor is -1, whose quotient with the least integer does not fit.

use super::{
    bounds::assert_all,
    sizes::{self, tensor},
    source::Source,
};
use crate::emit::{Compare, Emitter, Number, known};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::{
    ir::{OperationLike, cursor::V, pass::Failure, types::is_float},
    ops::functional,
};

fn mode(op: OperationRef) -> Option<String> {
    functional::DivOp::try_from(op).ok().and_then(|op| op.rounding_mode())
}

/// `functional.div` of floats.
pub fn floats<'c, 'a>(e: &Emitter<'c, 'a>, v: &[V<'c, 'a>], op: OperationRef<'c, 'a>) -> V<'c, 'a> {
    let quotient = e.div(v[0], v[1]);
    match mode(op).as_deref() {
        Some("trunc") => e.same("math.trunc", &[quotient]),
        Some(_) => floor(e, v[0], v[1], quotient),
        None => quotient,
    }
}

/// The quotient rounded down: by the rest, for a rounded quotient may have come to the next whole number.
fn floor<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>, quotient: V<'c, 'a>) -> V<'c, 'a> {
    let (zero, one) = (e.like(a, 0.0), e.like(a, 1.0));
    let rest = e.same("arith.remf", &[a, b]);
    let whole = e.div(e.sub(a, rest), b);
    let whole = e.select(rounds_up(e, rest, b), e.sub(whole, one), whole);
    // Whole but for an error of rounding.
    let down = e.same("math.floor", &[whole]);
    let nearest =
        e.select(e.compare(Compare::Gt, e.sub(whole, down), e.like(a, 0.5)), e.add(down, one), down);
    let signed = e.same("math.copysign", &[zero, quotient]);
    let nearest = e.select(e.compare(Compare::Eq, whole, zero), signed, nearest);
    e.select(e.compare(Compare::Eq, b, zero), quotient, nearest)
}

/// Whether division towards zero was upwards: there is a rest, of another sign than the divisor.
fn rounds_up<'c, 'a>(e: &Emitter<'c, 'a>, rest: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
    let zero = e.like(b, 0.0);
    let negative = |x| e.compare(Compare::Lt, x, zero);
    let differ = e.same("arith.xori", &[negative(rest), negative(b)]);
    e.and(e.compare(Compare::Ne, rest, zero), differ)
}

/// `functional.div` of integers.
pub fn integers<'c, 'a>(e: &Emitter<'c, 'a>, v: &[V<'c, 'a>], op: OperationRef<'c, 'a>) -> V<'c, 'a> {
    let (a, b) = (v[0], v[1]);
    let (is_minus_one, divisor) = harmless(e, b);
    let negated = e.sub(e.like(a, 0.0), a);
    let quotient = e.select(is_minus_one, negated, e.same("arith.divsi", &[a, divisor]));
    if mode(op).as_deref() != Some("floor") {
        return quotient;
    }
    let one = e.like(a, 1.0);
    e.select(rounds_up(e, rest(e, a, b), b), e.sub(quotient, one), quotient)
}

/// Whether a divisor is -1, and the divisor, 1 in place of -1 and 0.
fn harmless<'c, 'a>(e: &Emitter<'c, 'a>, b: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let one = e.like(b, 1.0);
    let is = |number| e.compare(Compare::Eq, b, e.like(b, number));
    let is_minus_one = is(-1.0);
    (is_minus_one, e.select(e.same("arith.ori", &[is_minus_one, is(0.0)]), one, b))
}

/// The rest of a division towards zero.
pub fn rest<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
    if is_float(a.r#type()) {
        return e.same("arith.remf", &[a, b]);
    }
    // By 1 and by -1 there is none.
    e.same("arith.remsi", &[a, harmless(e, b).1])
}

/// The rest of a division downwards.
pub fn remainder<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
    let rest = rest(e, a, b);
    e.select(rounds_up(e, rest, b), e.add(rest, b), rest)
}

/// Checks, in front of an operation that divides integers, that none of its divisors is zero.
pub fn check<'c, 'a>(
    op: OperationRef<'c, 'a>,
    sources: &[Source<'c, 'a>],
    e: &Emitter<'c, 'a>,
) -> Result<(), Failure> {
    let divides = functional::DivOp::try_from(op).is_ok()
        || functional::RemainderOp::try_from(op).is_ok()
        || functional::FmodOp::try_from(op).is_ok();
    let [_, divisor] = sources else { return Ok(()) };
    let result = op.result_at(0)?.into();
    if !divides || tensor(result)?.dtype.is_inexact() {
        return Ok(());
    }
    if let Source::Number(number) = divisor
        && known(*number).is_some_and(|n| n != Number::Int(0))
    {
        return Ok(());
    }
    assert_all(e, &sizes::extents(result, e)?, "ZeroDivisionError", |e, i| {
        let divisor = divisor.load(e, i)?;
        Ok(e.compare(Compare::Ne, divisor, e.like(divisor, 0.0)))
    })
}
