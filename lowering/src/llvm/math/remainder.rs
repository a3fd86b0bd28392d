//! The remainder of a division of floats, and powers of integers, for a GPU: both are loops.

use super::emit::{Cmp, Element, Emitter, IntCmp, V};

/// Bits of the quotient that one division of integers gives: a mantissa and they are within 64.
const STEP: i64 = 10;

/// A positive number apart: its mantissa of 53 bits and the exponent of the mantissa's last bit. Of zero any.
fn mantissa_and_exponent<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let denormal = e.cmp(Cmp::Olt, x, e.like(x, f64::MIN_POSITIVE));
    let bits = e.bits(e.select(denormal, e.mul(x, e.like(x, 2f64.powi(54))), x), Element::I64);
    let mantissa = e.or(e.and(bits, e.i64((1 << 52) - 1)), e.i64(1 << 52));
    let lifted = e.select(denormal, e.i64(1075 + 54), e.i64(1075));
    (mantissa, e.subi(e.shr(bits, e.i64(52)), lifted))
}

/// x - y trunc(x / y) of f64, exact; NaN where there is none.
pub(super) fn fmod<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, y: V<'c, 'a>) -> V<'c, 'a> {
    let absolute = |v| e.bits(e.and(e.bits(v, Element::I64), e.i64(i64::MAX)), Element::F64);
    let (a, b) = (absolute(x), absolute(y));
    let ((m, x_exponent), (n, y_exponent)) = (mantissa_and_exponent(e, a), mantissa_and_exponent(e, b));
    let zero = e.i64(0);
    // The bits of the quotient that are left to divide for.
    let left = e.same("arith.maxsi", &[e.subi(x_exponent, y_exponent), zero]);
    let first = e.same("arith.remui", &[m, n]);
    let [rest, _] = e.while_any(
        [first, left],
        |e, [_, left]| e.cmpi(IntCmp::Ne, left, e.i64(0)),
        |e, [rest, left]| {
            let step = e.same("arith.minsi", &[left, e.i64(STEP)]);
            [e.same("arith.remui", &[e.shl(rest, step), n]), e.subi(left, step)]
        },
    );
    // rest 2^exponent, by two factors of which each is a normal number.
    let half = e.shr(y_exponent, e.i64(1));
    let power = |k| e.bits(e.shl(e.addi(k, e.i64(1023)), e.i64(52)), Element::F64);
    let result = e.mul(e.int_to_float(rest, Element::F64), power(half));
    let result = e.mul(result, power(e.subi(y_exponent, half)));
    let result = e.select(e.cmp(Cmp::Olt, a, b), a, result);
    let sign = e.and(e.bits(x, Element::I64), e.i64(i64::MIN));
    let result = e.bits(e.or(e.bits(result, Element::I64), sign), Element::F64);
    let infinity = e.like(x, f64::INFINITY);
    let defined = e.and(e.cmp(Cmp::Olt, a, infinity), e.cmp(Cmp::Ogt, b, e.like(x, 0.0)));
    let nan = e.or(e.cmp(Cmp::Uno, x, y), e.not(defined));
    e.select(nan, e.like(x, f64::NAN), result)
}

/// x^n of integers, which wraps; of a negative n 1 / x^-n rounded towards 0, 0 where x is.
pub(super) fn ipow<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, n: V<'c, 'a>) -> V<'c, 'a> {
    let [zero, one, minus] = [0, 1, -1].map(|value| e.integer_like(x, value));
    let negative = e.cmpi(IntCmp::Slt, n, zero);
    let count = e.select(negative, zero, n);
    let [power, _, _] = e.while_any(
        [one, x, count],
        |e, [_, _, left]| e.cmpi(IntCmp::Ne, left, e.integer_like(x, 0)),
        |e, [power, base, left]| {
            let [zero, one] = [0, 1].map(|value| e.integer_like(x, value));
            let odd = e.cmpi(IntCmp::Ne, e.and(left, one), zero);
            [e.select(odd, e.muli(power, base), power), e.muli(base, base), e.shr_unsigned(left, one)]
        },
    );
    let odd = e.cmpi(IntCmp::Ne, e.and(n, one), zero);
    let unit = e.select(e.cmpi(IntCmp::Eq, x, minus), e.select(odd, minus, one), zero);
    let inverse = e.select(e.cmpi(IntCmp::Eq, x, one), one, unit);
    e.select(negative, inverse, power)
}
