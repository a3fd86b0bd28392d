//! Results whose sizes elements decide: `nonzero`, `masked_select`, `bincount`, and what masks choose.
//!
//! First it is counted how many elements there will be, then they get memory, then each goes to its place:
//! what is kept to the number of those that are kept before it, a running sum. All that is not kept is
//! written to one place behind the last, which nobody reads.

use super::{
    bounds::assert_all,
    meeting::combined,
    reshape,
    sizes::{self, broadcast, tensor, ty, with_extents},
    source::Source,
    views::expand,
};
use crate::emit::{Compare, Emitted, Emitter, Number, Typed};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::{Dtype, ElementType},
        extent::Extent,
        pass::Failure,
    },
    loops::scatters::Meeting,
    ops::{Combiner, functional},
};

/// A plain tensor of these sizes.
fn typed<'c, 'a>(e: &Emitter<'c, 'a>, extents: &[Extent<'c, 'a>], dtype: Dtype) -> Typed<'c, 'a> {
    Typed { ty: ty(&Extent::in_types(extents), dtype).to_type(e.context), extents: extents.to_vec() }
}

/// The elements of a tensor that are not zero, by their numbers in row-major order.
pub struct Kept<'c, 'a> {
    holds: Source<'c, 'a>,
    /// The sizes of the tensor, and the number of its elements.
    extents: Vec<Extent<'c, 'a>>,
    all: Extent<'c, 'a>,
    /// How many are kept, an index.
    pub count: V<'c, 'a>,
}

impl<'c, 'a> Kept<'c, 'a> {
    /// Counts them.
    pub fn of(mask: V<'c, 'a>, extents: Vec<Extent<'c, 'a>>, e: &Emitter<'c, 'a>) -> Result<Self, Failure> {
        let all = extents.iter().try_fold(Extent::Number(1), |n, size| e.product(n, *size))?;
        let holds = Source::of(reshape::reshape(e, mask, &[all])?, e)?;
        let count = e.reduction(typed(e, &[], Dtype::I64), Combiner::Add, &[all], |e, i| {
            Ok(e.cast(e.cast(holds.load(e, i)?, Dtype::Bool), Dtype::I64))
        })?;
        let count = e.as_index(e.op("tensor.extract", &[count], Dtype::I64.to_type(e.context), &[]));
        Ok(Self { holds, extents, all, count })
    }

    /// What `value` makes of the number of each that is kept.
    fn values(
        &self,
        dtype: Dtype,
        e: &Emitter<'c, 'a>,
        value: impl FnOnce(&Emitter<'c, 'a>, &[V<'c, 'a>]) -> Emitted<'c, 'a>,
    ) -> Result<Source<'c, 'a>, Failure> {
        let holds = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| {
            Ok::<_, Failure>(e.cast(self.holds.load(e, i)?, Dtype::Bool))
        };
        let up_to = e.scan(typed(e, &[self.all], Dtype::I64), Combiner::Add, 0, |e, i| {
            Ok(e.cast(holds(e, i)?, Dtype::I64))
        })?;
        let room = e.empty(typed(e, &[e.plus(Extent::Value(self.count), 1)?], dtype));
        let values = e.scatter_at(Meeting::Alike, room, &[self.all], |e, i| {
            let holds = holds(e, i)?;
            let number = e.as_index(e.load(up_to, &[e.dim(0)], i, None)?);
            let place = e.select(holds, e.sub(number, e.index(1)), self.count);
            let value = value(e, i)?;
            let nothing = e.constant(e.number_type(dtype), Number::Int(0));
            Ok((e.select(holds, value, nothing), vec![place]))
        })?;
        Ok(Source::of_tensor(values, 1, e))
    }

    /// The indices of those that are kept, a row for each.
    pub fn indices(&self, e: &Emitter<'c, 'a>) -> Emitted<'c, 'a> {
        let numbers = self.values(Dtype::I64, e, |e, i| Ok(e.as_i64(i[0])))?;
        let sizes = [Extent::Value(self.count), Extent::Number(self.extents.len() as i64)];
        e.pointwise(typed(e, &sizes, Dtype::I64), |e, i| {
            let number = e.as_index(numbers.load(e, &i[..1])?);
            let indices = e.unravel(number, &self.extents)?.into_iter().enumerate();
            let of_column = |other, (d, index)| {
                let here = e.compare(Compare::Eq, i[1], e.index(d as i64));
                e.select(here, index, other)
            };
            Ok(e.as_i64(indices.fold(e.index(0), of_column)))
        })
    }
}

