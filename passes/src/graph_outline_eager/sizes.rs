//! Sizes as a function that runs as it is written has them: numbers, or i64 that are known when it runs.

use melior::ir::{Type, ValueLike, attribute::IntegerAttribute, r#type::IntegerType};
use terrace_dialects::{
    cursor::{Cursor, Predicate, V},
    extent::Extent,
    pass::Failure,
    types::{DYNAMIC, TensorType},
};

/// The type of sizes.
pub(super) fn i64<'c>(at: &Cursor<'c, '_>) -> Type<'c> {
    IntegerType::new(at.context, 64).into()
}

/// The type of what is asked.
pub(super) fn truth<'c>(at: &Cursor<'c, '_>) -> Type<'c> {
    IntegerType::new(at.context, 1).into()
}

/// A size as an i64.
pub(super) fn word<'c, 'a>(at: &Cursor<'c, 'a>, size: Extent<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    match size {
        Extent::Number(number) => at.integer(i64(at), number),
        Extent::Value(value) => Ok(value),
    }
}

/// What an operation asks of a dimension of a tensor.
pub(super) fn asked<'c, 'a>(
    at: &Cursor<'c, 'a>,
    name: &str,
    tensor: V<'c, 'a>,
    dim: usize,
) -> Result<V<'c, 'a>, Failure> {
    let dim = at.named("dim", IntegerAttribute::new(i64(at), dim as i64));
    at.with(name, &[tensor], i64(at), &[dim])
}

/// A size of a tensor.
pub(super) fn size<'c, 'a>(
    at: &Cursor<'c, 'a>,
    tensor: V<'c, 'a>,
    dim: usize,
) -> Result<Extent<'c, 'a>, Failure> {
    let ty = TensorType::<i64>::of(tensor.r#type()).ok_or("is no tensor")?;
    Ok(match ty.shape[dim] {
        DYNAMIC => Extent::Value(asked(at, "graph.sym_size", tensor, dim)?),
        size => Extent::Number(size),
    })
}

/// The product of two sizes.
pub(super) fn times<'c, 'a>(
    at: &Cursor<'c, 'a>,
    a: Extent<'c, 'a>,
    b: Extent<'c, 'a>,
) -> Result<Extent<'c, 'a>, Failure> {
    Ok(match (a, b) {
        (Extent::Number(1), other) | (other, Extent::Number(1)) => other,
        (Extent::Number(a), Extent::Number(b)) => Extent::Number(a.saturating_mul(b)),
        (a, b) => Extent::Value(at.op("arith.muli", &[word(at, a)?, word(at, b)?], i64(at))?),
    })
}

/// Whether two sizes are one number.
pub(super) fn equal<'c, 'a>(at: &Cursor<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    at.compare(Predicate::Equal, a, b)
}

/// Whether one of two things holds.
pub(super) fn or<'c, 'a>(at: &Cursor<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    at.op("arith.ori", &[a, b], truth(at))
}

/// One of two sizes.
pub(super) fn select<'c, 'a>(
    at: &Cursor<'c, 'a>,
    condition: V<'c, 'a>,
    then: V<'c, 'a>,
    other: V<'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    at.op("arith.select", &[condition, then, other], then.r#type())
}
