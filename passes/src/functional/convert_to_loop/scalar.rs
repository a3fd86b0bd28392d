//! The pointwise operators, a row each: what becomes of one element, in each class of dtypes.
//!
//! A form is the name of an operation that does just that, or a function that writes operations on the
//! operands' elements. Where a class has none, eager has no kernel either. The class is that of the last
//! operand's dtype: the condition of `where` comes first. A dtype that is computed in another one (f16 in
//! f32) needs no rows of its own: elements are cast before and after.

use super::{bits, complex, division, special};
use crate::emit::{Compare, Emitter, Number, complex::Complex, known};
use melior::ir::{OperationRef, ValueLike};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::V,
        dtype::{Category, Dtype, ElementType},
        types::TensorType,
    },
    ops::functional,
};

/// Writes the operations of one element.
pub type Write = for<'c, 'a> fn(&Emitter<'c, 'a>, &[V<'c, 'a>], OperationRef<'c, 'a>) -> V<'c, 'a>;

/// What becomes of one element.
#[derive(Clone, Copy)]
pub enum Form {
    /// There is nothing for this class of dtypes.
    No,
    /// An operation of this name, whose result has the type of its operands.
    Op(&'static str),
    /// A function.
    By(Write),
}

use Form::{By, No, Op};

/// An operator by its name without the dialect's; forms for floats, integers and bools.
pub struct Row(pub &'static str, Form, Form, Form);

/// The form of an operator for a class of dtypes; None where it is no pointwise operator.
pub fn form(name: &str, class: Category) -> Option<Form> {
    if class == Category::Complex {
        return complex::form(name).map(By);
    }
    let Row(_, float, integer, bool) = ROWS.iter().find(|row| row.0 == name)?;
    Some(match class {
        Category::Float => *float,
        Category::Integer => *integer,
        Category::Bool => *bool,
        Category::Complex => No,
    })
}

/// A comparison is the same on every class.
const fn comparison(name: &'static str, write: Write) -> Row {
    Row(name, By(write), By(write), By(write))
}

/// A function of floats.
const fn float(name: &'static str, form: Form) -> Row {
    Row(name, form, No, No)
}

const ROWS: &[Row] = &[
    Row("add", Op("arith.addf"), Op("arith.addi"), Op("arith.ori")),
    Row("sub", Op("arith.subf"), Op("arith.subi"), No),
    Row("mul", Op("arith.mulf"), Op("arith.muli"), Op("arith.andi")),
    Row(
        "prims.fma",
        Op("math.fma"),
        By(|e, v, _| e.same("arith.addi", &[e.same("arith.muli", &v[..2]), v[2]])),
        By(|e, v, _| e.same("arith.ori", &[e.same("arith.andi", &v[..2]), v[2]])),
    ),
    Row("div", By(division::floats), By(division::integers), No),
    Row(
        "remainder",
        By(|e, v, _| division::remainder(e, v[0], v[1])),
        By(|e, v, _| division::remainder(e, v[0], v[1])),
        No,
    ),
    Row("fmod", Op("arith.remf"), By(|e, v, _| division::rest(e, v[0], v[1])), No),
    float("atan2", By(|e, v, _| angle(e, v[0], v[1]))),
    float("complex", By(|e, v, _| e.join(Complex { re: v[0], im: v[1] }))),
    float("polar", By(|e, v, _| e.join(complex::polar(e, v[0], v[1])))),
    Row("pow", By(|e, v, _| pow(e, v)), By(|e, v, _| integer_pow(e, v)), No),
    Row("maximum", Op("arith.maximumf"), Op("arith.maxsi"), Op("arith.ori")),
    Row("minimum", Op("arith.minimumf"), Op("arith.minsi"), Op("arith.andi")),
    float("copysign", Op("math.copysign")),
    float("nextafter", By(bits::nextafter)),
    Row("gcd", No, By(|e, v, _| bits::gcd(e, v)), No),
    Row("lcm", No, By(|e, v, _| bits::lcm(e, v)), No),
    Row("fmax", Op("arith.maxnumf"), Op("arith.maxsi"), Op("arith.ori")),
    Row("fmin", Op("arith.minnumf"), Op("arith.minsi"), Op("arith.andi")),
    Row("bitwise_left_shift", No, By(|e, v, _| left_shift(e, v[0], v[1])), No),
    Row("bitwise_right_shift", No, By(|e, v, _| right_shift(e, v[0], v[1])), No),
    Row("bitwise_and", No, Op("arith.andi"), Op("arith.andi")),
    Row("bitwise_or", No, Op("arith.ori"), Op("arith.ori")),
    Row("bitwise_xor", No, Op("arith.xori"), Op("arith.xori")),
    comparison("logical_and", |e, v, _| logical(e, "arith.andi", v)),
    comparison("logical_or", |e, v, _| logical(e, "arith.ori", v)),
    comparison("logical_xor", |e, v, _| logical(e, "arith.xori", v)),
    comparison("eq", |e, v, _| e.compare(Compare::Eq, v[0], v[1])),
    comparison("ne", |e, v, _| e.compare(Compare::Ne, v[0], v[1])),
    comparison("lt", |e, v, _| e.compare(Compare::Lt, v[0], v[1])),
    comparison("le", |e, v, _| e.compare(Compare::Le, v[0], v[1])),
    comparison("gt", |e, v, _| e.compare(Compare::Gt, v[0], v[1])),
    comparison("ge", |e, v, _| e.compare(Compare::Ge, v[0], v[1])),
    Row("neg", Op("arith.negf"), By(|e, v, _| e.sub(e.like(v[0], 0.0), v[0])), No),
    Row("abs", Op("math.absf"), Op("math.absi"), No),
    // Leaves nan and -0, as eager does.
    Row(
        "relu",
        By(|e, v, _| {
            let zero = e.like(v[0], 0.0);
            e.select(e.compare(Compare::Lt, v[0], zero), zero, v[0])
        }),
        By(|e, v, _| e.same("arith.maxsi", &[v[0], e.like(v[0], 0.0)])),
        No,
    ),
    Row("bitwise_not", No, By(|e, v, _| not(e, v[0])), By(|e, v, _| not(e, v[0]))),
    comparison("logical_not", |e, v, _| e.compare(Compare::Eq, v[0], e.like(v[0], 0.0))),
    float("exp", Op("math.exp")),
    float("exp2", Op("math.exp2")),
    float("expm1", Op("math.expm1")),
    float("log", Op("math.log")),
    float("log2", Op("math.log2")),
    float("log10", Op("math.log10")),
    float("log1p", Op("math.log1p")),
    float("sinh", Op("math.sinh")),
    float("cosh", Op("math.cosh")),
    float("asinh", Op("math.asinh")),
    float("acosh", Op("math.acosh")),
    float("atanh", Op("math.atanh")),
    float("tan", Op("math.tan")),
    float("asin", Op("math.asin")),
    float("acos", Op("math.acos")),
    float("atan", Op("math.atan")),
    float("erf", Op("math.erf")),
    float("erfc", Op("math.erfc")),
    float("special_ndtr", By(|e, v, _| normal_distribution(e, v[0]))),
    float("erfinv", By(|e, v, _| special::wide(e, v[0], special::erfinv))),
    float("lgamma", By(|e, v, _| special::wide(e, v[0], special::lgamma))),
    float("digamma", By(|e, v, _| special::wide(e, v[0], special::digamma))),
    float("i0", By(|e, v, _| special::wide(e, v[0], special::i0))),
    float("special_i0e", By(|e, v, _| special::wide(e, v[0], special::i0e))),
    float("reciprocal", By(|e, v, _| e.div(e.like(v[0], 1.0), v[0]))),
    Row("ceil", Op("math.ceil"), By(|_, v, _| v[0]), No),
    Row("floor", Op("math.floor"), By(|_, v, _| v[0]), No),
    Row("round", Op("math.roundeven"), By(|_, v, _| v[0]), No),
    Row("trunc", Op("math.trunc"), By(|_, v, _| v[0]), No),
    float("frac", By(|e, v, _| e.sub(v[0], e.same("math.trunc", &[v[0]])))),
    Row("sign", By(|e, v, _| sign(e, v[0])), By(|e, v, _| sign(e, v[0])), By(|_, v, _| v[0])),
    float("silu", By(|e, v, _| silu(e, v[0]))),
    float("mish", By(|e, v, _| mish(e, v[0]))),
    float("hardsigmoid", By(|e, v, _| hard_sigmoid(e, v[0]))),
    float("hardswish", By(|e, v, _| e.mul(v[0], hard_sigmoid(e, v[0])))),
    Row(
        "isnan",
        By(|e, v, _| e.compare(Compare::Ne, v[0], v[0])),
        By(|e, _, _| truth(e, 0)),
        By(|e, _, _| truth(e, 0)),
    ),
    Row(
        "isinf",
        By(|e, v, _| infinite(e, Compare::Eq, v[0])),
        By(|e, _, _| truth(e, 0)),
        By(|e, _, _| truth(e, 0)),
    ),
    Row(
        "isfinite",
        By(|e, v, _| infinite(e, Compare::Lt, v[0])),
        By(|e, _, _| truth(e, 1)),
        By(|e, _, _| truth(e, 1)),
    ),
    float("sqrt", Op("math.sqrt")),
    float("rsqrt", Op("math.rsqrt")),
    float("sigmoid", By(|e, v, _| sigmoid(e, v[0]))),
    float("tanh", Op("math.tanh")),
    float("cos", Op("math.cos")),
    float("sin", Op("math.sin")),
    float("gelu", By(|e, v, op| gelu(e, v[0], op))),
    comparison("where", |e, v, _| e.select(v[0], v[1], v[2])),
    comparison("_to_copy", |e, v, op| to_copy(e, v[0], op)),
];

fn not<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    e.same("arith.xori", &[x, e.like(x, -1.0)])
}

/// Bits shifted to the left; none are left where there are too many steps, or a negative number of them.
fn left_shift<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, by: V<'c, 'a>) -> V<'c, 'a> {
    let (zero, last) = (e.like(x, 0.0), e.like(x, last_bit(x)));
    let within = e.and(e.compare(Compare::Ge, by, zero), e.compare(Compare::Le, by, last));
    e.select(within, e.same("arith.shli", &[x, e.select(within, by, zero)]), zero)
}

