//! arith: numbers, and tensors of them element by element; index likewise.
//!
//! What LLVM leaves undefined is refused where it cannot be given a value that every implementation would
//! agree on: division by zero, shifts by the width or more. Conversions of floats out of range saturate.

use super::elementwise::{FloatFunction, FloatRow, Word, floats, from_bits, scalars};
use crate::{
    machine::{Action, Flow, Op, Table},
    types::{Kind, Sort, constant},
};
use terrace_dialects::ir::attributes;
use terrace_tensor::{Dtype, Scalar, Storage, Value};

pub(super) fn register(table: &mut Table) {
    for name in ["arith.constant", "complex.constant"] {
        table.add(name, |op| {
            let (kind, result) = (op.result_kind(0)?, op.results()[0]);
            let value = constant(op.required("value")?, &kind)?;
            Ok(Box::new(move |_, frame| {
                frame.set(result, value.clone());
                Ok(Flow::Next)
            }))
        });
    }
    table.add("ub.poison", poison);
    table.add("arith.select", select);
    table.add("arith.cmpi", |op| compare(op, integer_predicate(op.int("predicate")?)?));
    table.add("arith.cmpf", |op| {
        let holds = float_predicate(op.int("predicate")?)?;
        scalars(op, move |v| Ok(Scalar::Bool(holds(v[0].to_f64(), v[1].to_f64()))))
    });
    for (name, function) in INTEGERS {
        table.add(name, move |op| integers(op, function));
    }
    register_index(table);
    for (name, function) in FLOATS {
        table.add(name, move |op| floats(op, FloatFunction { function, correctly_rounded: true }));
    }
    for (name, signed) in CONVERSIONS {
        table.add(name, move |op| convert(op, signed));
    }
    table.add("arith.bitcast", bitcast);
    table.add("builtin.unrealized_conversion_cast", reinterpret);
}

/// index: what arith does, on integers of the width of an address.
fn register_index(table: &mut Table) {
    for (name, same) in INDEX {
        let function = INTEGERS.iter().find(|(name, _)| *name == same).expect("it is arith's").1;
        table.add(&format!("index.{name}"), move |op| integers(op, function));
    }
    table.add("index.cmp", |op| compare(op, integer_predicate(op.int("pred")?)?));
    table.add("index.casts", |op| convert(op, true));
    table.add("index.castu", |op| convert(op, false));
    for name in ["index.constant", "index.bool.constant"] {
        table.add(name, |op| {
            let (value, kind, result) = (op.required("value")?, op.result_kind(0)?, op.results()[0]);
            let value = match kind.dtype {
                Dtype::Bool => Scalar::Bool(attributes::bool(value)),
                _ => Scalar::Int(attributes::i64(value)),
            };
            Ok(Box::new(move |_, frame| {
                frame.set(result, value);
                Ok(Flow::Next)
            }))
        });
    }
    table.add("index.sizeof", |op| {
        let result = op.results()[0];
        Ok(Box::new(move |_, frame| {
            frame.set(result, Scalar::Int(64));
            Ok(Flow::Next)
        }))
    });
}

/// Any value is as good as another: zero, and 0 for the sizes that its type leaves open.
fn poison(op: &mut Op) -> Result<Action, String> {
    let (kind, result) = (op.result_kind(0)?, op.results()[0]);
    let sizes: Vec<i64> = kind.sizes.iter().map(|size| (*size).max(0)).collect();
    let value: Value = match kind.sort {
        Sort::Number => Scalar::Int(0).cast(kind.dtype).into(),
        _ => terrace_tensor::Tensor::zeros(kind.dtype, &sizes).map_err(|e| e.to_string())?.into(),
    };
    Ok(Box::new(move |_, frame| {
        frame.set(result, value.clone());
        Ok(Flow::Next)
    }))
}

type Integer = fn(Word, Word) -> Result<i64, &'static str>;

const ZERO: &str = "divides by zero";
const SHIFT: &str = "shifts by the width of the integer or more";

