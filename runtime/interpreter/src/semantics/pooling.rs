//! Windows over images, and images of other sizes. An image is the last two dimensions.

use terrace_dialects::rules::Window;
use terrace_tensor::{DType, Tensor};

use super::copy::packed;
use super::elements::{Elements, elements, ints, reals, store};
use super::error::{Error, Result};
use super::real::{Accumulator, Real};
use super::strides::{channels_last_strides, suggests_channels_last};
use super::term::Term;
use super::views;

/// A tensor of other sizes whose channels are innermost where the input suggests it.
pub(super) fn formatted(input: &Tensor, dtype: DType, sizes: &[i64]) -> Result<Tensor> {
    let strides = channels_last_strides(sizes).filter(|_| sizes.len() == 4 && suggests_channels_last(input));
    Ok(match strides {
        Some(strides) => Tensor::zeros_strided(dtype, sizes, &strides)?,
        None => Tensor::zeros(dtype, sizes)?,
    })
}

/// The sizes with the last two replaced.
pub(super) fn resized(input: &Tensor, height: i64, width: i64) -> Vec<i64> {
    let lead = input.rank() - 2;
    [&input.sizes()[..lead], &[height, width]].concat()
}

/// Height and width.
pub(super) fn image(input: &Tensor) -> (i64, i64) {
    let rank = input.rank();
    (input.sizes()[rank - 2], input.sizes()[rank - 1])
}

/// The places of a dimension that window number `at` sees.
fn seen(window: Window, at: i64, size: i64) -> impl Iterator<Item = i64> {
    let start = at * window.stride - window.padding;
    let before = |place: i64| {
        (place - start + window.dilation - 1).div_euclid(window.dilation).clamp(0, window.kernel)
    };
    (before(0)..before(size)).map(move |k| start + k * window.dilation)
}

const COMPLEX: &str = "`elements` refuses complex numbers";

