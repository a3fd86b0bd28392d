//! Convolution, its transpose and the gradients of both, as plain `loop.reduction`s over channels and kernel
//! positions.
//!
//! A transposed convolution is a plain one for each phase of the stride ([`phases`]). The gradient of the
//! input of one kind is the other kind of what comes in; that of the weight sums products of both images over
//! the batch and the windows.

use super::{
    axes::{Axis, Meet, both},
    padded::{LANES, padded},
    phases::{Phase, around, phases},
    pointwise,
    reshape::collapse,
    sizes::{self, tensor, ty},
    source::Source,
};
use crate::emit::{Emitted, Emitter, Number, Typed};
use melior::ir::{AffineExpr, OperationRef, Value};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::{Dtype, ElementType},
        extent::Extent,
        pass::Failure,
    },
    ops::{Combiner, functional},
};

/// Output channels of a group from which on it is a product.
const ROWS: i64 = 6;

/// Phases of a stride, over all dimensions, beyond which a transposed convolution finds its windows by
/// division.
const PHASES: usize = 16;

/// Windows, for each channel of them, from which on a gradient of a weight takes less time with lanes along
/// the other channels: the windows are not copied, but the sums.
const TURNED: i64 = 4;

/// One spatial dimension of a sum: positions of the window, and where the tensor that is read meets them.
#[derive(Clone, Copy)]
enum Side<'c, 'a> {
    Whole(Axis<'c, 'a>),
    Phase(Phase<'c, 'a>),
}

impl<'c, 'a> Side<'c, 'a> {
    /// Positions of the window.
    fn taps(&self) -> Extent<'c, 'a> {
        match self {
            Self::Whole(axis) => axis.kernel,
            Self::Phase(phase) => phase.tap.2,
        }
    }

    /// Elements of the result.
    fn count(&self) -> Extent<'c, 'a> {
        match self {
            Self::Whole(axis) => axis.output,
            Self::Phase(phase) => phase.count,
        }
    }

    /// Where number `k`, a dimension of the domain, of the positions is in the window.
    fn tap(&self, e: &Emitter<'c, 'a>, k: usize) -> AffineExpr<'c> {
        match self {
            Self::Whole(_) => e.dim(k),
            Self::Phase(Phase { tap: (first, step, _), .. }) => e.dim(k) * e.number(*step) + e.number(*first),
        }
    }

    fn meet(
        &self,
        e: &Emitter<'c, 'a>,
        at: (usize, usize),
        i: &[V<'c, 'a>],
    ) -> Result<Meet<'c, 'a>, Failure> {
        match self {
            Self::Whole(axis) => axis.meet(e, at, i),
            Self::Phase(phase) => Ok(phase.meet(e, at, i)),
        }
    }
}

/// How windows lie, and what belongs together.
#[derive(Clone)]
struct Geometry<'c, 'a> {
    kernel: Vec<Extent<'c, 'a>>,
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    groups: i64,
}