/// Bits shifted to the right, the sign following; all of them where there are too many steps, or a negative
/// number of them.
fn right_shift<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, by: V<'c, 'a>) -> V<'c, 'a> {
    let (zero, last) = (e.like(x, 0.0), e.like(x, last_bit(x)));
    let within = e.and(e.compare(Compare::Ge, by, zero), e.compare(Compare::Le, by, last));
    e.same("arith.shrsi", &[x, e.select(within, by, last)])
}

/// The number of an integer's last bit.
fn last_bit(x: V) -> f64 {
    Dtype::of(x.r#type()).map_or(63.0, |dtype| (8 * dtype.bytes() - 1) as f64)
}

/// Whether the operands are not zero, combined.
fn logical<'c, 'a>(e: &Emitter<'c, 'a>, name: &str, v: &[V<'c, 'a>]) -> V<'c, 'a> {
    let truth = |x| e.compare(Compare::Ne, x, e.like(x, 0.0));
    e.same(name, &[truth(v[0]), truth(v[1])])
}

fn truth<'c, 'a>(e: &Emitter<'c, 'a>, value: i64) -> V<'c, 'a> {
    e.constant(e.bool_type(), Number::Int(value))
}

/// How a float's magnitude compares to infinity.
pub fn infinite<'c, 'a>(e: &Emitter<'c, 'a>, how: Compare, x: V<'c, 'a>) -> V<'c, 'a> {
    e.compare(how, e.same("math.absf", &[x]), e.like(x, f64::INFINITY))
}

/// The angle of the point (x, y). That of the origin is by the signs of its zeros, as if x were 1 or -1:
/// upstream folds it to nan.
pub fn angle<'c, 'a>(e: &Emitter<'c, 'a>, y: V<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let zero = e.like(x, 0.0);
    let origin = e.and(e.compare(Compare::Eq, x, zero), e.compare(Compare::Eq, y, zero));
    let unit = e.same("math.copysign", &[e.like(x, 1.0), x]);
    e.same("math.atan2", &[y, e.select(origin, unit, x)])
}

/// -1, 0 or 1; 0 for nan.
fn sign<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (zero, one, minus) = (e.like(x, 0.0), e.like(x, 1.0), e.like(x, -1.0));
    let below = e.select(e.compare(Compare::Lt, x, zero), minus, zero);
    e.select(e.compare(Compare::Gt, x, zero), one, below)
}

