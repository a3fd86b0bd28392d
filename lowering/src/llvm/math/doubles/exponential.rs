//! exp and exp2: x = n ln 2 + r with |r| <= ln 2 / 2, then 2^n exp r.

use super::super::emit::{Element, Emitter, V};
use std::f64::consts::{LN_2, LOG2_E};

/// Adding it rounds a float below 2^51 to an integer, to nearest even, and leaves the integer in the low bits
/// of the sum.
pub(super) const MAGIC: f64 = 6755399441055744.0; // 1.5 * 2^52
const MAGIC_BITS: i64 = 0x4338_0000_0000_0000;
/// ln 2 in two parts, the first of 33 bits.
pub(super) const LN2: [f64; 2] = [0.6931471804855391, 7.440617110012397e-11];

/// 2^n exp r, n as its sum with [`MAGIC`]; rounded once, also where the result is denormal.
fn assemble<'c, 'a>(e: &Emitter<'c, 'a>, magic: V<'c, 'a>, r: V<'c, 'a>) -> V<'c, 'a> {
    let mut factorial = 1.0;
    let series: Vec<f64> = (2..=14)
        .map(|n| {
            factorial *= f64::from(n);
            1.0 / factorial
        })
        .collect();
    let one = e.like(r, 1.0);
    let power = e.add(e.fma(e.polynomial(r, &series), e.mul(r, r), r), one);
    let n = e.subi(e.bits(magic, Element::I64), e.i64(MAGIC_BITS));
    let half = e.shr(n, e.i64(1));
    let scale = |k| e.bits(e.shl(e.addi(k, e.i64(1023)), e.i64(52)), Element::F64);
    e.mul(e.mul(power, scale(half)), scale(e.subi(n, half)))
}

/// exp x; 1.5 ULP.
pub(super) fn exp<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    exp_of_sum(e, x, e.like(x, 0.0))
}

/// exp(x + low), low small beside x.
pub(super) fn exp_of_sum<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, low: V<'c, 'a>) -> V<'c, 'a> {
    // Beyond, the result is infinity or 0.
    let x = e.at_least(e.at_most(x, 710.0), -746.0);
    let magic = e.fma(x, e.like(x, LOG2_E), e.like(x, MAGIC));
    let n = e.sub(magic, e.like(x, MAGIC));
    let r = e.fma(n, e.like(x, -LN2[0]), x);
    let r = e.add(e.fma(n, e.like(x, -LN2[1]), r), low);
    assemble(e, magic, r)
}

/// 2^x; 2 ULP.
pub(super) fn exp2<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let x = e.at_least(e.at_most(x, 1025.0), -1076.0);
    let magic = e.add(x, e.like(x, MAGIC));
    let n = e.sub(magic, e.like(x, MAGIC));
    assemble(e, magic, e.mul(e.sub(x, n), e.like(x, LN_2)))
}