impl<'c, 'a> Geometry<'c, 'a> {
    /// Spatial dimension `d`, of images of these sizes.
    fn axis(
        &self,
        d: usize,
        input: &[Extent<'c, 'a>],
        output: &[Extent<'c, 'a>],
        transposed: bool,
    ) -> Axis<'c, 'a> {
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

    /// The channels of a group.
    fn share(&self, e: &Emitter<'c, 'a>, channels: Extent<'c, 'a>) -> Result<Extent<'c, 'a>, Failure> {
        if self.groups == 1 { Ok(channels) } else { e.floor_div(channels, self.groups) }
    }

    /// Whether each of several groups is a product, of so many output channels as rows.
    fn has_products(&self, outputs: Extent<'c, 'a>) -> bool {
        self.groups > 1 && outputs.number().is_some_and(|outputs| outputs >= ROWS)
    }

    /// Where channel `own` of the group that channel `of` is in, one of so `many` in each, is among those of
    /// all groups, of which each has `channels`; and where `of` is in its group. `own` and `of` are
    /// dimensions of the domain, `values` its indices, behind which is put what has no affine expression.
    fn channels(
        &self,
        e: &Emitter<'c, 'a>,
        (of, many): (usize, Extent<'c, 'a>),
        (own, channels): (usize, Extent<'c, 'a>),
        values: &mut Vec<V<'c, 'a>>,
    ) -> [AffineExpr<'c>; 2] {
        match (self.groups, many.number(), channels.number()) {
            (1, ..) => [e.dim(own), e.dim(of)],
            (_, Some(many), Some(channels)) => {
                // Of no channels there is none to find.
                let many = e.number(many.max(1));
                let group = AffineExpr::floor_div(e.dim(of), many);
                let within = AffineExpr::modulo(e.dim(of), many);
                // Of one channel the index is that of the group, as it is.
                if channels == 1 {
                    [group, within]
                } else {
                    [group * e.number(channels) + e.dim(own), within]
                }
            }
            _ => {
                let many = e.size(many);
                let group = e.same("arith.divui", &[values[of], many]);
                let channel = e.add(e.mul(group, e.size(channels)), values[own]);
                let within = e.same("arith.remui", &[values[of], many]);
                [channel, within].map(|value| {
                    values.push(value);
                    e.dim(values.len() - 1)
                })
            }
        }
    }

    /// What an image and a weight give, of type `result`, and `bias`, one number for each channel.
    fn convolved(
        &self,
        e: &Emitter<'c, 'a>,
        result: Typed<'c, 'a>,
        factors: [V<'c, 'a>; 2],
        bias: Option<V<'c, 'a>>,
        transposed: bool,
    ) -> Emitted<'c, 'a> {
        let own = sizes::extents(factors[0], e)?;
        let axis = |d| self.axis(d, &own, &result.extents, transposed);
        let axes: Vec<Axis> = (0..self.kernel.len() - 2).map(axis).collect();
        let several = axes.iter().try_fold(1usize, |n, axis| n.checked_mul(axis.stride.try_into().ok()?));
        // The rows of a product are as close as they can be.
        let outputs = self.share(e, result.extents[1])?;
        let lanes = if self.groups == 1 || self.has_products(outputs) { 1 } else { LANES };
        if transposed && several.is_some_and(|several| several <= PHASES) {
            return self.by_phases(e, result, factors, bias, (&axes, lanes));
        }
        let copy = match transposed {
            true => None,
            false => padded(e, factors[0], (&own[..2], &axes), (Number::Int(0), lanes))?,
        };
        let (image, axes) = copy.unwrap_or((factors[0], axes));
        let sides: Vec<Side> = axes.into_iter().map(Side::Whole).collect();
        self.summed(e, result, [image, factors[1]], bias, (transposed, &sides))
    }

    /// What an image and a weight give where a transposed convolution is one for each phase of its stride,
    /// all over one padded image.
    fn by_phases(
        &self,
        e: &Emitter<'c, 'a>,
        result: Typed<'c, 'a>,
        mut factors: [V<'c, 'a>; 2],
        bias: Option<V<'c, 'a>>,
        (axes, lanes): (&[Axis<'c, 'a>], i64),
    ) -> Emitted<'c, 'a> {
        let mut phases = axes.iter().map(|axis| phases(e, axis)).collect::<Result<Vec<_>, _>>()?;
        let wide: Option<Vec<Axis>> = axes.iter().zip(&phases).map(|(axis, own)| around(axis, own)).collect();
        let lead = &sizes::extents(factors[0], e)?[..2];
        let copy = wide.map(|wide| padded(e, factors[0], (lead, &wide), (Number::Int(0), lanes)));
        if let Some((image, over)) = copy.transpose()?.flatten() {
            factors[0] = image;
            for ((axis, own), over) in axes.iter().zip(&mut phases).zip(over) {
                let before = around(axis, own).map_or(0, |around| around.padding);
                own.iter_mut().for_each(|phase| *phase = phase.over(before, over.input));
            }
        }
        let mut all: Vec<Vec<Side>> = vec![vec![]];
        for phases in &phases {
            let with = |sides: Vec<Side<'c, 'a>>| {
                phases.iter().map(move |phase| [&sides[..], &[Side::Phase(*phase)]].concat())
            };
            all = all.into_iter().flat_map(with).collect();
        }
        if let [sides] = &all[..] {
            return self.summed(e, result, factors, bias, (true, sides));
        }
        let (dtype, mut joined) = (tensor(factors[0])?.dtype, e.empty(result.clone()));
        for sides in &all {
            let counts = sides.iter().map(Side::count);
            let extents: Vec<Extent> = result.extents[..2].iter().copied().chain(counts).collect();
            if extents.contains(&Extent::Number(0)) {
                continue;
            }
            let part = plain(e, &extents, dtype);
            let part = self.summed(e, part, factors, bias, (true, sides))?;
            let place = |(d, (side, axis)): (usize, (&Side, &Axis))| match side {
                Side::Phase(phase) => e.dim(d + 2) * e.number(axis.stride) + e.number(phase.first),
                Side::Whole(_) => e.dim(d + 2),
            };
            let places = sides.iter().zip(axes).enumerate().map(place);
            let places: Vec<AffineExpr> = [e.dim(0), e.dim(1)].into_iter().chain(places).collect();
            let part = Source::of_tensor(part, extents.len(), e);
            joined = e.scatter(joined, &extents, &places, &[], |e, i| part.load(e, i))?;
        }
        Ok(joined)
    }

    /// The same along these sides of a window.
    fn summed(
        &self,
        e: &Emitter<'c, 'a>,
        result: Typed<'c, 'a>,
        [input, weight]: [V<'c, 'a>; 2],
        bias: Option<V<'c, 'a>>,
        (transposed, sides): (bool, &[Side<'c, 'a>]),
    ) -> Emitted<'c, 'a> {
        let (dtype, own) = (tensor(input)?.dtype, sizes::extents(input, e)?);
        // The domain: batch, output channel, output position; over: channel in the group, kernel position.
        // Where groups are products the group is a dimension of its own.
        let (channels, outputs) = (self.share(e, own[1])?, self.share(e, result.extents[1])?);
        let apart = outputs.number().filter(|_| self.has_products(outputs)).zip(channels.number());
        let first = if apart.is_some() { 3 } else { 2 };
        let channel = sides.len() + first;
        let inner: Vec<Extent> = [channels].into_iter().chain(sides.iter().map(Side::taps)).collect();
        let (x, w) = (Source::of(input, e)?, Source::of(weight, e)?);
        let of_groups = match apart {
            None => result.clone(),
            Some(_) => {
                let groups = [result.extents[0], Extent::Number(self.groups), outputs];
                plain(e, &[&groups, &result.extents[2..]].concat(), dtype)
            }
        };
        let sums = e.reduction(of_groups, Combiner::Add, &inner, |e, i| {
            let mut values = i.to_vec();
            let (output, [input_channel, within]) = match apart {
                None => (e.dim(1), self.channels(e, (1, outputs), (channel, channels), &mut values)),
                Some((outputs, channels)) => {
                    let of = |own: usize, many: i64| e.dim(1) * e.number(many) + e.dim(own);
                    (of(2, outputs), [of(channel, channels), e.dim(2)])
                }
            };
            let mut place = vec![e.dim(0), input_channel];
            let mut taps =
                if transposed { vec![input_channel, within] } else { vec![output, e.dim(channel)] };
            let mut mask = None;
            for (d, side) in sides.iter().enumerate() {
                let (position, inside) = side.meet(e, (d + first, channel + 1 + d), i)?;
                place.push(position);
                taps.push(side.tap(e, channel + 1 + d));
                mask = both(e, mask, inside);
            }
            let mask = mask.map(|mask| (mask, e.constant(dtype.to_type(e.context), Number::Int(0))));
            Ok(e.mul(x.load_at(e, &place, &values, mask)?, w.load_at(e, &taps, &values, None)?))
        })?;
        let product = match apart {
            None => sums,
            Some(_) => {
                let others = (2..result.extents.len()).map(|d| d + 1..d + 2);
                collapse(e, sums, &[0..1, 1..3].into_iter().chain(others).collect::<Vec<_>>(), result.ty)
            }
        };
        let Some(bias) = bias else { return Ok(product) };
        let bias = Source::of(bias, e)?.reindexed(&[e.dim(1)], result.extents.len(), e);
        pointwise::add(product, &bias, result, e)
    }

    /// The gradient of a weight [A, B / groups, ...]: `windows` is an image [N, A, ...] of an element for
    /// each window, `image` [N, B, ...] what they lie on.
    fn correlated(
        &self,
        e: &Emitter<'c, 'a>,
        result: Typed<'c, 'a>,
        [windows, image]: [V<'c, 'a>; 2],
    ) -> Emitted<'c, 'a> {
        if let Some(turned) = self.turned(e, (&result, windows), image)? {
            return Ok(turned);
        }
        let dtype = tensor(windows)?.dtype;
        let (own, under) = (sizes::extents(windows, e)?, sizes::extents(image, e)?);
        let spatial = self.kernel.len() - 2;
        // The domain: channel, channel in the group, kernel position; over: batch, window.
        let batch = spatial + 2;
        let (a, b) = (self.share(e, own[1])?, self.share(e, under[1])?);
        let (windows, image) = (Source::of(windows, e)?, Source::of(image, e)?);
        e.reduction(result, Combiner::Add, &of_windows(&own), |e, i| {
            let mut values = i.to_vec();
            let [channel, _] = self.channels(e, (0, a), (1, b), &mut values);
            let (mut at, mut place, mut mask) =
                (vec![e.dim(batch), e.dim(0)], vec![e.dim(batch), channel], None);
            for d in 0..spatial {
                let (k, p) = (d + 2, batch + 1 + d);
                let (position, inside) = self.axis(d, &under, &own, false).meet(e, (p, k), i)?;
                at.push(e.dim(p));
                place.push(position);
                mask = both(e, mask, inside);
            }
            let mask = mask.map(|mask| (mask, e.constant(dtype.to_type(e.context), Number::Int(0))));
            Ok(e.mul(windows.load_at(e, &at, &values, None)?, image.load_at(e, &place, &values, mask)?))
        })
    }

    /// The same of a padded image whose channels are last, so that lanes are along them and no window is
    /// copied: a product for each kernel position. None where a register has more lanes than there are
    /// channels, or sizes are not known.
    fn turned(
        &self,
        e: &Emitter<'c, 'a>,
        (result, windows): (&Typed<'c, 'a>, V<'c, 'a>),
        image: V<'c, 'a>,
    ) -> Result<Option<V<'c, 'a>>, Failure> {
        let dtype = tensor(windows)?.dtype;
        let (own, under) = (sizes::extents(windows, e)?, sizes::extents(image, e)?);
        let fills = under[1].number().is_some_and(|channels| channels >= LANES);
        let count =
            |sizes: &[Extent<'c, 'a>]| sizes.iter().try_fold(1i64, |n, size| n.checked_mul(size.number()?));
        let [positions, rows, summed] = [&self.kernel[2..], &own[1..2], &of_windows(&own)].map(count);
        let is_sum = rows.zip(summed).is_some_and(|(rows, summed)| summed / TURNED >= rows);
        if self.groups > 1 || !fills || !is_sum || positions.is_none_or(|positions| positions == 1) {
            return Ok(None);
        }
        let spatial = self.kernel.len() - 2;
        let axes: Vec<Axis> = (0..spatial).map(|d| self.axis(d, &under, &own, false)).collect();
        let copy = padded(e, image, (&under[..2], &axes), (Number::Int(0), 1))?;
        let (image, axes) = copy.unwrap_or((image, axes));
        if axes.iter().any(|axis| axis.padding > 0 || !axis.is_inside()) {
            return Ok(None);
        }
        let (image, places) = (Source::of(image, e)?, axes.iter().map(|axis| axis.input));
        let last: Vec<Extent> = [under[0]].into_iter().chain(places).chain([under[1]]).collect();
        let channels_last = e.pointwise(plain(e, &last, dtype), |e, i| {
            image.load(e, &[&[i[0], i[spatial + 1]], &i[1..=spatial]].concat())
        })?;
        // The domain: kernel position, both channels; over: batch, window.
        let (first, batch) = (spatial, spatial + 2);
        let sums: Vec<Extent> = self.kernel[2..].iter().chain(&self.kernel[..2]).copied().collect();
        let (windows, image) = (Source::of(windows, e)?, Source::of(channels_last, e)?);
        let sums = e.reduction(plain(e, &sums, dtype), Combiner::Add, &of_windows(&own), |e, i| {
            let (mut at, mut place) = (vec![e.dim(batch), e.dim(first)], vec![e.dim(batch)]);
            for (d, axis) in axes.iter().enumerate() {
                at.push(e.dim(batch + 1 + d));
                place.push(axis.meet(e, (batch + 1 + d, d), i)?.0);
            }
            place.push(e.dim(first + 1));
            Ok(e.mul(windows.load_at(e, &at, i, None)?, image.load_at(e, &place, i, None)?))
        })?;
        let sums = Source::of(sums, e)?;
        e.pointwise(result.clone(), |e, i| sums.load(e, &[&i[2..], &i[..2]].concat())).map(Some)
    }
}

/// What a gradient of a weight is summed over: the batch, and the windows of each image.
fn of_windows<'c, 'a>(windows: &[Extent<'c, 'a>]) -> Vec<Extent<'c, 'a>> {
    windows[..1].iter().chain(&windows[2..]).copied().collect()
}

/// `convolution`.
pub fn convolution<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::ConvolutionOp::try_from(op).map_err(|_| "is no convolution")?;
    let result = Value::from(op.result_at(0)?);
    let geometry = Geometry {
        kernel: sizes::extents(view.weight(), e)?,
        stride: view.stride(),
        padding: view.padding(),
        dilation: view.dilation(),
        groups: view.groups().unwrap_or(1),
    };
    let factors = [view.input(), view.weight()];
    let ty = sizes::typed(result, e)?;
    let transposed = view.transposed().unwrap_or(false);
    Ok(vec![geometry.convolved(e, ty, factors, view.bias(), transposed)?])
}

