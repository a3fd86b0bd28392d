//! Operators that the runtime has functions for: orders, histograms and Fourier transforms.

use super::{
    sizes::{self, tensor, wrap},
    source::Source,
};
use crate::emit::{Emitted, Emitter, Number, Typed};
use melior::ir::{Attribute, OperationRef, ValueLike};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::{Dtype, ElementType},
        extent::Extent,
        pass::Failure,
    },
    ops::{functional, loop_},
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
    let result = sizes::typed(op.result_at(0)?.into(), e)?;
    Ok(vec![e.histogram(view.self_(), edge(view.min()), edge(view.max()), result)?])
}

/// A transform over dimensions; over none a copy.
fn transform<'c, 'a>(
    op: OperationRef<'c, 'a>,
    dims: &[i64],
    inverse: bool,
    normalization: i64,
    e: &Emitter<'c, 'a>,
) -> Results<'c, 'a> {
    let (own, result) = (op.operand(0)?, sizes::typed(op.result_at(0)?.into(), e)?);
    if dims.is_empty() {
        let source = Source::of(own, e)?;
        return Ok(vec![e.pointwise(result, |e, i| source.load(e, i))?]);
    }
    Ok(vec![e.fft(own, dims, inverse, normalization, result)?])
}

/// `_fft_c2c`.
pub fn fft_c2c<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::InternalFftC2cOp::try_from(op).map_err(|_| "is no _fft_c2c")?;
    transform(op, &view.dim(), !view.forward(), view.normalization(), e)
}

/// `_fft_r2c`: as much of the last dimension as the result has.
pub fn fft_r2c<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::InternalFftR2cOp::try_from(op).map_err(|_| "is no _fft_r2c")?;
    transform(op, &view.dim(), false, view.normalization(), e)
}

/// `_fft_c2r`.
pub fn fft_c2r<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::InternalFftC2rOp::try_from(op).map_err(|_| "is no _fft_c2r")?;
    transform(op, &view.dim(), true, view.normalization(), e)
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
        let (ty, mut extents) = (tensor(own)?, sizes::extents(own, self)?);
        let mut shape = ty.shape.clone();
        if let Some(count) = count {
            (shape[dim], extents[dim]) = (count, Extent::Number(count));
        }
        let values = ty.with_shape(&shape);
        let types = [values.to_type(self.context), values.with_dtype(Dtype::I64).to_type(self.context)];
        let inits = types.map(|ty| self.empty(Typed { ty, extents: extents.clone() }));
        let descending = descending.then(|| Attribute::unit(self.context));
        let sort = loop_::sort(self.location, &types, descending, own, dim as i64, &inits)?;
        let sort = self.insert(sort);
        Ok([sort.result_at(0)?.into(), sort.result_at(1)?.into()])
    }

    /// How many elements lie in each part of a range, which are as many as `result` has elements.
    pub fn histogram(
        &self,
        own: V<'c, 'a>,
        low: V<'c, 'a>,
        high: V<'c, 'a>,
        result: Typed<'c, 'a>,
    ) -> Emitted<'c, 'a> {
        let (ty, inits) = (result.ty, [self.empty(result)]);
        let op = loop_::histogram(self.location, &[ty], own, low, high, &inits)?;
        Ok(self.insert(op).result_at(0)?.into())
    }

    /// A Fourier transform.
    pub fn fft(
        &self,
        own: V<'c, 'a>,
        dims: &[i64],
        inverse: bool,
        normalization: i64,
        result: Typed<'c, 'a>,
    ) -> Emitted<'c, 'a> {
        let (ty, inits) = (result.ty, [self.empty(result)]);
        let inverse = inverse.then(|| Attribute::unit(self.context));
        let op = loop_::fft(self.location, &[ty], inverse, own, dims, normalization, &inits)?;
        Ok(self.insert(op).result_at(0)?.into())
    }
}
