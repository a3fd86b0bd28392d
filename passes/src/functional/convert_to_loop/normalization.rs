//! Softmax and layer norm: reductions over rows, and pointwise operations that read their results.

use super::{
    reductions::{Plan, number},
    sizes::{self, tensor, wrap},
    source::Source,
};
use crate::emit::{Emitted, Emitter};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Results, V},
        extent::Extent,
        pass::Failure,
        types::TensorType,
    },
    ops::{Combiner, functional},
};

/// A row function along one dimension, of elements in the result's dtype.
struct Rows<'c, 'a> {
    input: Source<'c, 'a>,
    plan: Plan<'c, 'a>,
    own: TensorType<'c>,
    max: Source<'c, 'a>,
}

impl<'c, 'a> Rows<'c, 'a> {
    /// Finds the rows' largest elements.
    fn new(op: OperationRef<'c, 'a>, dim: i64, e: &Emitter<'c, 'a>) -> Result<Self, Failure> {
        let own = tensor(Value::from(op.result_at(0)?))?;
        let dim = wrap(dim, own.rank());
        let shape = sizes::extents(op.operand(0)?, e)?;
        let plan = Plan::new(&shape, (0..own.rank()).map(|d| d == dim).collect(), false);
        let input = Source::of(op.operand(0)?, e)?;
        let max =
            plan.reduce(e, own.dtype, Combiner::Max, |e, i| Ok(e.cast(input.load(e, i)?, own.dtype)))?;
        let max = plan.expanded(max, e);
        Ok(Self { input, plan, own, max })
    }

    /// An element without the row's largest.
    fn shifted(&self, e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]) -> Emitted<'c, 'a> {
        let x = e.cast(self.input.load(e, i)?, self.own.dtype);
        Ok(e.sub(x, self.max.load(e, i)?))
    }

    /// The rows' sums of something.
    fn sum(
        &self,
        e: &Emitter<'c, 'a>,
        element: impl FnOnce(&Emitter<'c, 'a>, &[V<'c, 'a>]) -> Emitted<'c, 'a>,
    ) -> Result<Source<'c, 'a>, Failure> {
        Ok(self.plan.expanded(self.plan.reduce(e, self.own.dtype, Combiner::Add, element)?, e))
    }
}

/// `softmax`: `exp(x - max) / sum(exp(x - max))`. The sum is at least 1.
pub fn softmax<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::SoftmaxOp::try_from(op).map_err(|_| "is no softmax")?;
    let ty = sizes::typed(op.result_at(0)?.into(), e)?;
    let rows = Rows::new(op, view.dim(), e)?;
    let exp = e.pointwise(ty.clone(), |e, i| Ok(e.term(rows.shifted(e, i)?)))?;
    let exp = Source::of_tensor(exp, rows.own.rank(), e);
    let sum = rows.sum(e, |e, i| exp.load(e, i))?;
    Ok(vec![e.pointwise(ty, |e, i| Ok(e.ratio(exp.load(e, i)?, sum.load(e, i)?)))?])
}

/// `log_softmax`: `x - max - log(sum(exp(x - max)))`.
pub fn log_softmax<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::LogSoftmaxOp::try_from(op).map_err(|_| "is no log_softmax")?;
    let ty = sizes::typed(op.result_at(0)?.into(), e)?;
    let rows = Rows::new(op, view.dim(), e)?;
    let sum = rows.sum(e, |e, i| Ok(e.term(rows.shifted(e, i)?)))?;
    let result = e.pointwise(ty, |e, i| {
        let log = e.same("math.log", &[sum.load(e, i)?]);
        Ok(e.sub(rows.shifted(e, i)?, log))
    })?;
    Ok(vec![result])
}

/// What layer norm is made of.
struct LayerNorm<'c, 'a> {
    input: V<'c, 'a>,
    /// The number of dimensions that are normalized: the last ones.
    normalized: usize,
    weight: Option<V<'c, 'a>>,
    bias: Option<V<'c, 'a>>,
    eps: f64,
}

impl<'c, 'a> LayerNorm<'c, 'a> {
    /// `(x - mean) * rstd * weight + bias`, the means and the rstds, `1 / sqrt(variance + eps)`. The variance
    /// is that of a second pass, of the squared differences from the mean.
    fn write(&self, e: &Emitter<'c, 'a>, keepdim: bool) -> Results<'c, 'a> {
        let own = tensor(self.input)?;
        let (rank, dtype) = (own.rank(), own.dtype);
        let lead = rank - self.normalized;
        let ty = sizes::typed(self.input, e)?;
        let plan = Plan::new(&ty.extents, (0..rank).map(|d| d >= lead).collect(), keepdim);
        let source = Source::of(self.input, e)?;

        let sum = plan.reduce(e, dtype, Combiner::Add, |e, i| source.load(e, i))?;
        // Of no elements eager's mean is 0, and rstd nan.
        let count = plan.count(e)?;
        let some = match count {
            Extent::Number(count) => Extent::Number(count.max(1)),
            Extent::Value(count) => Extent::Value(e.same("arith.maxsi", &[count, e.index(1)])),
        };
        let mean = plan.divided(sum, some, e)?;
        let center = plan.expanded(mean, e);
        let centered = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| -> Emitted<'c, 'a> {
            Ok(e.sub(source.load(e, i)?, center.load(e, i)?))
        };
        let squares = plan.reduce(e, dtype, Combiner::Add, |e, i| {
            let x = centered(e, i)?;
            Ok(e.mul(x, x))
        })?;
        let squares = Source::of_tensor(squares, plan.outer().len(), e);
        let rstd = e.pointwise(plan.ty(dtype, e), |e, i| {
            let squares = squares.load(e, i)?;
            let variance = e.div(squares, number(count, squares.r#type(), e));
            Ok(e.same("math.rsqrt", &[e.add(variance, e.like(variance, self.eps))]))
        })?;
        let scale = plan.expanded(rstd, e);
        let parameter = |value: Option<V<'c, 'a>>| value.map(|value| Source::of(value, e)).transpose();
        let (weight, bias) = (parameter(self.weight)?, parameter(self.bias)?);
        let result = e.pointwise(ty, |e, i| {
            let mut x = e.mul(centered(e, i)?, scale.load(e, i)?);
            if let Some(weight) = &weight {
                x = e.mul(x, weight.load(e, &i[lead..])?);
            }
            // Eager adds a bias of 0 where there is none, which makes 0 of -0.
            let bias = match &bias {
                Some(bias) => bias.load(e, &i[lead..])?,
                None => e.like(x, 0.0),
            };
            Ok(e.add(x, bias))
        })?;
        Ok(vec![result, mean, rstd])
    }
}

/// `layer_norm`.
pub fn layer_norm<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::LayerNormOp::try_from(op).map_err(|_| "is no layer_norm")?;
    let parts = LayerNorm {
        input: view.input(),
        normalized: view.normalized_shape().len(),
        weight: view.weight(),
        bias: view.bias(),
        eps: view.eps().unwrap_or(1e-5),
    };
    Ok(parts.write(e, false)?[..1].to_vec())
}

/// `native_layer_norm`: the means and rstds have the normalized dimensions with size 1.
pub fn native_layer_norm<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::NativeLayerNormOp::try_from(op).map_err(|_| "is no native_layer_norm")?;
    let parts = LayerNorm {
        input: view.input(),
        normalized: view.normalized_shape().len(),
        weight: view.weight(),
        bias: view.bias(),
        eps: view.eps(),
    };
    parts.write(e, true)
}