/// A tensor of these sizes.
fn plain<'c, 'a>(e: &Emitter<'c, 'a>, extents: &[Extent<'c, 'a>], dtype: Dtype) -> Typed<'c, 'a> {
    let ty = ty(&Extent::in_types(extents), dtype).to_type(e.context);
    Typed { ty, extents: extents.to_vec() }
}

/// `convolution_backward`: the gradients that are asked for, of input, weight and bias.
pub fn convolution_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::ConvolutionBackwardOp::try_from(op).map_err(|_| "is no convolution_backward")?;
    let (grad, input, weight) = (view.grad_output(), view.input(), view.weight());
    let [own, taps, made] = [input, weight, grad].map(|tensor| sizes::extents(tensor, e));
    let (own, taps, made) = (own?, taps?, made?);
    let geometry = Geometry {
        kernel: taps.clone(),
        stride: view.stride(),
        padding: view.padding(),
        dilation: view.dilation(),
        groups: view.groups().unwrap_or(1),
    };
    let (transposed, mask) = (view.transposed().unwrap_or(false), view.output_mask());
    let asked = |i: usize| mask.get(i) == Some(&true);
    let dtype = tensor(input)?.dtype;
    let plain = |extents: &[Extent<'c, 'a>]| plain(e, extents, dtype);
    let mut results = vec![];
    if asked(0) {
        results.push(geometry.convolved(e, plain(&own), [grad, weight], None, !transposed)?);
    }
    if asked(1) {
        let images = if transposed { [input, grad] } else { [grad, input] };
        results.push(geometry.correlated(e, plain(&taps), images)?);
    }
    if asked(2) {
        let inner: Vec<Extent> = made[..1].iter().chain(&made[2..]).copied().collect();
        let grads = Source::of(grad, e)?;
        results.push(e.reduction(plain(&made[1..2]), Combiner::Add, &inner, |e, i| {
            grads.load(e, &[&[i[1], i[0]], &i[2..]].concat())
        })?);
    }
    Ok(results)
}