/// `max_pool2d_with_indices`: of several largest elements the first, and of nans the last, counted along the rows.
///
/// # Errors
/// When the elements have no kernel.
pub fn max_pool2d(input: &Tensor, windows: [Window; 2], ceil: bool) -> Result<[Tensor; 2]> {
    let (height, width) = image(input);
    let counts = (windows[0].count(height, ceil), windows[1].count(width, ceil));
    let sizes = resized(input, counts.0, counts.1);
    let out = formatted(input, input.dtype(), &sizes)?;
    let all = elements(&packed(input)?, input.dtype(), "max_pool2d")?;
    let larger = |a: usize, b: usize| match &all {
        Elements::Real(reals) => reals[a].value > reals[b].value || reals[a].value.is_nan(),
        Elements::Int(ints) => ints[a] > ints[b],
        Elements::Complex(_) => unreachable!("{COMPLEX}"),
    };
    let mut places = Vec::new();
    let mut chosen = Vec::new();
    for plane in 0..sizes[..sizes.len() - 2].iter().product::<i64>() {
        for (row, column) in grid(counts) {
            let mut best = None;
            for p in seen(windows[0], row, height) {
                for q in seen(windows[1], column, width) {
                    let at = (plane * height * width + p * width + q) as usize;
                    if best.is_none_or(|best| larger(at, best)) {
                        best = Some(at);
                    }
                }
            }
            // A window that sees nothing names the first place after the padding before the image.
            let first = |window: Window, at: i64| {
                let start = at * window.stride - window.padding;
                if start < 0 { start.rem_euclid(window.dilation) } else { start }
            };
            let outside = || first(windows[0], row) * width + first(windows[1], column);
            places.push(best.map_or_else(outside, |best| best as i64 - plane * height * width));
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
    store(&out, &result, input.dtype());
    let indices = formatted(input, DType::I64, &sizes)?;
    store(&indices, &Elements::Int(places), DType::I64);
    Ok([out, indices])
}

/// `max_pool2d_with_indices_backward`: to each place of an image the sum of the gradients of what was taken from it.
///
/// # Errors
/// When a place is outside the image; -1 is none.
pub fn max_pool2d_backward(gradient: &Tensor, input: &Tensor, indices: &Tensor) -> Result<Tensor> {
    let (dtype, (height, width)) = (input.dtype(), image(input));
    let area = height * width;
    let windows = image(gradient);
    let mut sums = vec![Accumulator::default(); input.sizes().iter().product::<i64>() as usize];
    let places = ints(&packed(indices)?, DType::I64);
    for (at, (place, real)) in places.iter().zip(reals(&packed(gradient)?, dtype)).enumerate() {
        if *place == -1 {
            continue;
        }
        if !(0..area).contains(place) {
            return Err(Error::new(format!(
                "Found an invalid max index: {place} (input image has {height}x{width} elements)"
            )));
        }
        let plane = at as i64 / (windows.0 * windows.1);
        sums[(plane * area + place) as usize].add(real);
    }
    let out = formatted(input, dtype, input.sizes())?;
    store(&out, &Elements::Real(sums.into_iter().map(|sum| sum.finish(dtype)).collect()), dtype);
    Ok(out)
}

pub(super) fn grid((height, width): (i64, i64)) -> impl Iterator<Item = (i64, i64)> {
    (0..height).flat_map(move |row| (0..width).map(move |column| (row, column)))
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

/// `avg_pool2d`.
///
/// # Errors
/// When the elements have no kernel.
pub fn avg_pool2d(input: &Tensor, windows: [Window; 2], how: Average) -> Result<Tensor> {
    let (height, width) = image(input);
    let counts = (windows[0].count(height, how.ceil), windows[1].count(width, how.ceil));
    means(input, counts, windows_seen((height, width), windows, how))
}

/// What the mean at a row and a column is of: rows and columns of the image, from the first to without the last, and what
/// their sum is divided by.
pub(super) type Cell = (i64, i64, i64, i64, i64);

/// The parts of an image that windows see.
pub(super) fn windows_seen(
    (height, width): (i64, i64),
    windows: [Window; 2],
    how: Average,
) -> impl Fn(i64, i64) -> Cell {
    // Of a window along a dimension: the elements inside, and how many count.
    let along = move |window: Window, at: i64, size: i64| {
        let start = at * window.stride - window.padding;
        let end = (start + window.kernel).min(size + window.padding);
        let inside = (start.max(0), end.min(size));
        (inside, if how.padding_counts { end - start } else { inside.1 - inside.0 })
    };
    move |row: i64, column: i64| {
        let ((top, bottom), rows) = along(windows[0], row, height);
        let ((left, right), columns) = along(windows[1], column, width);
        // A window that sees nothing gives a zero.
        let sees = top < bottom && left < right;
        (top, bottom, left, right, if sees { how.divisor.unwrap_or(rows * columns) } else { 1 })
    }
}

/// `_adaptive_avg_pool2d`: windows as even as they come.
///
/// # Errors
/// When the elements have no kernel.
pub fn adaptive_avg_pool2d(input: &Tensor, output: &[i64]) -> Result<Tensor> {
    if input.dtype().is_complex() {
        return super::parts::linear(input, input.dtype(), |part| adaptive_avg_pool2d(part, output));
    }
    let counts = (output[0], output[1]);
    means(input, counts, even_parts(image(input), counts))
}

/// The places of a dimension that one of `count` windows, as even as they come, sees: from the first to without the last.
pub(super) fn even(at: i64, count: i64, size: i64) -> (i64, i64) {
    (at * size / count, ((at + 1) * size + count - 1) / count)
}

/// The parts of an image that are as even as they come.
pub(super) fn even_parts(
    (height, width): (i64, i64),
    (rows, columns): (i64, i64),
) -> impl Fn(i64, i64) -> Cell {
    move |row: i64, column: i64| {
        let (top, bottom) = even(row, rows, height);
        let (left, right) = even(column, columns, width);
        (top, bottom, left, right, (bottom - top) * (right - left))
    }
}

/// The sums over parts of images, each over a number.
fn means(input: &Tensor, counts: (i64, i64), cell: impl Fn(i64, i64) -> Cell) -> Result<Tensor> {
    let dtype = input.dtype();
    let (height, width) = image(input);
    let sizes = resized(input, counts.0, counts.1);
    let out = formatted(input, dtype, &sizes)?;
    let all = elements(&packed(input)?, dtype, "avg_pool2d")?;
    let (mut floats, mut ints) = (Vec::new(), Vec::new());
    for plane in 0..sizes[..sizes.len() - 2].iter().product::<i64>() {
        for (row, column) in grid(counts) {
            let (top, bottom, left, right, divisor) = cell(row, column);
            let inside = (top..bottom)
                .flat_map(|p| (left..right).map(move |q| (plane * height * width + p * width + q) as usize));
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
    store(&out, &if dtype.is_float() { Elements::Real(floats) } else { Elements::Int(ints) }, dtype);
    Ok(out)
}

/// How places of the result are found in an image, along one dimension.
#[derive(Clone, Copy)]
pub struct Scale {
    /// The factor that was given.
    pub factor: Option<f64>,
    /// Whether the corners of both are one place, where that is asked.
    pub align_corners: Option<bool>,
    /// Whether four places along a dimension make an element, not two.
    pub cubic: bool,
}

/// A dimension of bytes mixed by taps, [outer, size, inner] to [outer, taps, inner]: eager's weights are integers of 15 bits, and
/// each dimension is rounded.
fn mixed_bytes(bytes: &[i64], size: i64, inner: i64, taps: &[Vec<(i64, f64)>]) -> Vec<i64> {
    let largest = taps.iter().flatten().map(|(_, weight)| *weight).fold(0.0, f64::max);
    let bits = (0..22)
        .find(|bits| (largest * f64::from(1 << (bits + 1))).round() >= f64::from(1 << 15))
        .unwrap_or(22);
    let weight = |weight: f64| (weight * f64::from(1 << bits)).round() as i64;
    let mut results = vec![];
    for outer in bytes.chunks((size * inner).max(1) as usize) {
        for taps in taps {
            for column in 0..inner {
                let sum: i64 =
                    taps.iter().map(|(at, w)| outer[(at * inner + column) as usize] * weight(*w)).sum();
                results.push(((sum + (1 << bits >> 1)) >> bits).clamp(0, 255));
            }
        }
    }
    results
}

/// `upsample_nearest2d`, `upsample_bilinear2d` and `upsample_bicubic2d`: each element is that at a place of the image, or is made of
/// those around it.
///
/// # Errors
/// When the elements have no kernel.
pub fn upsample(input: &Tensor, output: &[i64], scales: [Scale; 2]) -> Result<Tensor> {
    let dtype = input.dtype();
    let (height, width) = image(input);
    let sizes = resized(input, output[0], output[1]);
    let out = formatted(input, dtype, &sizes)?;
    let rows: Vec<_> = (0..output[0]).map(|at| taps(at, height, output[0], scales[0], dtype)).collect();
    let columns: Vec<_> = (0..output[1]).map(|at| taps(at, width, output[1], scales[1], dtype)).collect();
    if !dtype.is_float() {
        let bytes = mixed_bytes(&ints(&packed(input)?, dtype), width, 1, &columns);
        store(&out, &Elements::Int(mixed_bytes(&bytes, height, output[1], &rows)), dtype);
        return Ok(out);
    }
    let all = reals(&packed(input)?, dtype);
    // The weights of cubic convolution cancel in their polynomials.
    let lost = if scales[0].cubic { 4.0 * dtype.epsilon() } else { 0.0 };
    let weight = |value: f64| Term::of(Real { value, bound: lost }, dtype);
    let mut results = Vec::new();
    for plane in 0..sizes[..sizes.len() - 2].iter().product::<i64>() {
        for (row, column) in grid((output[0], output[1])) {
            let mut terms = Vec::new();
            for (p, a) in &rows[row as usize] {
                for (q, b) in &columns[column as usize] {
                    let x = Term::of(all[(plane * height * width + p * width + q) as usize], dtype);
                    terms.push(if *a == 1.0 && *b == 1.0 { x } else { x * (weight(*a) * weight(*b)) });
                }
            }
            results.push(Term::sum(&terms, dtype).finish());
        }
    }
    store(&out, &Elements::Real(results), dtype);
    Ok(out)
}

/// The places of an image that make an element of the result, with their weights. Places are computed in f32, as eager has them, but
/// for f64 and bytes.
pub(super) fn taps(at: i64, size: i64, count: i64, scale: Scale, dtype: DType) -> Vec<(i64, f64)> {
    let round =
        |value: f64| if matches!(dtype, DType::F64 | DType::U8) { value } else { f64::from(value as f32) };
    let ratio = || match scale.factor {
        Some(factor) if factor > 0.0 => round(1.0 / factor),
        _ => round(size as f64 / count as f64),
    };
    let Some(align_corners) = scale.align_corners else {
        let place = match count {
            _ if count == size => at,
            _ if count == 2 * size => at / 2,
            _ => (round(at as f64 * ratio()).floor() as i64).min(size - 1),
        };
        return vec![(place, 1.0)];
    };
    if count == size && !scale.cubic {
        return vec![(at, 1.0)];
    }
    let least = if scale.cubic { f64::NEG_INFINITY } else { 0.0 };
    let place = match align_corners {
        true if count > 1 => round(round((size - 1) as f64 / (count - 1) as f64) * at as f64),
        true => 0.0,
        false => round(round(ratio() * (at as f64 + 0.5)) - 0.5).max(least),
    };
    let first = (place.floor() as i64).min(size - 1);
    let next = if first < size - 1 { first + 1 } else { first };
    let weight = round(place - first as f64).clamp(0.0, 1.0);
    if scale.cubic {
        let near = (first - 1..=first + 2).map(|place| place.clamp(0, size - 1));
        return near.zip(cubic_weights(weight)).collect();
    }
    vec![(first, 1.0 - weight), (next, weight)]
}

/// How four neighbours weigh at a distance from the second of them: cubic convolution with the parameter -3/4.
///
/// Source: R. Keys, "Cubic Convolution Interpolation for Digital Image Processing", 1981.
pub(super) fn cubic_weights(x: f64) -> [f64; 4] {
    const A: f64 = -0.75;
    let near = |x: f64| ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0;
    let far = |x: f64| ((A * x - 5.0 * A) * x + 8.0 * A) * x - 4.0 * A;
    [far(x + 1.0), near(x), near(1.0 - x), far(2.0 - x)]
}

/// `pixel_shuffle`: a square of channels becomes a square of elements; with `back`, the reverse.
///
/// # Errors
/// When there is no memory for the result.
pub fn pixel_shuffle(input: &Tensor, factor: i64, back: bool) -> Result<Tensor> {
    if back && input.is_empty() {
        return super::copy::clone(input);
    }
    let lead = input.rank() - 3;
    let [c, h, w] = [0, 1, 2].map(|d| input.sizes()[lead + d]);
    let own = &input.sizes()[..lead];
    let (spread, order, sizes) = if back {
        let spread = [own, &[c, h / factor, factor, w / factor, factor]].concat();
        (spread, [0, 2, 4, 1, 3], [c * factor * factor, h / factor, w / factor])
    } else {
        let outer = c / (factor * factor);
        let spread = [own, &[outer, factor, factor, h, w]].concat();
        (spread, [0, 3, 1, 4, 2], [outer, h * factor, w * factor])
    };
    let order: Vec<i64> = (0..lead).map(|d| d as i64).chain(order.map(|d| lead as i64 + d)).collect();
    let turned = views::permute(&views::view(&packed(input)?, &spread)?, &order)?;
    let sizes = [own, &sizes].concat();
    let out = formatted(input, input.dtype(), &sizes)?;
    super::elements::copy(&out, &views::view(&packed(&turned)?, &sizes)?);
    Ok(out)
}
