//! Elements of images at the places that a grid names by x and y from -1 to 1, and the gradients of images
//! and grid.
//!
//! Along each dimension a coordinate becomes a place: scaled to the image, brought back inside where the
//! padding mode says so. The place has neighbours with weights, functions of the distance from the first;
//! what lies outside is not read. The gradient of the image is a `loop.scatter add` to the neighbours; that
//! of a coordinate is the sum over the channels of the weights' slopes.

use super::{
    axes::both,
    late::{Float, Truth},
    resizing::cubic_weights,
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
        pass::Failure,
    },
    loops::scatters::Meeting,
    ops::Combiner,
};

/// How places come from coordinates.
#[derive(Clone, Copy)]
struct Sampling {
    /// 0 for linear, 1 for nearest, 2 for cubic.
    mode: i64,
    /// 0 for zeros, 1 for the border, 2 for a reflection.
    padding: i64,
    /// Whether -1 and 1 are the centers of the outermost elements, not their outer edges.
    align_corners: bool,
}

/// One dimension of an image, in floats of a type.
#[derive(Clone, Copy)]
struct Side<'c, 'a> {
    size: Float<'c, 'a>,
    /// The last place.
    last: Float<'c, 'a>,
    /// How far places are apart whose coordinates are 1 apart.
    scale: Float<'c, 'a>,
    /// Whether there is but one place.
    single: Truth<'c, 'a>,
    float: Type<'c>,
}

impl<'c, 'a> Side<'c, 'a> {
    fn new(e: &Emitter<'c, 'a>, how: Sampling, size: Extent<'c, 'a>, float: Type<'c>) -> Self {
        let [all, last] = [0, -1].map(|plus| Float::of(e, size, plus, float));
        let scale = match if how.align_corners { last } else { all } {
            Float::Known(number) => Float::Known(number / 2.0),
            Float::Value(value) => Float::Value(e.mul(value, e.like(value, 0.5))),
        };
        let single = Truth::is_times(e, size, Extent::Number(1), 1);
        Self { size: all, last, scale, single, float }
    }
}

/// A neighbour along one dimension.
#[derive(Clone, Copy)]
struct Tap<'c, 'a> {
    /// An index inside the image, in any case.
    place: V<'c, 'a>,
    /// Whether it is the neighbour's.
    inside: V<'c, 'a>,
    weight: V<'c, 'a>,
    /// How the weight moves with the coordinate.
    slope: V<'c, 'a>,
}

impl Sampling {
    fn of(op: OperationRef) -> Result<Self, Failure> {
        Ok(Self {
            mode: attributes::i64(op.attribute("interpolation_mode")?),
            padding: attributes::i64(op.attribute("padding_mode")?),
            align_corners: attributes::bool(op.attribute("align_corners")?),
        })
    }

    /// How many neighbours a place has along a dimension.
    fn taps_count(self) -> i64 {
        match self.mode {
            0 => 2,
            1 => 1,
            _ => 4,
        }
    }

    /// A place out of range is brought back; the second result is how it moves with the first.
    fn inside<'c, 'a>(
        self,
        e: &Emitter<'c, 'a>,
        place: V<'c, 'a>,
        side: &Side<'c, 'a>,
    ) -> (V<'c, 'a>, V<'c, 'a>) {
        let number = |value: f64| e.like(place, value);
        let (zero, one) = (number(0.0), number(1.0));
        let (mut place, mut sign) = (place, one);
        // Between the centers of the outermost elements there is nothing to reflect of one.
        let single = if self.padding == 2 && self.align_corners { side.single } else { Truth::Known(false) };
        if let Truth::Known(true) = single {
            return (zero, zero);
        }
        if self.padding == 2 {
            let (least, span) = if self.align_corners { (0.0, side.last) } else { (-0.5, side.size) };
            let (least, span) = (number(least), span.value(e, side.float));
            place = e.sub(place, least);
            let negative = e.compare(Compare::Lt, place, zero);
            sign = e.select(negative, number(-1.0), one);
            place = e.same("math.absf", &[place]);
            let flips = e.same("math.floor", &[e.div(place, span)]);
            place = e.sub(place, e.mul(flips, span));
            let half = e.same("math.floor", &[e.mul(flips, number(0.5))]);
            let even = e.compare(Compare::Eq, e.mul(half, number(2.0)), flips);
            place = e.select(even, e.add(place, least), e.sub(e.add(span, least), place));
            sign = e.select(even, sign, e.same("arith.negf", &[sign]));
        }
        let last = side.last.value(e, side.float);
        let within = e.and(e.compare(Compare::Gt, place, zero), e.compare(Compare::Lt, place, last));
        let edge = e.select(e.compare(Compare::Ge, place, last), last, zero);
        let (place, sign) = (e.select(within, place, edge), e.select(within, sign, zero));
        (single.choose(e, || zero, || place), single.choose(e, || zero, || sign))
    }

