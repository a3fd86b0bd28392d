//! erf and erfc.
//!
//! erf is its power series up to 1; from 1/2 on erfc x is exp(-x^2) / (1 + 2 x) times a polynomial in (x - 3)
//! / (x + 3) (the form is M. Shepherd's and J. Laframboise's, the fit our own).

use super::{
    super::emit::{Cmp, Emitter, V},
    exponential::exp_of_sum,
    flip_sign, magnitude_and_sign, two_product,
};
use std::f64::consts::FRAC_2_SQRT_PI;

/// (1 + 2 x) exp(x^2) erfc x in (x - 3) / (x + 3), on 0.45 <= x <= 28, but for 2^-58.
const TAIL: [f64; 23] = [
    1.2530080582697296,
    -0.13562110612458117,
    -0.04756229435345069,
    0.12964515870275992,
    -0.11927366341531172,
    0.0683080273440331,
    -0.023770514918556238,
    0.0025293918146319454,
    0.001888690357008306,
    -0.0007798322535249472,
    -0.00010515976842654433,
    0.0001250992136022878,
    4.9492347360956755e-06,
    -2.0099922580094685e-05,
    -7.303431788850293e-07,
    3.4704763768340144e-06,
    3.5349863091448884e-07,
    -6.128754926539542e-07,
    -1.3567738403155552e-07,
    9.725436494084162e-08,
    3.5489820960622545e-08,
    -1.0096333797401699e-08,
    -4.819971581991126e-09,
];

/// erf a for 0 <= a <= 1.
fn near<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>) -> V<'c, 'a> {
    let mut factorial = 1.0;
    let series: Vec<f64> = (1..=20)
        .map(|n| {
            factorial *= -f64::from(n);
            1.0 / (factorial * f64::from(2 * n + 1))
        })
        .collect();
    let z = e.mul(a, a);
    let sum = e.fma(e.mul(a, z), e.polynomial(z, &series), a);
    e.mul(sum, e.like(a, FRAC_2_SQRT_PI))
}

/// erfc a for a >= 1/2.
fn far<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>) -> V<'c, 'a> {
    // Beyond, nothing is left.
    let a = e.at_most(a, 28.0);
    let number = |value| e.like(a, value);
    let (square, lost) = two_product(e, a, a);
    let decay = exp_of_sum(e, e.neg(square), e.neg(lost));
    let t = e.div(e.sub(a, number(3.0)), e.add(a, number(3.0)));
    let factor = e.div(e.polynomial(t, &TAIL), e.fma(a, number(2.0), number(1.0)));
    e.mul(decay, factor)
}

/// erf x; 2 ULP.
pub(super) fn erf<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (a, sign) = magnitude_and_sign(e, x);
    let one = e.like(x, 1.0);
    let large = e.sub(one, far(e, a));
    let small = near(e, e.at_most(a, 1.0));
    flip_sign(e, e.select(e.cmp(Cmp::Ogt, a, one), large, small), sign)
}

/// 1 - erf x; 6 ULP.
pub(super) fn erfc<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (a, sign) = magnitude_and_sign(e, x);
    let one = e.like(x, 1.0);
    let small = e.sub(one, flip_sign(e, near(e, e.at_most(a, 1.0)), sign));
    let far = far(e, a);
    let large = e.select(e.cmp(Cmp::Olt, x, e.like(x, 0.0)), e.sub(e.like(x, 2.0), far), far);
    e.select(e.cmp(Cmp::Ogt, a, e.like(x, 0.5)), large, small)
}
