//! Pointwise operators, fills and ranges: one `loop.pointwise` each.

use super::{
    division,
    scalar::Form,
    sizes::{self, tensor},
    source::Source,
    views,
};
use crate::emit::{Emitted, Emitter, Typed};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::Dtype,
        operations::{definition, name_of},
        refusal::Reason,
        rewrite::set_operand,
    },
    ops::{functional, loop_},
};

/// An operator of the scalar table.
pub fn pointwise<'c, 'a>(op: OperationRef<'c, 'a>, form: Form, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let sources = op.operands().map(|v| Source::of(v, e)).collect::<Result<Vec<_>, _>>()?;
    division::check(op, &sources, e)?;
    let result = e.pointwise(sizes::typed(op.result_at(0)?.into(), e)?, |e, i| {
        let elements = sources.iter().map(|s| s.load(e, i)).collect::<Result<Vec<_>, _>>()?;
        let dtype = || elements.last().map(|v| v.r#type().to_string()).unwrap_or_default();
        Ok(form
            .write(e, &elements, op)
            .ok_or_else(|| Reason::Form.says(format!("is not defined on elements of {}", dtype())))?)
    })?;
    Ok(vec![result])
}

/// One of two tensors, by one number.
pub fn choice<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Emitted<'c, 'a> {
    let [condition, yes, no] = [op.operand(0)?, op.operand(1)?, op.operand(2)?];
    let (ty, extents) = (op.result_at(0)?.r#type(), sizes::extents(yes, e)?);
    let [yes, no] = [Source::of(yes, e)?, Source::of(no, e)?];
    e.pointwise(Typed { ty, extents }, |e, i| Ok(e.select(condition, yes.load(e, i)?, no.load(e, i)?)))
}

/// Lets a pointwise operation that was written with a destination of its own write over a tensor instead.
pub fn write_over<'c, 'a>(values: &mut [V<'c, 'a>], over: V<'c, 'a>) {
    let Some(nest) = values.first().and_then(|value| definition(*value)) else { return };
    let Ok(own) = loop_::PointwiseOp::try_from(nest) else { return };
    let reads = definition(over).is_some_and(|op| views::is_view(op) || name_of(op) == "functional.full");
    if !reads
        && own.init().is_some_and(|init| definition(init).is_some_and(|op| name_of(op) == "tensor.empty"))
    {
        set_operand(nest, nest.operand_count() - 1, over);
    }
}

/// `start + i * step`; of floats in f64, rounded once.
pub fn arange<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::ArangeOp::try_from(op).map_err(|_| "is no arange")?;
    let result = Value::from(op.result_at(0)?);
    let dtype = tensor(result)?.dtype;
    let wide = if dtype.is_float() { Dtype::F64 } else { Dtype::I64 };
    let (start, step) = (e.cast(view.start(), wide), e.cast(view.step(), wide));
    let result = e.pointwise(sizes::typed(result, e)?, |e, i| {
        Ok(e.cast(e.add(start, e.mul(e.cast(e.as_i64(i[0]), wide), step)), dtype))
    })?;
    Ok(vec![result])
}

/// `a + b`, of a tensor and what has its sizes, `ty`.
pub fn add<'c, 'a>(
    a: V<'c, 'a>,
    b: &Source<'c, 'a>,
    ty: Typed<'c, 'a>,
    e: &Emitter<'c, 'a>,
) -> Emitted<'c, 'a> {
    let own = Source::of_tensor(a, ty.extents.len(), e);
    e.pointwise(ty, |e, i| Ok(e.add(own.load(e, i)?, b.load(e, i)?)))
}
