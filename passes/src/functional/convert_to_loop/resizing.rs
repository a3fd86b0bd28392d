//! Images of other sizes: each element is that at a place of the image, or is mixed of those around it.
//!
//! Along each dimension a place of the result has *taps*: places of the image with weights, one for the
//! nearest, two for linear, four for cubic mixing. They are computed in the body, in f32 as eager does, in
//! f64 for f64. The gradient goes the other way: a `loop.scatter add` of each element to its taps. Bytes are
//! mixed along one dimension after the other, by weights that are integers.

use super::{
    axes::both,
    late::{Float, Truth},
    sizes::{self, tensor, ty},
    source::Source,
};
use crate::emit::{Compare, Emitted, Emitter, Number, Typed};
use melior::ir::{OperationRef, Type, Value};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike, attributes,
        cursor::{Results, V},
        dtype::{Dtype, ElementType},
        extent::Extent,
        operations::name_of,
        pass::Failure,
        shaped::Shaped,
    },
    loops::scatters::Meeting,
    ops::Combiner,
};

/// A place of the image, and its weight; None: 1.
#[derive(Clone, Copy)]
pub struct Tap<'c, 'a> {
    /// An index.
    pub place: V<'c, 'a>,
    /// A float.
    pub weight: Option<V<'c, 'a>>,
    /// Whether it is one at all, where that is known at run time only.
    present: Option<V<'c, 'a>>,
}

/// How places are found along one dimension.
#[derive(Clone, Copy)]
struct Scale<'c, 'a> {
    size: Extent<'c, 'a>,
    count: Extent<'c, 'a>,
    /// Whether they are equal, and whether the second is twice the first.
    same: Truth<'c, 'a>,
    twice: Truth<'c, 'a>,
    /// How far places of the image of neighbours are apart, of type `float`.
    step: Float<'c, 'a>,
    float: Type<'c>,
    /// Whether the corners of both images are one place; None where no element is mixed.
    align_corners: Option<bool>,
    cubic: bool,
}

impl<'c, 'a> Scale<'c, 'a> {
    /// The taps of a place of the result.
    fn taps(&self, e: &Emitter<'c, 'a>, at: V<'c, 'a>) -> Vec<Tap<'c, 'a>> {
        let number = |value: f64| e.constant(self.float, Number::Float(value));
        let single = |place| vec![Tap { place, weight: None, present: None }];
        let along = || e.op("arith.sitofp", &[e.as_i64(at)], self.float, &[]);
        let last = || match self.size {
            Extent::Number(size) => e.index(size - 1),
            Extent::Value(size) => e.sub(size, e.index(1)),
        };
        let Some(align_corners) = self.align_corners else {
            let scaled = || {
                let place = floor(e, e.mul(along(), self.step.value(e, self.float))).1;
                e.same("arith.minsi", &[place, last()])
            };
            let half = || e.same("arith.divui", &[at, e.index(2)]);
            return single(self.same.choose(e, || at, || self.twice.choose(e, half, scaled)));
        };
        let alone = if self.cubic { Truth::Known(false) } else { self.same };
        if let Truth::Known(true) = alone {
            return single(at);
        }
        let step = self.step.value(e, self.float);
        let place = match align_corners {
            true => e.mul(step, along()),
            false => e.sub(e.mul(step, e.add(along(), number(0.5))), number(0.5)),
        };
        let place = if self.cubic { place } else { e.same("arith.maximumf", &[place, number(0.0)]) };
        let (last, (_, first)) = (last(), floor(e, place));
        let first = e.same("arith.minsi", &[first, last]);
        let rest = e.sub(place, e.op("arith.sitofp", &[e.as_i64(first)], self.float, &[]));
        let rest = e.same("arith.minimumf", &[rest, number(1.0)]);
        let rest = e.same("arith.maximumf", &[rest, number(0.0)]);
        if self.cubic {
            let near = |(n, weight): (i64, V<'c, 'a>)| {
                let place = e.add(first, e.index(n - 1));
                let place = e.same("arith.maxsi", &[place, e.index(0)]);
                let place = e.same("arith.minsi", &[place, last]);
                Tap { place, weight: Some(weight), present: None }
            };
            return (0..4).zip(cubic_weights(e, rest)).map(near).collect();
        }
        let first = alone.choose(e, || at, || first);
        let rest = alone.choose(e, || number(0.0), || rest);
        let next = e.same("arith.minsi", &[e.add(first, e.index(1)), last]);
        let other = e.sub(number(1.0), rest);
        // Of equal sizes there is one tap, with weight 1.
        let present = match alone {
            Truth::Value(alone) => Some(e.same("arith.xori", &[alone, e.like(alone, -1.0)])),
            Truth::Known(_) => None,
        };
        let first = Tap { place: first, weight: Some(other), present: None };
        vec![first, Tap { place: next, weight: Some(rest), present }]
    }

