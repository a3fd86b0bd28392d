//! sin and cos.
//!
//! |x| = n pi/2 + r with |r| <= pi/4; n modulo 4 chooses between sin r and cos r and the sign. Up to 2^16 the reduction
//! subtracts n pi/2 in parts; beyond, the rare case, it multiplies |x| by as many bits of 2/pi as matter, in
//! integers.

use super::{
    emit::{Cmp, Element, Emitter, IntCmp, V},
    exponential::MAGIC,
};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// sin r / r - 1 in r^2, over r^2, on |r| <= 0.793, but for 2^-27.8.
const SIN: [f64; 3] = [-0.16666654, 0.008332107, -0.00019508063];
/// (cos r - 1 + r^2/2) / r^4 in r^2, on |r| <= 0.793, but for 2^-32.7 of cos r.
const COS: [f64; 3] = [0.041666646, -0.0013887298, 2.4430083e-05];
/// pi/2 in three parts of 24 bits.
const HALF_PI: [f64; 3] = [1.5707963705062866, -4.371138828673793e-8, -1.7151245100058819e-15];
/// pi/2 in two parts of f64, the first of 33 bits.
const HALF_PI_F64: [f64; 2] = [1.5707963267341256, 6.077100506506192e-11];
/// Up to here n has at most 16 bits, so that the parts multiply exactly and the error of n stays small.
const LIMIT: f64 = 65536.0;
/// 2/pi as a binary fraction, 32 bits a word.
const TWO_OVER_PI: [u32; 7] =
    [0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab];

/// sin x; 1.7 ULP.
pub(super) fn sin<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (magnitude, sign) = e.magnitude_and_sign(x);
    e.flip_sign(wave(e, magnitude, 0), sign)
}

/// cos x; 1.7 ULP.
pub(super) fn cos<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (magnitude, _) = e.magnitude_and_sign(x);
    wave(e, magnitude, 1)
}

/// sin(x + `quarter` pi/2) for x >= 0.
fn wave<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, quarter: i32) -> V<'c, 'a> {
    let (n, r) = reduce(e, x);
    let n = if quarter == 0 { n } else { e.addi(n, e.i32(quarter)) };
    let square = e.mul(r, r);
    let sin = e.fma(e.mul(e.polynomial(square, &SIN), square), r, r);
    let cos =
        e.fma(e.mul(e.polynomial(square, &COS), square), square, e.fma(square, e.f32(-0.5), e.f32(1.0)));
    let odd = e.cmpi(IntCmp::Ne, e.and(n, e.i32(1)), e.i32(0));
    let sign = e.shl(e.and(n, e.i32(2)), e.i32(30));
    e.flip_sign(e.select(odd, cos, sin), sign)
}

/// n, of which only the last two bits count, and r, of x >= 0.
fn reduce<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let magic = e.fma(x, e.like(x, FRAC_2_PI), e.like(x, MAGIC));
    let n = e.sub(magic, e.like(x, MAGIC));
    let minus = |r, n, part: &f64| e.fma(n, e.like(n, -part), r);
    let r = if e.target.fma {
        HALF_PI.iter().fold(x, |r, part| minus(r, n, part))
    } else {
        let n = e.extend(n);
        e.truncate(HALF_PI_F64.iter().fold(e.extend(x), |r, part| minus(r, n, part)))
    };
    // The low bits of the magic sum are n.
    let common = [e.bits(magic, Element::I32), r];
    let [n, r] = e.unlikely(e.cmp(Cmp::Ogt, x, e.like(x, LIMIT)), common, |e| reduce_large(e, x));
    (n, r)
}

/// The same for x above [`LIMIT`]; an infinity has no r.
///
/// x = m 2^k with an integer m of 24 bits. Of 2/pi those bits matter that, times x, weigh less than 4, and 62
/// after the point: a window of 96 bits, the last 32 of which only carry.
fn reduce_large<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> [V<'c, 'a>; 2] {
    let bits = e.bits(x, Element::I32);
    let mantissa = e.or(e.and(bits, e.i32(0x007fffff)), e.i32(0x00800000));
    // A word of zeros in front of the table keeps the window's first bit from being negative.
    let start = e.subi(e.shr(bits, e.i32(23)), e.i32(150 - 30));
    let (index, shift) = (e.shr(start, e.i32(5)), e.and(start, e.i32(31)));
    let table = |i: usize| e.i32(if i == 0 { 0 } else { TWO_OVER_PI[i - 1] as i32 });
    let at: Vec<_> = (1..=4).map(|i| (i, e.cmpi(IntCmp::Eq, index, e.i32(i as i32)))).collect();
    let word = |j: usize| at.iter().fold(table(j), |word, &(i, here)| e.select(here, table(i + j), word));
    let words: Vec<_> = (0..4).map(word).collect();
    let window = |j: usize| {
        // A shift by 32 has no value: by 1 and 31 - shift instead.
        let carried = e.shr_unsigned(e.shr_unsigned(words[j + 1], e.i32(1)), e.subi(e.i32(31), shift));
        e.extend_unsigned(e.or(e.shl(words[j], shift), carried))
    };
    let mantissa = e.extend_unsigned(mantissa);
    let [high, middle, low] = [0, 1, 2].map(|j| e.muli(mantissa, window(j)));
    let carry = e.shr_unsigned(low, e.i64(32));
    let product = e.addi(e.addi(e.shl(high, e.i64(32)), middle), carry);
    let n = e.shr_unsigned(e.addi(product, e.i64(1 << 61)), e.i64(62));
    let fraction = e.int_to_float(e.subi(product, e.shl(n, e.i64(62))), Element::F64);
    let r = e.truncate(e.mul(fraction, e.like(fraction, FRAC_PI_2 * 2f64.powi(-62))));
    let infinite = e.cmp(Cmp::Oeq, x, e.f32(f32::INFINITY));
    [e.low(n), e.select(infinite, e.f32(f32::NAN), r)]
}
