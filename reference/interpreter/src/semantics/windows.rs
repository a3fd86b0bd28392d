//! Windows over images and volumes, the last two or three dimensions: the largest elements, means, and the
//! gradients of both.

use super::{
    copy::packed,
    elements::{Elements, elements, ints, reals, store},
    error::{Error, Result},
    real::{Accumulator, Real},
    reduction::mean,
    strides::{channels_last_strides, suggests_channels_last},
    term::Term,
    views,
};
use terrace_dialects::aten::rules::Window;
use terrace_tensor::{Dtype, Tensor, layout::positions};

/// A tensor of other sizes whose channels are innermost where the input suggests it. A volume alone counts as
/// a batch of one, an image alone is row-major.
pub(super) fn formatted(input: &Tensor, dtype: Dtype, sizes: &[i64], dims: usize) -> Result<Tensor> {
    if dims == 3 && sizes.len() == 4 {
        let batch = views::unsqueeze(input, 0)?;
        return views::squeeze(&formatted(&batch, dtype, &[&[1], sizes].concat(), dims)?, Some(&[0]));
    }
    let strides =
        channels_last_strides(sizes).filter(|_| sizes.len() == dims + 2 && suggests_channels_last(input));
    Ok(match strides {
        Some(strides) => Tensor::zeros_strided(dtype, sizes, &strides)?,
        None => Tensor::zeros(dtype, sizes)?,
    })
}

/// The sizes of the images.
fn sizes_of(input: &Tensor, dims: usize) -> &[i64] {
    &input.sizes()[input.rank() - dims..]
}

/// How many images there are.
fn planes(input: &Tensor, dims: usize) -> usize {
    input.sizes()[..input.rank() - dims].iter().product::<i64>() as usize
}

/// The sizes with the last ones replaced.
fn resized(input: &Tensor, image: &[i64]) -> Vec<i64> {
    [&input.sizes()[..input.rank() - image.len()], image].concat()
}

/// The places of an image where places along each dimension meet, in row-major order.
fn meeting(sizes: &[i64], along: &[Vec<i64>]) -> Vec<usize> {
    let step = |all: Vec<usize>, (size, along): (&i64, &Vec<i64>)| {
        all.iter().flat_map(|at| along.iter().map(move |p| at * *size as usize + *p as usize)).collect()
    };
    sizes.iter().zip(along).fold(vec![0], step)
}

/// The place of an image by its coordinates.
fn place(sizes: &[i64], coordinates: impl Iterator<Item = i64>) -> i64 {
    sizes.iter().zip(coordinates).fold(0, |at, (size, along)| at * size + along)
}

/// The places of a dimension that window number `at` sees.
fn inside(window: Window, at: i64, size: i64) -> Vec<i64> {
    let start = at * window.stride - window.padding;
    let before = |place: i64| {
        (place - start + window.dilation - 1).div_euclid(window.dilation).clamp(0, window.kernel)
    };
    (before(0)..before(size)).map(|k| start + k * window.dilation).collect()
}

fn counts(windows: &[Window], sizes: &[i64], ceil: bool) -> Vec<i64> {
    windows.iter().zip(sizes).map(|(window, size)| window.count(*size, ceil)).collect()
}

const COMPLEX: &str = "`elements` refuses complex numbers";

/// The largest element of each part of the images, of several the first and of nans the last in row-major
/// order, and its place in the image; of a part that is empty the least number, and the place that `outside`
/// names.
fn largest(
    input: &Tensor,
    counts: &[i64],
    inside: impl Fn(&[i64]) -> Vec<usize>,
    outside: impl Fn(&[i64]) -> i64,
) -> Result<[(Elements, Dtype); 2]> {
    let dims = counts.len();
    let area = sizes_of(input, dims).iter().product::<i64>() as usize;
    let all = elements(&packed(input)?, input.dtype(), "max_pool2d")?;
    let larger = |a: usize, b: usize| match &all {
        Elements::Real(reals) => reals[a].value > reals[b].value || reals[a].value.is_nan(),
        Elements::Int(ints) => ints[a] > ints[b],
        Elements::Complex(_) => unreachable!("{COMPLEX}"),
    };
    let (mut places, mut chosen) = (Vec::new(), Vec::new());
    for plane in 0..planes(input, dims) {
        for at in positions(counts) {
            let part = inside(&at).into_iter().map(|place| plane * area + place);
            let best = part.reduce(|best, at| if larger(at, best) { at } else { best });
            places.push(best.map_or_else(|| outside(&at), |best| (best - plane * area) as i64));
            chosen.push(best);
        }
    }
    let result = match &all {
        Elements::Complex(_) => unreachable!("{COMPLEX}"),
        Elements::Real(reals) => {
            let least = Real::exact(f64::NEG_INFINITY);
            Elements::Real(chosen.iter().map(|at| at.map_or(least, |at| reals[at])).collect())
        }
        Elements::Int(ints) => {
            let least = input.dtype().integer_range().map(|(least, _)| least).unwrap_or_default();
            Elements::Int(chosen.iter().map(|at| at.map_or(least, |at| ints[at])).collect())
        }
    };
    Ok([(result, input.dtype()), (Elements::Int(places), Dtype::I64)])
}

