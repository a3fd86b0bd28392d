//! New tensors and triangles of matrices: each element by its indices.

use super::lowering::{Lowered, Lowering};
use crate::functional::writer::{Writer, Written};
use melior::ir::{Identifier, Value, operation::OperationBuilder};
use terrace_dialects::{
    ir::{attributes, attributes as convert, dtype::Dtype, view},
    ops::functional as f,
};
use terrace_size::{Number, Size};

fn int(l: &Lowering, name: &str, default: i64) -> i64 {
    view::attribute(l.op, name).map_or(default, convert::i64)
}

/// `empty`: zeros, as good as any other elements.
pub fn empty<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let zero = l.values.number(dtype, 0)?;
    Ok(vec![l.values.full(zero, dtype, &sizes)?])
}

/// At each element its index along a dimension, i64.
fn index<'c, 'a>(w: &Writer<'c, 'a>, sizes: &[Size], dim: usize) -> Written<'c, 'a> {
    w.along(w.counted(sizes[dim], 0, 1)?, dim, sizes)
}

/// At each element of a matrix how far it lies to the right of the diagonal.
fn distance<'c, 'a>(w: &Writer<'c, 'a>, sizes: &[Size]) -> Written<'c, 'a> {
    let (row, column) = (index(w, sizes, 0)?, index(w, sizes, 1)?);
    w.binary(f::sub, column, row)
}

/// `eye`: one on the diagonal.
pub fn eye<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let w: Writer = **l.values;
    let distance = distance(&w, &sizes)?;
    let on = w.binary(f::eq, distance, w.like(distance, 0.0)?)?;
    Ok(vec![w.cast(on, dtype)?])
}

/// `tril`, `triu`: zero beyond a diagonal.
pub fn triangle<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let own = l.tensor(l.operand(0), dtype, &sizes)?;
    let w: Writer = **l.values;
    let distance = distance(&w, &sizes[sizes.len() - 2..])?;
    let diagonal = w.like(distance, int(l, "diagonal", 0) as f64)?;
    let keeps = if l.base_name() == "tril" { f::le } else { f::ge };
    let kept = w.expand(w.binary(keeps, distance, diagonal)?, &sizes)?;
    Ok(vec![w.choose(kept, own, w.like(own, 0.0)?)?])
}

/// `linspace`, `logspace`: counted in f64 from whichever end is nearer.
pub fn linspace<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let steps = sizes[0];
    let w: Writer = **l.values;
    // One power alone is that of the number as it is.
    let own = if steps.assume_gt(1) || l.base_name() == "linspace" { dtype } else { Dtype::F64 };
    let bound = |value: Value<'c, 'a>| w.cast(w.full(value, own, &sizes)?, Dtype::F64);
    let (first, last) = (bound(l.operand(0))?, bound(l.operand(1))?);
    let at = w.cast(index(&w, &sizes, 0)?, Dtype::F64)?;
    let mut value = first;
    if steps.assume_gt(1) {
        let step = w.quotient(w.binary(f::sub, last, first)?, w.like_size(first, steps - 1)?)?;
        let below = w.binary(f::add, first, w.binary(f::mul, step, at)?)?;
        let left = w.binary(f::sub, w.like_size(at, steps - 1)?, at)?;
        let above = w.binary(f::sub, last, w.binary(f::mul, step, left)?)?;
        let near = w.binary(f::lt, at, w.like_size(at, steps / 2)?)?;
        value = w.choose(near, below, above)?;
    }
    if l.base_name() == "logspace" {
        let base = view::attribute(l.op, "base").map_or(10.0, convert::f64);
        value = w.binary(f::pow, w.like(value, base)?, value)?;
    }
    Ok(vec![w.cast(value, dtype)?])
}

/// `tril_indices`, `triu_indices`: a constant.
pub fn triangle_indices<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let (rows, columns, offset) = (int(l, "row", 0), int(l, "col", 0), int(l, "offset", 0));
    let lower = l.base_name() == "tril_indices";
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| [row, column]));
    let kept = |[row, column]: &[i64; 2]| {
        if lower { column - row <= offset } else { column - row >= offset }
    };
    let places: Vec<[i64; 2]> = all.filter(kept).collect();
    let numbers: Vec<i64> = (0..2).flat_map(|side| places.iter().map(move |place| place[side])).collect();
    let w: Writer = **l.values;
    let ty = w.tensor_type(Dtype::I64, &sizes);
    let value = attributes::dense_i64s(ty, &numbers);
    let constant = OperationBuilder::new("arith.constant", w.location())
        .add_attributes(&[(Identifier::new(w.context, "value"), value)])
        .add_results(&[ty])
        .build()?;
    let constant = w.value(Ok(constant))?;
    Ok(vec![w.cast(constant, dtype)?])
}
