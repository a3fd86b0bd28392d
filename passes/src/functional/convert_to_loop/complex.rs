//! The pointwise operators on complex numbers.
//!
//! Sums, products and quotients are computed in the dtype of the parts. Functions are composed of real ones
//! on the parts in f64, whatever these are, and rounded once: of f32 no square overflows there, and no
//! difference cancels to nothing. The inverse functions are composed of roots and logarithms such that signed
//! zeros choose the side of a branch cut. Source: W. Kahan, "Branch Cuts for Complex Elementary Functions",
//! 1987.

use super::scalar::{Write, angle, infinite, to_copy};
use crate::emit::{Compare, Emitter, Number, complex::Complex, known};
use melior::ir::ValueLike;
use std::f64::consts::{LN_2, LOG2_E, LOG10_E};
use terrace_dialects::ir::{
    cursor::V,
    dtype::{Dtype, ElementType},
    types::part,
};

type Z<'c, 'a> = Complex<'c, 'a>;

/// What an operator makes of a complex element; None where eager has no kernel.
pub fn form(name: &str) -> Option<Write> {
    ROWS.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// By names without the dialect's.
const ROWS: &[(&str, Write)] = &[
    ("_to_copy", |e, v, op| to_copy(e, v[0], op)),
    ("where", |e, v, _| e.select(v[0], v[1], v[2])),
    ("add", |e, v, _| e.add(v[0], v[1])),
    ("sub", |e, v, _| e.sub(v[0], v[1])),
    ("mul", |e, v, _| e.mul(v[0], v[1])),
    ("div", |e, v, _| e.div(v[0], v[1])),
    ("prims.fma", |e, v, _| e.add(e.mul(v[0], v[1]), v[2])),
    ("eq", |e, v, _| e.compare(Compare::Eq, v[0], v[1])),
    ("ne", |e, v, _| e.compare(Compare::Ne, v[0], v[1])),
    ("logical_and", |e, v, _| e.same("arith.andi", &[truth(e, v[0]), truth(e, v[1])])),
    ("logical_or", |e, v, _| e.same("arith.ori", &[truth(e, v[0]), truth(e, v[1])])),
    ("logical_xor", |e, v, _| e.same("arith.xori", &[truth(e, v[0]), truth(e, v[1])])),
    ("logical_not", |e, v, _| e.compare(Compare::Eq, v[0], e.like(v[0], 0.0))),
    ("isnan", |e, v, _| either(e, "arith.ori", v[0], |e, x| e.compare(Compare::Ne, x, x))),
    ("isinf", |e, v, _| either(e, "arith.ori", v[0], |e, x| infinite(e, Compare::Eq, x))),
    ("isfinite", |e, v, _| either(e, "arith.andi", v[0], |e, x| infinite(e, Compare::Lt, x))),
    ("neg", |e, v, _| e.join(negative(e, e.parts(v[0])))),
    ("conj_physical", |e, v, _| e.join(e.conjugate(e.parts(v[0])))),
    ("abs", |e, v, _| real(e, v[0], abs)),
    ("angle", |e, v, _| real(e, v[0], argument)),
    ("sgn", |e, v, _| function(e, v[0], sgn)),
    ("reciprocal", |e, v, _| function(e, v[0], reciprocal)),
    ("exp", |e, v, _| function(e, v[0], exp)),
    ("exp2", |e, v, _| function(e, v[0], |e, z| exp(e, scaled(e, z, LN_2)))),
    ("expm1", |e, v, _| function(e, v[0], expm1)),
    ("log", |e, v, _| function(e, v[0], log)),
    ("log2", |e, v, _| function(e, v[0], |e, z| scaled(e, log(e, z), LOG2_E))),
    ("log10", |e, v, _| function(e, v[0], |e, z| scaled(e, log(e, z), LOG10_E))),
    ("log1p", |e, v, _| function(e, v[0], log1p)),
    ("logaddexp", |e, v, _| binary(e, v, logaddexp)),
    ("pow", |e, v, _| binary(e, v, pow)),
    ("sqrt", |e, v, _| function(e, v[0], sqrt)),
    ("rsqrt", |e, v, _| function(e, v[0], |e, z| reciprocal(e, sqrt(e, z)))),
    ("sigmoid", |e, v, _| function(e, v[0], sigmoid)),
    ("silu", |e, v, _| function(e, v[0], |e, z| e.complex_product(z, sigmoid(e, z)))),
    ("sin", |e, v, _| function(e, v[0], sin)),
    ("cos", |e, v, _| function(e, v[0], cos)),
    ("tan", |e, v, _| function(e, v[0], |e, z| over_i(e, tanh(e, times_i(e, z))))),
    ("sinh", |e, v, _| function(e, v[0], |e, z| over_i(e, sin(e, times_i(e, z))))),
    ("cosh", |e, v, _| function(e, v[0], |e, z| cos(e, times_i(e, z)))),
    ("tanh", |e, v, _| function(e, v[0], tanh)),
    ("asin", |e, v, _| function(e, v[0], asin)),
    ("acos", |e, v, _| function(e, v[0], acos)),
    ("atan", |e, v, _| function(e, v[0], |e, z| over_i(e, atanh(e, times_i(e, z))))),
    ("asinh", |e, v, _| function(e, v[0], |e, z| over_i(e, asin(e, times_i(e, z))))),
    ("acosh", |e, v, _| function(e, v[0], acosh)),
    ("atanh", |e, v, _| function(e, v[0], atanh)),
];

/// Powers that are products: whole exponents up to this.
const LARGEST_PRODUCT: u32 = 16;

/// The dtype of the parts of a number, or its own.
fn dtype(v: V) -> Dtype {
    Dtype::of(part(v.r#type()).unwrap_or(v.r#type())).unwrap_or(Dtype::F64)
}

/// The parts in f64.
fn wide<'c, 'a>(e: &Emitter<'c, 'a>, v: V<'c, 'a>) -> Z<'c, 'a> {
    e.cast_parts(e.parts(v), Dtype::F64)
}

/// A function in f64, rounded once.
fn function<'c, 'a>(
    e: &Emitter<'c, 'a>,
    v: V<'c, 'a>,
    f: impl Fn(&Emitter<'c, 'a>, Z<'c, 'a>) -> Z<'c, 'a>,
) -> V<'c, 'a> {
    e.join(e.cast_parts(f(e, wide(e, v)), dtype(v)))
}

/// A function of two numbers.
fn binary<'c, 'a>(
    e: &Emitter<'c, 'a>,
    v: &[V<'c, 'a>],
    f: impl Fn(&Emitter<'c, 'a>, Z<'c, 'a>, Z<'c, 'a>) -> Z<'c, 'a>,
) -> V<'c, 'a> {
    e.join(e.cast_parts(f(e, wide(e, v[0]), wide(e, v[1])), dtype(v[0])))
}

/// A function whose result is real.
fn real<'c, 'a>(
    e: &Emitter<'c, 'a>,
    v: V<'c, 'a>,
    f: impl Fn(&Emitter<'c, 'a>, Z<'c, 'a>) -> V<'c, 'a>,
) -> V<'c, 'a> {
    e.cast(f(e, wide(e, v)), dtype(v))
}

/// Whether it is not zero.
fn truth<'c, 'a>(e: &Emitter<'c, 'a>, v: V<'c, 'a>) -> V<'c, 'a> {
    e.compare(Compare::Ne, v, e.like(v, 0.0))
}

/// A question about both parts, the answers combined.
fn either<'c, 'a>(
    e: &Emitter<'c, 'a>,
    combine: &str,
    v: V<'c, 'a>,
    ask: impl Fn(&Emitter<'c, 'a>, V<'c, 'a>) -> V<'c, 'a>,
) -> V<'c, 'a> {
    let Complex { re, im } = e.parts(v);
    e.same(combine, &[ask(e, re), ask(e, im)])
}

fn math<'c, 'a>(e: &Emitter<'c, 'a>, name: &str, x: V<'c, 'a>) -> V<'c, 'a> {
    e.same(&format!("math.{name}"), &[x])
}

fn negate<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    e.same("arith.negf", &[x])
}

fn times<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, factor: f64) -> V<'c, 'a> {
    e.mul(x, e.like(x, factor))
}

fn plus<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, number: f64) -> V<'c, 'a> {
    e.add(x, e.like(x, number))
}

