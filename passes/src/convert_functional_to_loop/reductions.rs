//! Reductions over dimensions: one `loop.reduction`, and for a mean the division.

use super::{
    Results,
    source::Source,
    views::{tensor, wrap},
};
use crate::emit::{Compare, Emitter, Made, Number};
use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use terrace_dialects::{
    cursor::V,
    dtype::Dtype,
    ops::{Combiner, functional},
    pass::Failure,
    types::{TensorType, is_float},
};

/// Which dimensions of a tensor go, and how the domain of the reduction relates to them.
pub struct Plan {
    shape: Vec<i64>,
    reduced: Vec<bool>,
    keepdim: bool,
}

impl Plan {
    /// Reduces the dimensions marked; with `keepdim` they stay with size 1.
    pub fn new(shape: &[i64], reduced: Vec<bool>, keepdim: bool) -> Self {
        Self { shape: shape.to_vec(), reduced, keepdim }
    }

    /// Reduces `dims`; all dimensions where none is given.
    pub fn of_dims(shape: &[i64], dims: Option<Vec<i64>>, keepdim: bool) -> Self {
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
    pub fn outer(&self) -> Vec<i64> {
        if self.keepdim {
            let size = |d: usize| if self.reduced[d] { 1 } else { self.shape[d] };
            return (0..self.shape.len()).map(size).collect();
        }
        self.dims(false).map(|d| self.shape[d]).collect()
    }

    /// The sizes that are reduced.
    pub fn inner(&self) -> Vec<i64> {
        self.dims(true).map(|d| self.shape[d]).collect()
    }

    /// The number of elements that become one.
    pub fn count(&self) -> i64 {
        self.inner().iter().product()
    }

    /// The indices of the tensor at a point of the reduction's domain.
    pub fn point<'c, 'a>(&self, domain: &[V<'c, 'a>]) -> Vec<V<'c, 'a>> {
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
    pub fn expanded<'c, 'a>(&self, result: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Source<'c, 'a> {
        let dims = (0..self.shape.len()).filter(|d| self.keepdim || !self.reduced[*d]);
        let exprs: Vec<_> = dims.map(|d| if self.reduced[d] { e.number(0) } else { e.dim(d) }).collect();
        Source::of_tensor(result, exprs.len(), e).seen(&exprs, self.shape.len(), e)
    }

    /// The result's type.
    pub fn ty<'c>(&self, dtype: Dtype, e: &Emitter<'c, '_>) -> Type<'c> {
        TensorType { shape: self.outer(), dtype, device: None, graph: false }.to_type(e.context)
    }

    /// The reduction; `element` is given the indices of the tensor.
    pub fn reduce<'c, 'a>(
        &self,
        e: &Emitter<'c, 'a>,
        dtype: Dtype,
        combiner: Combiner,
        element: impl FnOnce(&Emitter<'c, 'a>, &[V<'c, 'a>]) -> Made<'c, 'a>,
    ) -> Made<'c, 'a> {
        e.reduction(self.ty(dtype, e), combiner, &self.inner(), |e, i| element(e, &self.point(i)))
    }

    /// A reduction's result over the number of elements.
    pub fn divided<'c, 'a>(&self, sum: V<'c, 'a>, count: i64, e: &Emitter<'c, 'a>) -> Made<'c, 'a> {
        let source = Source::of_tensor(sum, self.outer().len(), e);
        e.pointwise(sum.r#type(), |e, i| {
            let sum = source.load(e, i)?;
            Ok(e.div(sum, e.constant(sum.r#type(), Number::Int(count))))
        })
    }
}

/// The elements of the operand, cast to the result's dtype, combined.
fn reduce<'c, 'a>(
    op: OperationRef<'c, 'a>,
    plan: &Plan,
    combiner: Combiner,
    e: &Emitter<'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    let dtype = tensor(Value::from(op.result(0)?))?.dtype;
    let source = Source::of(op.operand(0)?, e)?;
    // Of truth values the largest, and the sum, is whether any holds; the smallest, and the product, whether all do.
    let combiner = match combiner {
        Combiner::Max | Combiner::Add if dtype == Dtype::Bool => Combiner::Or,
        Combiner::Min | Combiner::Mul if dtype == Dtype::Bool => Combiner::And,
        combiner => combiner,
    };
    plan.reduce(e, dtype, combiner, |e, i| Ok(e.cast(source.load(e, i)?, dtype)))
}

fn plan(op: OperationRef, dims: Option<Vec<i64>>, keepdim: Option<bool>) -> Result<Plan, Failure> {
    Ok(Plan::of_dims(&tensor(op.operand(0)?)?.shape, dims, keepdim.unwrap_or(false)))
}

/// `sum`, in the result's dtype.
pub fn sum<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::SumOp::try_from(op).map_err(|_| "is no sum")?;
    Ok(vec![reduce(op, &plan(op, view.dim(), view.keepdim())?, Combiner::Add, e)?])
}

/// `mean`: the sum over the number of elements, nan of none.
pub fn mean<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::MeanOp::try_from(op).map_err(|_| "is no mean")?;
    let plan = plan(op, view.dim(), view.keepdim())?;
    let sum = reduce(op, &plan, Combiner::Add, e)?;
    Ok(vec![plan.divided(sum, plan.count(), e)?])
}

/// `amax`: the largest element, nan if there is one.
pub fn amax<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::AmaxOp::try_from(op).map_err(|_| "is no amax")?;
    Ok(vec![reduce(op, &plan(op, view.dim(), view.keepdim())?, Combiner::Max, e)?])
}

/// `amin`: the smallest element, nan if there is one.
pub fn amin<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::AminOp::try_from(op).map_err(|_| "is no amin")?;
    Ok(vec![reduce(op, &plan(op, view.dim(), view.keepdim())?, Combiner::Min, e)?])
}

/// `prod`, in the result's dtype.
pub fn prod<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::ProdOp::try_from(op).map_err(|_| "is no prod")?;
    Ok(vec![reduce(op, &plan(op, view.dim(), view.keepdim())?, Combiner::Mul, e)?])
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
    let mut plan = plan(op, dims, keepdim)?;
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

fn cumulate<'c, 'a>(
    op: OperationRef<'c, 'a>,
    dim: i64,
    combiner: Combiner,
    e: &Emitter<'c, 'a>,
) -> Results<'c, 'a> {
    let result = Value::from(op.result(0)?);
    let ty = tensor(result)?;
    let source = Source::of(op.operand(0)?, e)?;
    let element =
        |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| -> Made<'c, 'a> { Ok(e.cast(source.load(e, i)?, ty.dtype)) };
    Ok(vec![if ty.rank() == 0 {
        e.pointwise(result.r#type(), element)?
    } else {
        e.scan(result.r#type(), combiner, wrap(dim, ty.rank()), element)?
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

/// Elements that stand at their place so far, being equal to the extreme there, or nan; the last such place is the extreme's.
fn extremes_so_far<'c, 'a>(
    op: OperationRef<'c, 'a>,
    dim: i64,
    combiner: Combiner,
    e: &Emitter<'c, 'a>,
) -> Results<'c, 'a> {
    let (values, places) = (Value::from(op.result(0)?).r#type(), Value::from(op.result(1)?).r#type());
    let (source, rank) = (Source::of(op.operand(0)?, e)?, tensor(op.operand(0)?)?.rank());
    if rank == 0 {
        return Ok(vec![e.pointwise(values, |e, i| source.load(e, i))?, e.filled(places, Number::Int(0))?]);
    }
    let dim = wrap(dim, rank);
    let extremes = e.scan(values, combiner, dim, |e, i| source.load(e, i))?;
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
