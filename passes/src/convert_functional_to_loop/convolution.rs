//! Convolution, its transpose and the gradients of both, as plain `loop.reduction`s over channels and kernel positions.
//!
//! A transposed convolution finds windows by places. The gradient of the input of one kind is the other kind of what comes in; that
//! of the weight sums products of both images over the batch and the windows.

use super::{
    Results,
    axes::{Axis, both},
    combining::ty,
    pointwise, sizes,
    source::Source,
    views::tensor,
};
use crate::emit::{Emitter, Made, Number, Typed};
use melior::ir::{AffineExpr, OperationRef, Type, Value};
use terrace_dialects::{
    cursor::V,
    extent::Extent,
    ops::{Combiner, functional},
    types::DYNAMIC,
};

/// How windows lie, and what belongs together.
#[derive(Clone)]
struct Geometry {
    kernel: Vec<i64>,
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    groups: i64,
}

impl Geometry {
    /// Spatial dimension `d`, of images of these sizes.
    fn axis(&self, d: usize, input: &[i64], output: &[i64], transposed: bool) -> Axis {
        // One number stands for every dimension.
        let of = |list: &[i64]| if list.len() == 1 { list[0] } else { list[d] };
        Axis {
            input: input[d + 2],
            output: output[d + 2],
            kernel: self.kernel[d + 2],
            stride: of(&self.stride),
            padding: of(&self.padding),
            dilation: of(&self.dilation),
            transposed,
        }
    }

    /// What an image and a weight give, of type `result`. The size of the batch may be one of the run.
    fn convolved<'c, 'a>(
        &self,
        e: &Emitter<'c, 'a>,
        result: Typed<'c, 'a>,
        [input, weight]: [V<'c, 'a>; 2],
        transposed: bool,
    ) -> Made<'c, 'a> {
        let own = tensor(input)?;
        let output = Extent::in_types(&result.extents);
        if [&own.shape[1..], &self.kernel, &output[1..]].iter().any(|sizes| sizes.contains(&DYNAMIC)) {
            return Err("has a size that is only known at run time, beside that of the batch".into());
        }
        let spatial = self.kernel.len() - 2;
        // The domain: batch, output channel, output position; over: channel in the group, kernel position.
        let channel = spatial + 2;
        let (channels, outputs) = (own.shape[1] / self.groups, output[1] / self.groups);
        let inner: Vec<i64> = [channels].iter().chain(&self.kernel[2..]).copied().collect();
        let (x, w) = (Source::of(input, e)?, Source::of(weight, e)?);
        e.reduction(result, Combiner::Add, &inner, |e, i| {
            let input_channel = match self.groups {
                1 => e.dim(channel),
                _ => group(e, 1, outputs) * e.number(channels) + e.dim(channel),
            };
            let mut place = vec![e.dim(0), input_channel];
            let mut taps = match (transposed, self.groups) {
                (false, _) => vec![e.dim(1), e.dim(channel)],
                (true, 1) => vec![input_channel, e.dim(1)],
                (true, _) => vec![input_channel, AffineExpr::modulo(e.dim(1), e.number(outputs.max(1)))],
            };
            let mut mask = None;
            for d in 0..spatial {
                let axis = self.axis(d, &own.shape, &output, transposed);
                let (position, inside) = axis.meet(e, (d + 2, channel + 1 + d), i);
                place.push(position);
                taps.push(e.dim(channel + 1 + d));
                mask = both(e, mask, inside);
            }
            let mask = mask.map(|mask| (mask, e.constant(own.dtype.to_type(e.context), Number::Int(0))));
            Ok(e.mul(x.load_at(e, &place, i, mask)?, w.load_at(e, &taps, i, None)?))
        })
    }