/// `nonzero`.
pub fn nonzero<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let own = op.operand(0)?;
    Ok(vec![Kept::of(own, sizes::extents(own, e)?, e)?.indices(e)?])
}

/// `masked_select`: of both tensors expanded to their common sizes.
pub fn masked_select<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::MaskedSelectOp::try_from(op).map_err(|_| "is no masked_select")?;
    let both = [view.self_(), view.mask()];
    let [own, mask] = both.map(|value| sizes::extents(value, e));
    let joint = broadcast(&own?, &mask?);
    let [own, mask] = both.map(|value| expanded(value, &joint, e));
    let kept = Kept::of(mask?, joint.clone(), e)?;
    let (own, dtype) = (Source::of(reshape::flat(e, own?, &joint)?, e)?, tensor(view.self_())?.dtype);
    let values = kept.values(dtype, e, |e, i| own.load(e, i))?;
    let result = with_extents(op.result_at(0)?.into(), &[Extent::Value(kept.count)])?;
    Ok(vec![e.pointwise(result, |e, i| values.load(e, i))?])
}

/// A tensor expanded to sizes, in memory where it has others.
fn expanded<'c, 'a>(value: V<'c, 'a>, sizes: &[Extent<'c, 'a>], e: &Emitter<'c, 'a>) -> Emitted<'c, 'a> {
    let (own, shape) = (tensor(value)?, Extent::in_types(sizes));
    if own.shape == shape {
        return Ok(value);
    }
    let (source, place) = (Source::of(value, e)?, expand(e, &own.shape, &shape));
    e.pointwise(typed(e, sizes, own.dtype), |e, i| source.load_at(e, &place, i, None))
}

/// `bincount`: numbers from 0 on, or the weights at them, are added up by what they are.
pub fn bincount<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::BincountOp::try_from(op).map_err(|_| "is no bincount")?;
    let (own, all) = (Source::of(view.self_(), e)?, sizes::extents(view.self_(), e)?);
    let from = tensor(view.self_())?.dtype;
    let number = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| -> Emitted<'c, 'a> {
        Ok(e.cast_from(own.load(e, i)?, from, Dtype::I64))
    };
    assert_all(e, &all, "bincount only supports 1-d non-negative integral inputs.", |e, i| {
        let number = number(e, i)?;
        Ok(e.compare(Compare::Ge, number, e.like(number, 0.0)))
    })?;
    let most = e.reduction(typed(e, &[], Dtype::I64), Combiner::Max, &all, number)?;
    let most = e.op("tensor.extract", &[most], Dtype::I64.to_type(e.context), &[]);
    let least = e.constant(most.r#type(), Number::Int(view.minlength().unwrap_or(0)));
    // The largest of no numbers is the least that there is, to which one can be added; after the most there
    // is no other.
    let before = e.constant(most.r#type(), Number::Int(i64::MAX - 1));
    let most = e.same("arith.minsi", &[most, before]);
    let count = e.same("arith.maxsi", &[e.add(most, e.like(most, 1.0)), least]);
    let result = Value::from(op.result_at(0)?);
    let dtype = tensor(result)?.dtype;
    let none = e.filled(with_extents(result, &[Extent::Value(e.as_index(count))])?, Number::Int(0))?;
    if all[0].is(0) {
        return Ok(vec![none]);
    }
    let weights = match view.weights() {
        Some(weights) => Some((Source::of(weights, e)?, tensor(weights)?.dtype)),
        None => None,
    };
    let counts = e.scatter_at(combined(Combiner::Add, dtype), none, &all, |e, i| {
        let weight = match &weights {
            Some((weights, from)) => e.cast_from(weights.load(e, i)?, *from, dtype),
            None => e.constant(e.number_type(dtype), Number::Int(1)),
        };
        let number = number(e, i)?;
        Ok((weight, vec![e.as_index(e.same("arith.maxsi", &[number, e.like(number, 0.0)]))]))
    })?;
    Ok(vec![counts])
}
