//! Losses of classes: what the logarithm of a sample's class says, weighed by class; and the gradient.
//!
//! A target must be a class, or the one that is ignored: checked in front, as indices are.

use super::{
    bounds::assert_all,
    reductions::number,
    sizes::{self, tensor, ty},
    source::Source,
};
use crate::emit::{Compare, Emitted, Emitter, Number};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::Dtype,
        extent::Extent,
        pass::Failure,
        types::TensorType,
    },
    ops::{Combiner, functional},
};

/// The targets of samples, and how much classes count.
struct Classes<'c, 'a> {
    target: Source<'c, 'a>,
    /// The targets' rank: of one sample there may be a vector of one.
    rank: usize,
    weight: Option<Source<'c, 'a>>,
    count: Extent<'c, 'a>,
    ignore: i64,
    own: TensorType<'c>,
    /// The sizes of a number for each sample.
    samples: Vec<Extent<'c, 'a>>,
}

/// The class of a sample.
struct Class<'c, 'a> {
    /// Whether it counts.
    counts: V<'c, 'a>,
    /// A class in any case, as an i64.
    index: V<'c, 'a>,
    /// How much it counts.
    weight: V<'c, 'a>,
}

impl<'c, 'a> Classes<'c, 'a> {
    /// Checks the targets of `own`, [N, C] or [C].
    fn new(
        own: V<'c, 'a>,
        target: V<'c, 'a>,
        weight: Option<V<'c, 'a>>,
        ignore: i64,
        e: &Emitter<'c, 'a>,
    ) -> Result<Self, Failure> {
        let mut samples = sizes::extents(own, e)?;
        let count = samples.pop().ok_or(internal!("has no classes"))?;
        let (own, rank) = (tensor(own)?, tensor(target)?.rank());
        let weight = weight.map(|weight| Source::of(weight, e)).transpose()?;
        let classes = Self { target: Source::of(target, e)?, rank, weight, count, ignore, own, samples };
        assert_all(e, &classes.samples, "Target is out of bounds.", |e, i| {
            let target = classes.target(e, i)?;
            let inside = e.inside(target, number(count, target.r#type(), e));
            Ok(e.same("arith.ori", &[inside, classes.is_ignored(e, target)]))
        })?;
        Ok(classes)
    }

    fn target(&self, e: &Emitter<'c, 'a>, sample: &[V<'c, 'a>]) -> Emitted<'c, 'a> {
        let at: Vec<_> =
            (0..self.rank).map(|d| sample.get(d).copied().unwrap_or_else(|| e.index(0))).collect();
        Ok(e.cast(self.target.load(e, &at)?, Dtype::I64))
    }

    fn is_ignored(&self, e: &Emitter<'c, 'a>, target: V<'c, 'a>) -> V<'c, 'a> {
        e.compare(Compare::Eq, target, e.constant(target.r#type(), Number::Int(self.ignore)))
    }

    fn class(&self, e: &Emitter<'c, 'a>, sample: &[V<'c, 'a>]) -> Result<Class<'c, 'a>, Failure> {
        let target = self.target(e, sample)?;
        let bound = |n| e.constant(target.r#type(), Number::Int(n));
        let index = e.same("arith.maxsi", &[target, bound(0)]);
        let last = match self.count {
            Extent::Number(count) => bound(count - 1),
            count => e.sub(number(count, target.r#type(), e), bound(1)),
        };
        let index = e.same("arith.minsi", &[index, last]);
        let mut counts = e.compare(Compare::Ne, target, bound(self.ignore));
        if self.count.number().is_none() {
            // Of no classes nothing is read: the check stands in front of what uses the loss, not of the
            // loss.
            counts = e.and(counts, e.compare(Compare::Ge, index, bound(0)));
        }
        let weight = match &self.weight {
            Some(weight) => self.load(e, weight, &[e.as_index(index)], counts)?,
            None => e.constant(e.number_type(self.own.dtype), Number::Int(1)),
        };
        Ok(Class { counts, index, weight })
    }

    /// An element of a class: where it does not count there may be no class when the program runs.
    fn load(
        &self,
        e: &Emitter<'c, 'a>,
        source: &Source<'c, 'a>,
        place: &[V<'c, 'a>],
        counts: V<'c, 'a>,
    ) -> Emitted<'c, 'a> {
        if self.count.number().is_some() {
            return source.load(e, place);
        }
        let dims: Vec<_> = (0..place.len()).map(|d| e.dim(d)).collect();
        let zero = e.constant(e.number_type(self.own.dtype), Number::Int(0));
        source.load_at(e, &dims, place, Some((counts, zero)))
    }

    /// Sums over the samples what `element` makes of one.
    fn sum(
        &self,
        e: &Emitter<'c, 'a>,
        element: impl FnOnce(&Emitter<'c, 'a>, &[V<'c, 'a>]) -> Emitted<'c, 'a>,
    ) -> Emitted<'c, 'a> {
        e.reduction(ty(&[], self.own.dtype).to_type(e.context), Combiner::Add, &self.samples, element)
    }
}

/// `within`: its operand, and a check of all elements in front of what uses it.
pub fn within<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::WithinOp::try_from(op).map_err(|_| "is no within")?;
    let own = Source::of(view.self_(), e)?;
    assert_all(e, &sizes::extents(view.self_(), e)?, &view.message(), |e, i| {
        let element = e.cast(own.load(e, i)?, Dtype::F64);
        let above = e.compare(Compare::Ge, element, e.like(element, view.low()));
        Ok(e.and(above, e.compare(Compare::Le, element, e.like(element, view.high()))))
    })?;
    Ok(vec![view.self_()])
}

/// `nll_loss_forward`: the loss of each sample, or their sum or mean; and the weight of all. `reduction` is 0
/// for none, 1 for the mean, 2 for the sum.
pub fn nll_loss<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::NllLossForwardOp::try_from(op).map_err(|_| "is no nll_loss_forward")?;
    let classes = Classes::new(view.self_(), view.target(), view.weight(), view.ignore_index(), e)?;
    let own = Source::of(view.self_(), e)?;
    let empty = classes.count.is(0);
    let loss = |e: &Emitter<'c, 'a>, sample: &[V<'c, 'a>]| -> Emitted<'c, 'a> {
        let zero = e.constant(e.number_type(classes.own.dtype), Number::Int(0));
        if empty {
            return Ok(zero);
        }
        let class = classes.class(e, sample)?;
        let place = [sample, &[e.as_index(class.index)]].concat();
        let logarithm = classes.load(e, &own, &place, class.counts)?;
        let loss = e.mul(e.same("arith.negf", &[logarithm]), class.weight);
        Ok(e.select(class.counts, loss, zero))
    };
    let scalar = ty(&[], classes.own.dtype).to_type(e.context);
    if view.reduction() == 0 && classes.own.rank() == 2 {
        let losses = e.pointwise(sizes::typed(op.result_at(0)?.into(), e)?, loss)?;
        return Ok(vec![losses, e.filled(scalar, Number::Int(0))?]);
    }
    let sum = classes.sum(e, loss)?;
    let total = classes.sum(e, |e, sample| {
        let zero = e.constant(e.number_type(classes.own.dtype), Number::Int(0));
        if empty {
            return Ok(zero);
        }
        let class = classes.class(e, sample)?;
        Ok(e.select(class.counts, class.weight, zero))
    })?;
    if view.reduction() != 1 {
        return Ok(vec![sum, total]);
    }
    let [of_sum, of_total] = [sum, total].map(|value| Source::of_tensor(value, 0, e));
    let mean = e.pointwise(scalar, |e, _| Ok(e.div(of_sum.load(e, &[])?, of_total.load(e, &[])?)))?;
    Ok(vec![mean, total])
}

/// `nll_loss_backward`: the gradient of each sample's class; zeros elsewhere.
pub fn nll_loss_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::NllLossBackwardOp::try_from(op).map_err(|_| "is no nll_loss_backward")?;
    let classes = Classes::new(view.self_(), view.target(), view.weight(), view.ignore_index(), e)?;
    let (grad, total) = (Source::of(view.grad_output(), e)?, Source::of(view.total_weight(), e)?);
    let (of_grad, of_total) = (tensor(view.grad_output())?.rank(), tensor(view.total_weight())?.rank());
    let each = view.reduction() == 0 && classes.own.rank() == 2;
    let made = e.pointwise(sizes::typed(op.result_at(0)?.into(), e)?, |e, i| {
        let (of_class, sample) = i.split_last().ok_or(internal!("has no classes"))?;
        let class = classes.class(e, sample)?;
        let first = |rank: usize| vec![e.index(0); rank];
        let grad = grad.load(e, &if each { sample.to_vec() } else { first(of_grad) })?;
        let mut own = e.mul(e.same("arith.negf", &[grad]), class.weight);
        if view.reduction() == 1 {
            own = e.div(own, total.load(e, &first(of_total))?);
        }
        let is_own = e.compare(Compare::Eq, e.as_i64(*of_class), class.index);
        Ok(e.select(e.and(is_own, class.counts), own, e.like(own, 0.0)))
    })?;
    Ok(vec![made])
}
