//! Images of other sizes: each element is that at a place of the image, or is mixed of those around it.
//!
//! Along each dimension a place of the result has *taps*: places of the image with weights, one for the nearest, two for linear, four
//! for cubic mixing. They are computed in the body, in f32 as eager does, in f64 for f64. The gradient goes the other way: a
//! `loop.scatter add` of each element to its taps. Bytes are mixed along one dimension after the other, by weights that are
//! integers.

use super::{Results, combining::ty, source::Source, views::tensor};
use crate::emit::{Compare, Emitter, Made, Number};
use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use terrace_dialects::{
    attributes, cursor::V, dtype::Dtype, operations::name_of, ops::Combiner, pass::Failure,
    scatters::Meeting, shaped::Shaped,
};

/// A place of the image, and its weight; None: 1.
#[derive(Clone, Copy)]
pub struct Tap<'c, 'a> {
    /// An index.
    pub place: V<'c, 'a>,
    /// A float.
    pub weight: Option<V<'c, 'a>>,
}

/// How places are found along one dimension.
#[derive(Clone, Copy)]
struct Scale {
    size: i64,
    count: i64,
    /// The factor that was given.
    factor: Option<f64>,
    /// Whether the corners of both images are one place; None where no element is mixed.
    align_corners: Option<bool>,
    cubic: bool,
}

impl Scale {
    /// The taps of a place of the result, with weights of a float type.
    fn taps<'c, 'a>(&self, e: &Emitter<'c, 'a>, at: V<'c, 'a>, float: Type<'c>) -> Vec<Tap<'c, 'a>> {
        let number = |value: f64| e.constant(float, Number::Float(value));
        let single = |place| vec![Tap { place, weight: None }];
        let along = || e.op("arith.sitofp", &[e.as_i64(at)], float, &[]);
        let ratio = || {
            let given = self.factor.filter(|factor| *factor > 0.0);
            number(given.map_or(self.size as f64 / self.count as f64, |factor| 1.0 / factor))
        };
        let last = e.index(self.size - 1);
        let Some(align_corners) = self.align_corners else {
            return single(match self.count {
                count if count == self.size => at,
                count if count == 2 * self.size => e.same("arith.divui", &[at, e.index(2)]),
                _ => e.same("arith.minsi", &[floor(e, e.mul(along(), ratio())).1, last]),
            });
        };
        if self.count == self.size && !self.cubic {
            return single(at);
        }
        let place = match align_corners {
            true if self.count > 1 => {
                e.mul(number((self.size - 1) as f64 / (self.count - 1) as f64), along())
            }
            true => number(0.0),
            false => e.sub(e.mul(ratio(), e.add(along(), number(0.5))), number(0.5)),
        };
        let place = if self.cubic { place } else { e.same("arith.maximumf", &[place, number(0.0)]) };
        let (_, first) = floor(e, place);
        let first = e.same("arith.minsi", &[first, last]);
        let rest = e.sub(place, e.op("arith.sitofp", &[e.as_i64(first)], float, &[]));
        let rest = e.same("arith.minimumf", &[rest, number(1.0)]);
        let rest = e.same("arith.maximumf", &[rest, number(0.0)]);
        if self.cubic {
            let near = |(n, weight): (i64, V<'c, 'a>)| {
                let place = e.add(first, e.index(n - 1));
                let place = e.same("arith.maxsi", &[place, e.index(0)]);
                Tap { place: e.same("arith.minsi", &[place, last]), weight: Some(weight) }
            };
            return (0..4).zip(cubic_weights(e, rest)).map(near).collect();
        }
        let next = e.same("arith.minsi", &[e.add(first, e.index(1)), last]);
        let other = e.sub(number(1.0), rest);
        vec![Tap { place: first, weight: Some(other) }, Tap { place: next, weight: Some(rest) }]
    }
}

/// A float rounded down, and the index that it is.
fn floor<'c, 'a>(e: &Emitter<'c, 'a>, place: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let floor = e.same("math.floor", &[place]);
    (floor, e.as_index(e.op("arith.fptosi", &[floor], Dtype::I64.to_type(e.context), &[])))
}

/// How four neighbours weigh at a distance from the second of them: cubic convolution with the parameter -3/4.
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

/// The scales of an operator between images of `own` and `made` sizes, its last two dimensions.
fn scales(op: OperationRef, own: &[i64], made: &[i64]) -> [Scale; 2] {
    let name = name_of(op).trim_start_matches("functional.");
    let corners = || op.attribute("align_corners").ok().is_some_and(attributes::bool);
    let align_corners = (!name.starts_with("upsample_nearest")).then(corners);
    let scale = |d: usize, factor: &str| Scale {
        size: own[own.len() - 2 + d],
        count: made[made.len() - 2 + d],
        factor: op.attribute(factor).ok().map(attributes::f64),
        align_corners,
        cubic: name.starts_with("upsample_bicubic"),
    };
    [scale(0, "scales_h"), scale(1, "scales_w")]
}