fn silu<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let small = e.term(e.same("arith.negf", &[x]));
    e.ratio(x, e.add(e.like(x, 1.0), small))
}

fn mish<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let softplus = e.same("math.log1p", &[e.same("math.exp", &[x])]);
    e.mul(x, e.same("math.tanh", &[softplus]))
}

fn hard_sigmoid<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (zero, six) = (e.like(x, 0.0), e.like(x, 6.0));
    let above = e.same("arith.maximumf", &[e.add(x, e.like(x, 3.0)), zero]);
    e.div(e.same("arith.minimumf", &[above, six]), six)
}

/// 1 / (1 + exp(-x)), of `exp(-|x|)`, which does not overflow; 0 where that is too small for a normal number.
fn sigmoid<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let (zero, one) = (e.like(x, 0.0), e.like(x, 1.0));
    let small = e.term(e.same("arith.negf", &[e.same("math.absf", &[x])]));
    let above = e.select(e.compare(Compare::Lt, x, zero), small, one);
    e.ratio(above, e.add(one, small))
}

/// x times the normal distribution function, by erf, or by the approximation of it that tanh gives.
fn gelu<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, op: OperationRef<'c, 'a>) -> V<'c, 'a> {
    let approximate = functional::GeluOp::try_from(op).ok().and_then(|op| op.approximate());
    let times = |x, factor| e.mul(x, e.like(x, factor));
    let sign = if approximate.as_deref() == Some("tanh") {
        let cube = e.mul(e.mul(x, x), x);
        let inner = e.add(x, times(cube, 0.044715));
        e.same("math.tanh", &[times(inner, FRAC_2_SQRT_PI / SQRT_2)])
    } else {
        e.same("math.erf", &[times(x, FRAC_1_SQRT_2)])
    };
    e.mul(times(x, 0.5), e.add(e.like(x, 1.0), sign))
}

