//! Reductions over dimensions: one `loop.reduction`, and for a mean the division.

use super::{
    sizes::{self, tensor, wrap},
    source::Source,
};
use crate::emit::{Compare, Emitted, Emitter, Number, Typed};
use melior::ir::{OperationRef, Type, Value, ValueLike};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::{Dtype, ElementType},
        extent::Extent,
        pass::Failure,
        types::{TensorType, is_float},
    },
    ops::{Combiner, functional},
};

/// Which dimensions of a tensor go, and how the domain of the reduction relates to them.
pub struct Plan<'c, 'a> {
    shape: Vec<Extent<'c, 'a>>,
    reduced: Vec<bool>,
    keepdim: bool,
}

impl<'c, 'a> Plan<'c, 'a> {
    /// Reduces the dimensions marked; with `keepdim` they stay with size 1.
    pub fn new(shape: &[impl Copy + Into<Extent<'c, 'a>>], reduced: Vec<bool>, keepdim: bool) -> Self {
        Self { shape: shape.iter().map(|size| (*size).into()).collect(), reduced, keepdim }
    }

    /// Reduces `dims`; all dimensions where none is given.
    pub fn of_dims(
        shape: &[impl Copy + Into<Extent<'c, 'a>>],
        dims: Option<Vec<i64>>,
        keepdim: bool,
    ) -> Self {
        let dims = dims
            .filter(|dims| !dims.is_empty())
            .map(|dims| dims.iter().map(|d| wrap(*d, shape.len())).collect::<Vec<_>>());
        let reduced = (0..shape.len()).map(|d| dims.as_ref().is_none_or(|dims| dims.contains(&d))).collect();
        Self::new(shape, reduced, keepdim)
    }

    fn dims(&self, reduced: bool) -> impl Iterator<Item = usize> {
        (0..self.shape.len()).filter(move |d| self.reduced[*d] == reduced)
    }

    /// The result's sizes.
    pub fn outer(&self) -> Vec<Extent<'c, 'a>> {
        if self.keepdim {
            let size = |d: usize| if self.reduced[d] { Extent::Number(1) } else { self.shape[d] };
            return (0..self.shape.len()).map(size).collect();
        }
        self.dims(false).map(|d| self.shape[d]).collect()
    }

    /// The sizes that are reduced.
    pub fn inner(&self) -> Vec<Extent<'c, 'a>> {
        self.dims(true).map(|d| self.shape[d]).collect()
    }

    /// The number of elements that become one.
    pub fn count(&self, e: &Emitter<'c, 'a>) -> Result<Extent<'c, 'a>, Failure> {
        self.inner().into_iter().try_fold(Extent::Number(1), |count, size| e.product(count, size))
    }

    /// The indices of the tensor at a point of the reduction's domain.
    pub fn point(&self, domain: &[V<'c, 'a>]) -> Vec<V<'c, 'a>> {
        let outer = if self.keepdim { self.shape.len() } else { self.dims(false).count() };
        let (mut kept, mut inner) = (0, outer);
        let next = |i: &mut usize| {
            *i += 1;
            domain[*i - 1]
        };
        let index = |d: usize| {
            if self.reduced[d] {
                return next(&mut inner);
            }
            if self.keepdim { domain[d] } else { next(&mut kept) }
        };
        (0..self.shape.len()).map(index).collect()
    }

