//! Functions of elements that functional's spell, a row each: the formulas are eager's, in the dtype that is
//! computed in.
//!
//! Half precision is computed in f32, and rounded at the end.

use super::{decomposer::Decomposer, lowering::Lowered};
use crate::functional::writer::Written;
use std::f64::consts::PI;
use terrace_dialects::{
    ir::{attributes as convert, dtype::Dtype},
    ops::functional as f,
};

/// Spells one element.
type Spell = for<'x, 's, 'l, 'c, 'a> fn(&'x mut Decomposer<'s, 'l, 'c, 'a>) -> Written<'c, 'a>;

/// The functions, sorted by name.
const FUNCTIONS: &[(&str, Spell)] = &[
    ("deg2rad", |s| scaled(s, PI / 180.0)),
    ("heaviside", |s| heaviside(s)),
    ("hypot", |s| hypot(s)),
    ("isneginf", |s| is_infinite(s, f64::NEG_INFINITY)),
    ("isposinf", |s| is_infinite(s, f64::INFINITY)),
    ("logit", |s| logit(s)),
    ("nan_to_num", |s| nan_to_num(s)),
    ("rad2deg", |s| scaled(s, 180.0 / PI)),
    ("signbit", |s| signbit(s)),
    ("sinc", |s| sinc(s)),
    ("special_entr", |s| entropy(s)),
    ("special_xlog1py", |s| logarithms(s, true)),
    ("xlogy", |s| logarithms(s, false)),
];

/// How an operator is spelled, if it is one of these.
pub(crate) fn find(name: &str) -> Option<Spell> {
    FUNCTIONS.binary_search_by_key(&name, |row| row.0).ok().map(|at| FUNCTIONS[at].1)
}

/// The operator in a dtype; what it gives is rounded to it, but for truth values.
pub(crate) fn spell<'c, 'a>(mut s: Decomposer<'_, '_, 'c, 'a>, spell: Spell) -> Lowered<'c, 'a> {
    let value = spell(&mut s)?;
    if s.write().ty(value)?.dtype == Dtype::Bool { Ok(vec![value]) } else { s.done(value) }
}

fn scaled<'c, 'a>(s: &mut Decomposer<'_, '_, 'c, 'a>, factor: f64) -> Written<'c, 'a> {
    let x = s.operand(0)?;
    s.write().scaled(x, factor)
}

fn heaviside<'c, 'a>(s: &mut Decomposer<'_, '_, 'c, 'a>) -> Written<'c, 'a> {
    let (x, at_zero) = (s.operand(0)?, s.operand(1)?);
    let w = s.write();
    let zero = w.like(x, 0.0)?;
    let above = w.cast(w.binary(f::gt, x, zero)?, w.ty(x)?.dtype)?;
    w.choose(w.binary(f::eq, x, zero)?, at_zero, above)
}

/// The larger magnitude times the root of one more than the square of the quotient, which does not overflow.
fn hypot<'c, 'a>(s: &mut Decomposer<'_, '_, 'c, 'a>) -> Written<'c, 'a> {
    let (a, b) = (s.operand(0)?, s.operand(1)?);
    let w = s.write();
    let (a, b) = (w.unary(f::abs, a)?, w.unary(f::abs, b)?);
    let (large, small) = (w.binary(f::maximum, a, b)?, w.binary(f::minimum, a, b)?);
    let quotient = w.quotient(small, large)?;
    let root = w.unary(f::sqrt, w.shifted(w.binary(f::mul, quotient, quotient)?, 1.0)?)?;
    let length = w.binary(f::mul, large, root)?;
    let infinite = w.like(a, f64::INFINITY)?;
    let endless = w.binary(f::logical_or, w.binary(f::eq, a, infinite)?, w.binary(f::eq, b, infinite)?)?;
    // Of two zeros the quotient is nan.
    let none = w.binary(f::eq, large, w.like(large, 0.0)?)?;
    w.choose(endless, infinite, w.choose(none, large, length)?)
}

fn is_infinite<'c, 'a>(s: &mut Decomposer<'_, '_, 'c, 'a>, which: f64) -> Written<'c, 'a> {
    let x = s.operand(0)?;
    let w = s.write();
    if w.ty(x)?.dtype.is_float() {
        return w.binary(f::eq, x, w.like(x, which)?);
    }
    nothing(s)
}

/// Of what is no float.
fn nothing<'c, 'a>(s: &mut Decomposer<'_, '_, 'c, 'a>) -> Written<'c, 'a> {
    let sizes = s.sizes().to_vec();
    let w = s.write();
    w.full(w.number(Dtype::Bool, 0)?, Dtype::Bool, &sizes)
}