/// erfc(-x / sqrt(2)) / 2, in which nothing cancels.
fn normal_distribution<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let rest = e.same("math.erfc", &[e.mul(x, e.like(x, -FRAC_1_SQRT_2))]);
    e.mul(rest, e.like(x, 0.5))
}

/// A power of floats; for a few exponents that are known by products. Roots are none: they are others of -0
/// and of -inf.
fn pow<'c, 'a>(e: &Emitter<'c, 'a>, v: &[V<'c, 'a>]) -> V<'c, 'a> {
    let [x, exponent] = [v[0], v[1]];
    let inverse = |x| e.div(e.like(x, 1.0), x);
    let square = || e.mul(x, x);
    match known(exponent).map(Number::float) {
        Some(2.0) => square(),
        Some(3.0) => e.mul(square(), x),
        Some(-1.0) => inverse(x),
        Some(-2.0) => inverse(square()),
        _ => e.same("math.powf", &[x, exponent]),
    }
}

/// A power of integers, which wraps; to a negative one it is 0 but for 1 and -1.
fn integer_pow<'c, 'a>(e: &Emitter<'c, 'a>, v: &[V<'c, 'a>]) -> V<'c, 'a> {
    let [x, exponent] = [v[0], v[1]];
    let one = e.like(x, 1.0);
    if let Some(Number::Int(mut n)) = known(exponent).filter(|n| n.float() >= 0.0) {
        let (mut power, mut square) = (None, x);
        while n > 0 {
            if n & 1 == 1 {
                power = Some(power.map_or(square, |power| e.mul(power, square)));
            }
            n >>= 1;
            if n > 0 {
                square = e.mul(square, square);
            }
        }
        return power.unwrap_or(one);
    }
    let zero = e.like(x, 0.0);
    let power = e.same("math.ipowi", &[x, e.same("arith.maxsi", &[exponent, zero])]);
    let odd = e.compare(Compare::Ne, e.and(exponent, one), zero);
    let of_minus_one = e.select(odd, x, one);
    let is_minus_one = e.compare(Compare::Eq, x, e.like(x, -1.0));
    let is_one = e.compare(Compare::Eq, x, one);
    let inverse = e.select(is_minus_one, of_minus_one, e.select(is_one, one, zero));
    e.select(e.compare(Compare::Lt, exponent, zero), inverse, power)
}

pub fn to_copy<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>, op: OperationRef<'c, 'a>) -> V<'c, 'a> {
    let to = functional::ToCopyOp::try_from(op).ok().and_then(|op| Dtype::of(op.dtype()));
    let from = op.operand(0).ok().and_then(|value| TensorType::of(value.r#type()));
    from.zip(to).map_or(x, |(from, to)| e.cast_from(x, from.dtype, to))
}

impl Form {
    /// Writes the operations; None where the class has no form.
    pub fn write<'c, 'a>(
        self,
        e: &Emitter<'c, 'a>,
        operands: &[V<'c, 'a>],
        op: OperationRef<'c, 'a>,
    ) -> Option<V<'c, 'a>> {
        match self {
            No => None,
            Op(name) => Some(e.same(name, operands)),
            By(write) => Some(write(e, operands, op)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ROWS;
    use terrace_dialects::ir::registry;

    #[test]
    fn every_row_is_an_operator() {
        terrace_dialects::init();
        for row in ROWS {
            assert!(registry::by_name(&format!("functional.{}", row.0)).is_some(), "{}", row.0);
        }
    }
}