    /// A result of the reduction, seen with the tensor's sizes.
    pub fn expanded(&self, result: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Source<'c, 'a> {
        let dims = (0..self.shape.len()).filter(|d| self.keepdim || !self.reduced[*d]);
        let exprs: Vec<_> = dims.map(|d| if self.reduced[d] { e.number(0) } else { e.dim(d) }).collect();
        Source::of_tensor(result, exprs.len(), e).reindexed(&exprs, self.shape.len(), e)
    }

    /// The result's type.
    pub fn ty(&self, dtype: Dtype, e: &Emitter<'c, 'a>) -> Typed<'c, 'a> {
        let extents = self.outer();
        let shape = Extent::in_types(&extents);
        let ty = TensorType { shape, dtype, device: None, graph: false }.to_type(e.context);
        Typed { ty, extents }
    }

    /// The reduction; `element` is given the indices of the tensor.
    pub fn reduce(
        &self,
        e: &Emitter<'c, 'a>,
        dtype: Dtype,
        combiner: Combiner,
        element: impl FnOnce(&Emitter<'c, 'a>, &[V<'c, 'a>]) -> Emitted<'c, 'a>,
    ) -> Emitted<'c, 'a> {
        e.reduction(self.ty(dtype, e), combiner, &self.inner(), |e, i| element(e, &self.point(i)))
    }

    /// A reduction's result over the number of elements.
    pub fn divided(&self, sum: V<'c, 'a>, count: Extent<'c, 'a>, e: &Emitter<'c, 'a>) -> Emitted<'c, 'a> {
        let dtype = tensor(sum)?.dtype;
        let source = Source::of_tensor(sum, self.outer().len(), e);
        e.pointwise(self.ty(dtype, e), |e, i| {
            let sum = source.load(e, i)?;
            Ok(e.div(sum, number(count, sum.r#type(), e)))
        })
    }
}

/// A size as a number of a type of floats or integers.
pub fn number<'c, 'a>(size: Extent<'c, 'a>, ty: Type<'c>, e: &Emitter<'c, 'a>) -> V<'c, 'a> {
    match (size, Dtype::of(ty)) {
        (Extent::Value(size), Some(dtype)) => {
            let word = e.op("arith.index_cast", &[size], Dtype::I64.to_type(e.context), &[]);
            e.cast(word, dtype)
        }
        (size, _) => e.constant(ty, Number::Int(size.in_type())),
    }
}

/// The elements of the operand, cast to the result's dtype, combined.
fn reduce<'c, 'a>(
    op: OperationRef<'c, 'a>,
    plan: &Plan<'c, 'a>,
    combiner: Combiner,
    e: &Emitter<'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    let dtype = tensor(Value::from(op.result_at(0)?))?.dtype;
    let source = Source::of(op.operand(0)?, e)?;
    // Of truth values the largest, and the sum, is whether any holds; the smallest, and the product, whether
    // all do.
    let combiner = match combiner {
        Combiner::Max | Combiner::Add if dtype == Dtype::Bool => Combiner::Or,
        Combiner::Min | Combiner::Mul if dtype == Dtype::Bool => Combiner::And,
        combiner => combiner,
    };
    plan.reduce(e, dtype, combiner, |e, i| Ok(e.cast(source.load(e, i)?, dtype)))
}

fn plan<'c, 'a>(
    op: OperationRef<'c, 'a>,
    dims: Option<Vec<i64>>,
    keepdim: Option<bool>,
    e: &Emitter<'c, 'a>,
) -> Result<Plan<'c, 'a>, Failure> {
    Ok(Plan::of_dims(&sizes::extents(op.operand(0)?, e)?, dims, keepdim.unwrap_or(false)))
}

/// `sum`, in the result's dtype.
pub fn sum<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::SumOp::try_from(op).map_err(|_| "is no sum")?;
    Ok(vec![reduce(op, &plan(op, view.dim(), view.keepdim(), e)?, Combiner::Add, e)?])
}

/// `mean`: the sum over the number of elements, nan of none.
pub fn mean<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::MeanOp::try_from(op).map_err(|_| "is no mean")?;
    let plan = plan(op, view.dim(), view.keepdim(), e)?;
    let sum = reduce(op, &plan, Combiner::Add, e)?;
    Ok(vec![plan.divided(sum, plan.count(e)?, e)?])
}

/// `amax`: the largest element, nan if there is one.
pub fn amax<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::AmaxOp::try_from(op).map_err(|_| "is no amax")?;
    Ok(vec![reduce(op, &plan(op, view.dim(), view.keepdim(), e)?, Combiner::Max, e)?])
}

/// `amin`: the smallest element, nan if there is one.
pub fn amin<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::AminOp::try_from(op).map_err(|_| "is no amin")?;
    Ok(vec![reduce(op, &plan(op, view.dim(), view.keepdim(), e)?, Combiner::Min, e)?])
}

/// `prod`, in the result's dtype.
pub fn prod<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::ProdOp::try_from(op).map_err(|_| "is no prod")?;
    Ok(vec![reduce(op, &plan(op, view.dim(), view.keepdim(), e)?, Combiner::Mul, e)?])
}

/// `any`: whether an element is not zero; over no dimension where the list is empty.
pub fn any<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::AnyOp::try_from(op).map_err(|_| "is no any")?;
    truth(op, view.dim(), view.keepdim(), Combiner::Or, e)
}

