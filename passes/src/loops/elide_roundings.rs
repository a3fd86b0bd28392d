//! The pass `loop-elide-roundings`: what a narrow float holds already is not rounded to it.
//!
//! Half precision is computed in f32, and each operator rounds what it gives. Of an operator that only
//! selects, changes a sign or rounds to an integer the result is one of the narrow type's numbers where its
//! operands are:
//!
//! ```text
//! %w = arith.extf %a : f16 to f32                %w = arith.extf %a : f16 to f32
//! %r = arith.maximumf %w, %zero : f32            %r = arith.maximumf %w, %zero : f32
//! %h = arith.truncf %r : f32 to f16
//! %y = arith.extf %h : f16 to f32
//! use %y                                         use %r
//! ```
//!
//! So are the elements of a tensor where the loop that makes it yields such. The bits of a nan may differ,
//! which nobody promises. A value is defined before it is used, so one walk asks each once.

use crate::{
    emit::{Number, known},
    loops::operation::read::{Kind, Loop},
    options::LoopElideRoundings as Options,
};
use melior::ir::{OperationRef, Type, TypeLike, ValueLike};
use std::collections::HashMap;
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::V,
        operations::{collect, definition, first_result, key, name_of},
        pass::Failure,
        rewrite::{erase, has_uses, replace_uses},
        shaped::Shaped,
        types::bits,
    },
    ops::{Combiner, loop_},
};

/// Operations whose result is a number of a narrow type where all their operands are.
const KEEP: [&str; 11] = [
    "arith.maximumf",
    "arith.maxnumf",
    "arith.minimumf",
    "arith.minnumf",
    "arith.negf",
    "math.absf",
    "math.ceil",
    "math.copysign",
    "math.floor",
    "math.roundeven",
    "math.trunc",
];

/// A narrow type: the bits of its significand, the first one's included, and the exponents of its normal
/// numbers.
struct Format {
    is: fn(Type) -> bool,
    significand: u32,
    exponents: [i64; 2],
}

const FORMATS: [Format; 3] = [
    Format { is: |ty| ty.is_f16(), significand: 11, exponents: [-14, 15] },
    Format { is: |ty| ty.is_bf16(), significand: 8, exponents: [-126, 127] },
    Format { is: |ty| ty.is_f32(), significand: 24, exponents: [-126, 127] },
];

/// Which of [`FORMATS`] have a number.
type Held = [bool; FORMATS.len()];

/// What is known of values; of tensors it is said of their elements.
type Known = HashMap<usize, Held>;

/// Runs the pass below an operation.
pub fn run(op: OperationRef, _: &Options) -> Result<(), Failure> {
    let mut all = Known::new();
    for op in collect(op, |_| true) {
        if let Ok(end) = loop_::YieldOp::try_from(op) {
            let made = op.parent_operation().and_then(|parent| elements(parent, held(&all, end.value())));
            all.extend(made);
            continue;
        }
        let Some(result) = first_result(op) else { continue };
        let Some((narrow, wide)) = unrounded(op, &all) else {
            all.extend(result_of(op, &all).map(|own| (key(result), own)));
            continue;
        };
        replace_uses(result, wide);
        erase(op);
        if !has_uses(narrow) {
            definition(narrow).into_iter().for_each(erase);
        }
    }
    Ok(())
}

