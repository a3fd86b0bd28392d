//! tanh.

use super::{
    emit::{Cmp, Emitter, V},
    exponential::exp_normal,
};

/// (tanh x / x - 1) / x^2 in x^2, on |x| <= 5/8, but for 2^-27.7 of tanh x / x.
const SMALL: [f64; 5] = [-0.3333328, 0.13331409, -0.053737063, 0.02063091, -0.005696358];

/// tanh x; 1.5 ULP.
///
/// An odd polynomial next to 0, 1 - 2 / (exp 2|x| + 1) elsewhere; the sign of x.
pub(super) fn tanh<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (magnitude, sign) = e.magnitude_and_sign(x);
    // From 9.02 on the nearest float is 1.
    let a = e.at_most(magnitude, 9.1);
    let square = e.mul(a, a);
    let small = e.fma(e.mul(e.polynomial(square, &SMALL), square), a, a);
    let (one, two) = (e.f32(1.0), e.f32(2.0));
    let large = e.sub(one, e.ratio(two, e.add(exp_normal(e, e.add(a, a)), one)));
    e.flip_sign(e.select(e.cmp(Cmp::Ogt, a, e.f32(0.625)), large, small), sign)
}
