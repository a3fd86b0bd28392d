//! Elements of images at the places that a grid names by x and y from -1 to 1, and the gradients of images and grid.
//!
//! Along each dimension a coordinate becomes a place: scaled to the image, brought back inside where the padding mode says so.
//! The place has neighbours with weights, functions of the distance from the first; what lies outside counts as 0. The gradient of
//! a coordinate is that of the weights, times the slope of the place.

use terrace_tensor::{DType, Tensor};

use super::elements::{reals, store_reals};
use super::error::Result;
use super::pooling::{cubic_weights, image};
use super::real::Accumulator;
use super::term::Term;

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
            // The weight moves by its slope where the place is off, and its polynomial is rounded a few times.
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

/// What both directions walk over: for each place of the grid its number and its neighbours along height and width.
fn places(input: &Tensor, coordinates: &Tensor, how: Sampling) -> Vec<[Vec<Tap>; 2]> {
    let dtype = input.dtype();
    let (height, width) = image(input);
    let all = reals(coordinates, dtype);
    let of = |pair: &[super::real::Real]| {
        [how.taps(Term::of(pair[1], dtype), height), how.taps(Term::of(pair[0], dtype), width)]
    };
    all.chunks(2).map(of).collect()
}

/// `grid_sampler_2d`: images [N, C, H, W] at a grid [N, h, w, 2]; row-major.
///
/// # Errors
/// When there is no memory for the result.
pub fn grid_sampler(input: &Tensor, coordinates: &Tensor, how: Sampling) -> Result<Tensor> {
    let dtype = input.dtype();
    let (images, channels) = (input.sizes()[0] as usize, input.sizes()[1] as usize);
    let (height, width) = image(input);
    let sizes = [input.sizes()[0], input.sizes()[1], coordinates.sizes()[1], coordinates.sizes()[2]];
    let out = Tensor::zeros(dtype, &sizes)?;
    let area = (sizes[2] * sizes[3]) as usize;
    let all = reals(input, dtype);
    let places = places(input, coordinates, how);
    let mut results = Vec::new();
    for plane in 0..images * channels {
        let own = &all[plane * (height * width) as usize..];
        for at in 0..area {
            let [rows, columns] = &places[plane / channels * area + at];
            let mut terms = Vec::new();
            for (row, column) in rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column))) {
                if let (Some(p), Some(q)) = (row.place, column.place) {
                    let element = Term::of(own[(p * width + q) as usize], dtype);
                    terms.push(element * (row.weight * column.weight));
                }
            }
            results.push(Term::sum(&terms, dtype).finish());
        }
    }
    store_reals(&out, &results, dtype);
    Ok(out)
}

/// `grid_sampler_2d_backward`: the gradients of images and grid; row-major.
///
/// # Errors
/// When there is no memory for the results.
pub fn grid_sampler_backward(
    grad: &Tensor,
    input: &Tensor,
    coordinates: &Tensor,
    how: Sampling,
) -> Result<[Tensor; 2]> {
    let dtype: DType = input.dtype();
    let (channels, (height, width)) = (input.sizes()[1] as usize, image(input));
    let area = (coordinates.sizes()[1] * coordinates.sizes()[2]) as usize;
    let (all, grads) = (reals(input, dtype), reals(grad, dtype));
    let mut sums = vec![Accumulator::default(); all.len()];
    let mut slopes = Vec::new();
    for (number, [rows, columns]) in places(input, coordinates, how).iter().enumerate() {
        let (image, at) = (number / area.max(1), number % area.max(1));
        let mut along = [Vec::new(), Vec::new()];
        for channel in 0..channels {
            let plane = image * channels + channel;
            let own = grads[plane * area + at];
            let g = Term::of(own, dtype);
            for (row, column) in rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column))) {
                if let (Some(p), Some(q)) = (row.place, column.place) {
                    let place = plane * (height * width) as usize + (p * width + q) as usize;
                    sums[place].add_product(own, (row.weight * column.weight).finish());
                    let element = Term::of(all[place], dtype);
                    along[0].push(g * element * column.slope * row.weight);
                    along[1].push(g * element * row.slope * column.weight);
                }
            }
        }
        slopes.extend(along.map(|terms| Term::sum(&terms, dtype).finish()));
    }
    let images = Tensor::zeros(dtype, input.sizes())?;
    store_reals(&images, &sums.iter().map(|sum| sum.finish(dtype)).collect::<Vec<_>>(), dtype);
    let places = Tensor::zeros(dtype, coordinates.sizes())?;
    store_reals(&places, &slopes, dtype);
    Ok([images, places])
}
