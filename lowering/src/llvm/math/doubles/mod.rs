//! Math functions on f64, for a GPU, which has no library for them: each file holds one family.
//!
//! Bounds are in ULP over all inputs, with fused multiply-add. Where no fit is named coefficients are those of the power
//! series, as many as f64 has use for. Functions on f32 that are seldom used come by way of f64 too. On a processor, which
//! has libm, only exp and log are written where it fuses, and expm1 and log1p by these.
//!
//! | function | ULP |
//! |---|---|
//! | exp, log, sin, cos, atan | 1.5 |
//! | exp2, log2, log10, erf, pow | 2 |
//! | expm1, log1p, tan, asin, acos, atan2, rsqrt | 4 |
//! | sinh, cosh, tanh, asinh, acosh, atanh, erfc | 6 |

mod error_function;
mod exponential;
mod hyperbolic;
mod inverse;
mod logarithm;
mod power;
mod trigonometric;

use super::emit::{Cmp, Element, Emitter, V};

/// The functions that f32 has by way of f64.
pub(super) const FOR_FLOATS: [&str; 11] =
    ["tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "asinh", "acosh", "atanh", "erfc"];

/// A function on f64, of one argument or two; None where there is no expansion.
pub(super) fn expand<'c, 'a>(e: &Emitter<'c, 'a>, name: &str, x: &[V<'c, 'a>]) -> Option<V<'c, 'a>> {
    Some(match (name, x) {
        ("expm1", [x]) => expm1(e, *x),
        ("log1p", [x]) => log1p(e, *x),
        ("exp", [x]) if fuses(e) => exponential::exp(e, *x),
        ("log", [x]) if fuses(e) => logarithm::log(e, *x),
        _ if !e.target.nvptx => return None,
        ("exp2", [x]) => exponential::exp2(e, *x),
        ("log2", [x]) => logarithm::log2(e, *x),
        ("log10", [x]) => logarithm::log10(e, *x),
        ("powf", [x, y]) => power::pow(e, *x, *y),
        ("sin", [x]) => trigonometric::sin(e, *x),
        ("cos", [x]) => trigonometric::cos(e, *x),
        ("tan", [x]) => trigonometric::tan(e, *x),
        ("asin", [x]) => inverse::asin(e, *x),
        ("acos", [x]) => inverse::acos(e, *x),
        ("atan", [x]) => inverse::atan(e, *x),
        ("atan2", [y, x]) => inverse::atan2(e, *y, *x),
        ("sinh", [x]) => hyperbolic::sinh(e, *x),
        ("cosh", [x]) => hyperbolic::cosh(e, *x),
        ("tanh", [x]) => hyperbolic::tanh(e, *x),
        ("asinh", [x]) => hyperbolic::asinh(e, *x),
        ("acosh", [x]) => hyperbolic::acosh(e, *x),
        ("atanh", [x]) => hyperbolic::atanh(e, *x),
        ("erf", [x]) => error_function::erf(e, *x),
        ("erfc", [x]) => error_function::erfc(e, *x),
        ("rsqrt", [x]) => e.div(e.like(*x, 1.0), e.sqrt(*x)),
        _ => return None,
    })
}

/// Whether multiply-add is fused, which the bounds ask for.
fn fuses(e: &Emitter) -> bool {
    e.target.nvptx || e.target.fma
}

fn exp<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    if fuses(e) { exponential::exp(e, x) } else { e.same("math.exp", &[x]) }
}

fn log<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    if fuses(e) { logarithm::log(e, x) } else { e.same("math.log", &[x]) }
}

/// exp x - 1; 4 ULP.
///
/// Upstream writes exp(x) - 1 and log(1 + x), which cancel near 0. With u = exp(x) rounded, (u - 1) x / log u is expm1(x):
/// the errors of u - 1 and of log u are the same in proportion. Likewise log(u) x / (u - 1) with u = 1 + x is log1p(x).
/// Source: W. Kahan's, as N. Higham, "Accuracy and Stability of Numerical Algorithms", 1.14.1, proves it.
fn expm1<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
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
fn log1p<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let one = e.like(x, 1.0);
    let u = e.add(x, one);
    let result = e.mul(log(e, u), e.div(x, e.sub(u, one)));
    let result = e.select(e.cmp(Cmp::Oeq, u, one), x, result);
    e.select(e.cmp(Cmp::Oeq, u, e.like(x, f64::INFINITY)), u, result)
}

/// The absolute value, and the sign bit as an i64.
fn magnitude_and_sign<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let bits = e.bits(x, Element::I64);
    (e.bits(e.and(bits, e.i64(i64::MAX)), Element::F64), e.and(bits, e.i64(i64::MIN)))
}

/// `x` with its sign bit flipped where `sign` has its own set.
fn flip_sign<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, sign: V<'c, 'a>) -> V<'c, 'a> {
    e.bits(e.xor(e.bits(x, Element::I64), sign), Element::F64)
}

/// The sum of two numbers, and what rounding it has lost (D. Knuth's).
fn two_sum<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let sum = e.add(a, b);
    let back = e.sub(sum, a);
    (sum, e.add(e.sub(a, e.sub(sum, back)), e.sub(b, back)))
}

/// The product of two numbers, and what rounding it has lost.
fn two_product<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let product = e.mul(a, b);
    (product, e.fma(a, b, e.neg(product)))
}
