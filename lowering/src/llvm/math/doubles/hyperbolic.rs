//! sinh, cosh, tanh and their inverses, of magnitudes by expm1 and log1p, which do not cancel.

use super::{
    super::emit::{Cmp, Emitter, V},
    exp, expm1, flip_sign, log, log1p, magnitude_and_sign,
};
use std::f64::consts::LN_2;

/// From here on exp a is all that counts of sinh and cosh.
const LARGE: f64 = 22.0;

/// exp(a) / 2 where that may be finite though exp(a) is not.
fn half_exp<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>) -> V<'c, 'a> {
    let half = e.like(a, 0.5);
    let root = exp(e, e.mul(a, half));
    e.mul(e.mul(root, half), root)
}

/// sinh x; 6 ULP.
pub(super) fn sinh<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (a, sign) = magnitude_and_sign(e, x);
    let t = expm1(e, e.at_most(a, LARGE));
    let small = e.mul(e.add(t, e.div(t, e.add(t, e.like(x, 1.0)))), e.like(x, 0.5));
    flip_sign(e, e.select(e.cmp(Cmp::Ogt, a, e.like(x, LARGE)), half_exp(e, a), small), sign)
}

/// cosh x; 6 ULP.
pub(super) fn cosh<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (a, _) = magnitude_and_sign(e, x);
    let (t, half) = (exp(e, e.at_most(a, LARGE)), e.like(x, 0.5));
    let small = e.fma(t, half, e.div(half, t));
    e.select(e.cmp(Cmp::Ogt, a, e.like(x, LARGE)), half_exp(e, a), small)
}

/// tanh x; 6 ULP.
pub(super) fn tanh<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (a, sign) = magnitude_and_sign(e, x);
    let a = e.at_most(a, LARGE);
    let t = expm1(e, e.add(a, a));
    flip_sign(e, e.div(t, e.add(t, e.like(x, 2.0))), sign)
}

/// From here on 1 is nothing beside the square.
const HUGE: f64 = 268_435_456.0;

/// asinh x; 6 ULP.
pub(super) fn asinh<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (a, sign) = magnitude_and_sign(e, x);
    let one = e.like(x, 1.0);
    let bounded = e.at_most(a, HUGE);
    let square = e.mul(bounded, bounded);
    let root = e.sqrt(e.add(square, one));
    let small = log1p(e, e.add(bounded, e.div(square, e.add(root, one))));
    let large = e.add(log(e, a), e.like(x, LN_2));
    flip_sign(e, e.select(e.cmp(Cmp::Ogt, a, e.like(x, HUGE)), large, small), sign)
}

/// acosh x; 6 ULP.
pub(super) fn acosh<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let one = e.like(x, 1.0);
    let t = e.sub(e.at_most(x, HUGE), one);
    let small = log1p(e, e.add(t, e.sqrt(e.mul(t, e.add(t, e.like(x, 2.0))))));
    let large = e.add(log(e, x), e.like(x, LN_2));
    let result = e.select(e.cmp(Cmp::Ogt, x, e.like(x, HUGE)), large, small);
    e.select(e.cmp(Cmp::Olt, x, one), e.like(x, f64::NAN), result)
}

/// atanh x; 6 ULP.
pub(super) fn atanh<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (a, sign) = magnitude_and_sign(e, x);
    let ratio = e.div(e.add(a, a), e.sub(e.like(x, 1.0), a));
    flip_sign(e, e.mul(log1p(e, ratio), e.like(x, 0.5)), sign)
}
