//! Results that are one of several tensors: which one a function tells right before it returns (`runtime/rt/src/objects.rs`).
//!
//! Memory does not tell tensors apart that lie alike. A tensor has a number, an index: an argument its own, what is new one that the runtime
//! gives. Of such a function every result that is a tensor has the attribute [`TOLD`], for `same_as` of one may be asked of another.

use super::words::Services;
use melior::{
    Context,
    ir::{Attribute, Identifier},
};
use terrace_dialects::{
    cursor::{Cursor, Predicate, V},
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
    Ok(called.result(0)?.into())
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
    let told: V = called.result(0)?.into();
    let mut object = told;
    for (number, operand) in operands {
        let is = at.compare(Predicate::Equal, told, at.index(*number as i64)?)?;
        object = at.op("arith.select", &[is, *operand, object], at.index_type())?;
    }
    Ok(object)
}