    /// The neighbours of a coordinate.
    fn taps<'c, 'a>(
        self,
        e: &Emitter<'c, 'a>,
        coordinate: V<'c, 'a>,
        side: &Side<'c, 'a>,
    ) -> Vec<Tap<'c, 'a>> {
        let number = |value: f64| e.like(coordinate, value);
        let one = number(1.0);
        let ahead = e.add(coordinate, one);
        let (size, scale) = (|| side.size.value(e, side.float), || side.scale.value(e, side.float));
        let mut place = match self.align_corners {
            true => e.mul(e.mul(ahead, number(0.5)), side.last.value(e, side.float)),
            false => e.mul(e.sub(e.mul(ahead, size()), one), number(0.5)),
        };
        let mut slope = scale();
        if self.mode != 2 && self.padding != 0 {
            let (moved, sign) = self.inside(e, place, side);
            (place, slope) = (moved, e.mul(slope, sign));
        }
        let tap = |place: V<'c, 'a>, weight, slope| {
            let (zero, end) = (number(0.0), size());
            let inside = e.and(e.compare(Compare::Ge, place, zero), e.compare(Compare::Lt, place, end));
            let place = e.select(inside, place, zero);
            let place = e.as_index(e.op("arith.fptosi", &[place], Dtype::I64.to_type(e.context), &[]));
            Tap { place, inside, weight, slope }
        };
        if self.mode == 1 {
            return vec![tap(e.same("math.roundeven", &[place]), one, number(0.0))];
        }
        let first = e.same("math.floor", &[place]);
        let along = e.sub(place, first);
        if self.mode == 0 {
            let back = e.same("arith.negf", &[slope]);
            return vec![tap(first, e.sub(one, along), back), tap(e.add(first, one), along, slope)];
        }
        let (weights, slopes) = (cubic_weights(e, along), cubic_slopes(e, along));
        let near = |n: usize| {
            let place = e.add(first, number(n as f64 - 1.0));
            let place = if self.padding == 0 { place } else { self.inside(e, place, side).0 };
            tap(place, weights[n], e.mul(slopes[n], scale()))
        };
        (0..4).map(near).collect()
    }
}

/// The derivatives of [`cubic_weights`].
fn cubic_slopes<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> [V<'c, 'a>; 4] {
    const A: f64 = -0.75;
    let number = |value: f64| e.like(x, value);
    let near = |x: V<'c, 'a>| e.mul(e.sub(e.mul(number(3.0 * (A + 2.0)), x), number(2.0 * (A + 3.0))), x);
    let far = |x: V<'c, 'a>| {
        let inner = e.sub(e.mul(number(3.0 * A), x), number(10.0 * A));
        e.add(e.mul(inner, x), number(8.0 * A))
    };
    let (one, minus) = (number(1.0), |value| e.same("arith.negf", &[value]));
    let back = e.sub(one, x);
    [far(e.add(x, one)), near(x), minus(near(back)), minus(far(e.add(back, one)))]
}

/// A grid over images.
struct Grid<'c, 'a> {
    how: Sampling,
    source: Source<'c, 'a>,
    /// The dimensions of an image.
    own: Vec<Side<'c, 'a>>,
}

impl<'c, 'a> Grid<'c, 'a> {
    fn new(
        op: OperationRef<'c, 'a>,
        input: V<'c, 'a>,
        grid: V<'c, 'a>,
        e: &Emitter<'c, 'a>,
    ) -> Result<Self, Failure> {
        let (how, float) = (Sampling::of(op)?, e.number_type(tensor(grid)?.dtype));
        let own = sizes::extents(input, e)?;
        let own = own[2..].iter().map(|size| Side::new(e, how, *size, float)).collect();
        Ok(Self { how, source: Source::of(grid, e)?, own })
    }

