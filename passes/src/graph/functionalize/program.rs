//! Questions about the program that is made functional: constants, blocks, what is refused where.

pub(super) use crate::emit::Number;
use crate::emit::number_of;
use melior::ir::{BlockRef, OperationRef, RegionLike, Value};
use terrace_dialects::ir::{
    BlockLike, OperationLike, attributes as convert, diagnostics, operations::definition, pass::Failure,
};

use terrace_size::symbols::current;

/// The number that an `arith.constant` is, or a `complex.constant` without an imaginary part.
pub(super) fn constant(value: Value) -> Option<Number> {
    let op = definition(value)?;
    if op.name().as_string_ref().as_str() == Ok("complex.constant") {
        let [re, im] = convert::complex(op.attribute("value").ok()?)?;
        return (im == 0.0).then_some(Number::Float(re));
    }
    if op.name().as_string_ref().as_str() != Ok("arith.constant") {
        return None;
    }
    number_of(op.attribute("value").ok()?)
}

/// The integer that an `arith.constant` is.
pub(super) fn constant_int(value: Value) -> Option<i64> {
    match constant(value)? {
        Number::Int(i) => Some(i),
        Number::Float(_) => None,
    }
}

/// The blocks of a function.
pub(super) fn blocks<'c, 'a>(function: OperationRef<'c, 'a>) -> impl Iterator<Item = BlockRef<'c, 'a>> {
    let first = function.region(0).ok().and_then(|r| r.first_block());
    std::iter::successors(first, |b| b.next_in_region())
}

/// Operations of a block, in order.
pub(super) fn operations<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect()
}

/// Says what is wrong with an operation.
pub(super) fn refuse(op: OperationRef, message: &str) -> Failure {
    diagnostics::emit_op_error(&op, message);
    Failure::Reported
}

/// A failure is one at an operation.
pub(super) fn at(op: OperationRef, failure: Failure) -> Failure {
    match failure {
        Failure::Message(message) => refuse(op, &with_guards(message)),
        Failure::Reported => Failure::Reported,
    }
}

/// What is refused, with what was taken for granted of sizes until then.
pub fn with_guards(message: String) -> String {
    /// Guards that are named.
    const NAMED: usize = 4;
    let guards = current(|symbols| {
        let texts = symbols.guards().iter().map(|guard| symbols.guard_text(guard));
        texts.take(NAMED).collect::<Vec<_>>()
    });
    if guards.is_empty() { message } else { format!("{message} (where {})", guards.join(", ")) }
}