/// `max_pool2d_with_indices` and its kin.
///
/// # Errors
/// When the elements have no kernel.
pub fn max_pool(input: &Tensor, windows: &[Window], ceil: bool) -> Result<[Tensor; 2]> {
    let (dims, own) = (windows.len(), sizes_of(input, windows.len()));
    let counts = counts(windows, own, ceil);
    let inside = |at: &[i64]| {
        let along: Vec<_> = (0..dims).map(|d| inside(windows[d], at[d], own[d])).collect();
        meeting(own, &along)
    };
    // A window that sees nothing names the first place after the padding before the image.
    let first = |(window, at): (&Window, &i64)| {
        let start = at * window.stride - window.padding;
        if start < 0 { start.rem_euclid(window.dilation) } else { start }
    };
    let outside = |at: &[i64]| place(own, windows.iter().zip(at).map(first));
    let stored = |(elements, dtype): (Elements, Dtype)| -> Result<Tensor> {
        let out = formatted(input, dtype, &resized(input, &counts), dims)?;
        store(&out, &elements, dtype);
        Ok(out)
    };
    let [values, places] = largest(input, &counts, inside, outside)?;
    Ok([stored(values)?, stored(places)?])
}

/// `adaptive_max_pool2d` and its kin. Results over volumes are row-major.
///
/// # Errors
/// When the elements have no kernel.
pub fn adaptive_max_pool(input: &Tensor, counts: &[i64]) -> Result<[Tensor; 2]> {
    let own = sizes_of(input, counts.len());
    let parts = even_parts(own, counts);
    let stored = |(elements, dtype): (Elements, Dtype)| -> Result<Tensor> {
        let out = even(input, dtype, &resized(input, counts), counts.len())?;
        store(&out, &elements, dtype);
        Ok(out)
    };
    // No part is empty.
    let [values, places] = largest(input, counts, |at| places_of(own, &parts(at).0), |_| 0)?;
    Ok([stored(values)?, stored(places)?])
}

/// A tensor of other sizes: of images with channels innermost where the input suggests it, of volumes
/// row-major.
fn even(input: &Tensor, dtype: Dtype, sizes: &[i64], dims: usize) -> Result<Tensor> {
    if dims == 2 { formatted(input, dtype, sizes, dims) } else { Ok(Tensor::zeros(dtype, sizes)?) }
}

/// To each place of an image the sum of the gradients of what was taken from it; -1 is no place.
fn taken_from(gradient: &Tensor, input: &Tensor, indices: &Tensor, dims: usize) -> Result<Elements> {
    let (dtype, own) = (input.dtype(), sizes_of(input, dims));
    let area: i64 = own.iter().product();
    let windows = sizes_of(gradient, dims).iter().product::<i64>();
    let mut sums = vec![Accumulator::default(); input.len()];
    let places = ints(&packed(indices)?, Dtype::I64);
    for (at, (place, real)) in places.iter().zip(reals(&packed(gradient)?, dtype)).enumerate() {
        if *place == -1 {
            continue;
        }
        if !(0..area).contains(place) {
            let sizes: Vec<_> = own.iter().map(i64::to_string).collect();
            return Err(Error::new(format!(
                "Found an invalid max index: {place} (input image has {} elements)",
                sizes.join("x")
            )));
        }
        sums[(at as i64 / windows * area + place) as usize].add(real);
    }
    Ok(Elements::Real(sums.into_iter().map(|sum| sum.finish(dtype)).collect()))
}

