//! Results that are one of several tensors, or seen in one of several ways: which one a function tells right before it returns (`runtime/rt/src/objects.rs`).
//!
//! Memory does not tell tensors apart that lie alike. A tensor has a number, an index: an argument its own, what is new one that the runtime
//! gives. Of such a function every result that is a tensor has the attribute [`TOLD`], for `same_as` of one may be asked of another.

use super::words::Services;
use melior::{
    Context,
    ir::{Attribute, Identifier, OperationRef},
};
use terrace_dialects::{
    attributes as convert,
    cursor::{Cursor, Predicate, V},
    ir::OperationLike,
    operations::name_of,
    pass::Failure,
};

/// What says that a result is told.
pub(super) const TOLD: &str = "graph.told";

/// [`TOLD`] as an attribute.
pub(super) fn fact(context: &Context) -> (Identifier<'_>, Attribute<'_>) {
    (Identifier::new(context, TOLD), Attribute::unit(context))
}

/// Gives a new tensor its number.
pub(super) fn new<'c, 'a>(at: &Cursor<'c, 'a>, services: &mut Services) -> Result<V<'c, 'a>, Failure> {
    let called = services.call(at, "terrace_rt_new_object", &[], 1)?;
    Ok(called.result_at(0)?.into())
}

/// Tells which tensor a result is.
pub(super) fn tell<'c, 'a>(
    at: &Cursor<'c, 'a>,
    services: &mut Services,
    result: usize,
    object: V<'c, 'a>,
) -> Result<(), Failure> {
    services.call(at, "terrace_rt_tell_object", &[at.index(result as i64)?, object], 0).map(drop)
}

/// The number that the call before has told of a result: an argument's stands for the number of the operand, which `operand` gives.
pub(super) fn told<'c, 'a>(
    at: &Cursor<'c, 'a>,
    services: &mut Services,
    result: usize,
    operands: &[(usize, V<'c, 'a>)],
) -> Result<V<'c, 'a>, Failure> {
    let called = services.call(at, "terrace_rt_told_object", &[at.index(result as i64)?], 1)?;
    let told: V = called.result_at(0)?.into();
    let mut object = told;
    for (number, operand) in operands {
        let is = at.compare(Predicate::Equal, told, at.index(*number as i64)?)?;
        object = at.op("arith.select", &[is, *operand, object], at.index_type())?;
    }
    Ok(object)
}

/// The call of the runtime for an operation that tells how a tensor is seen, and the attribute that says which tensor.
const TELLS: &[(&str, &str, &str)] = &[
    ("graph.pass_flags", "terrace_rt_pass_flags", "argument"),
    ("graph.tell_flags", "terrace_rt_tell_flags", "result"),
];

/// The same for one that asks.
const ASKS: &[(&str, &str, &str)] = &[
    ("graph.passed_flags", "terrace_rt_passed_flags", "argument"),
    ("graph.told_flags", "terrace_rt_told_flags", "result"),
];

/// The call of the runtime that tells, or asks, how a tensor is seen: in bits, the first one of a conjugate and the second one of a negative. What is asked.
pub(super) fn flags<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    services: &mut Services,
) -> Result<Vec<V<'c, 'a>>, Failure> {
    let at = Cursor::before(op)?;
    let (index, of) =
        (at.index_type(), |rows: &'static [(&str, &str, &str)]| rows.iter().find(|row| row.0 == name_of(op)));
    let number = |attribute: &str| at.index(convert::i64(op.attribute(attribute)?));
    if let Some((_, service, attribute)) = of(TELLS) {
        let bit = |place: usize, value: i64| {
            at.op("arith.select", &[op.operand(place)?, at.index(value)?, at.index(0)?], index)
        };
        let flags = at.op("arith.addi", &[bit(0, 1)?, bit(1, 2)?], index)?;
        services.call(&at, service, &[number(attribute)?, flags], 0)?;
        return Ok(vec![]);
    }
    let (_, service, attribute) = of(ASKS).ok_or("tells and asks nothing")?;
    let told = services.call(&at, service, &[number(attribute)?], 1)?.result_at(0)?.into();
    let bit = |value: i64| {
        let bit = at.op("arith.andi", &[told, at.index(value)?], index)?;
        at.compare(Predicate::Equal, bit, at.index(value)?)
    };
    [bit(1), bit(2)].into_iter().collect()
}