const INTEGERS: [(&str, Integer); 21] = [
    ("arith.addi", |a, b| Ok(a.signed.wrapping_add(b.signed))),
    ("arith.subi", |a, b| Ok(a.signed.wrapping_sub(b.signed))),
    ("arith.muli", |a, b| Ok(a.signed.wrapping_mul(b.signed))),
    ("arith.divsi", |a, b| if b.signed == 0 { Err(ZERO) } else { Ok(a.signed.wrapping_div(b.signed)) }),
    ("arith.remsi", |a, b| if b.signed == 0 { Err(ZERO) } else { Ok(a.signed.wrapping_rem(b.signed)) }),
    ("arith.divui", |a, b| a.unsigned.checked_div(b.unsigned).map(|q| q as i64).ok_or(ZERO)),
    ("arith.remui", |a, b| a.unsigned.checked_rem(b.unsigned).map(|r| r as i64).ok_or(ZERO)),
    ("arith.floordivsi", |a, b| divide(a, b, |rest, divisor| -i64::from((rest < 0) != (divisor < 0)))),
    ("arith.ceildivsi", |a, b| divide(a, b, |rest, divisor| i64::from((rest < 0) == (divisor < 0)))),
    (
        "arith.ceildivui",
        |a, b| if b.unsigned == 0 { Err(ZERO) } else { Ok(a.unsigned.div_ceil(b.unsigned) as i64) },
    ),
    ("arith.andi", |a, b| Ok(a.signed & b.signed)),
    ("arith.ori", |a, b| Ok(a.signed | b.signed)),
    ("arith.xori", |a, b| Ok(a.signed ^ b.signed)),
    ("arith.shli", |a, b| shift(a, b).map(|by| (a.unsigned << by) as i64)),
    ("arith.shrsi", |a, b| shift(a, b).map(|by| a.signed >> by)),
    ("arith.shrui", |a, b| shift(a, b).map(|by| (a.unsigned >> by) as i64)),
    ("arith.maxsi", |a, b| Ok(a.signed.max(b.signed))),
    ("arith.minsi", |a, b| Ok(a.signed.min(b.signed))),
    ("arith.maxui", |a, b| Ok(a.unsigned.max(b.unsigned) as i64)),
    ("arith.minui", |a, b| Ok(a.unsigned.min(b.unsigned) as i64)),
    ("arith.index_castui", |a, _| Ok(a.unsigned as i64)),
];

/// Operations of index, and those of arith that do the same.
const INDEX: [(&str, &str); 20] = [
    ("add", "arith.addi"),
    ("sub", "arith.subi"),
    ("mul", "arith.muli"),
    ("divs", "arith.divsi"),
    ("divu", "arith.divui"),
    ("ceildivs", "arith.ceildivsi"),
    ("ceildivu", "arith.ceildivui"),
    ("floordivs", "arith.floordivsi"),
    ("rems", "arith.remsi"),
    ("remu", "arith.remui"),
    ("maxs", "arith.maxsi"),
    ("maxu", "arith.maxui"),
    ("mins", "arith.minsi"),
    ("minu", "arith.minui"),
    ("shl", "arith.shli"),
    ("shrs", "arith.shrsi"),
    ("shru", "arith.shrui"),
    ("and", "arith.andi"),
    ("or", "arith.ori"),
    ("xor", "arith.xori"),
];

const FLOATS: [FloatRow; 10] = [
    ("arith.addf", |v| v[0] + v[1]),
    ("arith.subf", |v| v[0] - v[1]),
    ("arith.mulf", |v| v[0] * v[1]),
    ("arith.divf", |v| v[0] / v[1]),
    ("arith.remf", |v| libm::fmod(v[0], v[1])),
    ("arith.negf", |v| -v[0]),
    ("arith.maximumf", |v| if v[0].is_nan() || v[0] > v[1] { v[0] } else { v[1] }),
    ("arith.minimumf", |v| if v[0].is_nan() || v[0] < v[1] { v[0] } else { v[1] }),
    ("arith.maxnumf", |v| v[0].max(v[1])),
    ("arith.minnumf", |v| v[0].min(v[1])),
];

/// Conversions, and whether integers on either side are signed.
const CONVERSIONS: [(&str, bool); 10] = [
    ("arith.extf", true),
    ("arith.truncf", true),
    ("arith.extsi", true),
    ("arith.extui", false),
    ("arith.trunci", true),
    ("arith.sitofp", true),
    ("arith.uitofp", false),
    ("arith.fptosi", true),
    ("arith.fptoui", false),
    ("arith.index_cast", true),
];

fn divide(a: Word, b: Word, adjust: fn(i64, i64) -> i64) -> Result<i64, &'static str> {
    if b.signed == 0 {
        return Err(ZERO);
    }
    let (quotient, rest) = (a.signed.wrapping_div(b.signed), a.signed.wrapping_rem(b.signed));
    Ok(if rest == 0 { quotient } else { quotient + adjust(rest, b.signed) })
}

fn shift(a: Word, b: Word) -> Result<u32, &'static str> {
    if b.unsigned < u64::from(a.width) { Ok(b.unsigned as u32) } else { Err(SHIFT) }
}

fn integers(op: &mut Op, function: Integer) -> Result<Action, String> {
    let (from, to) = (op.operand_kind(0)?.dtype, op.result_kind(0)?.dtype);
    scalars(op, move |v| {
        let a = Word::of(v[0], from);
        let b = v.get(1).map_or(a, |&b| Word::of(b, from));
        Ok(from_bits(function(a, b)?, to))
    })
}

