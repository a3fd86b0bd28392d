//! sin, cos and tan: |x| = n pi/2 + r with |r| <= pi/4, r in two numbers.
//!
//! Up to [`LIMIT`] the reduction subtracts n pi/2 in parts that multiply exactly; beyond, the rare case, it
//! multiplies |x| by as many bits of 2/pi as matter, in integers.

use super::{
    super::emit::{Cmp, Element, Emitter, IntCmp, V},
    exponential::MAGIC,
    flip_sign, magnitude_and_sign, two_product, two_sum,
};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// Up to here n has at most 20 bits.
const LIMIT: f64 = 1_647_000.0;
/// pi/2 in three parts of 33 bits and a fourth.
const HALF_PI: [f64; 4] =
    [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32];
/// What f64 lacks of pi/2.
const HALF_PI_LOW: f64 = 6.123233995736766e-17;
/// 2/pi as a binary fraction, 64 bits a word.
const TWO_OVER_PI: [u64; 19] = [
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
];

/// n, and r in two numbers, of a magnitude.
fn reduce<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> [V<'c, 'a>; 3] {
    let number = |value| e.like(x, value);
    let magic = e.fma(x, number(FRAC_2_PI), number(MAGIC));
    let n = e.sub(magic, number(MAGIC));
    let r = e.fma(n, number(-HALF_PI[0]), x);
    let (r, second) = two_sum(e, r, e.mul(n, number(-HALF_PI[1])));
    let (r, third) = two_sum(e, r, e.mul(n, number(-HALF_PI[2])));
    let (r, low) = two_sum(e, r, e.fma(n, number(-HALF_PI[3]), e.add(second, third)));
    let large = e.cmp(Cmp::Ogt, x, number(LIMIT));
    e.unlikely(large, [e.bits(magic, Element::I64), r, low], |e| reduce_large(e, x))
}

/// The same of any magnitude from 2^20 on.
fn reduce_large<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> [V<'c, 'a>; 3] {
    let bits = e.bits(x, Element::I64);
    let mantissa = e.or(e.and(bits, e.i64((1 << 52) - 1)), e.i64(1 << 52));
    // The fraction's bits from the one of weight 4 / 2^exponent on; a word of zeros stands in front of it.
    let start = e.subi(e.shr(bits, e.i64(52)), e.i64(1075 + 2 - 64));
    let (index, shift) = (e.shr(start, e.i64(6)), e.and(start, e.i64(63)));
    let word = |i: usize| e.i64(if i == 0 { 0 } else { TWO_OVER_PI[i - 1] as i64 });
    let at: Vec<_> = (1..=16).map(|i| (i, e.cmpi(IntCmp::Eq, index, e.i64(i as i64)))).collect();
    let chosen = |j: usize| at.iter().fold(word(j), |own, &(i, here)| e.select(here, word(i + j), own));
    let words: Vec<_> = (0..4).map(chosen).collect();
    let window = |j: usize| {
        // A shift by 64 has no value: by 1 and 63 - shift instead.
        let carried = e.shr_unsigned(e.shr_unsigned(words[j + 1], e.i64(1)), e.subi(e.i64(63), shift));
        e.or(e.shl(words[j], shift), carried)
    };
    let [high, middle, low] = [0, 1, 2].map(|j| e.multiply_wide(mantissa, window(j)));
    let (rest, carry) = e.add_carry(middle.0, low.1);
    let whole = e.addi(e.addi(high.0, middle.1), carry);
    let n = e.shr_unsigned(e.addi(whole, e.i64(1 << 61)), e.i64(62));
    let fraction = e.subi(whole, e.shl(n, e.i64(62)));
    // Three parts of which each is exact, in units of pi/2.
    let part = |bits, scale: i32| e.mul(e.int_to_float(bits, Element::F64), e.like(x, 2f64.powi(scale)));
    let first = part(e.shr(fraction, e.i64(32)), -30);
    let second = part(e.and(fraction, e.i64(0xffff_ffff)), -62);
    let third = part(e.shr_unsigned(rest, e.i64(32)), -94);
    let (units, lost) = two_sum(e, first, second);
    let (units, lost) = two_sum(e, units, e.add(lost, third));
    let (r, r_lost) = two_product(e, units, e.like(x, FRAC_PI_2));
    let low = e.fma(units, e.like(x, HALF_PI_LOW), e.fma(lost, e.like(x, FRAC_PI_2), r_lost));
    let infinite = e.cmp(Cmp::Oeq, x, e.like(x, f64::INFINITY));
    [n, e.select(infinite, e.like(x, f64::NAN), r), low]
}

/// 1/n! with signs by turns, from n on in steps of 2.
fn series(from: i32, to: i32) -> Vec<f64> {
    let one = |n: i32| (1..=n).map(f64::from).product::<f64>();
    (from..=to).step_by(2).map(|n| if n / 2 % 2 == 0 { 1.0 / one(n) } else { -1.0 / one(n) }).collect()
}

/// sin and cos of r + low.
fn both<'c, 'a>(e: &Emitter<'c, 'a>, r: V<'c, 'a>, low: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let one = e.like(r, 1.0);
    let z = e.mul(r, r);
    let half = e.mul(z, e.like(r, 0.5));
    let slope = e.sub(one, half);
    let sin = e.fma(e.mul(z, r), e.polynomial(z, &series(3, 19)), e.mul(low, slope));
    let lost = e.sub(e.sub(one, slope), half);
    let tail = e.fma(e.mul(z, z), e.polynomial(z, &series(4, 20)), e.neg(e.mul(r, low)));
    (e.add(r, sin), e.add(slope, e.add(lost, tail)))
}

/// The function that is sin where n is even, moved by so many quarters.
fn wave<'c, 'a>(e: &Emitter<'c, 'a>, magnitude: V<'c, 'a>, quarters: i64) -> V<'c, 'a> {
    let [n, r, low] = reduce(e, magnitude);
    let n = e.addi(n, e.i64(quarters));
    let (sin, cos) = both(e, r, low);
    let even = e.cmpi(IntCmp::Eq, e.and(n, e.i64(1)), e.i64(0));
    flip_sign(e, e.select(even, sin, cos), e.shl(e.and(n, e.i64(2)), e.i64(62)))
}

/// sin x; 1.5 ULP.
pub(super) fn sin<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (magnitude, sign) = magnitude_and_sign(e, x);
    flip_sign(e, wave(e, magnitude, 0), sign)
}

/// cos x; 1.5 ULP.
pub(super) fn cos<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    wave(e, magnitude_and_sign(e, x).0, 1)
}

/// tan x; 4 ULP.
pub(super) fn tan<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (magnitude, sign) = magnitude_and_sign(e, x);
    let [n, r, low] = reduce(e, magnitude);
    let (sin, cos) = both(e, r, low);
    let even = e.cmpi(IntCmp::Eq, e.and(n, e.i64(1)), e.i64(0));
    let tan = e.div(e.select(even, sin, e.neg(cos)), e.select(even, cos, sin));
    flip_sign(e, tan, sign)
}
