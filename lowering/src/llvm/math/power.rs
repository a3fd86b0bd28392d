//! rsqrt and pow.

use super::emit::{Cmp, Element, Emitter, IntCmp, V};

/// 1 / sqrt x; 1.7 ULP.
pub(super) fn rsqrt<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    if !(e.target.avx512 && e.is_vector_of(16)) {
        return e.div(e.f32(1.0), e.sqrt(x));
    }
    // An estimate y of 14 bits, and one step of Newton's method by its error 1 - x y^2.
    let all_lanes = [(Element::I16, -1)];
    let y = e.intrinsic("llvm.x86.avx512.rsqrt14.ps.512", &[x, e.f32(0.0)], &all_lanes);
    let error = e.fma(e.neg(e.mul(x, y)), y, e.f32(1.0));
    let refined = e.fma(e.mul(y, e.f32(0.5)), error, y);
    // At 0 and infinity the estimate is exact and the error 0 times infinity.
    e.select(e.cmp(Cmp::Une, error, error), y, refined)
}

/// log2((1+s) / (1-s)) / s in s^2, on |s| <= 1/5, but for 2^-42.
const LOG2: [f64; 6] = [
    2.8853900817774205,
    0.9617966948316304,
    0.5770777541317277,
    0.41222629126456806,
    0.3192812292763103,
    0.2908737593811108,
];
/// 2^r on |r| <= 1/2, but for 2^-34.5.
const EXP2: [f64; 8] = [
    0.9999999999616819,
    0.6931471807284524,
    0.24022651198156955,
    0.05550410353427317,
    0.009618027253801956,
    0.0013333922583302613,
    0.00015469291093310068,
    1.5201916414773416e-5,
];
/// The bits of 2/3 in f64: what they leave of a number's exponent is that of the nearest power of two.
const TWO_THIRDS: i64 = 0x3fe5555555555555;
/// Adding it rounds a float below 2^51 to an integer, and leaves the integer in the low bits of the sum.
const MAGIC: f64 = 6755399441055744.0; // 1.5 * 2^52

/// x^y by IEEE 754's pow; 0.6 ULP.
///
/// 2^(y log2 |x|) in f64, whose 29 bits more than f32's cover what the exponential magnifies.
pub(super) fn pow<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, y: V<'c, 'a>) -> V<'c, 'a> {
    let (one, zero) = (e.f32(1.0), e.f32(0.0));
    let (magnitude, sign) = e.magnitude_and_sign(x);
    let log = log2(e, e.extend(magnitude));
    // The logarithm of 1 is 0, also times infinity.
    let none = e.like(log, 0.0);
    let exponent = e.select(e.cmp(Cmp::Oeq, log, none), none, e.mul(e.extend(y), log));
    let power = e.truncate(exp2(e, exponent));

    // An odd y keeps the sign of x. From 2^24 on every float is even.
    let (y_magnitude, _) = e.magnitude_and_sign(y);
    let limit = e.f32(16777216.0);
    let bounded = e.select(e.cmp(Cmp::Olt, y_magnitude, limit), y_magnitude, limit);
    let integer = e.float_to_int(bounded, Element::I32);
    let fractional = e.cmp(Cmp::Une, e.int_to_float(integer, Element::F32), bounded);
    let even = e.cmpi(IntCmp::Eq, e.and(integer, e.i32(1)), e.i32(0));
    let power = e.flip_sign(power, e.select(e.or(fractional, even), e.i32(0), sign));

    // A finite negative number has no power that is not an integer, and NaN has none.
    let negative = e.and(e.cmp(Cmp::Olt, x, zero), e.cmp(Cmp::Ogt, x, e.f32(f32::NEG_INFINITY)));
    let undefined = e.or(e.and(negative, fractional), e.cmp(Cmp::Uno, x, y));
    let power = e.select(undefined, e.f32(f32::NAN), power);
    // But x^0 and 1^y are 1, whatever the other is.
    e.select(e.or(e.cmp(Cmp::Oeq, x, one), e.cmp(Cmp::Oeq, y, zero)), one, power)
}

/// log2 of an f64 that came from an f32 without sign: never denormal; any number for NaN.
fn log2<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let number = |value| e.like(x, value);
    let bits = e.bits(x, Element::I64);
    let k = e.shr(e.subi(bits, e.i64(TWO_THIRDS)), e.i64(52));
    let mantissa = e.bits(e.subi(bits, e.shl(k, e.i64(52))), Element::F64);
    // log2 m = log2((1+s) / (1-s))
    let s = e.div(e.sub(mantissa, number(1.0)), e.add(mantissa, number(1.0)));
    let slope = e.polynomial(e.mul(s, s), &LOG2);
    let log = e.fma(s, slope, e.int_to_float(e.low(k), Element::F64));
    let log = e.select(e.cmp(Cmp::Oeq, x, number(0.0)), number(f64::NEG_INFINITY), log);
    e.select(e.cmp(Cmp::Oeq, x, number(f64::INFINITY)), x, log)
}

/// 2^t in f64, as far as f32 can tell it from 0 and infinity.
fn exp2<'c, 'a>(e: &Emitter<'c, 'a>, t: V<'c, 'a>) -> V<'c, 'a> {
    let t = e.at_least(e.at_most(t, 160.0), -160.0);
    let magic = e.add(t, e.like(t, MAGIC));
    let n = e.sub(magic, e.like(t, MAGIC));
    // The shift takes all but n out of the magic sum.
    let exponent = e.shl(e.bits(magic, Element::I64), e.i64(52));
    let power = e.bits(e.addi(exponent, e.i64(1023 << 52)), Element::F64);
    e.mul(e.polynomial(e.sub(t, n), &EXP2), power)
}