/// `max_pool2d_with_indices_backward` and its kin.
///
/// # Errors
/// When a place is outside the image.
pub fn max_pool_backward(gradient: &Tensor, input: &Tensor, indices: &Tensor, dims: usize) -> Result<Tensor> {
    let sums = taken_from(gradient, input, indices, dims)?;
    // A volume alone is laid out like its gradient.
    let like = if dims == 3 && input.rank() == 4 { gradient } else { input };
    let out = formatted(like, input.dtype(), input.sizes(), dims)?;
    store(&out, &sums, input.dtype());
    Ok(out)
}

/// `adaptive_max_pool2d_backward` and its kin.
///
/// # Errors
/// When a place is outside the image.
pub fn adaptive_max_pool_backward(
    gradient: &Tensor,
    input: &Tensor,
    indices: &Tensor,
    dims: usize,
) -> Result<Tensor> {
    let sums = taken_from(gradient, input, indices, dims)?;
    let out = even(input, input.dtype(), input.sizes(), dims)?;
    store(&out, &sums, input.dtype());
    Ok(out)
}

/// How the mean of a window is taken.
#[derive(Clone, Copy)]
pub struct Average {
    /// Whether a window may begin inside and end outside.
    pub ceil: bool,
    /// Whether padding counts.
    pub padding_counts: bool,
    /// What to divide by, whatever is seen.
    pub divisor: Option<i64>,
}

/// What a mean is of: the places along each dimension, from the first to without the last, and what their sum
/// is divided by.
type Cell = (Vec<(i64, i64)>, i64);

/// The parts of an image that windows see.
fn counted_parts(sizes: &[i64], windows: &[Window], how: Average) -> impl Fn(&[i64]) -> Cell {
    move |at: &[i64]| {
        let (mut parts, mut counted) = (Vec::new(), 1);
        for ((window, at), size) in windows.iter().zip(at).zip(sizes) {
            let start = at * window.stride - window.padding;
            let end = (start + window.kernel).min(size + window.padding);
            let inside = (start.max(0), end.min(*size));
            counted *= if how.padding_counts { end - start } else { inside.1 - inside.0 };
            parts.push(inside);
        }
        // A window that sees nothing gives a zero.
        let sees = parts.iter().all(|(first, last)| first < last);
        (parts, if sees { how.divisor.unwrap_or(counted) } else { 1 })
    }
}

/// The parts of an image that are as even as they come, of which there are `counts`.
fn even_parts(sizes: &[i64], counts: &[i64]) -> impl Fn(&[i64]) -> Cell {
    move |at: &[i64]| {
        let even =
            |d: usize| (at[d] * sizes[d] / counts[d], ((at[d] + 1) * sizes[d] + counts[d] - 1) / counts[d]);
        let parts: Vec<_> = (0..sizes.len()).map(even).collect();
        let count = parts.iter().map(|(first, last)| last - first).product();
        (parts, count)
    }
}

fn places_of(sizes: &[i64], parts: &[(i64, i64)]) -> Vec<usize> {
    let along: Vec<_> = parts.iter().map(|(first, last)| (*first..*last).collect()).collect();
    meeting(sizes, &along)
}

/// The sums over parts of images, each over a number. Means over volumes are row-major.
fn means(input: &Tensor, counts: &[i64], cell: impl Fn(&[i64]) -> Cell) -> Result<Tensor> {
    let (dtype, dims) = (input.dtype(), counts.len());
    let own = sizes_of(input, dims);
    let area = own.iter().product::<i64>() as usize;
    let all = elements(&packed(input)?, dtype, "avg_pool2d")?;
    let (mut floats, mut ints) = (Vec::new(), Vec::new());
    for plane in 0..planes(input, dims) {
        for at in positions(counts) {
            let (parts, divisor) = cell(&at);
            let inside = places_of(own, &parts).into_iter().map(|place| plane * area + place);
            match &all {
                Elements::Complex(_) => unreachable!("{COMPLEX}"),
                Elements::Real(reals) => {
                    let mut sum = Accumulator::default();
                    inside.for_each(|at| sum.add(reals[at]));
                    let sum = Term::of(sum.finish(dtype), dtype);
                    floats.push((sum / Term::number(divisor as f64, dtype)).finish());
                }
                Elements::Int(all) => {
                    let sum = inside.fold(0i64, |sum, at| sum.wrapping_add(all[at]));
                    ints.push(sum.wrapping_div(divisor));
                }
            }
        }
    }
    let sizes = resized(input, counts);
    let out = even(input, dtype, &sizes, dims)?;
    store(&out, &if dtype.is_float() { Elements::Real(floats) } else { Elements::Int(ints) }, dtype);
    Ok(out)
}