/// `upsample_nearest2d`, `upsample_bilinear2d` and `upsample_bicubic2d`.
pub fn upsample<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (image, result) = (op.operand(0)?, Value::from(op.result(0)?));
    let (own, made) = (tensor(image)?, tensor(result)?);
    let [rows, columns] = scales(op, &own.shape, &made.shape);
    let (source, lead) = (Source::of(image, e)?, own.rank() - 2);
    let mixes = rows.align_corners.is_some();
    if mixes && own.dtype == Dtype::U8 {
        let (shape, last) = (&own.shape, lead + 1);
        let along_rows = ty(&[&shape[..last], &made.shape[last..]].concat(), Dtype::I64).to_type(e.context);
        let wide = mixed_bytes(e, (&source, Dtype::U8), along_rows, columns, last)?;
        let wide = Source::of_tensor(wide, own.rank(), e);
        return Ok(vec![mixed_bytes(e, (&wide, Dtype::I64), result.r#type(), rows, lead)?]);
    }
    let float = if matches!(own.dtype, Dtype::F64 | Dtype::U8) { Dtype::F64 } else { Dtype::F32 };
    let float = float.to_type(e.context);
    let mixed = e.pointwise(result.r#type(), |e, i| {
        let (rows, columns) = (rows.taps(e, i[lead], float), columns.taps(e, i[lead + 1], float));
        let mut sum = None;
        for row in &rows {
            for column in &columns {
                let element = source.load(e, &[&i[..lead], &[row.place, column.place]].concat())?;
                let weight = product(e, row.weight, column.weight);
                let own = weight.map_or(element, |weight| e.mul(element, weight));
                sum = Some(sum.map_or(own, |sum| e.add(sum, own)));
            }
        }
        Ok(sum.ok_or("has no taps")?)
    })?;
    Ok(vec![mixed])
}

/// Bytes mixed along one dimension, each rounded. Weights are integers: the largest has 15 bits, where 22 after the point are
/// enough for that.
fn mixed_bytes<'c, 'a>(
    e: &Emitter<'c, 'a>,
    (source, from): (&Source<'c, 'a>, Dtype),
    result: Type<'c>,
    scale: Scale,
    dim: usize,
) -> Made<'c, 'a> {
    let float = Dtype::F64.to_type(e.context);
    let one = ty(&[], Dtype::F64).to_type(e.context);
    let largest = e.reduction(one, Combiner::Max, &[scale.count], |e, i| {
        let one = e.constant(float, Number::Float(1.0));
        let weights = scale.taps(e, i[0], float).into_iter().map(|tap| tap.weight.unwrap_or(one));
        Ok(weights.reduce(|a, b| e.same("arith.maximumf", &[a, b])).ok_or("has no taps")?)
    })?;
    let largest = Source::of_tensor(largest, 0, e);
    const MOST: i64 = 22;
    let bits = e.reduction(ty(&[], Dtype::I64).to_type(e.context), Combiner::Add, &[MOST], |e, i| {
        let unit = power_of_two(e, e.add(e.as_i64(i[0]), int(e, 1)), float);
        let scaled = rounded(e, e.mul(largest.load(e, &[])?, unit));
        Ok(e.cast(e.compare(Compare::Lt, scaled, e.like(scaled, f64::from(1 << 15))), Dtype::I64))
    })?;
    let bits = Source::of_tensor(bits, 0, e);
    let made = Dtype::of(Shaped::expect(result)?.element).ok_or("makes no numbers")?;
    e.pointwise(result, |e, i| {
        let bits = bits.load(e, &[])?;
        let unit = power_of_two(e, bits, float);
        let half = e.same("arith.shrsi", &[e.same("arith.shli", &[int(e, 1), bits]), int(e, 1)]);
        let mut sum = half;
        for tap in scale.taps(e, i[dim], float) {
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
    let (last, before) = taps.split_last().ok_or("has no taps")?;
    let choose = |other: Tap<'c, 'a>, (n, tap): (usize, &Tap<'c, 'a>)| {
        let is = e.compare(Compare::Eq, at, e.index(n as i64));
        let weight = tap.weight.zip(other.weight).map(|(own, other)| e.select(is, own, other));
        Tap { place: e.select(is, tap.place, other.place), weight }
    };
    Ok(before.iter().enumerate().fold(*last, choose))
}

/// `upsample_nearest2d_backward` and its kin: of the same sizes it is what comes in, whatever the factors.
pub fn upsample_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (grad, result) = (op.operand(0)?, Value::from(op.result(0)?));
    let (own, image) = (tensor(grad)?, tensor(result)?);
    let mut scales = scales(op, &image.shape, &own.shape);
    if scales.iter().all(|scale| scale.size == scale.count) {
        scales = scales.map(|scale| Scale { factor: None, ..scale });
    }
    let float = e.number_type(own.dtype);
    let (source, lead) = (Source::of(grad, e)?, own.rank() - 2);
    let zeros = e.filled(ty(&image.shape, image.dtype).to_type(e.context), Number::Int(0))?;
    if image.shape.contains(&0) {
        return Ok(vec![zeros]);
    }
    let taps = |scale: &Scale| match (scale.align_corners, scale.cubic) {
        (Some(_), true) => 4,
        (Some(_), false) if scale.size != scale.count => 2,
        _ => 1,
    };
    let domain = [&own.shape[..], &scales.each_ref().map(taps)].concat();
    let sums = e.scatter_at(Meeting::Combined(Combiner::Add), zeros, &domain, |e, i| {
        let (point, tap) = i.split_at(own.rank());
        let row = chosen(e, &scales[0].taps(e, point[lead], float), tap[0])?;
        let column = chosen(e, &scales[1].taps(e, point[lead + 1], float), tap[1])?;
        let grad = source.load(e, point)?;
        let weight = product(e, row.weight, column.weight);
        let own = weight.map_or(grad, |weight| e.mul(grad, weight));
        Ok((own, [&point[..lead], &[row.place, column.place]].concat()))
    })?;
    Ok(vec![sums])
}