    /// Of how many places the weights are looked at to find the largest. Where the image does not become
    /// smaller the first place of a linear mixture is one of the image, of weight 1, and no weight is larger.
    /// What has more places than memory has bytes is not computed, for it is refused afterwards.
    fn weighed(&self, e: &Emitter<'c, 'a>) -> Extent<'c, 'a> {
        /// More places than memory has bytes.
        const TOO_MANY: i64 = 1 << 36;
        let at_most = |first: V<'c, 'a>| match self.count {
            Extent::Number(count) => Extent::Value(e.select(first, e.index(1), e.index(count))),
            Extent::Value(count) => Extent::Value(e.select(first, e.index(1), count)),
        };
        match (self.align_corners, self.step, self.count) {
            (Some(true), ..) if !self.cubic => Extent::Number(1),
            (_, _, Extent::Number(count)) if count > TOO_MANY => Extent::Number(1),
            (_, Float::Known(step), _) if !self.cubic && step <= 1.0 => Extent::Number(1),
            (_, Float::Value(step), _) if !self.cubic => {
                at_most(e.compare(Compare::Le, step, e.like(step, 1.0)))
            }
            (_, _, Extent::Value(count)) => at_most(e.compare(Compare::Gt, count, e.index(TOO_MANY))),
            _ => self.count,
        }
    }

    /// How many taps a place has.
    fn taps_count(&self, e: &Emitter<'c, 'a>) -> Extent<'c, 'a> {
        match (self.align_corners, self.cubic, self.same) {
            (Some(_), true, _) => Extent::Number(4),
            (None, ..) | (_, _, Truth::Known(true)) => Extent::Number(1),
            (_, _, Truth::Known(false)) => Extent::Number(2),
            (_, _, Truth::Value(same)) => Extent::Value(e.select(same, e.index(1), e.index(2))),
        }
    }
}

/// A float rounded down, and the index that it is.
fn floor<'c, 'a>(e: &Emitter<'c, 'a>, place: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let floor = e.same("math.floor", &[place]);
    (floor, e.as_index(e.op("arith.fptosi", &[floor], Dtype::I64.to_type(e.context), &[])))
}

/// How four neighbours weigh at a distance from the second of them: cubic convolution with the
/// parameter -3/4.
///
/// Source: R. Keys, "Cubic Convolution Interpolation for Digital Image Processing", 1981.
pub fn cubic_weights<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> [V<'c, 'a>; 4] {
    const A: f64 = -0.75;
    let number = |value: f64| e.like(x, value);
    let near = |x: V<'c, 'a>| {
        let inner = e.sub(e.mul(number(A + 2.0), x), number(A + 3.0));
        e.add(e.mul(e.mul(inner, x), x), number(1.0))
    };
    let far = |x: V<'c, 'a>| {
        let inner = e.add(e.mul(e.sub(e.mul(number(A), x), number(5.0 * A)), x), number(8.0 * A));
        e.sub(e.mul(inner, x), number(4.0 * A))
    };
    let one = number(1.0);
    let back = e.sub(one, x);
    [far(e.add(x, one)), near(x), near(back), far(e.add(back, one))]
}

/// The scales of an operator between images of `own` and `made` sizes, its last two dimensions. The gradient
/// of images of equal sizes is what comes in, whatever the factors.
fn scales<'c, 'a>(
    op: OperationRef<'c, 'a>,
    e: &Emitter<'c, 'a>,
    own: &[Extent<'c, 'a>],
    made: &[Extent<'c, 'a>],
    float: Type<'c>,
) -> [Scale<'c, 'a>; 2] {
    let name = name_of(op).trim_start_matches("functional.");
    let corners = || op.attribute("align_corners").ok().is_some_and(attributes::bool);
    let align_corners = (!name.starts_with("upsample_nearest")).then(corners);
    let sizes = [2, 1].map(|back| [own[own.len() - back], made[made.len() - back]]);
    let same = sizes.map(|[size, count]| Truth::is_times(e, count, size, 1));
    let unscaled = if name.ends_with("_backward") { same[0].and(e, same[1]) } else { Truth::Known(false) };
    let scale = |d: usize, factor: &str| {
        let [size, count] = sizes[d];
        let factor = op.attribute(factor).ok().map(attributes::f64).filter(|factor| *factor > 0.0);
        let quotient = || Float::over(e, [size, count], 0, float);
        let step = match (align_corners, factor.map(|factor| Float::Known(1.0 / factor)), unscaled) {
            (Some(true), ..) => match (Float::over(e, [size, count], -1, float), count) {
                (_, Extent::Number(..=1)) => Float::Known(0.0),
                (step, Extent::Number(_)) => step,
                (step, Extent::Value(count)) => {
                    let (step, zero) = (step.value(e, float), Float::Known(0.0).value(e, float));
                    Float::Value(e.select(e.compare(Compare::Gt, count, e.index(1)), step, zero))
                }
            },
            (_, None, _) | (_, _, Truth::Known(true)) => quotient(),
            (_, Some(given), Truth::Known(false)) => given,
            (_, Some(given), Truth::Value(unscaled)) => {
                Float::Value(e.select(unscaled, quotient().value(e, float), given.value(e, float)))
            }
        };
        let twice = match align_corners {
            None => Truth::is_times(e, count, size, 2),
            Some(_) => Truth::Known(false),
        };
        let cubic = name.starts_with("upsample_bicubic2d");
        Scale { size, count, same: same[d], twice, step, float, align_corners, cubic }
    };
    [scale(0, "scales_h"), scale(1, "scales_w")]
}

