//! Operators that the runtime has functions for: orders and histograms.

use super::{
    Results,
    source::Source,
    views::{tensor, wrap},
};
use crate::emit::{Emitter, Made, Number};
use melior::ir::{Attribute, OperationRef, Type, Value, ValueLike};
use terrace_dialects::{
    cursor::V,
    dtype::Dtype,
    ops::{functional, loop_},
    pass::Failure,
};

/// The first elements of each row in order, and their places. A tensor without dimensions is its own.
fn ordered<'c, 'a>(
    own: V<'c, 'a>,
    dim: i64,
    descending: bool,
    count: Option<i64>,
    e: &Emitter<'c, 'a>,
) -> Results<'c, 'a> {
    let ty = tensor(own)?;
    if ty.rank() > 0 {
        return Ok(e.sort(own, wrap(dim, ty.rank()), descending, count)?.to_vec());
    }
    let source = Source::of(own, e)?;
    let places = ty.with_dtype(Dtype::I64).to_type(e.context);
    Ok(vec![
        e.pointwise(own.r#type(), |e, i| source.load(e, i))?,
        e.pointwise(places, |e, _| Ok(e.constant(Dtype::I64.to_type(e.context), Number::Int(0))))?,
    ])
}

/// `sort`.
pub fn sort<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::SortOp::try_from(op).map_err(|_| "is no sort")?;
    ordered(view.self_(), view.dim().unwrap_or(-1), view.descending().unwrap_or(false), None, e)
}

/// `topk`.
pub fn topk<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::TopkOp::try_from(op).map_err(|_| "is no topk")?;
    ordered(view.self_(), view.dim().unwrap_or(-1), view.largest().unwrap_or(true), Some(view.k()), e)
}

/// `histc`.
pub fn histc<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::HistcOp::try_from(op).map_err(|_| "is no histc")?;
    let edge = |value: Option<V<'c, 'a>>| match value {
        Some(value) => e.cast(value, Dtype::F64),
        None => e.constant(Dtype::F64.to_type(e.context), Number::Float(0.0)),
    };
    let result = Value::from(op.result(0)?).r#type();
    Ok(vec![e.histogram(view.self_(), edge(view.min()), edge(view.max()), result)?])
}

impl<'c, 'a> Emitter<'c, 'a> {
    /// The first `count` elements of each row along a dimension in order, or all, and where they were.
    pub fn sort(
        &self,
        own: V<'c, 'a>,
        dim: usize,
        descending: bool,
        count: Option<i64>,
    ) -> Result<[V<'c, 'a>; 2], Failure> {
        let ty = tensor(own)?;
        let mut shape = ty.shape.clone();
        shape[dim] = count.unwrap_or(shape[dim]);
        let values = ty.with_shape(&shape);
        let types = [values.to_type(self.context), values.with_dtype(Dtype::I64).to_type(self.context)];
        let inits = types.map(|ty| self.empty(ty));
        let descending = descending.then(|| Attribute::unit(self.context));
        let sort = loop_::sort(self.location, &types, descending, own, dim as i64, &inits)?;
        let sort = self.insert(sort);
        Ok([sort.result(0)?.into(), sort.result(1)?.into()])
    }

    /// How many elements lie in each part of a range, which are as many as `result` has elements.
    pub fn histogram(
        &self,
        own: V<'c, 'a>,
        low: V<'c, 'a>,
        high: V<'c, 'a>,
        result: Type<'c>,
    ) -> Made<'c, 'a> {
        let inits = [self.empty(result)];
        let op = loop_::histogram(self.location, &[result], own, low, high, &inits)?;
        Ok(self.insert(op).result(0)?.into())
    }
}
