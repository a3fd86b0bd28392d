//! Elements of images at the places that a grid names by x and y from -1 to 1, and the gradients of images
//! and grid.
//!
//! Along each dimension a coordinate becomes a place: scaled to the image, brought back inside where the
//! padding mode says so. The place has neighbours with weights, functions of the distance from the first;
//! what lies outside counts as 0. The gradient of a coordinate is that of the weights, times the slope of the
//! place.

use super::{
    elements::{reals, store_reals},
    error::Result,
    pooling::cubic_weights,
    real::{Accumulator, Real},
    term::Term,
};
use terrace_tensor::{Dtype, Tensor};

/// How places come from coordinates.
#[derive(Clone, Copy)]
pub struct Sampling {
    /// 0 for bilinear, 1 for nearest, 2 for bicubic.
    pub mode: i64,
    /// 0 for zeros, 1 for the border, 2 for a reflection.
    pub padding: i64,
    /// Whether -1 and 1 are the centers of the outermost elements, not their outer edges.
    pub align_corners: bool,
}

/// A neighbour along one dimension: its place, its weight, how the weight moves with the coordinate.
struct Tap {
    place: Option<i64>,
    weight: Term,
    slope: Term,
}

impl Sampling {
    /// A place out of range is brought back; the second result is how it moves with the first.
    fn inside(self, place: Term, size: i64) -> (Term, f64) {
        let dtype = place.dtype();
        let number = |value: f64| Term::number(value, dtype);
        let (mut place, mut sign) = (place, 1.0);
        if self.padding == 2 {
            let (low, high) = if self.align_corners { (0, 2 * (size - 1)) } else { (-1, 2 * size - 1) };
            if low == high {
                return (number(0.0), 0.0);
            }
            let (least, span) = (low as f64 / 2.0, (high - low) as f64 / 2.0);
            place = place - number(least);
            if place.value < 0.0 {
                (place, sign) = (-place, -1.0);
            }
            let flips = (place.value / span).floor();
            place = place - number(flips * span);
            if flips.rem_euclid(2.0) == 0.0 {
                place = place + number(least);
            } else {
                (place, sign) = (number(span + least) - place, -sign);
            }
        }
        let last = (size - 1) as f64;
        if place.value > 0.0 && place.value < last {
            return (place, sign);
        }
        let edge = if place.value >= last { last } else { 0.0 };
        let exact = place.value == edge;
        (if exact { place } else { number(edge) }, 0.0)
    }

    /// The neighbours of a coordinate, of which there are one, two or four.
    fn taps(self, coordinate: Term, size: i64) -> Vec<Tap> {
        let dtype = coordinate.dtype();
        let number = |value: f64| Term::number(value, dtype);
        let (one, two) = (number(1.0), number(2.0));
        let (mut place, scale) = match self.align_corners {
            true => ((coordinate + one) / two * number((size - 1) as f64), (size - 1) as f64 / 2.0),
            false => (((coordinate + one) * number(size as f64) - one) / two, size as f64 / 2.0),
        };
        let mut slope = scale;
        if self.mode != 2 && self.padding != 0 {
            let (moved, sign) = self.inside(place, size);
            (place, slope) = (moved, scale * sign);
        }
        let within = |place: f64| (0.0..size as f64).contains(&place).then_some(place as i64);
        if self.mode == 1 {
            let place = within(place.value.round_ties_even());
            return vec![Tap { place, weight: one, slope: number(0.0) }];
        }
        let first = place.value.floor();
        let along = place - number(first);
        if self.mode == 0 {
            let slope = number(slope);
            return vec![
                Tap { place: within(first), weight: one - along, slope: -slope },
                Tap { place: within(first + 1.0), weight: along, slope },
            ];
        }
        let weights = cubic_weights(along.value);
        let slopes = cubic_slopes(along.value);
        let tap = |at: usize| {
            let place = number(first + at as f64 - 1.0);
            let place = if self.padding == 0 { place } else { self.inside(place, size).0 };
            // The weight moves by its slope where the place is off, and its polynomial is rounded a few
            // times.
            let weight = number(weights[at]) + number(slopes[at]) * (along - number(along.value));
            Tap { place: within(place.value), weight, slope: number(slopes[at] * scale) }
        };
        (0..4).map(tap).collect()
    }
}

/// The derivatives of [`cubic_weights`].
fn cubic_slopes(x: f64) -> [f64; 4] {
    const A: f64 = -0.75;
    let near = |x: f64| (3.0 * (A + 2.0) * x - 2.0 * (A + 3.0)) * x;
    let far = |x: f64| (3.0 * A * x - 10.0 * A) * x + 8.0 * A;
    [far(x + 1.0), near(x), -near(1.0 - x), -far(2.0 - x)]
}

