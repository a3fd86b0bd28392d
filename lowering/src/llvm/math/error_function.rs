//! erf.

use super::{
    emit::{Cmp, Emitter, V},
    exponential::exp_normal,
};

/// erf x / x - 1 in x^2, on |x| <= 0.875, but for 2^-26.1 of erf x / x.
const SMALL: [f64; 6] = [0.12837915, -0.37612513, 0.11282104, -0.026779678, 0.005015679, -0.00061211915];
/// -ln(1 - erf x) / x - 1 in x, on 0.875 <= x <= 4, but for what moves erf x by 2^-28.2.
const LARGE: [f64; 6] = [0.12852548, 0.63568044, 0.105312094, -0.022922397, 0.003225135, -0.00021522769];

/// erf x; 1.3 ULP.
///
/// An odd polynomial next to 0, 1 - exp(-x - x P(x)) elsewhere, where the exponential is small enough for its
/// error to fade; the sign of x.
pub(super) fn erf<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (magnitude, sign) = e.magnitude_and_sign(x);
    // From 3.92 on the nearest float is 1.
    let a = e.at_most(magnitude, 4.0);
    let small = e.fma(e.polynomial(e.mul(a, a), &SMALL), a, a);
    let exponent = e.neg(e.fma(e.polynomial(a, &LARGE), a, a));
    let large = e.sub(e.f32(1.0), exp_normal(e, exponent));
    e.flip_sign(e.select(e.cmp(Cmp::Ogt, a, e.f32(0.875)), large, small), sign)
}
