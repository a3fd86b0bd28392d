//! math: functions of floats and integers, on numbers and element by element.

use super::elementwise::{FloatFunction, FloatRow, Word, floats, from_bits, scalars};
use crate::{
    machine::{Op, Table},
    semantics::scalar_table::pow_int,
};
use terrace_tensor::Scalar;

pub(super) fn register(table: &mut Table) {
    for (name, function) in ROUNDED {
        table.add(name, move |op| floats(op, FloatFunction { function, correctly_rounded: true }));
    }
    for (name, function) in APPROXIMATE {
        table.add(name, move |op| floats(op, FloatFunction { function, correctly_rounded: false }));
    }
    for (name, holds) in PREDICATES {
        table.add(name, move |op| scalars(op, move |v| Ok(Scalar::Bool(holds(v[0].to_f64())))));
    }
    for (name, function) in INTEGERS {
        table.add(name, move |op: &mut Op| {
            let dtype = op.operand_kind(0)?.dtype;
            scalars(op, move |v| Ok(from_bits(function(Word::of(v[0], dtype)), dtype)))
        });
    }
    table.add("math.ipowi", |op| {
        let dtype = op.result_kind(0)?.dtype;
        scalars(op, move |v| Ok(from_bits(pow_int(v[0].to_i64(), v[1].to_i64()), dtype)))
    });
    // The exponent is an integer, so this is a function of two kinds of number.
    table.add("math.fpowi", |op| {
        let dtype = op.result_kind(0)?.dtype;
        scalars(op, move |v| Ok(Scalar::Float(dtype.round(libm::pow(v[0].to_f64(), v[1].to_f64())))))
    });
}

/// Functions whose result every implementation rounds alike.
const ROUNDED: [FloatRow; 9] = [
    ("math.absf", |v| v[0].abs()),
    ("math.ceil", |v| v[0].ceil()),
    ("math.floor", |v| v[0].floor()),
    ("math.round", |v| v[0].round()),
    ("math.roundeven", |v| v[0].round_ties_even()),
    ("math.trunc", |v| v[0].trunc()),
    ("math.copysign", |v| v[0].copysign(v[1])),
    ("math.sqrt", |v| v[0].sqrt()),
    ("math.fma", |v| v[0].mul_add(v[1], v[2])),
];

const APPROXIMATE: [FloatRow; 26] = [
    ("math.acos", |v| libm::acos(v[0])),
    ("math.acosh", |v| libm::acosh(v[0])),
    ("math.asin", |v| libm::asin(v[0])),
    ("math.asinh", |v| libm::asinh(v[0])),
    ("math.atan", |v| libm::atan(v[0])),
    ("math.atan2", |v| libm::atan2(v[0], v[1])),
    ("math.atanh", |v| libm::atanh(v[0])),
    ("math.cbrt", |v| libm::cbrt(v[0])),
    ("math.cos", |v| libm::cos(v[0])),
    ("math.cosh", |v| libm::cosh(v[0])),
    ("math.erf", |v| libm::erf(v[0])),
    ("math.erfc", |v| libm::erfc(v[0])),
    ("math.exp", |v| libm::exp(v[0])),
    ("math.exp2", |v| libm::exp2(v[0])),
    ("math.expm1", |v| libm::expm1(v[0])),
    ("math.log", |v| libm::log(v[0])),
    ("math.log10", |v| libm::log10(v[0])),
    ("math.log1p", |v| libm::log1p(v[0])),
    ("math.log2", |v| libm::log2(v[0])),
    ("math.powf", |v| libm::pow(v[0], v[1])),
    ("math.rsqrt", |v| 1.0 / v[0].sqrt()),
    ("math.sin", |v| libm::sin(v[0])),
    ("math.sinh", |v| libm::sinh(v[0])),
    ("math.tan", |v| libm::tan(v[0])),
    ("math.tanh", |v| libm::tanh(v[0])),
    ("math.clampf", |v| v[0].max(v[1]).min(v[2])),
];

type PredicateRow = (&'static str, fn(f64) -> bool);
type IntegerRow = (&'static str, fn(Word) -> i64);

const PREDICATES: [PredicateRow; 4] = [
    ("math.isfinite", f64::is_finite),
    ("math.isinf", f64::is_infinite),
    ("math.isnan", f64::is_nan),
    ("math.isnormal", f64::is_normal),
];

const INTEGERS: [IntegerRow; 4] = [
    ("math.absi", |x| x.signed.wrapping_abs()),
    ("math.ctpop", |x| x.unsigned.count_ones().into()),
    ("math.ctlz", |x| i64::from(x.unsigned.leading_zeros() + x.width) - 64),
    ("math.cttz", |x| x.unsigned.trailing_zeros().min(x.width).into()),
];
