//! exp, log, expm1 and log1p of f64.
//!
//! exp x = 2^n exp r with |r| <= ln 2 / 2, and log x = k ln 2 + log m with m around 1, by polynomials. Fits are
//! interpolations at Chebyshev's nodes; the error that they leave is that of the result.
//!
//! Upstream writes exp(x) - 1 and log(1 + x), which cancel near 0. With u = exp(x) rounded, (u - 1) x / log u is expm1(x):
//! the errors of u - 1 and of log u are the same in proportion. Likewise log(u) x / (u - 1) with u = 1 + x is log1p(x).
//! Source: W. Kahan's, as N. Higham, "Accuracy and Stability of Numerical Algorithms", 1.14.1, proves it. 4 ULP with an
//! exp and a log of 1.

use super::emit::{Cmp, Element, Emitter, V};
use std::f64::consts::LOG2_E;

/// ln 2 in two parts, the upper with 32 bits: times a number of 11 bits it is exact.
const LN_2: (f64, f64) = (0.6931471803691238, 1.9082149292705877e-10);
/// Adding it rounds a number below 2^51 to an integer, and leaves the integer in the low bits of the sum.
const MAGIC: f64 = 6755399441055744.0; // 1.5 * 2^52
/// (exp r - 1 - r) / r^2 on |r| <= 0.3466, but for 2^-56 of exp r.
const EXP: [f64; 10] = [
    0.5000000000000001,
    0.16666666666666669,
    0.041666666666624136,
    0.008333333333330063,
    0.001388888891720967,
    0.00019841269863050506,
    2.4801521302241082e-5,
    2.7557268464831627e-6,
    2.7620085455018414e-7,
    2.510038319586702e-8,
];
/// (log((1+s) / (1-s)) / s - 2) / s^2 in s^2, on |s| <= 0.1716, but for 2^-57 of the logarithm.
const LOG: [f64; 7] = [
    0.666666666666667,
    0.3999999999989924,
    0.2857142862609589,
    0.2222221111514416,
    0.18182890556695602,
    0.1533167403016786,
    0.1461703754879165,
];
/// The bits of the root of 1/2: what they leave of a number's exponent is k.
const ROOT_OF_HALF: i64 = 0x3fe6a09e667f3bcd;

/// exp x; 1 ULP.
pub(super) fn exp<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let number = |value| e.like(x, value);
    let x = e.at_least(e.at_most(x, 710.0), -746.0);
    let magic = e.fma(x, number(LOG2_E), number(MAGIC));
    let n = e.sub(magic, number(MAGIC));
    let r = e.fma(n, number(-LN_2.1), e.fma(n, number(-LN_2.0), x));
    let rest = e.fma(e.mul(r, r), e.polynomial(r, &EXP), r);
    let mantissa = e.add(number(1.0), rest);
    // In two steps, of which the second alone rounds, to a denormal.
    let whole = e.subi(e.bits(magic, Element::I64), e.i64(MAGIC.to_bits() as i64));
    let half = e.shr(whole, e.i64(1));
    let power = |exponent| e.bits(e.shl(e.addi(exponent, e.i64(1023)), e.i64(52)), Element::F64);
    e.mul(e.mul(mantissa, power(half)), power(e.subi(whole, half)))
}

/// log x; 1 ULP.
pub(super) fn log<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let number = |value| e.like(x, value);
    let denormal = e.cmp(Cmp::Olt, x, number(f64::MIN_POSITIVE));
    let scaled = e.select(denormal, e.mul(x, number(2f64.powi(54))), x);
    let lifted = e.select(denormal, number(-54.0), number(0.0));
    let bits = e.bits(scaled, Element::I64);
    let exponent = e.shr(e.subi(bits, e.i64(ROOT_OF_HALF)), e.i64(52));
    let mantissa = e.bits(e.subi(bits, e.shl(exponent, e.i64(52))), Element::F64);
    let k = e.add(e.int_to_float(e.low(exponent), Element::F64), lifted);
    let f = e.sub(mantissa, number(1.0));
    // log(1 + f) = f - (f^2/2 - s (f^2/2 + R)), R what the series of s has beyond 2 s.
    let s = e.div(f, e.add(f, number(2.0)));
    let square = e.mul(s, s);
    let series = e.mul(square, e.polynomial(square, &LOG));
    let half = e.mul(number(0.5), e.mul(f, f));
    let correction = e.fma(s, e.add(half, series), e.mul(k, number(LN_2.1)));
    let log = e.fma(k, number(LN_2.0), e.sub(f, e.sub(half, correction)));
    // What is not positive and finite.
    let other = e.select(e.cmp(Cmp::Olt, x, number(0.0)), number(f64::NAN), x);
    let other = e.select(e.cmp(Cmp::Oeq, x, number(0.0)), number(f64::NEG_INFINITY), other);
    let inside = e.and(e.cmp(Cmp::Ogt, x, number(0.0)), e.cmp(Cmp::Olt, x, number(f64::INFINITY)));
    e.select(inside, log, other)
}

/// 4 ULP.
pub(super) fn expm1<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (one, minus) = (e.like(x, 1.0), e.like(x, -1.0));
    let u = exp(e, x);
    let less = e.sub(u, one);
    let result = e.mul(less, e.div(x, log(e, u)));
    // All of x is lost in u; u is nothing beside 1; u overflows.
    let result = e.select(e.cmp(Cmp::Oeq, u, one), x, result);
    let result = e.select(e.cmp(Cmp::Oeq, less, minus), minus, result);
    e.select(e.cmp(Cmp::Oeq, u, e.like(x, f64::INFINITY)), u, result)
}

/// 4 ULP.
pub(super) fn log1p<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let one = e.like(x, 1.0);
    let u = e.add(x, one);
    let log = log(e, u);
    let result = e.mul(log, e.div(x, e.sub(u, one)));
    let result = e.select(e.cmp(Cmp::Oeq, u, one), x, result);
    e.select(e.cmp(Cmp::Oeq, u, e.like(x, f64::INFINITY)), u, result)
}
