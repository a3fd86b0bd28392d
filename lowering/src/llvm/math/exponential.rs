//! exp, exp2, expm1.
//!
//! x = n ln 2 + r with |r| <= ln 2 / 2, then exp x = 2^n exp r. ln 2 is split in two; its upper part has so
//! few bits that n times it is exact, fused or not.

use super::emit::{Cmp, Element, Emitter, V};
use std::f64::consts::{LN_2, LOG2_E};

/// Adding it rounds a float below 2^22 to an integer, to nearest even, and leaves the integer in the low bits
/// of the sum.
pub(super) const MAGIC: f64 = 12582912.0; // 1.5 * 2^23
const MAGIC_BITS: i32 = 0x4b400000;
const LN2_HIGH: f64 = 0.693145751953125;
const LN2_LOW: f64 = LN_2 - LN2_HIGH;

/// (exp r - 1 - r) / r^2 on |r| <= 0.3475, but for 2^-28.2 of exp r.
const EXP: [f64; 5] = [0.49999994, 0.16666521, 0.041668292, 0.008368716, 0.0013818698];
/// The same, but for 2^-31 of exp r - 1.
const EXPM1: [f64; 6] = [0.5, 0.16666666, 0.041666493, 0.008333543, 0.0013932381, 0.00019764414];

/// n and r of an exponent.
struct Reduced<'c, 'a> {
    /// n + [`MAGIC`].
    magic: V<'c, 'a>,
    n: V<'c, 'a>,
    r: V<'c, 'a>,
}

impl<'c, 'a> Reduced<'c, 'a> {
    fn of(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> Self {
        let magic = e.fma(x, e.like(x, LOG2_E), e.like(x, MAGIC));
        let n = e.sub(magic, e.like(x, MAGIC));
        let r = e.fma(n, e.like(x, -LN2_HIGH), x);
        Reduced { magic, n, r: e.fma(n, e.like(x, -LN2_LOW), r) }
    }

    /// exp r.
    fn exp(&self, e: &Emitter<'c, 'a>) -> V<'c, 'a> {
        let one = e.f32(1.0);
        let slope = e.fma(e.polynomial(self.r, &EXP), self.r, one);
        e.fma(slope, self.r, one)
    }

    /// exp r - 1.
    fn expm1(&self, e: &Emitter<'c, 'a>) -> V<'c, 'a> {
        e.fma(e.polynomial(self.r, &EXPM1), e.mul(self.r, self.r), self.r)
    }

    /// 2^n p for n from -252 to 254, with a single rounding where the result is denormal; 0 where it is
    /// `small`, of any n where [`scales`].
    ///
    /// A result that underflows takes some processors a hundred cycles, and masked softmaxes have many:
    /// in such lanes nothing is rounded. LLVM makes one instruction of the scaling and the choice.
    fn scale(&self, e: &Emitter<'c, 'a>, p: V<'c, 'a>, small: V<'c, 'a>) -> V<'c, 'a> {
        let zero = e.f32(0.0);
        if scales(e) {
            // All lanes, in the current rounding mode.
            let mode = [(Element::I16, -1), (Element::I32, 4)];
            let scaled = e.intrinsic("llvm.x86.avx512.mask.scalef.ps.512", &[p, self.n, zero], &mode);
            return e.select(small, zero, scaled);
        }
        let n = e.subi(e.bits(self.magic, Element::I32), e.i32(MAGIC_BITS));
        let half = e.shr(n, e.i32(1));
        let power = |k| e.bits(e.shl(e.addi(k, e.i32(127)), e.i32(23)), Element::F32);
        e.mul(e.mul(p, power(half)), e.select(small, zero, power(e.subi(n, half))))
    }

    /// 2^(n + `offset`), where that is normal. The shift takes all but n out of the magic sum.
    fn power(&self, e: &Emitter<'c, 'a>, offset: i32) -> V<'c, 'a> {
        let exponent = e.shl(e.bits(self.magic, Element::I32), e.i32(23));
        e.bits(e.addi(exponent, e.i32((127 + offset) << 23)), Element::F32)
    }
}

/// Whether there is an instruction that multiplies by a power of 2.
fn scales(e: &Emitter) -> bool {
    e.target.avx512 && e.is_vector_of(16)
}

/// exp x as 2^(x log2 e), for -104 <= x <= 89, where the processor has an instruction for powers of 2; 1.8
/// ULP and what the instruction adds, which is up to 2. With `flushes` 0 where the result is denormal, which
/// takes three instructions less.
///
/// The rounded product alone would be off by 44 ULP at 88. What the rounding leaves out is d, and 2^d is 1 +
/// d ln 2.
fn by_power_of_2<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, flushes: bool) -> V<'c, 'a> {
    let high = e.like(x, LOG2_E);
    let product = e.mul(x, high);
    let rest = e.fma(x, high, e.neg(product));
    let rest = e.fma(x, e.like(x, LOG2_E - f64::from(LOG2_E as f32)), rest);
    let power = match flushes {
        true => e.each("llvm.nvvm.ex2.approx.ftz", &[product]),
        false => e.intrinsic("llvm.exp2", &[product], &[]),
    };
    e.mul(power, e.fma(rest, e.like(x, LN_2), e.f32(1.0)))
}

