//! Images of other sizes. An image is the last two dimensions.

use super::{
    copy::packed,
    elements::{Elements, ints, reals, store},
    error::Result,
    real::Real,
    term::Term,
    views,
    windows::formatted,
};
use terrace_tensor::{Dtype, Tensor};

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

pub(super) fn grid((height, width): (i64, i64)) -> impl Iterator<Item = (i64, i64)> {
    (0..height).flat_map(move |row| (0..width).map(move |column| (row, column)))
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

/// A dimension of bytes mixed by taps, [outer, size, inner] to [outer, taps, inner]: eager's weights are
/// integers of 15 bits, and each dimension is rounded.
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

/// `upsample_nearest2d`, `upsample_bilinear2d` and `upsample_bicubic2d`: each element is that at a place of
/// the image, or is made of those around it.
///
/// # Errors
/// When the elements have no kernel.
pub fn upsample(input: &Tensor, output: &[i64], scales: [Scale; 2]) -> Result<Tensor> {
    let dtype = input.dtype();
    let (height, width) = image(input);
    let sizes = resized(input, output[0], output[1]);
    let out = formatted(input, dtype, &sizes, 2)?;
    if out.is_empty() {
        return Ok(out);
    }
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

/// The places of an image that make an element of the result, with their weights. Places are computed in f32,
/// as eager has them, but for f64 and bytes.
pub(super) fn taps(at: i64, size: i64, count: i64, scale: Scale, dtype: Dtype) -> Vec<(i64, f64)> {
    let round =
        |value: f64| if matches!(dtype, Dtype::F64 | Dtype::U8) { value } else { f64::from(value as f32) };
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

/// How four neighbours weigh at a distance from the second of them: cubic convolution with the
/// parameter -3/4.
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
    let out = formatted(input, input.dtype(), &sizes, 2)?;
    super::elements::copy(&out, &views::view(&packed(&turned)?, &sizes)?);
    Ok(out)
}
