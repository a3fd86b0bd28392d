//! Memory formats of tensors of which strides are known when the function runs only: whether a tensor lies in one, and whether it suggests one.
//!
//! Source: what ATen's `is_contiguous` and `suggest_memory_format` say, as `terrace_dialects::strided` has it in numbers.

use super::sizes::{asked, equal, or, size, times, truth, word};
use melior::ir::ValueLike;
use terrace_dialects::{
    cursor::{Cursor, Predicate, V},
    extent::Extent,
    pass::Failure,
    types::TensorType,
};

/// The format that copies are in.
pub(super) const ROW_MAJOR: &str = "contiguous_format";

/// The format of channels innermost of tensors of a rank.
fn channels_last(rank: usize) -> Option<&'static str> {
    [(4, "channels_last"), (5, "channels_last_3d")].into_iter().find(|row| row.0 == rank).map(|row| row.1)
}

/// Dimensions from the innermost, where channels are.
fn order(rank: usize) -> Vec<usize> {
    std::iter::once(1).chain((2..rank).rev()).chain([0]).collect()
}

/// Whether a tensor lies in a format: strides of sizes of 1 say nothing, and nothing does of a row-major one without elements.
pub(super) fn lies_in<'c, 'a>(
    at: &Cursor<'c, 'a>,
    own: V<'c, 'a>,
    format: &str,
) -> Result<V<'c, 'a>, Failure> {
    let rank = TensorType::<i64>::of(own.r#type()).ok_or("is no tensor")?.rank();
    let sizes = (0..rank).map(|d| size(at, own, d)).collect::<Result<Vec<_>, _>>()?;
    let order: Vec<usize> = match format {
        ROW_MAJOR if sizes.iter().any(|size| size.is(0)) => return at.integer(truth(at), 1),
        ROW_MAJOR => (0..rank).rev().collect(),
        _ => order(rank),
    };
    let is = |size: V<'c, 'a>, number: i64| equal(at, size, word(at, Extent::Number(number))?);
    let (mut holds, mut inside) = (at.integer(truth(at), 1)?, Extent::Number(1));
    for d in order.into_iter().filter(|d| !sizes[*d].is(1)) {
        let stride = asked(at, "graph.sym_stride", own, d)?;
        let mut one = equal(at, stride, word(at, inside)?)?;
        if let Extent::Value(size) = sizes[d] {
            one = or(at, one, is(size, 1)?)?;
        }
        holds = at.op("arith.andi", &[holds, one], truth(at))?;
        inside = times(at, inside, sizes[d])?;
    }
    for size in sizes.iter().filter_map(|size| size.value()).filter(|_| format == ROW_MAJOR) {
        holds = or(at, holds, is(size, 0)?)?;
    }
    Ok(holds)
}

/// Whether the strides of a tensor suggest a format: row-major is suggested where channels innermost is not.
pub(super) fn suggests<'c, 'a>(
    at: &Cursor<'c, 'a>,
    own: V<'c, 'a>,
    format: &str,
) -> Result<V<'c, 'a>, Failure> {
    let rank = TensorType::<i64>::of(own.r#type()).ok_or("is no tensor")?.rank();
    match channels_last(rank) {
        Some(last) if last == format => innermost(at, own, rank),
        Some(_) if format == ROW_MAJOR => {
            let innermost = innermost(at, own, rank)?;
            at.op("arith.xori", &[innermost, at.integer(truth(at), 1)?], truth(at))
        }
        _ => at.integer(truth(at), (format == ROW_MAJOR).into()),
    }
}

/// Whether strides suggest that channels are innermost.
fn innermost<'c, 'a>(at: &Cursor<'c, 'a>, own: V<'c, 'a>, rank: usize) -> Result<V<'c, 'a>, Failure> {
    let zero = word(at, Extent::Number(0))?;
    let stride = |d: usize| asked(at, "graph.sym_stride", own, d);
    let channels = stride(1)?;
    let mut holds = at.compare(Predicate::NotEqual, channels, zero)?;
    let and = |a: V<'c, 'a>, b: V<'c, 'a>| at.op("arith.andi", &[a, b], truth(at));
    let mut least = Extent::Number(0);
    for d in order(rank) {
        let (size, stride) = (size(at, own, d)?, stride(d)?);
        if let Extent::Value(size) = size {
            holds = and(holds, at.compare(Predicate::NotEqual, size, zero)?)?;
        } else if size.is(0) {
            return at.integer(truth(at), 0);
        }
        holds = and(holds, at.compare(Predicate::GreaterOrEqual, stride, word(at, least)?)?)?;
        // A batch of one row-major image looks like this too.
        if d == 0 {
            holds = and(holds, at.compare(Predicate::NotEqual, word(at, least)?, channels)?)?;
        }
        least = times(at, Extent::Value(stride), size)?;
    }
    Ok(holds)
}