/// exp x; 1.3 ULP, on a GPU 3.8; where it is `near` denormal results may be 0.
pub(super) fn exp<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, near: bool) -> V<'c, 'a> {
    // Beyond, the result is infinity or 0.
    let (most, least) = (89.0, -104.0);
    if e.is_gpu() {
        return by_power_of_2(e, e.at_least(e.at_most(x, most), least), near);
    }
    let small = e.cmp(Cmp::Olt, x, e.like(x, least));
    let x = e.at_most(x, most);
    let reduced = Reduced::of(e, if scales(e) { x } else { e.at_least(x, least) });
    reduced.scale(e, reduced.exp(e), small)
}

/// exp x where the result is normal, for |x| <= 87; 1.3 ULP, on a GPU 3.8.
pub(super) fn exp_normal<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    if e.is_gpu() {
        return by_power_of_2(e, x, true);
    }
    let reduced = Reduced::of(e, x);
    e.mul(reduced.exp(e), reduced.power(e, 0))
}

/// 2^x; 1.3 ULP, on a GPU 2.
pub(super) fn exp2<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    if e.is_gpu() {
        return e.intrinsic("llvm.exp2", &[x], &[]);
    }
    let least = -151.0;
    let small = e.cmp(Cmp::Olt, x, e.like(x, least));
    let x = e.at_most(x, 129.0);
    let x = if scales(e) { x } else { e.at_least(x, least) };
    let magic = e.add(x, e.f32(MAGIC as f32));
    let n = e.sub(magic, e.f32(MAGIC as f32));
    let reduced = Reduced { magic, n, r: e.mul(e.sub(x, n), e.like(x, LN_2)) };
    reduced.scale(e, reduced.exp(e), small)
}

/// exp x - 1; 1.5 ULP.
pub(super) fn expm1<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let clamped = e.at_least(e.at_most(x, 89.0), -18.0);
    let reduced = Reduced::of(e, clamped);
    // Half of it, since 2^n alone may overflow: 2^(n-1) (exp r - 1) + (2^(n-1) - 1/2).
    let power = reduced.power(e, -1);
    let half = e.fma(power, reduced.expm1(e), e.sub(power, e.f32(0.5)));
    // Next to 0, x itself is the nearest, and keeps its sign and all bits of a denormal.
    let (magnitude, _) = e.magnitude_and_sign(x);
    e.select(e.cmp(Cmp::Olt, magnitude, e.like(x, 2f64.powi(-25))), x, e.add(half, half))
}