fn square<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    e.mul(x, x)
}

fn with_sign<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, sign: V<'c, 'a>) -> V<'c, 'a> {
    e.same("math.copysign", &[x, sign])
}

fn is<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, number: f64) -> V<'c, 'a> {
    e.compare(Compare::Eq, x, e.like(x, number))
}

fn is_zero<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> V<'c, 'a> {
    e.and(is(e, z.re, 0.0), is(e, z.im, 0.0))
}

fn one<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    e.real(e.like(z.re, 1.0))
}

fn negative<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    e.on_parts(z, |part| negate(e, part))
}

fn scaled<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>, factor: f64) -> Z<'c, 'a> {
    e.on_parts(z, |part| times(e, part, factor))
}

fn times_i<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    Complex { re: negate(e, z.im), im: z.re }
}

fn over_i<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    Complex { re: z.im, im: negate(e, z.re) }
}

fn reciprocal<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    e.quotient(one(e, z), z)
}

/// The modulus, by the quotient of the lesser part and the larger one, whose square does not overflow. It is
/// infinite where a part is, whatever the other one.
fn abs<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> V<'c, 'a> {
    let (a, b) = (e.magnitude(z.re), e.magnitude(z.im));
    let (large, small) = (e.same("arith.maximumf", &[a, b]), e.same("arith.minimumf", &[a, b]));
    let root = e.mul(large, math(e, "sqrt", plus(e, square(e, e.div(small, large)), 1.0)));
    let infinite = e.same("arith.ori", &[is(e, a, f64::INFINITY), is(e, b, f64::INFINITY)]);
    let edge = e.select(infinite, e.like(a, f64::INFINITY), large);
    e.select(e.same("arith.ori", &[infinite, is(e, large, 0.0)]), edge, root)
}

