//! Functions that `math` does not have, as arithmetic of f64: gamma functions, Bessel's, the inverse of erf.
//!
//! An f32 is computed in f64 and rounded once, so that it is off by 0.51 ULP at most, but where a result
//! crosses 0. Of f64 the bounds stand with the functions: in ULP, over all inputs. Coefficients are
//! interpolations of our own at Chebyshev's nodes, in more digits and then rounded, where no source is named;
//! the error that they leave is written beside them.

use crate::emit::{Compare, Emitter};
use melior::ir::ValueLike;
use std::f64::consts::{PI, SQRT_2};
use terrace_dialects::ir::{
    cursor::V,
    dtype::{Dtype, ElementType},
};

/// Writes a function of an f64.
type Function = for<'c, 'a> fn(&Emitter<'c, 'a>, V<'c, 'a>) -> V<'c, 'a>;

/// A function of an f64 on a float.
pub fn wide<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, function: Function) -> V<'c, 'a> {
    let own = Dtype::of(x.r#type()).unwrap_or(Dtype::F64);
    e.cast(function(e, e.cast(x, Dtype::F64)), own)
}

/// The polynomial with these coefficients, the constant first.
fn polynomial<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, coefficients: &[f64]) -> V<'c, 'a> {
    let (last, rest) = coefficients.split_last().expect("a polynomial has a coefficient");
    rest.iter().rev().fold(e.like(x, *last), |sum, c| e.add(e.mul(sum, x), e.like(x, *c)))
}

fn size<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    e.same("math.absf", &[x])
}

fn log<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    e.same("math.log", &[x])
}

fn below<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, limit: f64) -> V<'c, 'a> {
    e.compare(Compare::Lt, x, e.like(x, limit))
}

fn is<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, number: f64) -> V<'c, 'a> {
    e.compare(Compare::Eq, x, e.like(x, number))
}

/// sin(pi r) / r in r^2, on |r| <= 1/2, but for 2^-54.
const SIN_PI: [f64; 9] = [
    std::f64::consts::PI,
    -5.167712780049969,
    2.5501640398773007,
    -0.5992645293189447,
    0.0821458865731029,
    -0.007370430505916944,
    0.0004662998161898394,
    -2.1903497074626018e-5,
    7.697826768224191e-7,
];
/// cos(pi r) in r^2, on |r| <= 1/2, but for 2^-53.
const COS_PI: [f64; 10] = [
    1.0,
    -4.934802200544679,
    4.058712126416768,
    -1.3352627688545549,
    0.235330630357995,
    -0.025806891376592964,
    0.0019295741872812349,
    -0.00010463741681752138,
    4.300724172734847e-6,
    -1.34352129509532e-7,
];

/// What is left of a number beside the nearest integer: exact.
fn fraction<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    e.sub(x, e.same("math.roundeven", &[x]))
}

/// sin(pi r), |r| <= 1/2.
fn sin_pi<'c, 'a>(e: &Emitter<'c, 'a>, r: V<'c, 'a>) -> V<'c, 'a> {
    e.mul(r, polynomial(e, e.mul(r, r), &SIN_PI))
}

/// lgamma(2 + t) / t in t, on -1/2 <= t <= 1, but for 2^-54.
const LGAMMA: [f64; 22] = [
    0.42278433509846713,
    0.3224670334241132,
    -0.06735230105319796,
    0.020580808427787502,
    -0.007385551028687111,
    0.0028905103306125996,
    -0.0011927539111748094,
    0.0005096695270786523,
    -0.00022315476914202685,
    9.945749459386184e-5,
    -4.4926118904862264e-5,
    2.050723289467849e-5,
    -9.440199753274835e-6,
    4.375472004777847e-6,
    -2.0371195482358996e-6,
    9.511969731319312e-7,
    -4.5041997201473635e-7,
    2.2102374422908605e-7,
    -1.0784595012220329e-7,
    4.4561979632842775e-8,
    -1.2394516911278076e-8,
    1.6305432352127331e-9,
];
/// Stirling's series: Bernoulli numbers over 2k (2k - 1), in 1 / x^2.
const STIRLING: [f64; 8] = [
    1.0 / 12.0,
    -1.0 / 360.0,
    1.0 / 1260.0,
    -1.0 / 1680.0,
    1.0 / 1188.0,
    -691.0 / 360360.0,
    1.0 / 156.0,
    -3617.0 / 122400.0,
];
/// log(2 pi) / 2.
const HALF_LOG_TWO_PI: f64 = 0.9189385332046728;

