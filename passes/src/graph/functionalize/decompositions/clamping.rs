//! Operators that keep elements between bounds, or mix them, spelled by `maximum`, `minimum` and arithmetic.

use super::lowering::{Lowered, Lowering};
use melior::ir::{Value, ValueLike};
use terrace_dialects::{
    ir::{
        dtype::{Category, Dtype, ElementType},
        pass::Failure,
        types::TensorType,
        view,
    },
    ops::functional as f,
};
use terrace_size::Size;

/// Elements kept between bounds: the larger of each and the lower bound, the smaller of that and the upper
/// one.
pub fn clamp<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (min, max) = match l.op_impl.operator() {
        "clamp_min" => (Some(l.operand(1)), None),
        "clamp_max" => (None, Some(l.operand(1))),
        _ => (view::optional(l.op, l.op_impl, 1), view::optional(l.op, l.op_impl, 2)),
    };
    let (sizes, result) = l.result()?;
    let own = l.operand(0);
    let operands: Vec<Value> = [Some(own), min, max].into_iter().flatten().collect();
    // In place the result is cast back.
    let by_tensors = operands[1..].iter().any(|bound| TensorType::of(bound.r#type()).is_some());
    let promotes = l.op_impl.is_in_place() && by_tensors;
    let dtype = if promotes {
        terrace_dialects::aten::placement::iterated::computed(l.op, l.op_impl, &operands)
    } else {
        result
    };
    let mut value = l.tensor(own, dtype, &sizes)?;
    if let Some(min) = min {
        let bound = bound(l, min, dtype, &sizes)?;
        value = l.values.binary(f::maximum, value, bound)?;
    }
    if let Some(max) = max {
        let bound = bound(l, max, dtype, &sizes)?;
        value = l.values.binary(f::minimum, value, bound)?;
    }
    Ok(vec![value])
}

/// `hardtanh` and `relu6`.
pub fn hardtanh<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let own = l.operand(0);
    let own = l.tensor(own, dtype, &sizes)?;
    let defaults = if l.op_impl.operator() == "relu6" { [0.0, 6.0] } else { [-1.0, 1.0] };
    let mut bounds = vec![];
    for (place, default) in [(1, defaults[0]), (2, defaults[1])] {
        let given = if l.op_impl.operands.len() > 1 { view::optional(l.op, l.op_impl, place) } else { None };
        bounds.push(match given {
            Some(number) => bound(l, number, dtype, &sizes)?,
            None => {
                let least = dtype.range().map_or(default, |(low, _)| low as f64);
                l.values.like(own, default.max(least))?
            }
        });
    }
    let value = l.values.binary(f::maximum, own, bounds[0])?;
    Ok(vec![l.values.binary(f::minimum, value, bounds[1])?])
}

/// A bound as a tensor. An integer beyond the dtype keeps nothing out: the nearest one that the dtype has
/// does the same.
fn bound<'c, 'a>(
    l: &mut Lowering<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    dtype: Dtype,
    sizes: &[Size],
) -> Result<Value<'c, 'a>, Failure> {
    let range = dtype.range().filter(|_| dtype.category() == Category::Integer && dtype != Dtype::I64);
    let number = crate::graph::functionalize::program::constant(value).map(|number| match number {
        crate::graph::functionalize::program::Number::Int(number) => number,
        crate::graph::functionalize::program::Number::Float(number) => number as i64,
    });
    match (range, number) {
        (Some((low, high)), Some(number)) if !(low..=high).contains(&number) => {
            let nearest = l.values.number(dtype, number.clamp(low, high))?;
            l.values.full(nearest, dtype, sizes)
        }
        (Some((low, high)), None) if Dtype::of(value.r#type()) == Some(Dtype::I64) => {
            let w = **l.values;
            let [low, high] = [w.number(Dtype::I64, low)?, w.number(Dtype::I64, high)?];
            let above = w.plain("arith.maxsi", &[value, low], value.r#type())?;
            let nearest = w.plain("arith.minsi", &[above, high], value.r#type())?;
            l.tensor(nearest, dtype, sizes)
        }
        _ => l.tensor(value, dtype, sizes),
    }
}

/// `lerp`: from the nearer end.
pub fn lerp<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, result) = l.result()?;
    let operands = [0, 1, 2].map(|place| l.operand(place));
    // In place the result is cast back.
    let promotes = TensorType::of(operands[2].r#type()).is_some();
    let dtype = if promotes {
        terrace_dialects::aten::placement::iterated::computed(l.op, l.op_impl, &operands)
    } else {
        result
    };
    let (from, to) = (l.tensor(l.operand(0), dtype, &sizes)?, l.tensor(l.operand(1), dtype, &sizes)?);
    let weight = l.tensor(l.operand(2), dtype, &sizes)?;
    let w = **l.values;
    let distance = w.binary(f::sub, to, from)?;
    let share = w.unary(f::abs, weight)?;
    let near = w.binary(f::lt, share, w.like(share, 0.5)?)?;
    let first = w.binary(f::add, from, w.binary(f::mul, weight, distance)?)?;
    let rest = w.binary(f::sub, w.like(weight, 1.0)?, weight)?;
    let last = w.binary(f::sub, to, w.binary(f::mul, distance, rest)?)?;
    Ok(vec![w.choose(near, first, last)?])
}