/// `avg_pool2d` and its kin.
///
/// # Errors
/// When the elements have no kernel.
pub fn avg_pool(input: &Tensor, windows: &[Window], how: Average) -> Result<Tensor> {
    let own = sizes_of(input, windows.len());
    means(input, &counts(windows, own, how.ceil), counted_parts(own, windows, how))
}

/// `_adaptive_avg_pool2d` and its kin: windows as even as they come.
///
/// # Errors
/// When the elements have no kernel.
pub fn adaptive_avg_pool(input: &Tensor, output: &[i64]) -> Result<Tensor> {
    if input.dtype().is_complex() {
        return super::parts::linear(input, input.dtype(), |part| adaptive_avg_pool(part, output));
    }
    means(input, output, even_parts(sizes_of(input, output.len()), output))
}

/// `adaptive_avg_pool3d`: one part is the mean of all, with channels innermost where the input suggests it.
///
/// # Errors
/// When there is no memory for the result.
pub fn adaptive_avg_pool3d_or_mean(input: &Tensor, output: &[i64]) -> Result<Tensor> {
    if output != [1, 1, 1] {
        return adaptive_avg_pool(input, output);
    }
    let made = mean(input, Some(&[-1, -2, -3]), true, None)?;
    match channels_last_strides(made.sizes()).filter(|_| made.rank() == 5 && suggests_channels_last(input)) {
        Some(strides) => {
            let out = Tensor::zeros_strided(made.dtype(), made.sizes(), &strides)?;
            super::elements::copy(&out, &made);
            Ok(out)
        }
        None => Ok(made),
    }
}

/// Each element of a gradient over a number, to all places of a part of its image. Gradients of volumes are
/// row-major.
fn shared(grad: &Tensor, input: &Tensor, dims: usize, cell: impl Fn(&[i64]) -> Cell) -> Result<Tensor> {
    let (dtype, own) = (input.dtype(), sizes_of(input, dims));
    let area = own.iter().product::<i64>() as usize;
    let mut shares = vec![Vec::new(); input.len()];
    let mut number = 0;
    for plane in 0..planes(input, dims) {
        for at in positions(sizes_of(grad, dims)) {
            let (parts, divisor) = cell(&at);
            for place in places_of(own, &parts) {
                shares[plane * area + place].push((number, divisor));
            }
            number += 1;
        }
    }
    let summed = match elements(&packed(grad)?, dtype, "avg_pool2d_backward")? {
        Elements::Complex(_) => unreachable!("{COMPLEX}"),
        Elements::Real(all) => {
            let share = |&(at, divisor): &(usize, i64)| {
                (Term::of(all[at], dtype) / Term::number(divisor as f64, dtype)).finish()
            };
            let sum = |shares: &Vec<(usize, i64)>| {
                let mut sum = Accumulator::default();
                shares.iter().for_each(|one| sum.add(share(one)));
                sum.finish(dtype)
            };
            Elements::Real(shares.iter().map(sum).collect())
        }
        Elements::Int(all) => {
            let add =
                |sum: i64, (at, divisor): &(usize, i64)| sum.wrapping_add(all[*at].wrapping_div(*divisor));
            Elements::Int(shares.iter().map(|shares| shares.iter().fold(0, add)).collect())
        }
    };
    let out = even(input, dtype, input.sizes(), dims)?;
    store(&out, &summed, dtype);
    Ok(out)
}

/// `avg_pool2d_backward` and its kin.
///
/// # Errors
/// When there is no memory for the result.
pub fn avg_pool_backward(grad: &Tensor, input: &Tensor, windows: &[Window], how: Average) -> Result<Tensor> {
    let own = sizes_of(input, windows.len());
    shared(grad, input, windows.len(), counted_parts(own, windows, how))
}

/// `_adaptive_avg_pool2d_backward`.
///
/// # Errors
/// When there is no memory for the result.
pub fn adaptive_avg_pool2d_backward(grad: &Tensor, input: &Tensor) -> Result<Tensor> {
    shared(grad, input, 2, even_parts(sizes_of(input, 2), sizes_of(grad, 2)))
}
