//! Convolution and its transpose as a plain `loop.reduction` over channels and kernel positions.
//!
//! Output position p and kernel position k meet at input position `p * stride - padding + k * dilation`; transposed, input
//! position i and kernel position k meet at output position `i * stride - padding + k * dilation`. Where the input position
//! lies outside, the load is masked: zero stands there.

use super::{Results, pointwise, sizes, source::Source, views::tensor};
use crate::emit::{Compare, Emitter, Number};
use melior::ir::{AffineExpr, OperationRef, Value};
use terrace_dialects::{
    cursor::V,
    ops::{Combiner, functional},
    types::DYNAMIC,
};

/// One spatial dimension.
struct Axis {
    input: i64,
    output: i64,
    kernel: i64,
    stride: i64,
    padding: i64,
    dilation: i64,
    transposed: bool,
}

impl Axis {
    /// The input position where output and kernel positions (dimensions `p` and `k` of the domain `i`) meet, and whether
    /// it is one; None where it always is.
    fn meet<'c, 'a>(
        &self,
        e: &Emitter<'c, 'a>,
        (p, k): (usize, usize),
        i: &[V<'c, 'a>],
    ) -> (AffineExpr<'c>, Option<V<'c, 'a>>) {
        let scaled = |d: usize, by: i64| e.dim(d) * e.number(by);
        let times = |d: usize, by: i64| if by == 1 { i[d] } else { e.mul(i[d], e.index(by)) };
        let plus = |x, by: i64| if by == 0 { x } else { e.add(x, e.index(by)) };
        if !self.transposed {
            let place = scaled(p, self.stride) + scaled(k, self.dilation) + e.number(-self.padding);
            let last = (self.output - 1) * self.stride + (self.kernel - 1) * self.dilation - self.padding;
            if self.padding == 0 && last < self.input {
                return (place, None);
            }
            let x = plus(e.add(times(p, self.stride), times(k, self.dilation)), -self.padding);
            return (place, Some(e.inside(x, e.index(self.input))));
        }
        let ahead = e.dim(p) + scaled(k, -self.dilation) + e.number(self.padding);
        let x = plus(e.sub(i[p], times(k, self.dilation)), self.padding);
        let inside = e.inside(x, e.index(self.input * self.stride));
        if self.stride == 1 {
            return (ahead, Some(inside));
        }
        let rest = e.same("arith.remsi", &[x, e.index(self.stride)]);
        let whole = e.compare(Compare::Eq, rest, e.index(0));
        (AffineExpr::floor_div(ahead, e.number(self.stride)), Some(e.and(inside, whole)))
    }
}

/// `convolution`.
pub fn convolution<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::ConvolutionOp::try_from(op).map_err(|_| "is no convolution")?;
    let result = Value::from(op.result(0)?);
    let ty = sizes::typed(result, e)?;
    let (input, kernel) = (tensor(view.input())?, tensor(view.weight())?.shape);
    let output = tensor(result)?.shape;
    if [&input.shape[1..], &kernel, &output[1..]].iter().any(|sizes| sizes.contains(&DYNAMIC)) {
        return Err("has a size that is only known at run time, beside that of the batch".into());
    }
    let (transposed, groups) = (view.transposed().unwrap_or(false), view.groups().unwrap_or(1));
    let spatial = kernel.len() - 2;
    // One number stands for every dimension.
    let of = |list: &[i64], d: usize| if list.len() == 1 { list[0] } else { list[d] };
    let (stride, padding, dilation) = (view.stride(), view.padding(), view.dilation());
    let axis = |d: usize| Axis {
        input: input.shape[d + 2],
        output: output[d + 2],
        kernel: kernel[d + 2],
        stride: of(&stride, d),
        padding: of(&padding, d),
        dilation: of(&dilation, d),
        transposed,
    };

    // The domain: batch, output channel, output position; over: channel in the group, kernel position.
    let channel = spatial + 2;
    let (channels, outputs) = (input.shape[1] / groups, output[1] / groups);
    let inner: Vec<i64> = [channels].iter().chain(&kernel[2..]).copied().collect();
    let (x, w) = (Source::of(view.input(), e)?, Source::of(view.weight(), e)?);
    let product = e.reduction(ty.clone(), Combiner::Add, &inner, |e, i| {
        let input_channel = match groups {
            1 => e.dim(channel),
            // Of no outputs there is no group to find.
            _ => {
                AffineExpr::floor_div(e.dim(1), e.number(outputs.max(1))) * e.number(channels)
                    + e.dim(channel)
            }
        };
        let mut place = vec![e.dim(0), input_channel];
        let mut weight = match (transposed, groups) {
            (false, _) => vec![e.dim(1), e.dim(channel)],
            (true, 1) => vec![input_channel, e.dim(1)],
            (true, _) => vec![input_channel, AffineExpr::modulo(e.dim(1), e.number(outputs.max(1)))],
        };
        let mut mask = None;
        for d in 0..spatial {
            let (p, k) = (d + 2, channel + 1 + d);
            let (position, inside) = axis(d).meet(e, (p, k), i);
            place.push(position);
            weight.push(e.dim(k));
            mask = match (mask, inside) {
                (Some(all), Some(inside)) => Some(e.and(all, inside)),
                (all, inside) => all.or(inside),
            };
        }
        let mask = mask.map(|mask| (mask, e.constant(input.dtype.to_type(e.context), Number::Int(0))));
        Ok(e.mul(x.load_at(e, &place, i, mask)?, w.load_at(e, &weight, i, None)?))
    })?;
    let Some(bias) = view.bias() else { return Ok(vec![product]) };
    let bias = Source::of(bias, e)?.seen(&[e.dim(1)], output.len(), e);
    Ok(vec![pointwise::add(product, &bias, ty, e)?])
}
