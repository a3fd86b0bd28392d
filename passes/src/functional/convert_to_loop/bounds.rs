//! Indices that are known at run time: checked, and brought into range.

use super::{reductions::number, sizes::wrap};
use crate::emit::{Compare, Emitted, Emitter, Number};
use melior::ir::{Attribute, ValueLike, attribute::StringAttribute};
use terrace_dialects::{
    ir::{
        cursor::V,
        dtype::Dtype,
        extent::Extent,
        pass::Failure,
        types::{Shape, TensorType},
    },
    loops::ANY_TIME,
    ops::Combiner,
};

/// Whether an index, an i64, lies in a dimension; from `-size` on where negative ones count from the end.
pub fn is_inside<'c, 'a>(
    e: &Emitter<'c, 'a>,
    index: V<'c, 'a>,
    size: Extent<'c, 'a>,
    wraps: bool,
) -> V<'c, 'a> {
    let high = number(size, index.r#type(), e);
    if !wraps {
        return e.inside(index, high);
    }
    let low = match size {
        Extent::Number(size) => e.constant(index.r#type(), Number::Int(-size)),
        Extent::Value(_) => e.sub(e.like(index, 0.0), high),
    };
    e.and(e.compare(Compare::Ge, index, low), e.compare(Compare::Lt, index, high))
}

/// An index as one of 0 to `size - 1`, wherever it lies.
pub fn clamped<'c, 'a>(
    e: &Emitter<'c, 'a>,
    index: V<'c, 'a>,
    size: Extent<'c, 'a>,
    wraps: bool,
) -> V<'c, 'a> {
    let (zero, mut index, ty) = (e.like(index, 0.0), index, index.r#type());
    if wraps {
        let from_the_end = e.add(index, number(size, ty, e));
        index = e.select(e.compare(Compare::Lt, index, zero), from_the_end, index);
    }
    let last = match size {
        Extent::Number(size) => e.constant(ty, Number::Int(size - 1)),
        size => e.sub(number(size, ty, e), e.like(index, 1.0)),
    };
    e.same("arith.minsi", &[e.same("arith.maxsi", &[index, zero]), last])
}

/// Asserts a truth value, at any time: what is loaded is loaded from within a tensor in any case.
pub fn assert<'c, 'a>(e: &Emitter<'c, 'a>, holds: V<'c, 'a>, message: &str) {
    let message = StringAttribute::new(e.context, message).into();
    e.build("cf.assert", &[holds], &[], &[("msg", message), (ANY_TIME, Attribute::unit(e.context))]);
}

/// An index of `select`, checked and not negative.
pub fn select_in_range<'c, 'a>(
    index: V<'c, 'a>,
    shape: &[Extent<'c, 'a>],
    dim: i64,
    e: &Emitter<'c, 'a>,
) -> V<'c, 'a> {
    let dim = wrap(dim, shape.len());
    let sizes = Extent::in_types(shape);
    let message =
        format!("select(): index out of range for tensor of size {} at dimension {dim}", Shape(&sizes));
    assert(e, is_inside(e, index, shape[dim], true), &message);
    clamped(e, index, shape[dim], true)
}

/// Stops with a message, in front of what follows, unless something holds at every point of a domain.
pub fn assert_all<'c, 'a>(
    e: &Emitter<'c, 'a>,
    sizes: &[impl Copy + Into<Extent<'c, 'a>>],
    message: &str,
    holds: impl FnOnce(&Emitter<'c, 'a>, &[V<'c, 'a>]) -> Emitted<'c, 'a>,
) -> Result<(), Failure> {
    let flag: TensorType = TensorType { shape: vec![], dtype: Dtype::Bool, device: None, graph: false };
    let all = e.reduction(flag.to_type(e.context), Combiner::And, sizes, holds)?;
    assert(e, e.op("tensor.extract", &[all], e.bool_type(), &[]), message);
    Ok(())
}