/// lgamma of a positive number: by the recurrence next to 2 where it is small, so that its zeros at 1 and 2
/// are exact; by Stirling's series where it is not.
fn lgamma_positive<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (one, two) = (e.like(x, 1.0), e.like(x, 2.0));
    // Down to below 3, with the factors that are passed.
    let (mut y, mut product) = (x, one);
    for _ in 0..5 {
        let (less, above) = (e.sub(y, one), e.compare(Compare::Ge, y, e.like(y, 3.0)));
        y = e.select(above, less, y);
        product = e.select(above, e.mul(product, less), product);
    }
    // From below 3/2 up.
    let (tiny, small) = (below(e, x, 0.5), below(e, x, 1.5));
    let lifted = e.select(tiny, x, e.sub(x, one));
    let t = e.select(small, lifted, e.sub(y, two));
    let passed = e.select(tiny, e.mul(x, e.add(x, one)), x);
    let product = e.select(small, passed, product);
    let large = e.compare(Compare::Ge, x, e.like(x, 8.0));
    let log = log(e, e.select(large, x, product));
    let near = e.mul(t, polynomial(e, t, &LGAMMA));
    let near = e.select(small, e.sub(near, log), e.add(near, log));

    let inverse = e.div(one, x);
    let series = e.mul(inverse, polynomial(e, e.mul(inverse, inverse), &STIRLING));
    // (x - 1/2) (log x - 1): its error is one of the result.
    let main = e.mul(e.sub(x, e.like(x, 0.5)), e.sub(log, one));
    let far = e.add(main, e.add(series, e.like(x, HALF_LOG_TWO_PI - 0.5)));
    e.select(large, far, near)
}

/// The logarithm of the magnitude of the gamma function; 8 ULP, below 0 of the larger of the result and 1.
///
/// Below 0 by reflection: the gammas of x and -x are -pi / (x sin(pi x)) together.
pub fn lgamma<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let magnitude = size(e, x);
    let positive = lgamma_positive(e, magnitude);
    let sine = size(e, sin_pi(e, fraction(e, x)));
    let reflected = e.sub(log(e, e.div(e.like(x, PI), e.mul(magnitude, sine))), positive);
    // Next to 0 the product is too small for an f64.
    let nearest = e.sub(e.like(x, 0.0), log(e, magnitude));
    let reflected = e.select(below(e, magnitude, 1e-30), nearest, reflected);
    let infinity = e.like(x, f64::INFINITY);
    let reflected = e.select(is(e, sine, 0.0), infinity, reflected);
    let result = e.select(below(e, x, 0.0), reflected, positive);
    let result = e.select(is(e, x, 0.0), infinity, result);
    e.select(is(e, magnitude, f64::INFINITY), infinity, result)
}

/// The series of digamma less its logarithm: Bernoulli numbers over 2k, in 1 / x^2.
const DIGAMMA: [f64; 7] =
    [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0];

/// digamma of a positive number: by its asymptotic series, from 10 on; below by the recurrence from there.
fn digamma_positive<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let number = |value| e.like(x, value);
    // The sum of 1 / (x + k) as one quotient.
    let (mut above, mut under) = (number(1.0), x);
    for k in 1..10 {
        let next = e.add(x, number(k.into()));
        above = e.add(e.mul(above, next), under);
        under = e.mul(under, next);
    }
    let small = below(e, x, 10.0);
    let y = e.select(small, e.add(x, number(10.0)), x);
    let inverse = e.div(number(1.0), y);
    let square = e.mul(inverse, inverse);
    let series = e.add(e.mul(number(0.5), inverse), e.mul(square, polynomial(e, square, &DIGAMMA)));
    let far = e.sub(log(e, y), series);
    e.select(small, e.sub(far, e.div(above, under)), far)
}

/// The derivative of lgamma; 8 ULP of the larger of the result and 1, below 0 of the result's square.
pub fn digamma<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let negative = below(e, x, 0.0);
    let main = digamma_positive(e, e.select(negative, e.sub(e.like(x, 1.0), x), x));
    let r = fraction(e, x);
    let cosine = polynomial(e, e.mul(r, r), &COS_PI);
    let reflected = e.sub(main, e.div(e.mul(e.like(x, PI), cosine), sin_pi(e, r)));
    let pole = e.select(is(e, r, 0.0), e.like(x, f64::NAN), reflected);
    let result = e.select(negative, pole, main);
    let infinity = e.same("math.copysign", &[e.like(x, f64::INFINITY), e.same("arith.negf", &[x])]);
    let result = e.select(is(e, x, 0.0), infinity, result);
    e.select(is(e, x, f64::NEG_INFINITY), e.like(x, f64::NAN), result)
}

/// Rational functions of M. Wichura, "Algorithm AS 241", 1988: the quantile of the normal distribution to 16
/// digits, next to the middle in the square of the distance to it, further out in the root of the logarithm
/// of what is left.
const MIDDLE: [[f64; 8]; 2] = [
    [
        3.3871328727963665,
        133.14166789178438,
        1971.5909503065513,
        13731.69376550946,
        45921.95393154987,
        67265.7709270087,
        33430.57558358813,
        2509.0809287301227,
    ],
    [
        1.0,
        42.31333070160091,
        687.1870074920579,
        5394.196021424751,
        21213.794301586597,
        39307.89580009271,
        28729.085735721943,
        5226.495278852854,
    ],
];
const OUTER: [[f64; 8]; 2] = [
    [
        1.4234371107496835,
        4.630337846156546,
        5.769497221460691,
        3.6478483247632045,
        1.2704582524523684,
        0.2417807251774506,
        0.022723844989269184,
        0.0007745450142783414,
    ],
    [
        1.0,
        2.053191626637759,
        1.6763848301838038,
        0.6897673349851,
        0.14810397642748008,
        0.015198666563616457,
        0.0005475938084995345,
        1.0507500716444169e-9,
    ],
];
const OUTERMOST: [[f64; 8]; 2] = [
    [
        6.657904643501103,
        5.463784911164114,
        1.7848265399172913,
        0.29656057182850487,
        0.026532189526576124,
        0.0012426609473880784,
        2.7115555687434876e-5,
        2.0103343992922881e-7,
    ],
    [
        1.0,
        0.599832206555888,
        0.1369298809227358,
        0.014875361290850615,
        0.0007868691311456133,
        1.8463183175100548e-5,
        1.421511758316446e-7,
        2.0442631033899397e-15,
    ],
];