fn convert(op: &mut Op, signed: bool) -> Result<Action, String> {
    let (from, to) = (op.operand_kind(0)?.dtype, op.result_kind(0)?.dtype);
    if from.is_float() && to.is_float() {
        return floats(op, FloatFunction { function: |v| v[0], correctly_rounded: true });
    }
    scalars(op, move |v| {
        Ok(match (v[0], to.is_float()) {
            (Scalar::Float(value), _) if signed => saturate(value, to),
            (Scalar::Float(value), _) => from_bits(value as u64 as i64, to),
            (integer, true) if signed => Scalar::Int(Word::of(integer, from).signed).cast(to),
            (integer, true) => {
                Scalar::Float(to.round(unsigned_to_float(Word::of(integer, from).unsigned, to)))
            }
            (integer, false) if signed => from_bits(Word::of(integer, from).signed, to),
            (integer, false) => from_bits(Word::of(integer, from).unsigned as i64, to),
        })
    })
}

/// A byte without a sign as one with a sign, and back.
fn reinterpret(op: &mut Op) -> Result<Action, String> {
    let byte = |kind: Kind| kind.sort == Sort::Number && matches!(kind.dtype, Dtype::U8 | Dtype::I8);
    if op.operands().len() != 1 || !byte(op.operand_kind(0)?) || !byte(op.result_kind(0)?) {
        return Err("has no meaning that could be run".to_owned());
    }
    convert(op, true)
}

fn saturate(value: f64, to: Dtype) -> Scalar {
    let (low, high) =
        if to == Dtype::Bool { (-1, 0) } else { to.integer_range().unwrap_or((i64::MIN, i64::MAX)) };
    from_bits((value as i64).clamp(low, high), to)
}

/// One rounding, as for signed integers.
fn unsigned_to_float(value: u64, to: Dtype) -> f64 {
    if to == Dtype::F64 { value as f64 } else { f64::from(value as f32) }
}

fn bitcast(op: &mut Op) -> Result<Action, String> {
    let (from, to) = (op.operand_kind(0)?.dtype, op.result_kind(0)?.dtype);
    scalars(op, move |v| {
        let bits = Storage::zeroed(16).map_err(|error| error.to_string())?;
        bits.write(from, 0, v[0]);
        Ok(bits.read(to, 0))
    })
}

fn select(op: &mut Op) -> Result<Action, String> {
    let [condition, on_true, on_false] = [0, 1, 2].map(|number| op.operand(number));
    if op.operand_kind(0)?.sizes.is_empty() {
        let result = op.results()[0];
        return Ok(Box::new(move |_, frame| {
            let chosen = if frame.scalar(condition).to_bool() { on_true } else { on_false };
            let value: Value = frame.get(chosen).clone();
            frame.set(result, value);
            Ok(Flow::Next)
        }));
    }
    op.value(move |f| {
        crate::semantics::pointwise::where_(f.tensor(condition), f.operand(on_true), f.operand(on_false))
    })
}

fn compare(op: &mut Op, holds: fn(Word, Word) -> bool) -> Result<Action, String> {
    let from = op.operand_kind(0)?.dtype;
    scalars(op, move |v| Ok(Scalar::Bool(holds(Word::of(v[0], from), Word::of(v[1], from)))))
}

fn integer_predicate(number: i64) -> Result<fn(Word, Word) -> bool, String> {
    let predicates: [fn(Word, Word) -> bool; 10] = [
        |a, b| a.unsigned == b.unsigned,
        |a, b| a.unsigned != b.unsigned,
        |a, b| a.signed < b.signed,
        |a, b| a.signed <= b.signed,
        |a, b| a.signed > b.signed,
        |a, b| a.signed >= b.signed,
        |a, b| a.unsigned < b.unsigned,
        |a, b| a.unsigned <= b.unsigned,
        |a, b| a.unsigned > b.unsigned,
        |a, b| a.unsigned >= b.unsigned,
    ];
    predicates.get(number as usize).copied().ok_or_else(|| format!("has no predicate {number}"))
}

/// The predicates of floats: false, six ordered ones, ordered, six unordered ones, unordered, true.
fn float_predicate(number: i64) -> Result<fn(f64, f64) -> bool, String> {
    let predicates: [fn(f64, f64) -> bool; 16] = [
        |_, _| false,
        |a, b| a == b,
        |a, b| a > b,
        |a, b| a >= b,
        |a, b| a < b,
        |a, b| a <= b,
        |a, b| !unordered(a, b) && a != b,
        |a, b| !unordered(a, b),
        |a, b| unordered(a, b) || a == b,
        |a, b| unordered(a, b) || a > b,
        |a, b| unordered(a, b) || a >= b,
        |a, b| unordered(a, b) || a < b,
        |a, b| unordered(a, b) || a <= b,
        |a, b| a != b,
        unordered,
        |_, _| true,
    ];
    predicates.get(number as usize).copied().ok_or_else(|| format!("has no predicate {number}"))
}

fn unordered(a: f64, b: f64) -> bool {
    a.is_nan() || b.is_nan()
}
