//! Gradients of activations, softmax and layer norm: how functional's operators spell them.
//!
//! Source: the derivative formulas of autograd (tools/autograd/derivatives.yaml of PyTorch), by hand.

use super::lowering::{Lowered, Lowering};
use crate::functional::writer::{Writer, Written};
use melior::ir::{Value, ValueLike};
use terrace_dialects::{
    aten::placement::iterated::{computed, factors},
    internal,
    ir::{OperationLike, attributes, pass::Failure, types::TensorType, view},
    ops::functional as f,
};
use terrace_size::Size;

/// Both tensors in the dtype and shape of the result.
fn both<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Result<[Value<'c, 'a>; 2], Failure> {
    let dtype = computed(l.op, l.op_impl, &factors(l.op, l.op_impl));
    let (sizes, _) = l.result()?;
    Ok([l.tensor(l.operand(0), dtype, &sizes)?, l.tensor(l.operand(1), dtype, &sizes)?])
}

/// `threshold_backward`: nothing where `self` is not above the threshold.
pub fn threshold<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let [grad, own] = both(l)?;
    let w: Writer = **l.values;
    let threshold = w.full(l.operand(2), w.ty(own)?.dtype, &w.sizes(own)?)?;
    let zero = w.like(grad, 0.0)?;
    Ok(vec![w.choose(w.binary(f::le, own, threshold)?, zero, grad)?])
}

/// The sums over some dimensions, in the shape of the tensor.
fn sums<'c, 'a>(w: Writer<'c, 'a>, x: Value<'c, 'a>, dims: &[i64]) -> Written<'c, 'a> {
    let sum = w.value(f::sum(w.location(), x, Some(dims), Some(true), None))?;
    w.expand(sum, &w.sizes(x)?)
}

/// `y * (grad - sum(grad * y))`, or of log_softmax `grad - exp(y) * sum(grad)`.
pub fn softmax<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (grad, y) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    let w: Writer = **l.values;
    let dim = attributes::i64(l.op.attribute("dim").map_err(|_| "has no dim")?);
    let rank = TensorType::of(y.r#type()).map_or(0, |t| t.rank());
    let along = |x| if rank == 0 { Ok(x) } else { sums(w, x, &[dim]) };
    Ok(vec![if l.base_name() == "_softmax_backward_data" {
        let sum = along(w.binary(f::mul, grad, y)?)?;
        w.binary(f::mul, y, w.binary(f::sub, grad, sum)?)?
    } else {
        let part = w.binary(f::mul, w.unary(f::exp, y)?, along(grad)?)?;
        w.binary(f::sub, grad, part)?
    }])
}

/// With `n` the normalized input and `g` the gradient times the weight: `rstd * (g - mean(g) - n * mean(g *
/// n))`; the sums over all rows of `grad * n` and of `grad`.
pub fn layer_norm<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (grad, x) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    let ty = l.values.ty(x)?;
    let normalized = attributes::i64s(l.op.attribute("normalized_shape").map_err(|_| "has no shape")?);
    let (rank, lead) = (ty.rank() as i64, (ty.rank() - normalized.len()) as i64);
    let (inner, outer): (Vec<i64>, Vec<i64>) = ((lead..rank).collect(), (0..lead).collect());
    // One for each row, which types need not say.
    let ones = vec![Size::ONE; normalized.len()];
    let rows = [&ty.shape[..lead as usize], &ones].concat();
    let mut of_row = |place: usize| {
        let own = l.read(l.operand(place))?;
        l.values.expand(l.values.view(own, &rows)?, &ty.shape)
    };
    let (mean, rstd) = (of_row(2)?, of_row(3)?);
    let w: Writer = **l.values;
    // The statistics may be of f32 beside half precision.
    let wide = w.ty(mean)?.dtype;
    let (grad, x) = (w.cast(grad, wide)?, w.cast(x, wide)?);
    let n = w.binary(f::mul, w.binary(f::sub, x, mean)?, rstd)?;
    let mask = attributes::bools(l.op.attribute("output_mask").map_err(|_| "has no mask")?);
    let mut results = vec![];
    if mask[0] {
        let g = match view::optional(l.op, l.op_impl, 4) {
            Some(weight) => w.binary(f::mul, grad, l.tensor(weight, wide, &ty.shape)?)?,
            None => grad,
        };
        let count = w.like(x, normalized.iter().product::<i64>() as f64)?;
        let plain = w.quotient(sums(w, g, &inner)?, count)?;
        let moment = w.quotient(sums(w, w.binary(f::mul, g, n)?, &inner)?, count)?;
        let rest = w.binary(f::sub, w.binary(f::sub, g, plain)?, w.binary(f::mul, n, moment)?)?;
        results.push(w.binary(f::mul, rstd, rest)?);
    }
    for (asked, by) in [(mask[1], w.binary(f::mul, grad, n)?), (mask[2], grad)] {
        if asked {
            results.push(match outer.is_empty() {
                true => by,
                false => w.value(f::sum(w.location(), by, Some(&outer), None, None))?,
            });
        }
    }
    let own = |(i, value)| {
        let result =
            TensorType::of(l.op.result_at(i)?.r#type()).ok_or(internal!("a gradient is a tensor"))?;
        w.cast(value, result.dtype)
    };
    results.into_iter().enumerate().map(own).collect()
}