    /// The neighbours along each dimension, at a place of the grid: the image's number, then the place. A
    /// grid names the last dimension first.
    fn taps(&self, e: &Emitter<'c, 'a>, place: &[V<'c, 'a>]) -> Result<Vec<Vec<Tap<'c, 'a>>>, Failure> {
        let dims = self.own.len();
        (0..dims)
            .map(|d| {
                let which = e.number((dims - 1 - d) as i64);
                let at: Vec<_> = (0..place.len()).map(|d| e.dim(d)).chain([which]).collect();
                Ok(self.how.taps(e, self.source.load_at(e, &at, place, None)?, &self.own[d]))
            })
            .collect()
    }
}

/// What neighbours along all dimensions meet at, in row-major order.
fn around<'c, 'a>(taps: &[Vec<Tap<'c, 'a>>]) -> Vec<Vec<Tap<'c, 'a>>> {
    let step = |all: Vec<Vec<Tap<'c, 'a>>>, along: &Vec<Tap<'c, 'a>>| {
        let with = |one: &Vec<Tap<'c, 'a>>| {
            let one = one.clone();
            along.iter().map(move |tap| [&one[..], &[*tap]].concat()).collect::<Vec<_>>()
        };
        all.iter().flat_map(with).collect()
    };
    taps.iter().fold(vec![vec![]], step)
}

/// The element where neighbours meet; zero outside the image.
fn element<'c, 'a>(
    e: &Emitter<'c, 'a>,
    image: &Source<'c, 'a>,
    lead: &[V<'c, 'a>],
    taps: &[Tap<'c, 'a>],
    zero: V<'c, 'a>,
) -> Result<(V<'c, 'a>, V<'c, 'a>), Failure> {
    let place: Vec<_> = lead.iter().copied().chain(taps.iter().map(|tap| tap.place)).collect();
    let inside = taps
        .iter()
        .fold(None, |all, tap| both(e, all, Some(tap.inside)))
        .ok_or(internal!("has no dimensions"))?;
    let all: Vec<_> = (0..place.len()).map(|d| e.dim(d)).collect();
    Ok((image.load_at(e, &all, &place, Some((inside, zero)))?, inside))
}

fn product<'c, 'a>(e: &Emitter<'c, 'a>, factors: impl Iterator<Item = V<'c, 'a>>) -> Option<V<'c, 'a>> {
    factors.reduce(|a, b| e.mul(a, b))
}

/// `grid_sampler_2d` and `grid_sampler_3d`: images [N, C, ...] at a grid [N, ..., dims].
pub fn grid_sampler<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (input, grid) = (op.operand(0)?, Grid::new(op, op.operand(0)?, op.operand(1)?, e)?);
    let (image, dtype) = (Source::of(input, e)?, tensor(input)?.dtype);
    let made = e.pointwise(sizes::typed(Value::from(op.result_at(0)?), e)?, |e, i| {
        let zero = e.constant(e.number_type(dtype), Number::Int(0));
        let taps = grid.taps(e, &[&i[..1], &i[2..]].concat())?;
        let mut sum = zero;
        for taps in around(&taps) {
            let (own, inside) = element(e, &image, &i[..2], &taps, zero)?;
            let weight =
                product(e, taps.iter().map(|tap| tap.weight)).ok_or(internal!("has no dimensions"))?;
            sum = e.add(sum, e.select(inside, e.mul(own, weight), zero));
        }
        Ok(sum)
    })?;
    Ok(vec![made])
}

