//! Numbers taken apart without loss: into sign and magnitude, into a sum or product and what rounding it has
//! lost.

use super::super::emit::{Element, Emitter, V};

/// The absolute value, and the sign bit as an i64.
pub(super) fn magnitude_and_sign<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let bits = e.bits(x, Element::I64);
    (e.bits(e.and(bits, e.i64(i64::MAX)), Element::F64), e.and(bits, e.i64(i64::MIN)))
}

/// `x` with its sign bit flipped where `sign` has its own set.
pub(super) fn flip_sign<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, sign: V<'c, 'a>) -> V<'c, 'a> {
    e.bits(e.xor(e.bits(x, Element::I64), sign), Element::F64)
}

/// The sum of two numbers, and what rounding it has lost (D. Knuth's).
pub(super) fn two_sum<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let sum = e.add(a, b);
    let back = e.sub(sum, a);
    (sum, e.add(e.sub(a, e.sub(sum, back)), e.sub(b, back)))
}

/// The product of two numbers, and what rounding it has lost.
pub(super) fn two_product<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let product = e.mul(a, b);
    (product, e.fma(a, b, e.neg(product)))
}