/// `all`: whether no element is zero; dimensions as for `any`.
pub fn all<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::AllOp::try_from(op).map_err(|_| "is no all")?;
    truth(op, view.dim(), view.keepdim(), Combiner::And, e)
}

fn truth<'c, 'a>(
    op: OperationRef<'c, 'a>,
    dims: Option<Vec<i64>>,
    keepdim: Option<bool>,
    combiner: Combiner,
    e: &Emitter<'c, 'a>,
) -> Results<'c, 'a> {
    let none = dims.as_ref().is_some_and(|dims| dims.is_empty());
    let mut plan = plan(op, dims, keepdim, e)?;
    if none {
        plan.reduced.fill(false);
    }
    Ok(vec![reduce(op, &plan, combiner, e)?])
}

/// `cumsum`, in the result's dtype.
pub fn cumsum<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::CumsumOp::try_from(op).map_err(|_| "is no cumsum")?;
    cumulate(op, view.dim(), Combiner::Add, e)
}

/// `cumprod`, in the result's dtype.
pub fn cumprod<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::CumprodOp::try_from(op).map_err(|_| "is no cumprod")?;
    cumulate(op, view.dim(), Combiner::Mul, e)
}

/// `logcumsumexp`.
pub fn logcumsumexp<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::LogcumsumexpOp::try_from(op).map_err(|_| "is no logcumsumexp")?;
    cumulate(op, view.dim(), Combiner::LogAddExp, e)
}

fn cumulate<'c, 'a>(
    op: OperationRef<'c, 'a>,
    dim: i64,
    combiner: Combiner,
    e: &Emitter<'c, 'a>,
) -> Results<'c, 'a> {
    let result = Value::from(op.result_at(0)?);
    let ty = tensor(result)?;
    let source = Source::of(op.operand(0)?, e)?;
    let element = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| -> Emitted<'c, 'a> {
        Ok(e.cast(source.load(e, i)?, ty.dtype))
    };
    let typed = sizes::typed(result, e)?;
    Ok(vec![if ty.rank() == 0 {
        e.pointwise(typed, element)?
    } else {
        e.scan(typed, combiner, wrap(dim, ty.rank()), element)?
    }])
}

/// `cummax`: the largest element so far and its place, of equal ones the last; nan from the first one on.
pub fn cummax<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::CummaxOp::try_from(op).map_err(|_| "is no cummax")?;
    extremes_so_far(op, view.dim(), Combiner::Max, e)
}

/// `cummin`: the smallest element so far and its place.
pub fn cummin<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::CumminOp::try_from(op).map_err(|_| "is no cummin")?;
    extremes_so_far(op, view.dim(), Combiner::Min, e)
}

/// Elements that stand at their place so far, being equal to the extreme there, or nan; the last such place
/// is the extreme's.
fn extremes_so_far<'c, 'a>(
    op: OperationRef<'c, 'a>,
    dim: i64,
    combiner: Combiner,
    e: &Emitter<'c, 'a>,
) -> Results<'c, 'a> {
    let [values, places] = [op.result_at(0)?.into(), op.result_at(1)?.into()].map(|v| sizes::typed(v, e));
    let (values, places) = (values?, places?);
    let (source, rank) = (Source::of(op.operand(0)?, e)?, tensor(op.operand(0)?)?.rank());
    if rank == 0 {
        return Ok(vec![e.pointwise(values, |e, i| source.load(e, i))?, e.filled(places, Number::Int(0))?]);
    }
    let dim = wrap(dim, rank);
    let extremes = e.scan(values.clone(), combiner, dim, |e, i| source.load(e, i))?;
    let so_far = Source::of_tensor(extremes, rank, e);
    let places = e.scan(places, Combiner::Max, dim, |e, i| {
        let own = source.load(e, i)?;
        let mut stands = e.compare(Compare::Eq, own, so_far.load(e, i)?);
        if is_float(own.r#type()) {
            stands = e.same("arith.ori", &[stands, e.compare(Compare::Ne, own, own)]);
        }
        let place = e.as_i64(i[dim]);
        Ok(e.select(stands, place, e.like(place, 0.0)))
    })?;
    // Of equal elements that at the place: zeros may have signs.
    let at = Source::of_tensor(places, rank, e);
    let values = e.pointwise(values, |e, i| {
        let mut point = i.to_vec();
        point[dim] = e.as_index(at.load(e, i)?);
        source.load(e, &point)
    })?;
    Ok(vec![values, places])
}
