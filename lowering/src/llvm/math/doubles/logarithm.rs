//! log, log2, log10: x = 2^k (1 + f) with 2/3 <= 1 + f < 4/3.
//!
//! With s = f / (2 + f), log(1 + f) is 2 atanh s = 2 s + s R, R a series in s^2; and 2 s = f - f^2/2 + s
//! f^2/2, of which f is exact.

use super::{
    super::emit::{Cmp, Element, Emitter, V},
    exponential::LN2,
};
use std::f64::consts::{LOG2_E, LOG10_E};

/// The bits of 2/3: what they leave of a number's exponent is k.
const TWO_THIRDS: i64 = 0x3fe5_5555_5555_5555;
/// log10 2 in two parts, the first of 33 bits.
const LOG10_2: [f64; 2] = [0.30102999560767785, 5.630334806675098e-11];

/// k and f of a positive finite number.
pub(super) fn split<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let denormal = e.cmp(Cmp::Olt, x, e.like(x, f64::MIN_POSITIVE));
    let scaled = e.select(denormal, e.mul(x, e.like(x, 2f64.powi(54))), x);
    let bits = e.bits(scaled, Element::I64);
    let k = e.shr(e.subi(bits, e.i64(TWO_THIRDS)), e.i64(52));
    let mantissa = e.bits(e.subi(bits, e.shl(k, e.i64(52))), Element::F64);
    let lifted = e.select(denormal, e.like(x, -54.0), e.like(x, 0.0));
    (e.add(e.int_to_float(k, Element::F64), lifted), e.sub(mantissa, e.like(x, 1.0)))
}

/// f^2/2 and s (f^2/2 + R): log(1 + f) is f less the difference of the two.
fn parts<'c, 'a>(e: &Emitter<'c, 'a>, f: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let s = e.div(f, e.add(f, e.like(f, 2.0)));
    let z = e.mul(s, s);
    let series: Vec<f64> = (1..=11).map(|n| 2.0 / f64::from(2 * n + 1)).collect();
    let rest = e.mul(z, e.polynomial(z, &series));
    let half = e.mul(e.mul(f, e.like(f, 0.5)), f);
    (half, e.mul(s, e.add(half, rest)))
}

/// What a logarithm is: `log` where x is positive and finite.
fn special<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, log: V<'c, 'a>) -> V<'c, 'a> {
    let (zero, infinity) = (e.like(x, 0.0), e.like(x, f64::INFINITY));
    let fits = e.and(e.cmp(Cmp::Ogt, x, zero), e.cmp(Cmp::Olt, x, infinity));
    let undefined = e.select(e.cmp(Cmp::Olt, x, zero), e.like(x, f64::NAN), x);
    let other = e.select(e.cmp(Cmp::Oeq, x, zero), e.like(x, f64::NEG_INFINITY), undefined);
    e.select(fits, log, other)
}

/// ln x; 1.5 ULP.
pub(super) fn log<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (k, f) = split(e, x);
    let (half, rest) = parts(e, f);
    let small = e.sub(e.sub(half, e.fma(k, e.like(x, LN2[1]), rest)), f);
    special(e, x, e.fma(k, e.like(x, LN2[0]), e.neg(small)))
}

/// The logarithm of x to base 2; 2 ULP.
pub(super) fn log2<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (k, f) = split(e, x);
    let (half, rest) = parts(e, f);
    let log = e.sub(f, e.sub(half, rest));
    special(e, x, e.fma(log, e.like(x, LOG2_E), k))
}

/// The logarithm of x to base 10; 2 ULP.
pub(super) fn log10<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (k, f) = split(e, x);
    let (half, rest) = parts(e, f);
    let log = e.mul(e.sub(f, e.sub(half, rest)), e.like(x, LOG10_E));
    special(e, x, e.fma(k, e.like(x, LOG10_2[0]), e.fma(k, e.like(x, LOG10_2[1]), log)))
}
