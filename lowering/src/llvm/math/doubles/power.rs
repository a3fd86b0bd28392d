//! pow: exp(y log |x|) with the logarithm in two numbers, for the exponential magnifies its error by as much
//! as 709.

use super::{
    super::emit::{Cmp, Element, Emitter, IntCmp, V},
    exponential::{LN2, exp_of_sum},
    flip_sign,
    logarithm::split,
    magnitude_and_sign, two_product, two_sum,
};

/// 2/3 in two parts.
const TWO_THIRDS: [f64; 2] = [0.6666666666666666, 3.700743415417188e-17];

/// ln of a positive finite number, and what rounding it has lost: 2^-63 of it are wrong.
fn log<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let number = |value| e.like(x, value);
    let (k, f) = split(e, x);
    // s = f / (2 + f)
    let (below, below_low) = two_sum(e, number(2.0), f);
    let s = e.div(f, below);
    let left = e.sub(e.fma(e.neg(s), below, f), e.mul(s, below_low));
    let s_low = e.div(left, below);
    let (z, z_lost) = two_product(e, s, s);
    let z_low = e.fma(e.mul(s, s_low), number(2.0), z_lost);
    // 2 s + s z (2/3 + z (2/5 + ...))
    let series: Vec<f64> = (2..=12).map(|n| 2.0 / f64::from(2 * n + 1)).collect();
    let (w, w_lost) = two_sum(e, number(TWO_THIRDS[0]), e.mul(z, e.polynomial(z, &series)));
    let w_low = e.add(w_lost, number(TWO_THIRDS[1]));
    let (t, t_lost) = two_product(e, z, w);
    let t_low = e.add(t_lost, e.fma(z, w_low, e.mul(z_low, w)));
    let (u, u_lost) = two_product(e, s, t);
    let u_low = e.add(u_lost, e.fma(s, t_low, e.mul(s_low, t)));
    let (sum, lost) = two_sum(e, e.mul(s, number(2.0)), u);
    let low = e.add(lost, e.fma(s_low, number(2.0), u_low));
    // k ln 2, its upper part exact.
    let (sum, lost) = two_sum(e, e.mul(k, number(LN2[0])), sum);
    two_sum(e, sum, e.add(lost, e.fma(k, number(LN2[1]), low)))
}

/// x^y by IEEE 754's pow; 2 ULP.
pub(super) fn pow<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, y: V<'c, 'a>) -> V<'c, 'a> {
    let number = |value| e.like(x, value);
    let (one, zero, infinity) = (number(1.0), number(0.0), number(f64::INFINITY));
    let (magnitude, sign) = magnitude_and_sign(e, x);
    let (log, low) = log(e, magnitude);
    let log = e.select(e.cmp(Cmp::Oeq, magnitude, zero), number(f64::NEG_INFINITY), log);
    let log = e.select(e.cmp(Cmp::Oeq, magnitude, infinity), infinity, log);
    // The logarithm of 1 is 0, also times infinity.
    let unit = e.cmp(Cmp::Oeq, magnitude, one);
    let exponent = e.select(unit, zero, e.mul(y, log));
    let lost = e.fma(y, low, e.fma(y, log, e.neg(exponent)));
    let (size, _) = magnitude_and_sign(e, exponent);
    let lost = e.select(e.cmp(Cmp::Olt, size, number(1000.0)), lost, zero);
    let power = exp_of_sum(e, exponent, e.select(unit, zero, lost));

    // An odd y keeps the sign of x. From 2^53 on every number is even.
    let (y_magnitude, _) = magnitude_and_sign(e, y);
    let limit = number(2f64.powi(53));
    let bounded = e.select(e.cmp(Cmp::Olt, y_magnitude, limit), y_magnitude, limit);
    let integer = e.float_to_int(bounded, Element::I64);
    let fractional = e.cmp(Cmp::Une, e.int_to_float(integer, Element::F64), bounded);
    let even = e.cmpi(IntCmp::Eq, e.and(integer, e.i64(1)), e.i64(0));
    let power = flip_sign(e, power, e.select(e.or(fractional, even), e.i64(0), sign));

    // A finite negative number has no power that is not an integer, and NaN has none.
    let negative = e.and(e.cmp(Cmp::Olt, x, zero), e.cmp(Cmp::Ogt, x, number(f64::NEG_INFINITY)));
    let undefined = e.or(e.and(negative, fractional), e.cmp(Cmp::Uno, x, y));
    let power = e.select(undefined, number(f64::NAN), power);
    // But x^0 and 1^y are 1, whatever the other is.
    e.select(e.or(e.cmp(Cmp::Oeq, x, one), e.cmp(Cmp::Oeq, y, zero)), one, power)
}