fn quotient<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, [above, under]: &[[f64; 8]; 2]) -> V<'c, 'a> {
    e.div(polynomial(e, x, above), polynomial(e, x, under))
}

/// The inverse of the error function; 8 ULP.
pub fn erfinv<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let number = |value| e.like(x, value);
    let q = e.mul(x, number(0.5));
    let middle = e.mul(q, quotient(e, e.sub(number(0.180625), e.mul(q, q)), &MIDDLE));
    // What is left to 1 is exact.
    let magnitude = size(e, x);
    let rest = e.mul(e.sub(number(1.0), magnitude), number(0.5));
    let r = e.same("math.sqrt", &[e.same("arith.negf", &[log(e, rest)])]);
    let far = quotient(e, e.sub(r, number(1.6)), &OUTER);
    let farther = quotient(e, e.sub(r, number(5.0)), &OUTERMOST);
    let outer = e.select(e.compare(Compare::Le, r, number(5.0)), far, farther);
    let outer = e.select(is(e, magnitude, 1.0), number(f64::INFINITY), outer);
    let outer = e.same("math.copysign", &[outer, x]);
    let result = e.select(e.compare(Compare::Le, magnitude, number(0.85)), middle, outer);
    // Next to 0 in proportion to x, which keeps the bits of denormals.
    let result = e.select(is(e, x, 0.0), x, e.mul(result, number(1.0 / SQRT_2)));
    let outside = e.compare(Compare::Gt, magnitude, number(1.0));
    e.select(outside, number(f64::NAN), result)
}

/// I0(x) sqrt(x) / e^x in 16 / x - 1, from 8 on, but for 2^-53.
const I0: [f64; 23] = [
    0.4021765094450081,
    0.0033605519836677235,
    0.00013621607439187193,
    1.1143033802583682e-5,
    1.4838475863096982e-6,
    2.9735956581527606e-7,
    8.87215461894403e-8,
    3.9329265710970607e-8,
    2.1556811109930293e-8,
    7.532386417221677e-9,
    -6.805980075205538e-9,
    -1.3319798590871972e-8,
    -5.1625178809180755e-9,
    7.32331073265118e-9,
    6.78979040421827e-9,
    -3.118514557858699e-9,
    -4.848250922927731e-9,
    1.0924527218625537e-9,
    2.3981927238070327e-9,
    -2.7481116243609995e-10,
    -7.473844627004351e-10,
    3.525320994068975e-11,
    1.0881994797058119e-10,
];

/// The modified Bessel function of the first kind, of order 0; 8 ULP. Of infinity eager divides one by
/// another: nan.
pub fn i0<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let magnitude = size(e, x);
    // Half of the exponent twice: all of it is too large before the result is.
    let root = e.same("math.exp", &[e.mul(magnitude, e.like(x, 0.5))]);
    let far = e.mul(e.mul(root, bessel_far(e, magnitude)), root);
    let result = e.select(is_near(e, magnitude), bessel_near(e, magnitude), far);
    e.select(is(e, magnitude, f64::INFINITY), e.like(x, f64::NAN), result)
}

/// [`i0`] over the exponential of the magnitude of its operand; 8 ULP.
pub fn i0e<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let magnitude = size(e, x);
    let shrink = e.same("math.exp", &[e.same("arith.negf", &[magnitude])]);
    let near = e.mul(bessel_near(e, magnitude), shrink);
    e.select(is_near(e, magnitude), near, bessel_far(e, magnitude))
}

fn is_near<'c, 'a>(e: &Emitter<'c, 'a>, magnitude: V<'c, 'a>) -> V<'c, 'a> {
    e.compare(Compare::Le, magnitude, e.like(magnitude, 8.0))
}

/// I0 up to 8, by its series, whose terms are all positive.
fn bessel_near<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    // 1 / k!^2
    let series: Vec<f64> = (0..25).map(|k| 1.0 / (1..=k).map(f64::from).product::<f64>().powi(2)).collect();
    let half = e.mul(x, e.like(x, 0.5));
    polynomial(e, e.mul(half, half), &series)
}

/// I0(x) / e^x from 8 on.
fn bessel_far<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let place = e.sub(e.div(e.like(x, 16.0), x), e.like(x, 1.0));
    e.div(polynomial(e, place, &I0), e.same("math.sqrt", &[x]))
}