fn argument<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> V<'c, 'a> {
    angle(e, z.im, z.re)
}

/// The number of a modulus and an argument.
pub fn polar<'c, 'a>(e: &Emitter<'c, 'a>, abs: V<'c, 'a>, angle: V<'c, 'a>) -> Z<'c, 'a> {
    Complex { re: e.mul(abs, math(e, "cos", angle)), im: e.mul(abs, math(e, "sin", angle)) }
}

/// The number of modulus 1 in the same direction; 0 of 0.
fn sgn<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    let abs = abs(e, z);
    let zero = e.like(abs, 0.0);
    let direction = e.on_parts(z, |part| e.div(part, abs));
    e.choose(is(e, abs, 0.0), Complex { re: zero, im: zero }, direction)
}

/// Where the number is real, so is its exponential, infinite or not.
fn exp<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    let grown = math(e, "exp", z.re);
    e.choose(is(e, z.im, 0.0), Complex { re: grown, im: z.im }, polar(e, grown, z.im))
}

/// `e^z - 1`, of functions that are accurate where z is small.
fn expm1<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    let half = math(e, "sin", times(e, z.im, 0.5));
    let grown = e.mul(math(e, "expm1", z.re), math(e, "cos", z.im));
    Complex {
        re: e.sub(grown, times(e, square(e, half), 2.0)),
        im: e.mul(math(e, "exp", z.re), math(e, "sin", z.im)),
    }
}

fn log<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    Complex { re: math(e, "log", abs(e, z)), im: argument(e, z) }
}

/// `log(1 + z)`: of the square of the modulus less 1, where that is small.
fn log1p<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    let grown = Complex { re: plus(e, z.re, 1.0), ..z };
    let less = e.add(e.mul(z.re, plus(e, z.re, 2.0)), square(e, z.im));
    let near = e.and(
        e.compare(Compare::Gt, less, e.like(less, -0.5)),
        e.compare(Compare::Lt, less, e.like(less, 1.0)),
    );
    let re = e.select(near, times(e, math(e, "log1p", less), 0.5), math(e, "log", abs(e, grown)));
    Complex { re, im: argument(e, grown) }
}

/// The logarithm of the sum of two exponentials, by the one of the larger real part.
fn logaddexp<'c, 'a>(e: &Emitter<'c, 'a>, a: Z<'c, 'a>, b: Z<'c, 'a>) -> Z<'c, 'a> {
    let less = e.compare(Compare::Lt, a.re, b.re);
    let (large, small) = (e.choose(less, b, a), e.choose(less, a, b));
    e.sum(large, log1p(e, exp(e, e.difference(small, large))))
}

fn sqrt<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    let root = math(e, "sqrt", times(e, e.add(abs(e, z), e.magnitude(z.re)), 0.5));
    let other = e.div(e.magnitude(z.im), times(e, root, 2.0));
    let right = Complex { re: root, im: with_sign(e, other, z.im) };
    let left = Complex { re: other, im: with_sign(e, root, z.im) };
    let half = e.choose(e.compare(Compare::Ge, z.re, e.like(z.re, 0.0)), right, left);
    e.choose(is_zero(e, z), Complex { re: e.like(z.re, 0.0), im: z.im }, half)
}