/// `upsample_nearest2d`, `upsample_bilinear2d` and `upsample_bicubic2d`.
pub fn upsample<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (image, own) = (op.operand(0)?, tensor(op.operand(0)?)?);
    let result = sizes::typed(Value::from(op.result_at(0)?), e)?;
    let shape = sizes::extents(image, e)?;
    let float = if matches!(own.dtype, Dtype::F64 | Dtype::U8) { Dtype::F64 } else { Dtype::F32 };
    let [rows, columns] = scales(op, e, &shape, &result.extents, float.to_type(e.context));
    let (source, lead) = (Source::of(image, e)?, own.rank() - 2);
    let mixes = rows.align_corners.is_some();
    if mixes && own.dtype == Dtype::U8 {
        let last = lead + 1;
        let extents = [&shape[..last], &result.extents[last..]].concat();
        let ty = ty(&Extent::in_types(&extents), Dtype::I64).to_type(e.context);
        let wide = mixed_bytes(e, (&source, Dtype::U8), Typed { ty, extents }, columns, last)?;
        let wide = Source::of_tensor(wide, own.rank(), e);
        return Ok(vec![mixed_bytes(e, (&wide, Dtype::I64), result, rows, lead)?]);
    }
    let mixed = e.pointwise(result, |e, i| {
        let (rows, columns) = (rows.taps(e, i[lead]), columns.taps(e, i[lead + 1]));
        let mut sum = None;
        for row in &rows {
            for column in &columns {
                let element = source.load(e, &[&i[..lead], &[row.place, column.place]].concat())?;
                let weight = product(e, row.weight, column.weight);
                let mut own = weight.map_or(element, |weight| e.mul(element, weight));
                if let Some(present) = both(e, row.present, column.present) {
                    // What changes no sum.
                    own = e.select(present, own, e.like(own, -0.0));
                }
                sum = Some(sum.map_or(own, |sum| e.add(sum, own)));
            }
        }
        Ok(sum.ok_or(internal!("has no taps"))?)
    })?;
    Ok(vec![mixed])
}

/// Bytes mixed along one dimension, each rounded. Weights are integers: the largest has 15 bits, where 22
/// after the point are enough for that.
fn mixed_bytes<'c, 'a>(
    e: &Emitter<'c, 'a>,
    (source, from): (&Source<'c, 'a>, Dtype),
    result: Typed<'c, 'a>,
    scale: Scale<'c, 'a>,
    dim: usize,
) -> Emitted<'c, 'a> {
    let float = scale.float;
    let one = ty(&[], Dtype::F64).to_type(e.context);
    let largest = e.reduction(one, Combiner::Max, &[scale.weighed(e)], |e, i| {
        let one = e.constant(float, Number::Float(1.0));
        let weights = scale.taps(e, i[0]).into_iter().map(|tap| tap.weight.unwrap_or(one));
        Ok(weights.reduce(|a, b| e.same("arith.maximumf", &[a, b])).ok_or(internal!("has no taps"))?)
    })?;
    let largest = Source::of_tensor(largest, 0, e);
    const MOST: i64 = 22;
    let bits = e.reduction(ty(&[], Dtype::I64).to_type(e.context), Combiner::Add, &[MOST], |e, i| {
        let unit = power_of_two(e, e.add(e.as_i64(i[0]), int(e, 1)), float);
        let scaled = rounded(e, e.mul(largest.load(e, &[])?, unit));
        Ok(e.cast(e.compare(Compare::Lt, scaled, e.like(scaled, f64::from(1 << 15))), Dtype::I64))
    })?;
    let bits = Source::of_tensor(bits, 0, e);
    let made = Dtype::of(Shaped::expect(result.ty)?.element).ok_or(internal!("makes no numbers"))?;
    e.pointwise(result, |e, i| {
        let bits = bits.load(e, &[])?;
        let unit = power_of_two(e, bits, float);
        let half = e.same("arith.shrsi", &[e.same("arith.shli", &[int(e, 1), bits]), int(e, 1)]);
        let mut sum = half;
        for tap in scale.taps(e, i[dim]) {
            let mut place = i.to_vec();
            place[dim] = tap.place;
            let weight = rounded(e, tap.weight.map_or(unit, |weight| e.mul(weight, unit)));
            let weight = e.op("arith.fptosi", &[weight], Dtype::I64.to_type(e.context), &[]);
            sum = e.add(sum, e.mul(e.cast_from(source.load(e, &place)?, from, Dtype::I64), weight));
        }
        let byte = e.same("arith.shrsi", &[sum, bits]);
        let byte = e.same("arith.maxsi", &[byte, int(e, 0)]);
        Ok(e.cast_from(e.same("arith.minsi", &[byte, int(e, 255)]), Dtype::I64, made))
    })
}

