//! Which numbers of a wide float type are ones of a narrower type, too.
//!
//! Half precision is computed in f32. What is extended is one of the narrow type's numbers, and so is what an
//! operator makes of such that only selects, changes a sign or rounds to an integer; of a tensor all elements
//! are where the loop that makes it yields such. A value is defined before it is used, so one walk in order
//! asks each once.

use super::read::{Kind, Loop};
use crate::emit::{Number, known};
use melior::ir::{OperationRef, Type, TypeLike, ValueLike};
use std::collections::HashMap;
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::V,
        operations::{first_result, key, name_of},
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
#[derive(Default)]
pub(crate) struct Numbers(HashMap<usize, Held>);

impl Numbers {
    /// Adds what is known of what an operation makes; operations come in order.
    pub fn learn(&mut self, op: OperationRef) {
        let made = match loop_::YieldOp::try_from(op) {
            Ok(end) => op.parent_operation().and_then(|parent| self.elements(parent, self.held(end.value()))),
            Err(_) => first_result(op).and_then(|result| self.result_of(op).map(|own| (key(result), own))),
        };
        self.0.extend(made);
    }

    /// Whether a number, or each element of a tensor, is one of this type.
    pub fn are(&self, value: V, ty: Type) -> bool {
        FORMATS.iter().zip(self.held(value)).any(|(format, held)| held && (format.is)(ty))
    }

    /// The formats that have a number, or the elements of a tensor.
    fn held(&self, value: V) -> Held {
        let element = Shaped::of(value.r#type()).map_or(value.r#type(), |shaped| shaped.element);
        let own = FORMATS.map(|format| (format.is)(element));
        both(own, self.0.get(&key(value)).copied().unwrap_or_default(), |own, known| own || known)
    }

    /// What is known of the result of an operation; None where nothing is.
    fn result_of(&self, op: OperationRef) -> Option<Held> {
        let operand = |i: usize| op.operand(i).map_or(Held::default(), |value| self.held(value));
        let every = |values: &[usize]| {
            values.iter().map(|i| operand(*i)).fold([true; FORMATS.len()], |a, b| both(a, b, |a, b| a && b))
        };
        if let Ok(load) = loop_::LoadOp::try_from(op) {
            let read = self.held(load.source());
            return Some(load.other().map_or(read, |other| both(read, self.held(other), |a, b| a && b)));
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
            // Nobody reads what nobody wrote.
            "tensor.empty" => [true; FORMATS.len()],
            name if KEEP.contains(&name) => every(&Vec::from_iter(0..op.operand_count())),
            _ => return None,
        })
    }

    /// The tensor that a loop makes of what its body yields; None where it makes other numbers of these.
    fn elements(&self, op: OperationRef, yielded: Held) -> Option<(usize, Held)> {
        let own = Loop::of(op)?;
        let combines = loop_::ScatterOp::try_from(op).is_ok_and(|op| op.combiner().is_some());
        let (keeps, held) = match own.kind {
            Kind::Scatter => (!combines, both(yielded, self.held(own.init?), |a, b| a && b)),
            Kind::Pointwise | Kind::Reduction(Combiner::Max | Combiner::Min) => (true, yielded),
            Kind::Reduction(_) | Kind::Scan(_) => (false, yielded),
        };
        own.result().filter(|_| keeps).map(|result| (key(result), held))
    }
}

fn both(a: Held, b: Held, how: impl Fn(bool, bool) -> bool) -> Held {
    std::array::from_fn(|i| how(a[i], b[i]))
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