    /// The gradient of a weight [A, B / groups, ...]: `windows` is an image [N, A, ...] of an element for each window, `image`
    /// [N, B, ...] what they lie on.
    fn correlated<'c, 'a>(
        &self,
        e: &Emitter<'c, 'a>,
        result: Type<'c>,
        [windows, image]: [V<'c, 'a>; 2],
    ) -> Made<'c, 'a> {
        let (own, under) = (tensor(windows)?, tensor(image)?);
        let spatial = self.kernel.len() - 2;
        // The domain: channel, channel in the group, kernel position; over: batch, window.
        let batch = spatial + 2;
        let inner: Vec<i64> = own.shape[..1].iter().chain(&own.shape[2..]).copied().collect();
        let (a, b) = (own.shape[1] / self.groups, under.shape[1] / self.groups);
        let (windows, image) = (Source::of(windows, e)?, Source::of(image, e)?);
        e.reduction(result, Combiner::Add, &inner, |e, i| {
            let channel = match self.groups {
                1 => e.dim(1),
                _ => group(e, 0, a) * e.number(b) + e.dim(1),
            };
            let (mut at, mut place, mut mask) =
                (vec![e.dim(batch), e.dim(0)], vec![e.dim(batch), channel], None);
            for d in 0..spatial {
                let (k, p) = (d + 2, batch + 1 + d);
                let (position, inside) = self.axis(d, &under.shape, &own.shape, false).meet(e, (p, k), i);
                at.push(e.dim(p));
                place.push(position);
                mask = both(e, mask, inside);
            }
            let mask = mask.map(|mask| (mask, e.constant(own.dtype.to_type(e.context), Number::Int(0))));
            Ok(e.mul(windows.load_at(e, &at, i, None)?, image.load_at(e, &place, i, mask)?))
        })
    }
}

/// The group of a channel; of no channels there is none to find.
fn group<'c>(e: &Emitter<'c, '_>, dim: usize, channels: i64) -> AffineExpr<'c> {
    AffineExpr::floor_div(e.dim(dim), e.number(channels.max(1)))
}

/// `convolution`.
pub fn convolution<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::ConvolutionOp::try_from(op).map_err(|_| "is no convolution")?;
    let result = Value::from(op.result(0)?);
    let geometry = Geometry {
        kernel: tensor(view.weight())?.shape,
        stride: view.stride(),
        padding: view.padding(),
        dilation: view.dilation(),
        groups: view.groups().unwrap_or(1),
    };
    let factors = [view.input(), view.weight()];
    let ty = sizes::typed(result, e)?;
    let product = geometry.convolved(e, ty.clone(), factors, view.transposed().unwrap_or(false))?;
    let Some(bias) = view.bias() else { return Ok(vec![product]) };
    let bias = Source::of(bias, e)?.seen(&[e.dim(1)], tensor(result)?.rank(), e);
    Ok(vec![pointwise::add(product, &bias, ty, e)?])
}

/// `convolution_backward`: the gradients that are asked for, of input, weight and bias.
pub fn convolution_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::ConvolutionBackwardOp::try_from(op).map_err(|_| "is no convolution_backward")?;
    let (grad, input, weight) = (view.grad_output(), view.input(), view.weight());
    let (own, taps, made) = (tensor(input)?, tensor(weight)?, tensor(grad)?);
    let geometry = Geometry {
        kernel: taps.shape.clone(),
        stride: view.stride(),
        padding: view.padding(),
        dilation: view.dilation(),
        groups: view.groups().unwrap_or(1),
    };
    let (transposed, mask) = (view.transposed().unwrap_or(false), view.output_mask());
    let asked = |i: usize| mask.get(i) == Some(&true);
    let plain = |shape: &[i64]| ty(shape, own.dtype).to_type(e.context);
    let mut results = vec![];
    if asked(0) {
        results.push(geometry.convolved(e, plain(&own.shape).into(), [grad, weight], !transposed)?);
    }
    if asked(1) {
        let images = if transposed { [input, grad] } else { [grad, input] };
        results.push(geometry.correlated(e, plain(&taps.shape), images)?);
    }
    if asked(2) {
        let inner: Vec<i64> = made.shape[..1].iter().chain(&made.shape[2..]).copied().collect();
        let grads = Source::of(grad, e)?;
        results.push(e.reduction(plain(&made.shape[1..2]), Combiner::Add, &inner, |e, i| {
            grads.load(e, &[&[i[1], i[0]], &i[2..]].concat())
        })?);
    }
    Ok(results)
}
