//! Maxima and minima that leave out what is no number: `arith.maxnumf` and `arith.minnumf`.
//!
//! The maximum of a `loop.reduction` of floats is NaN where an element is. As integers, sign and magnitude
//! turned into two's complement, floats have the order that they have as numbers; what is no number becomes
//! the least of them (for a minimum the greatest), and that is NaN again when it is turned back. So a row of
//! nothing but NaN has NaN, and any other one its greatest number.

use melior::{
    Context,
    ir::{
        Attribute, OperationRef, Type, ValueLike,
        attribute::IntegerAttribute,
        r#type::{IntegerType, RankedTensorType},
    },
};
use terrace_dialects::{
    ir::{
        OperationLike, context,
        cursor::{Cursor, V},
        operations::name_of,
        pass::Failure,
        shaped::Shaped,
    },
    ops::Combiner,
};

/// Predicate of `arith.cmpf`: one of the two is no number.
const UNO: i64 = 14;

/// The greatest or least number among some.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'c> {
    name: &'static str,
    pub combiner: Combiner,
    float: Type<'c>,
    /// What stands for a float.
    pub integer: Type<'c>,
    bits: u32,
}

impl<'c> Numbers<'c> {
    /// What an operation combines by; None where it is another combination.
    pub fn of(op: OperationRef<'c, '_>) -> Option<Self> {
        let (name, combiner) = match name_of(op) {
            "arith.maxnumf" => ("arith.maxnumf", Combiner::Max),
            "arith.minnumf" => ("arith.minnumf", Combiner::Min),
            _ => return None,
        };
        let float = op.result_at(0).ok()?.r#type();
        let bits = terrace_dialects::ir::types::bits(float)?;
        let context: &'c Context = context::of(op.context());
        Some(Self { name, combiner, float, integer: IntegerType::new(context, bits).into(), bits })
    }

    /// The type of a tensor, with integers for floats.
    pub fn tensor(&self, like: Type<'c>) -> Result<Type<'c>, Failure> {
        let sizes: Vec<u64> = Shaped::expect(like)?.shape.iter().map(|size| *size as u64).collect();
        Ok(RankedTensorType::new(&sizes, self.integer, None).into())
    }

    /// The integer for a float.
    pub fn encode<'a>(&self, at: Cursor<'c, 'a>, value: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let extreme = match self.combiner {
            Combiner::Max => i64::MIN >> (64 - self.bits),
            _ => self.most(),
        };
        let turned = self.turn(at, at.op("arith.bitcast", &[value], self.integer)?)?;
        let truth = IntegerType::new(at.context, 1).into();
        let predicate: Attribute = IntegerAttribute::new(IntegerType::new(at.context, 64).into(), UNO).into();
        let none = at.with("arith.cmpf", &[value, value], truth, &[at.named("predicate", predicate)])?;
        at.op("arith.select", &[none, at.integer(self.integer, extreme)?, turned], self.integer)
    }

    /// The float for an integer.
    pub fn decode<'a>(&self, at: Cursor<'c, 'a>, value: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        at.op("arith.bitcast", &[self.turn(at, value)?], self.float)
    }

    /// Two floats combined.
    pub fn combine<'a>(&self, at: Cursor<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        at.op(self.name, &[a, b], self.float)
    }

    fn most(&self) -> i64 {
        i64::MAX >> (64 - self.bits)
    }

    /// Sign and magnitude from two's complement, and back: the magnitude of what is negative is inverted.
    fn turn<'a>(&self, at: Cursor<'c, 'a>, bits: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let width = at.integer(self.integer, i64::from(self.bits) - 1)?;
        let negative = at.op("arith.shrsi", &[bits, width], self.integer)?;
        let magnitude =
            at.op("arith.andi", &[negative, at.integer(self.integer, self.most())?], self.integer)?;
        at.op("arith.xori", &[bits, magnitude], self.integer)
    }
}