fn signbit<'c, 'a>(s: &mut Decomposer<'_, '_, 'c, 'a>) -> Written<'c, 'a> {
    let x = s.operand(0)?;
    let w = s.write();
    let dtype = w.ty(x)?.dtype;
    if dtype == Dtype::Bool {
        return nothing(s);
    }
    let sign = if dtype.is_float() { w.binary(f::copysign, w.like(x, 1.0)?, x)? } else { x };
    w.binary(f::lt, sign, w.like(sign, 0.0)?)
}

fn logit<'c, 'a>(s: &mut Decomposer<'_, '_, 'c, 'a>) -> Written<'c, 'a> {
    let mut x = s.operand(0)?;
    let eps = s.attribute("eps").map(convert::f64).filter(|eps| *eps >= 0.0);
    let dtype = s.dtype();
    let w = s.write();
    let one = w.like(x, 1.0)?;
    if let Some(eps) = eps {
        let (low, high) = (w.like(x, half(eps, dtype))?, w.like(x, half(1.0 - eps, dtype))?);
        let capped = w.choose(w.binary(f::gt, x, high)?, high, x)?;
        x = w.choose(w.binary(f::lt, x, low)?, low, capped)?;
    }
    w.unary(f::log, w.quotient(x, w.binary(f::sub, one, x)?)?)
}

/// A positive number, rounded to half precision where the dtype has it: eager keeps bounds in the dtype of
/// the elements.
fn half(value: f64, dtype: Dtype) -> f64 {
    let (bits, least) = match dtype {
        Dtype::F16 => (11, -14),
        Dtype::BF16 => (8, -126),
        _ => return value,
    };
    if value <= 0.0 {
        return value;
    }
    let exponent = (value.log2().floor() as i32).max(least);
    let unit = 2f64.powi(exponent + 1 - bits);
    (value / unit).round_ties_even() * unit
}

fn nan_to_num<'c, 'a>(s: &mut Decomposer<'_, '_, 'c, 'a>) -> Written<'c, 'a> {
    let x = s.operand(0)?;
    let given = ["nan", "posinf", "neginf"].map(|name| s.attribute(name).map(convert::f64));
    let (dtype, w) = (s.dtype(), s.write());
    let Some(largest) = dtype.part().largest() else { return Ok(x) };
    let of_reals = |x| {
        let number = |at: usize, default: f64| w.like(x, given[at].unwrap_or(default));
        let (nan, above, below) = (number(0, 0.0)?, number(1, largest)?, number(2, -largest)?);
        let finite = w.choose(w.binary(f::eq, x, w.like(x, f64::INFINITY)?)?, above, x)?;
        let finite = w.choose(w.binary(f::eq, x, w.like(x, f64::NEG_INFINITY)?)?, below, finite)?;
        w.choose(w.unary(f::isnan, x)?, nan, finite)
    };
    if dtype.is_complex() {
        return w.binary(f::complex, of_reals(w.part(x, 0)?)?, of_reals(w.part(x, 1)?)?);
    }
    of_reals(x)
}

fn sinc<'c, 'a>(s: &mut Decomposer<'_, '_, 'c, 'a>) -> Written<'c, 'a> {
    let x = s.operand(0)?;
    let w = s.write();
    let product = w.scaled(x, PI)?;
    let value = w.quotient(w.unary(f::sin, product)?, product)?;
    w.choose(w.binary(f::eq, x, w.like(x, 0.0)?)?, w.like(x, 1.0)?, value)
}

fn entropy<'c, 'a>(s: &mut Decomposer<'_, '_, 'c, 'a>) -> Written<'c, 'a> {
    let x = s.operand(0)?;
    let w = s.write();
    let zero = w.like(x, 0.0)?;
    let value = w.binary(f::mul, w.unary(f::neg, x)?, w.unary(f::log, x)?)?;
    let value = w.choose(w.binary(f::eq, x, zero)?, zero, value)?;
    w.choose(w.binary(f::lt, x, zero)?, w.like(x, f64::NEG_INFINITY)?, value)
}

/// Self times the logarithm of the other, or of one more.
fn logarithms<'c, 'a>(s: &mut Decomposer<'_, '_, 'c, 'a>, one_more: bool) -> Written<'c, 'a> {
    let (x, y) = (s.operand(0)?, s.operand(1)?);
    let w = s.write();
    let log = if one_more { w.unary(f::log1p, y)? } else { w.unary(f::log, y)? };
    let zero = w.like(x, 0.0)?;
    let value = w.choose(w.binary(f::eq, x, zero)?, zero, w.binary(f::mul, x, log)?)?;
    w.choose(w.unary(f::isnan, y)?, y, value)
}

#[cfg(test)]
mod tests {
    use super::FUNCTIONS;

    #[test]
    fn the_table_is_sorted() {
        assert!(FUNCTIONS.is_sorted_by_key(|row| row.0));
    }
}