/// What both directions walk over: for each place of the grid the neighbours along each dimension of the
/// image. A grid names the last dimension first.
fn places(input: &Tensor, coordinates: &Tensor, how: Sampling) -> Vec<Vec<Vec<Tap>>> {
    let (dtype, sizes) = (input.dtype(), &input.sizes()[2..]);
    let along = |(coordinate, size): (&Real, &i64)| how.taps(Term::of(*coordinate, dtype), *size);
    let of = |one: &[Real]| one.iter().rev().zip(sizes).map(along).collect();
    reals(coordinates, dtype).chunks(sizes.len()).map(of).collect()
}

/// What neighbours along all dimensions meet at, in row-major order.
fn around(taps: &[Vec<Tap>]) -> Vec<Vec<&Tap>> {
    let mut all = vec![vec![]];
    for along in taps {
        all = all
            .iter()
            .flat_map(|one: &Vec<_>| along.iter().map(move |tap| one.iter().copied().chain([tap]).collect()))
            .collect();
    }
    all
}

/// The place where neighbours meet, if it is inside.
fn place(taps: &[&Tap], sizes: &[i64]) -> Option<usize> {
    let mut at = 0;
    for (tap, size) in taps.iter().zip(sizes) {
        at = at * size + tap.place?;
    }
    Some(at as usize)
}

/// The product of weights along dimensions.
fn weight<'a>(taps: impl Iterator<Item = &'a &'a Tap>, dtype: Dtype) -> Term {
    taps.map(|tap| tap.weight).reduce(|a, b| a * b).unwrap_or(Term::number(1.0, dtype))
}

/// `grid_sampler_2d` and `grid_sampler_3d`: images [N, C, ...] at a grid [N, ..., dims]; row-major.
///
/// # Errors
/// When there is no memory for the result.
pub fn grid_sampler(input: &Tensor, coordinates: &Tensor, how: Sampling) -> Result<Tensor> {
    let (dtype, own) = (input.dtype(), &input.sizes()[2..]);
    let channels = input.sizes()[1] as usize;
    let made = &coordinates.sizes()[1..coordinates.rank() - 1];
    let out = Tensor::zeros(dtype, &[&input.sizes()[..2], made].concat())?;
    let (size, area) = (own.iter().product::<i64>() as usize, made.iter().product::<i64>() as usize);
    let all = reals(input, dtype);
    let places = places(input, coordinates, how);
    let mut results = Vec::new();
    for plane in 0..input.sizes()[0] as usize * channels {
        for at in 0..area {
            let mut terms = Vec::new();
            for taps in around(&places[plane / channels * area + at]) {
                if let Some(place) = place(&taps, own) {
                    let element = Term::of(all[plane * size + place], dtype);
                    terms.push(element * weight(taps.iter(), dtype));
                }
            }
            results.push(Term::sum(&terms, dtype).finish());
        }
    }
    store_reals(&out, &results, dtype);
    Ok(out)
}

/// `grid_sampler_2d_backward` and `grid_sampler_3d_backward`: the gradients of images and grid; row-major.
///
/// # Errors
/// When there is no memory for the results.
pub fn grid_sampler_backward(
    grad: &Tensor,
    input: &Tensor,
    coordinates: &Tensor,
    how: Sampling,
) -> Result<[Tensor; 2]> {
    let (dtype, own) = (input.dtype(), &input.sizes()[2..]);
    let (channels, size) = (input.sizes()[1] as usize, own.iter().product::<i64>() as usize);
    let area = coordinates.sizes()[1..coordinates.rank() - 1].iter().product::<i64>() as usize;
    let (all, grads) = (reals(input, dtype), reals(grad, dtype));
    let mut sums = vec![Accumulator::default(); all.len()];
    let mut slopes = Vec::new();
    for (number, neighbours) in places(input, coordinates, how).iter().enumerate() {
        let (image, at) = (number / area.max(1), number % area.max(1));
        // The last dimension first, as the grid has them.
        let mut along = vec![Vec::new(); own.len()];
        for plane in image * channels..(image + 1) * channels {
            let incoming = grads[plane * area + at];
            let g = Term::of(incoming, dtype);
            for taps in around(neighbours) {
                let Some(place) = place(&taps, own) else { continue };
                let place = plane * size + place;
                sums[place].add_product(incoming, weight(taps.iter(), dtype).finish());
                let element = Term::of(all[place], dtype);
                for (d, terms) in along.iter_mut().rev().enumerate() {
                    let others = taps[..d].iter().chain(&taps[d + 1..]);
                    terms.push(g * element * taps[d].slope * weight(others, dtype));
                }
            }
        }
        slopes.extend(along.iter().map(|terms| Term::sum(terms, dtype).finish()));
    }
    let images = Tensor::zeros(dtype, input.sizes())?;
    store_reals(&images, &sums.iter().map(|sum| sum.finish(dtype)).collect::<Vec<_>>(), dtype);
    let places = Tensor::zeros(dtype, coordinates.sizes())?;
    store_reals(&places, &slopes, dtype);
    Ok([images, places])
}
