//! Rows in groups, each times a matrix of its own: where groups end is known at run time only, so that every
//! row is multiplied by every matrix, and what is not its group's is left out.

use crate::functional::writer::{Writer, Written};
use melior::ir::{OperationRef, Value};
use terrace_dialects::{
    ir::{cursor::Results, dtype::Dtype, pass::Failure},
    ops::functional as f,
};
use terrace_size::Size;

/// Which rows are of which group: truth values [E, S].
fn members<'c, 'a>(w: Writer<'c, 'a>, offs: Value<'c, 'a>, rows: Size) -> Written<'c, 'a> {
    let count = w.sizes(offs)?[0];
    let ends = w.cast(offs, Dtype::I64)?;
    let places = w.expand(w.counted(rows, 0, 1)?, &[count, rows])?;
    let before = w.binary(f::lt, places, w.along(ends, 0, &[count, rows])?)?;
    // Ends ascend: a row is of the first group that ends behind it.
    let first = w.part_of(before, 0, Size::ZERO, count - 1)?;
    let earlier = w.padded(first, 0, 1, 0)?;
    w.binary(f::logical_and, before, w.unary(f::logical_not, earlier)?)
}

/// Rows for each of the groups.
fn repeated<'c, 'a>(w: Writer<'c, 'a>, x: Value<'c, 'a>, groups: Size) -> Written<'c, 'a> {
    w.expand(x, &[&[groups], &w.sizes(x)?[..]].concat())
}

/// Truth values [E, S] beside a tensor [E, ...], of which S is a dimension.
fn only<'c, 'a>(w: Writer<'c, 'a>, x: Value<'c, 'a>, members: Value<'c, 'a>, dim: usize) -> Written<'c, 'a> {
    let sizes = w.sizes(x)?;
    let mut ones = vec![Size::ONE; sizes.len()];
    (ones[0], ones[dim]) = (sizes[0], sizes[dim]);
    w.choose(w.expand(w.view(members, &ones)?, &sizes)?, x, w.like(x, 0.0)?)
}

/// `_grouped_mm`.
pub fn grouped_product<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let view = f::InternalGroupedMmOp::try_from(op).map_err(|_| "is no grouped product")?;
    let (a, b) = (view.self_(), view.mat2());
    let Some(offs) = view.offs() else { return Ok(vec![w.binary(f::bmm, a, b)?]) };
    let (of_a, of_b, groups) = (w.sizes(a)?, w.sizes(b)?, w.sizes(offs)?[0]);
    let (rows, columns) = (of_a[of_a.len() - 2], of_b[of_b.len() - 1]);
    if groups.known() == Some(0) {
        let lead = if of_a.len() == of_b.len() { vec![Size::ZERO] } else { vec![] };
        return Ok(vec![zeros(w, a, &[&lead[..], &[rows, columns]].concat())?]);
    }
    Ok(vec![match (of_a.len(), of_b.len()) {
        (2, 3) => {
            let products = w.binary(f::bmm, repeated(w, a, groups)?, b)?;
            w.sum(only(w, products, members(w, offs, rows)?, 1)?, &[0], false)?
        }
        (3, 2) => {
            let products = w.binary(f::bmm, a, repeated(w, b, groups)?)?;
            w.sum(only(w, products, members(w, offs, columns)?, 2)?, &[0], false)?
        }
        _ => {
            let members = members(w, offs, of_a[1])?;
            let own = only(w, repeated(w, a, groups)?, members, 2)?;
            w.binary(f::bmm, own, only(w, repeated(w, b, groups)?, members, 1)?)?
        }
    }])
}

/// `transformers.grouped_mm_fallback`.
pub fn grouped_mm<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let view = f::TransformersGroupedMmFallbackOp::try_from(op).map_err(|_| "is no grouped product")?;
    let (input, weight) = (view.input(), view.weight());
    let (groups, rows) = (w.sizes(weight)?[0], w.sizes(input)?[0]);
    if groups.known() == Some(0) {
        let columns = w.sizes(weight)?[2];
        return Ok(vec![zeros(w, input, &[rows, columns])?]);
    }
    let products = w.binary(f::bmm, repeated(w, input, groups)?, weight)?;
    let own = only(w, products, members(w, view.offs(), rows)?, 1)?;
    Ok(vec![w.sum(own, &[0], false)?])
}

fn zeros<'c, 'a>(w: Writer<'c, 'a>, of: Value<'c, 'a>, sizes: &[Size]) -> Result<Value<'c, 'a>, Failure> {
    let dtype = w.ty(of)?.dtype;
    w.full(w.number(dtype, 0)?, dtype, sizes)
}

/// `transformers.grouped_mm_fallback_backward`: by rows `grad @ weight^T`, by matrices `input^T @ grad`, of
/// the groups' rows alone.
pub fn grouped_mm_backward<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let view =
        f::TransformersGroupedMmFallbackBackwardOp::try_from(op).map_err(|_| "is no grouped product")?;
    let (input, weight, grad) = (view.input(), view.weight(), view.grad_output());
    let (groups, rows) = (w.sizes(weight)?[0], w.sizes(input)?[0]);
    if groups.known() == Some(0) {
        return Ok(vec![zeros(w, input, &w.sizes(input)?)?, weight]);
    }
    let members = members(w, view.offs(), rows)?;
    let grads = repeated(w, grad, groups)?;
    let by_rows = w.binary(f::bmm, grads, w.permute(weight, &[0, 2, 1])?)?;
    let by_rows = w.sum(only(w, by_rows, members, 1)?, &[0], false)?;
    let inputs = only(w, repeated(w, input, groups)?, members, 1)?;
    let grads = only(w, grads, members, 1)?;
    Ok(vec![by_rows, w.binary(f::bmm, w.permute(inputs, &[0, 2, 1])?, grads)?])
}
