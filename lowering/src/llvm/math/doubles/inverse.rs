//! atan, and what it gives: atan2, asin, acos.
//!
//! Above tan(pi/8) atan a is pi/4 + atan((a - 1) / (a + 1)), above tan(3 pi/8) pi/2 + atan(-1 / a).

use super::{
    super::emit::{Cmp, Element, Emitter, IntCmp, V},
    flip_sign, magnitude_and_sign,
};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// (atan x / x - 1) / x^2 in x^2, on |x| <= tan(pi/8), but for 2^-59 of atan x / x.
const ATAN: [f64; 12] = [
    -0.3333333333333333,
    0.19999999999999804,
    -0.14285714285659826,
    0.11111111105155212,
    -0.09090908753489207,
    0.07692296374694724,
    -0.0666642487967792,
    0.058789289281531744,
    -0.052304537574396216,
    0.0455159087959994,
    -0.03457050177495121,
    0.016285690132646337,
];
/// What f64 lacks of pi.
const PI_LOW: f64 = 1.2246467991473532e-16;

/// atan of a magnitude, and what is to be added to it.
fn atan_of<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let number = |value| e.like(a, value);
    let one = number(1.0);
    let (middle, large) =
        (e.cmp(Cmp::Ogt, a, number(0.41421356237309503)), e.cmp(Cmp::Ogt, a, number(2.414213562373095)));
    let above = e.select(large, number(-1.0), e.sub(a, one));
    let below = e.select(large, a, e.add(a, one));
    let t = e.select(middle, e.div(above, below), a);
    let choose = |quarter: f64, half: f64| {
        e.select(large, number(half), e.select(middle, number(quarter), number(0.0)))
    };
    let z = e.mul(t, t);
    let tail = e.mul(e.mul(t, z), e.polynomial(z, &ATAN));
    let base = choose(FRAC_PI_4, FRAC_PI_2);
    let rest = e.add(tail, choose(PI_LOW / 4.0, PI_LOW / 2.0));
    // base + t, and what rounding it has lost; t is the smaller or base is 0.
    let sum = e.add(base, t);
    (sum, e.add(rest, e.sub(t, e.sub(sum, base))))
}

/// atan x; 1.5 ULP.
pub(super) fn atan<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (magnitude, sign) = magnitude_and_sign(e, x);
    let (sum, rest) = atan_of(e, magnitude);
    flip_sign(e, e.add(sum, rest), sign)
}

/// The angle of (x, y); 4 ULP.
pub(super) fn atan2<'c, 'a>(e: &Emitter<'c, 'a>, y: V<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let number = |value| e.like(x, value);
    let ((a, y_sign), (b, x_sign)) = (magnitude_and_sign(e, y), magnitude_and_sign(e, x));
    let both = |value: f64| e.and(e.cmp(Cmp::Oeq, a, number(value)), e.cmp(Cmp::Oeq, b, number(value)));
    let quotient = e.select(both(0.0), number(0.0), e.select(both(f64::INFINITY), number(1.0), e.div(a, b)));
    let (sum, rest) = atan_of(e, quotient);
    let near = e.add(sum, rest);
    let far = e.sub(number(PI), e.sub(e.sub(sum, number(PI_LOW)), e.neg(rest)));
    let right = e.cmpi(IntCmp::Eq, x_sign, e.i64(0));
    flip_sign(e, e.select(right, near, far), y_sign)
}

/// sqrt(1 - x^2).
fn other_side<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let one = e.like(x, 1.0);
    e.sqrt(e.mul(e.sub(one, x), e.add(one, x)))
}

/// asin x; 4 ULP.
pub(super) fn asin<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    atan2(e, x, other_side(e, x))
}

/// acos x; 4 ULP.
pub(super) fn acos<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    // 1 has the angle 0 and no sign.
    let side = other_side(e, x);
    let side = e.bits(e.and(e.bits(side, Element::I64), e.i64(i64::MAX)), Element::F64);
    atan2(e, side, x)
}