fn int<'c, 'a>(e: &Emitter<'c, 'a>, n: i64) -> V<'c, 'a> {
    e.constant(Dtype::I64.to_type(e.context), Number::Int(n))
}

/// Two to a power that is no negative i64, as a float.
fn power_of_two<'c, 'a>(e: &Emitter<'c, 'a>, power: V<'c, 'a>, float: Type<'c>) -> V<'c, 'a> {
    e.op("arith.sitofp", &[e.same("arith.shli", &[int(e, 1), power])], float, &[])
}

/// A float rounded to an integer, halves away from zero.
fn rounded<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let half = e.same("math.copysign", &[e.like(x, 0.5), x]);
    e.same("math.trunc", &[e.add(x, half)])
}

/// Whether an operation mixes bytes, or moves them.
pub fn is_of_bytes(op: OperationRef) -> bool {
    let bytes = |value: Value| tensor(value).is_ok_and(|tensor| tensor.dtype == Dtype::U8);
    name_of(op).starts_with("functional.upsample_") && op.operand(0).is_ok_and(bytes)
}

/// The product of weights, of which those that are 1 are not there.
fn product<'c, 'a>(e: &Emitter<'c, 'a>, a: Option<V<'c, 'a>>, b: Option<V<'c, 'a>>) -> Option<V<'c, 'a>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(e.mul(a, b)),
        (a, b) => a.or(b),
    }
}

/// One of several taps, by an index of the domain.
fn chosen<'c, 'a>(e: &Emitter<'c, 'a>, taps: &[Tap<'c, 'a>], at: V<'c, 'a>) -> Result<Tap<'c, 'a>, Failure> {
    let (last, before) = taps.split_last().ok_or(internal!("has no taps"))?;
    let choose = |other: Tap<'c, 'a>, (n, tap): (usize, &Tap<'c, 'a>)| {
        let is = e.compare(Compare::Eq, at, e.index(n as i64));
        let weight = tap.weight.zip(other.weight).map(|(own, other)| e.select(is, own, other));
        Tap { place: e.select(is, tap.place, other.place), weight, present: None }
    };
    Ok(before.iter().enumerate().fold(*last, choose))
}

/// `upsample_nearest2d_backward` and its kin: a point for each tap.
pub fn upsample_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (grad, result) = (op.operand(0)?, sizes::typed(Value::from(op.result_at(0)?), e)?);
    let (own, made) = (tensor(grad)?, sizes::extents(grad, e)?);
    let scales = scales(op, e, &result.extents, &made, e.number_type(own.dtype));
    let (source, lead) = (Source::of(grad, e)?, own.rank() - 2);
    let empty = result.extents.contains(&Extent::Number(0));
    let zeros = e.filled(result, Number::Int(0))?;
    if empty {
        return Ok(vec![zeros]);
    }
    let domain = [&made[..], &scales.each_ref().map(|scale| scale.taps_count(e))].concat();
    let sums = e.scatter_at(Meeting::Combined(Combiner::Add), zeros, &domain, |e, i| {
        let (point, tap) = i.split_at(own.rank());
        let row = chosen(e, &scales[0].taps(e, point[lead]), tap[0])?;
        let column = chosen(e, &scales[1].taps(e, point[lead + 1]), tap[1])?;
        let grad = source.load(e, point)?;
        let weight = product(e, row.weight, column.weight);
        let own = weight.map_or(grad, |weight| e.mul(grad, weight));
        Ok((own, [&point[..lead], &[row.place, column.place]].concat()))
    })?;
    Ok(vec![sums])
}