/// A power. Of whole exponents that are small it is a product, exact where that is; of anything to the power
/// of 0 it is 1.
fn pow<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>, exponent: Z<'c, 'a>) -> Z<'c, 'a> {
    let whole = |n: f64| n.fract() == 0.0 && n.abs() <= f64::from(LARGEST_PRODUCT);
    if let (Some(re), Some(im)) =
        (known(exponent.re).map(Number::float), known(exponent.im).map(Number::float))
        && im == 0.0
        && whole(re)
    {
        let product = (1..re.abs() as u32).fold(z, |product, _| e.complex_product(product, z));
        let product = if re == 0.0 { one(e, z) } else { product };
        return if re < 0.0 { reciprocal(e, product) } else { product };
    }
    let steps = e.magnitude(exponent.re);
    let is_product = e.and(
        e.and(is(e, exponent.im, 0.0), e.compare(Compare::Eq, steps, math(e, "floor", steps))),
        e.compare(Compare::Le, steps, e.like(steps, LARGEST_PRODUCT.into())),
    );
    let positive = e.compare(Compare::Gt, exponent.re, e.like(steps, 0.0));
    let negative = e.compare(Compare::Lt, exponent.re, e.like(steps, 0.0));
    // Bit by bit of the exponent.
    let (mut product, mut power, mut left) = (one(e, z), z, steps);
    for bit in 0..=LARGEST_PRODUCT.ilog2() {
        let half = math(e, "floor", times(e, left, 0.5));
        let odd = e.compare(Compare::Ne, left, times(e, half, 2.0));
        product = e.choose(odd, e.complex_product(product, power), product);
        left = half;
        if bit < LARGEST_PRODUCT.ilog2() {
            power = e.complex_product(power, power);
        }
    }
    let product = e.choose(negative, reciprocal(e, product), product);
    // Of zero: zero, or nothing that is a number.
    let nan = e.like(steps, f64::NAN);
    let edge = e.select(negative, e.like(steps, f64::INFINITY), nan);
    let of_zero = e.choose(positive, z, Complex { re: edge, im: nan });
    let general = exp(e, e.complex_product(log(e, z), exponent));
    e.choose(is_product, product, e.choose(is_zero(e, z), of_zero, general))
}

fn sigmoid<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    reciprocal(e, e.sum(one(e, z), exp(e, negative(e, z))))
}

fn sin<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    Complex {
        re: e.mul(math(e, "sin", z.re), math(e, "cosh", z.im)),
        im: e.mul(math(e, "cos", z.re), math(e, "sinh", z.im)),
    }
}

fn cos<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    Complex {
        re: e.mul(math(e, "cos", z.re), math(e, "cosh", z.im)),
        im: e.mul(negate(e, math(e, "sin", z.re)), math(e, "sinh", z.im)),
    }
}

/// The hyperbolic tangent; far from the imaginary axis 1 or -1, before anything overflows.
fn tanh<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    const FAR: f64 = 20.0;
    let (tangent, sinh) = (math(e, "tan", z.im), math(e, "sinh", z.re));
    let cosh = math(e, "sqrt", plus(e, square(e, sinh), 1.0));
    let grown = plus(e, square(e, tangent), 1.0);
    let below = plus(e, e.mul(grown, square(e, sinh)), 1.0);
    let near = Complex { re: e.div(e.mul(e.mul(grown, cosh), sinh), below), im: e.div(tangent, below) };
    let side = math(e, "sin", times(e, z.im, 2.0));
    let far =
        Complex { re: with_sign(e, e.like(z.re, 1.0), z.re), im: with_sign(e, e.like(z.re, 0.0), side) };
    e.choose(e.compare(Compare::Gt, e.magnitude(z.re), e.like(z.re, FAR)), far, near)
}

/// The square roots of `1 - z` and `1 + z`.
fn roots<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> (Z<'c, 'a>, Z<'c, 'a>) {
    let one = e.like(z.re, 1.0);
    let (minus, plus) =
        (Complex { re: e.sub(one, z.re), im: negate(e, z.im) }, Complex { re: e.add(one, z.re), ..z });
    (sqrt(e, minus), sqrt(e, plus))
}

fn asin<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    let (minus, plus) = roots(e, z);
    Complex {
        re: angle(e, z.re, e.complex_product(minus, plus).re),
        im: math(e, "asinh", e.complex_product(e.conjugate(minus), plus).im),
    }
}

fn acos<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    let (minus, plus) = roots(e, z);
    Complex {
        re: times(e, angle(e, minus.re, plus.re), 2.0),
        im: math(e, "asinh", e.complex_product(e.conjugate(plus), minus).im),
    }
}

fn acosh<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    let below = Complex { re: plus(e, z.re, -1.0), ..z };
    let (minus, plus) = (sqrt(e, below), sqrt(e, Complex { re: plus(e, z.re, 1.0), ..z }));
    Complex {
        re: math(e, "asinh", e.complex_product(e.conjugate(minus), plus).re),
        im: times(e, angle(e, minus.im, plus.re), 2.0),
    }
}

fn atanh<'c, 'a>(e: &Emitter<'c, 'a>, z: Z<'c, 'a>) -> Z<'c, 'a> {
    let one = e.like(z.re, 1.0);
    let (above, below) = (e.add(one, z.re), e.sub(one, z.re));
    let ratio = e.div(times(e, z.re, 4.0), e.add(square(e, below), square(e, z.im)));
    let turn = angle(e, times(e, z.im, 2.0), e.sub(e.mul(below, above), square(e, z.im)));
    Complex { re: times(e, math(e, "log1p", ratio), 0.25), im: times(e, turn, 0.5) }
}