/// What extends a rounded number, where that number was one of the narrow type's before: the rounded one, and
/// the one before.
fn unrounded<'c, 'a>(op: OperationRef<'c, 'a>, all: &Known) -> Option<(V<'c, 'a>, V<'c, 'a>)> {
    let narrow = (name_of(op) == "arith.extf").then(|| op.operand(0).ok()).flatten()?;
    let rounding = definition(narrow).filter(|op| name_of(*op) == "arith.truncf")?;
    let wide = rounding.operand(0).ok()?;
    let fits = |(format, held): (&Format, bool)| held && (format.is)(narrow.r#type());
    let is_held = FORMATS.iter().zip(held(all, wide)).any(fits);
    (is_held && first_result(op)?.r#type() == wide.r#type()).then_some((narrow, wide))
}

/// The formats that have a number, or the elements of a tensor.
fn held(all: &Known, value: V) -> Held {
    let element = Shaped::of(value.r#type()).map_or(value.r#type(), |shaped| shaped.element);
    let own = FORMATS.map(|format| (format.is)(element));
    both(own, all.get(&key(value)).copied().unwrap_or_default(), |own, known| own || known)
}

fn both(a: Held, b: Held, how: impl Fn(bool, bool) -> bool) -> Held {
    std::array::from_fn(|i| how(a[i], b[i]))
}

/// What is known of the result of an operation; None where nothing is.
fn result_of(op: OperationRef, all: &Known) -> Option<Held> {
    let operand = |i: usize| op.operand(i).map_or(Held::default(), |value| held(all, value));
    let every = |values: &[usize]| {
        values.iter().map(|i| operand(*i)).fold([true; FORMATS.len()], |a, b| both(a, b, |a, b| a && b))
    };
    if let Ok(load) = loop_::LoadOp::try_from(op) {
        let read = held(all, load.source());
        return Some(load.other().map_or(read, |other| both(read, held(all, other), |a, b| a && b)));
    }
    Some(match name_of(op) {
        "arith.constant" => {
            let Some(Number::Float(number)) = first_result(op).and_then(known) else { return None };
            FORMATS.map(|format| format.has(number))
        }
        "arith.extf"
        | "tensor.cast"
        | "tensor.collapse_shape"
        | "tensor.expand_shape"
        | "tensor.extract_slice" => operand(0),
        "arith.select" => every(&[1, 2]),
        // The least significand has all integers of a byte.
        "arith.sitofp" | "arith.uitofp" => {
            let from = op.operand(0).ok().and_then(|value| bits(value.r#type()));
            [from.is_some_and(|from| from <= 8); FORMATS.len()]
        }
        name if KEEP.contains(&name) => every(&Vec::from_iter(0..op.operand_count())),
        _ => return None,
    })
}

/// The tensor that a loop makes of what its body yields; None where it makes other numbers of these.
fn elements(op: OperationRef, yielded: Held) -> Option<(usize, Held)> {
    let own = Loop::of(op)?;
    let keeps = matches!(own.kind, Kind::Pointwise | Kind::Reduction(Combiner::Max | Combiner::Min));
    own.result().filter(|_| keeps).map(|result| (key(result), yielded))
}

impl Format {
    /// Whether a number is a normal one of these, or 0, an infinity or nan.
    fn has(&self, number: f64) -> bool {
        let exponent = ((number.to_bits() >> 52) & 0x7ff) as i64 - 1023;
        let unused = f64::MANTISSA_DIGITS - self.significand;
        let fits = number.to_bits().trailing_zeros().min(52) >= unused;
        number == 0.0
            || !number.is_finite()
            || fits && (self.exponents[0]..=self.exponents[1]).contains(&exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::FORMATS;

    /// Whether f16, bf16 and f32 have it.
    fn held(number: f64) -> [bool; 3] {
        FORMATS.map(|format| format.has(number))
    }

    #[test]
    fn formats_have_what_they_round_to_itself() {
        assert_eq!(held(0.0), [true; 3]);
        assert_eq!(held(-0.5), [true; 3]);
        assert_eq!(held(f64::NEG_INFINITY), [true; 3]);
        assert_eq!(held(65504.0), [true, false, true]);
        assert_eq!(held(65536.0), [false, true, true]);
        assert_eq!(held(257.0), [true, false, true]);
        assert_eq!(held(0.1), [false; 3]);
        assert_eq!(held(f64::from(0.1f32)), [false, false, true]);
        assert_eq!(held(1e-300), [false; 3]);
    }
}
