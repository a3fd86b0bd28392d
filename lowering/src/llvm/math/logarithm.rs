//! log, log2, log10, log1p.
//!
//! x = 2^k (1 + f) with 2/3 <= 1 + f < 4/3, then log x = k ln 2 + log(1 + f). Around x = 1 k is 0, so that
//! nothing cancels.

use super::emit::{Cmp, Element, Emitter, IntCmp, V};
use std::f64::consts::{LN_2, LOG2_E, LOG10_2, LOG10_E};

/// The bits of 2/3: what they leave of a float's exponent is k.
const TWO_THIRDS: i32 = 0x3f2aaaab;
/// (log(1+f) - f + f^2/2) / f^3 on |f| <= 1/3, but for 2^-27.7 of log(1+f).
const LOG: [f64; 8] =
    [0.33333215, -0.24999805, 0.20010445, -0.16680183, 0.14005339, -0.12188308, 0.13986725, -0.12874694];

/// The base of a logarithm, by the logarithms of 2 and of e. Both are in two parts, the upper with at most 12
/// bits, so that it times k, or times 12 bits of f, is exact.
struct Base {
    two: (f64, f64),
    /// `None` where it is 1.
    e: Option<(f64, f64)>,
}

const NATURAL: Base = Base { two: (0.693145751953125, LN_2 - 0.693145751953125), e: None };
const BINARY: Base = Base { two: (1.0, 0.0), e: Some((1.4423828125, LOG2_E - 1.4423828125)) };
const DECIMAL: Base = Base {
    two: (0.301025390625, LOG10_2 - 0.301025390625),
    e: Some((0.4342041015625, LOG10_E - 0.4342041015625)),
};

/// k + log(1 + f) in a base, k as a float.
fn assemble<'c, 'a>(e: &Emitter<'c, 'a>, k: V<'c, 'a>, f: V<'c, 'a>, base: &Base) -> V<'c, 'a> {
    // log(1+f) = f + tail
    let factor = e.fma(f, e.polynomial(f, &LOG), e.f32(-0.5));
    let square = e.mul(f, f);
    let number = |value| e.like(f, value);
    let (two, two_low) = base.two;
    let Some((slope, slope_low)) = base.e else {
        let log = e.fma(square, factor, f);
        return e.fma(k, number(two), e.fma(k, number(two_low), log));
    };
    // Two exact products, and what their sum loses; then everything small.
    let coarse = e.bits(e.and(e.bits(f, Element::I32), e.i32(-1 << 12)), Element::F32);
    let (whole, part) = (e.mul(k, number(two)), e.mul(coarse, number(slope)));
    let sum = e.add(whole, part);
    let lost = e.sub(part, e.sub(sum, whole));
    let rest = e.fma(e.sub(f, coarse), number(slope), e.mul(f, number(slope_low)));
    let tail = e.fma(e.mul(square, factor), number(slope + slope_low), rest);
    let tail = if two_low == 0.0 { tail } else { e.fma(k, number(two_low), tail) };
    e.add(sum, e.add(lost, tail))
}

/// k in the exponent's place of an i32, and 1 + f, of a positive normal float.
fn split<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let bits = e.bits(x, Element::I32);
    let exponent = e.and(e.subi(bits, e.i32(TWO_THIRDS)), e.i32(-1 << 23));
    (exponent, e.bits(e.subi(bits, exponent), Element::F32))
}

/// What a logarithm is where its argument `u` is not positive and finite; `other` where it is infinite or
/// NaN.
fn special<'c, 'a>(e: &Emitter<'c, 'a>, u: V<'c, 'a>, other: V<'c, 'a>) -> V<'c, 'a> {
    let zero = e.f32(0.0);
    let undefined = e.select(e.cmp(Cmp::Olt, u, zero), e.f32(f32::NAN), other);
    e.select(e.cmp(Cmp::Oeq, u, zero), e.f32(f32::NEG_INFINITY), undefined)
}

fn positive_and_finite<'c, 'a>(e: &Emitter<'c, 'a>, u: V<'c, 'a>) -> V<'c, 'a> {
    let positive = e.cmp(Cmp::Ogt, u, e.f32(0.0));
    e.and(positive, e.cmp(Cmp::Olt, u, e.f32(f32::INFINITY)))
}

fn logarithm<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, base: &Base) -> V<'c, 'a> {
    let denormal = e.cmp(Cmp::Olt, x, e.f32(f32::MIN_POSITIVE));
    let scaled = e.select(denormal, e.mul(x, e.f32(8388608.0)), x);
    let (exponent, mantissa) = split(e, scaled);
    let lifted = e.select(denormal, e.f32(-23.0), e.f32(0.0));
    let k = e.fma(e.int_to_float(exponent, Element::F32), e.like(x, 2f64.powi(-23)), lifted);
    let log = assemble(e, k, e.sub(mantissa, e.f32(1.0)), base);
    e.select(positive_and_finite(e, x), log, special(e, x, x))
}

/// ln x; 1 ULP.
pub(super) fn log<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    logarithm(e, x, &NATURAL)
}

/// The logarithm of x to base 2; 1.5 ULP.
pub(super) fn log2<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    logarithm(e, x, &BINARY)
}

/// The logarithm of x to base 10; 1.5 ULP.
pub(super) fn log10<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    logarithm(e, x, &DECIMAL)
}

/// ln(1 + x); 1.7 ULP.
///
/// k is that of u = 1 + x rounded, but f = 2^-k x + (2^-k - 1) has the bits of x that the rounding lost.
pub(super) fn log1p<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let one = e.f32(1.0);
    let u = e.add(x, one);
    let (exponent, mantissa) = split(e, u);
    let power = e.bits(e.subi(e.i32(127 << 23), exponent), Element::F32);
    let exact = e.fma(x, power, e.sub(power, one));
    // Of a large x the 1 does not matter, and 2^-k may have no bits.
    let f = e.select(e.cmp(Cmp::Olt, u, e.like(x, 2f64.powi(60))), exact, e.sub(mantissa, one));
    let k = e.mul(e.int_to_float(exponent, Element::F32), e.like(x, 2f64.powi(-23)));
    let log = assemble(e, k, f, &NATURAL);
    let log = e.select(positive_and_finite(e, u), log, special(e, u, x));
    // A zero keeps its sign.
    let nothing = e.cmpi(IntCmp::Eq, e.shl(e.bits(x, Element::I32), e.i32(1)), e.i32(0));
    e.select(nothing, x, log)
}