/// `grid_sampler_2d_backward` and `grid_sampler_3d_backward`: the gradients of images, where it is asked for,
/// and of the grid.
pub fn grid_sampler_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (grad, input, coordinates) = (op.operand(0)?, op.operand(1)?, op.operand(2)?);
    let grid = Grid::new(op, input, coordinates, e)?;
    let (own, made) = (sizes::typed(input, e)?, sizes::extents(grad, e)?);
    let (shape, dtype) = (own.extents.clone(), tensor(input)?.dtype);
    let (grads, image) = (Source::of(grad, e)?, Source::of(input, e)?);
    let mask = attributes::bools(op.attribute("output_mask")?);
    let dims = grid.own.len();
    let mut results = vec![];
    if mask.first() != Some(&false) {
        let mut sums = e.filled(own, Number::Int(0))?;
        // A point for each neighbour along each dimension.
        let domain = [&made[..], &vec![Extent::Number(grid.how.taps_count()); dims]].concat();
        if !shape.contains(&Extent::Number(0)) {
            sums = e.scatter_at(Meeting::Combined(Combiner::Add), sums, &domain, |e, i| {
                let (point, number) = i.split_at(made.len());
                let all = grid.taps(e, &[&point[..1], &point[2..]].concat())?;
                let taps: Vec<_> = all.iter().zip(number).map(|(taps, n)| chosen(e, taps, *n)).collect();
                let grad = grads.load(e, point)?;
                let inside = taps
                    .iter()
                    .fold(None, |all, tap| both(e, all, Some(tap.inside)))
                    .ok_or(internal!("has no dimensions"))?;
                let weight =
                    product(e, taps.iter().map(|tap| tap.weight)).ok_or(internal!("has no dimensions"))?;
                let place = point[..2].iter().copied().chain(taps.iter().map(|tap| tap.place)).collect();
                Ok((e.select(inside, e.mul(grad, weight), e.like(grad, 0.0)), place))
            })?;
        }
        results.push(sums);
    }
    // The gradient of the grid is always there.
    let result = sizes::extents(coordinates, e)?;
    let ty = ty(&Extent::in_types(&result), dtype).to_type(e.context);
    let result = Typed { ty, extents: result };
    results.push(e.reduction(result, Combiner::Add, &shape[1..2], |e, i| {
        let (point, channel) = (&i[..dims + 1], i[dims + 2]);
        slope(e, &grid, (&grads, &image), point, channel, i[dims + 1])
    })?);
    Ok(results)
}

/// What a channel adds to the gradient of a coordinate: of the number that the grid has at `which`, the last
/// dimension's first.
fn slope<'c, 'a>(
    e: &Emitter<'c, 'a>,
    grid: &Grid<'c, 'a>,
    (grads, image): (&Source<'c, 'a>, &Source<'c, 'a>),
    point: &[V<'c, 'a>],
    channel: V<'c, 'a>,
    which: V<'c, 'a>,
) -> Emitted<'c, 'a> {
    let lead = [point[0], channel];
    let grad = grads.load(e, &[&lead, &point[1..]].concat())?;
    let zero = e.like(grad, 0.0);
    let mut sum = zero;
    for taps in around(&grid.taps(e, point)?) {
        let (own, inside) = element(e, image, &lead, &taps, zero)?;
        let mut moved = None;
        for d in 0..taps.len() {
            let factors =
                taps.iter().enumerate().map(|(other, tap)| if other == d { tap.slope } else { tap.weight });
            let own = product(e, factors).ok_or(internal!("has no dimensions"))?;
            let is = e.compare(Compare::Eq, which, e.index((taps.len() - 1 - d) as i64));
            moved = Some(moved.map_or(own, |other| e.select(is, own, other)));
        }
        let term = e.mul(e.mul(grad, own), moved.ok_or(internal!("has no dimensions"))?);
        sum = e.add(sum, e.select(inside, term, zero));
    }
    Ok(sum)
}

/// One of several neighbours, by an index of the domain.
fn chosen<'c, 'a>(e: &Emitter<'c, 'a>, taps: &[Tap<'c, 'a>], at: V<'c, 'a>) -> Tap<'c, 'a> {
    let mut made = taps[taps.len() - 1];
    for (n, tap) in taps[..taps.len() - 1].iter().enumerate() {
        let is = e.compare(Compare::Eq, at, e.index(n as i64));
        let choose = |own, other| e.select(is, own, other);
        made = Tap {
            place: choose(tap.place, made.place),
            inside: choose(tap.inside, made.inside),
            weight: choose(tap.weight, made.weight),
            slope: choose(tap.slope, made.slope),
        };
    }
    made
}
