//! exp and log where an expansion may count on fused multiply-add, and what is exact near 0 by them.

use super::{
    super::emit::{Cmp, Emitter, V},
    exponential, logarithm,
};

/// Whether multiply-add is fused, which the bounds ask for.
pub(super) fn fuses(e: &Emitter) -> bool {
    e.target.nvptx || e.target.fma
}

pub(super) fn exp<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    if fuses(e) { exponential::exp(e, x) } else { e.same("math.exp", &[x]) }
}

pub(super) fn log<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    if fuses(e) { logarithm::log(e, x) } else { e.same("math.log", &[x]) }
}

/// exp x - 1; 4 ULP.
///
/// Upstream writes exp(x) - 1 and log(1 + x), which cancel near 0. With u = exp(x) rounded, (u - 1) x / log u
/// is expm1(x): the errors of u - 1 and of log u are the same in proportion. Likewise log(u) x / (u - 1) with
/// u = 1 + x is log1p(x). Source: W. Kahan's, as N. Higham, "Accuracy and Stability of Numerical Algorithms",
/// 1.14.1, proves it.
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

/// log(1 + x); 4 ULP.
pub(super) fn log1p<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let one = e.like(x, 1.0);
    let u = e.add(x, one);
    let result = e.mul(log(e, u), e.div(x, e.sub(u, one)));
    let result = e.select(e.cmp(Cmp::Oeq, u, one), x, result);
    e.select(e.cmp(Cmp::Oeq, u, e.like(x, f64::INFINITY)), u, result)
}
