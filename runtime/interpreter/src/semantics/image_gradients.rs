//! Gradients of means over windows and of images of other sizes; means over volumes.

use terrace_dialects::rules::Window;
use terrace_tensor::{DType, Tensor};

use super::copy::packed;
use super::elements::{reals, store_reals};
use super::error::Result;
use super::pooling::{Average, Cell, Scale, even, even_parts, formatted, grid, image, taps, windows_seen};
use super::real::{Accumulator, Real};
use super::reduction::mean;
use super::strides::{channels_last_strides, suggests_channels_last};
use super::term::Term;

/// Sums at the places of images.
struct Sums(Vec<Accumulator>);

impl Sums {
    fn new(sizes: &[i64]) -> Sums {
        Sums(vec![Accumulator::default(); sizes.iter().product::<i64>() as usize])
    }

    fn finish(&self, dtype: DType) -> Vec<Real> {
        self.0.iter().map(|sum| sum.finish(dtype)).collect()
    }
}

/// Each element of a gradient over a number, to all places of a part of its image.
fn shared(grad: &Tensor, input: &Tensor, part: impl Fn(i64, i64) -> Cell) -> Result<Tensor> {
    let (dtype, (height, width)) = (input.dtype(), image(input));
    let mut sums = Sums::new(input.sizes());
    let all = reals(&packed(grad)?, dtype);
    let (rows, columns) = image(grad);
    let planes: i64 = input.sizes()[..input.rank() - 2].iter().product();
    for plane in 0..planes {
        for (row, column) in grid((rows, columns)) {
            let (top, bottom, left, right, divisor) = part(row, column);
            let own = Term::of(all[(plane * rows * columns + row * columns + column) as usize], dtype);
            let own = (own / Term::number(divisor as f64, dtype)).finish();
            for p in top..bottom {
                for q in left..right {
                    sums.0[(plane * height * width + p * width + q) as usize].add(own);
                }
            }
        }
    }
    let out = formatted(input, dtype, input.sizes())?;
    store_reals(&out, &sums.finish(dtype), dtype);
    Ok(out)
}

/// `avg_pool2d_backward`.
///
/// # Errors
/// When there is no memory for the result.
pub fn avg_pool2d_backward(
    grad: &Tensor,
    input: &Tensor,
    windows: [Window; 2],
    how: Average,
) -> Result<Tensor> {
    shared(grad, input, windows_seen(image(input), windows, how))
}

/// `_adaptive_avg_pool2d_backward`.
///
/// # Errors
/// When there is no memory for the result.
pub fn adaptive_avg_pool2d_backward(grad: &Tensor, input: &Tensor) -> Result<Tensor> {
    shared(grad, input, even_parts(image(input), image(grad)))
}

/// `_adaptive_avg_pool3d`: means over parts of volumes that are as even as they come; row-major.
///
/// # Errors
/// When there is no memory for the result.
pub fn adaptive_avg_pool3d(input: &Tensor, output: &[i64]) -> Result<Tensor> {
    let dtype = input.dtype();
    let lead = input.rank() - 3;
    let sizes: [i64; 3] = std::array::from_fn(|d| input.sizes()[lead + d]);
    let out = Tensor::zeros(dtype, &[&input.sizes()[..lead], output].concat())?;
    let all = reals(&packed(input)?, dtype);
    let volume: i64 = sizes.iter().product();
    let mut results = Vec::new();
    for plane in 0..input.sizes()[..lead].iter().product::<i64>() {
        for place in terrace_tensor::layout::positions(output) {
            let [deep, high, wide] = [0, 1, 2].map(|d| even(place[d], output[d], sizes[d]));
            let mut sum = Accumulator::default();
            for p in deep.0..deep.1 {
                for q in high.0..high.1 {
                    for r in wide.0..wide.1 {
                        sum.add(all[(plane * volume + (p * sizes[1] + q) * sizes[2] + r) as usize]);
                    }
                }
            }
            let count = (deep.1 - deep.0) * (high.1 - high.0) * (wide.1 - wide.0);
            let sum = Term::of(sum.finish(dtype), dtype);
            results.push((sum / Term::number(count as f64, dtype)).finish());
        }
    }
    store_reals(&out, &results, dtype);
    Ok(out)
}

/// `adaptive_avg_pool3d`: one part is the mean of all, with channels innermost where the input suggests it.
///
/// # Errors
/// When there is no memory for the result.
pub fn adaptive_avg_pool3d_or_mean(input: &Tensor, output: &[i64]) -> Result<Tensor> {
    if output != [1, 1, 1] {
        return adaptive_avg_pool3d(input, output);
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

/// The gradients of `upsample_nearest2d` and its kin, for an image of `input` sizes: each element goes to the places that it was made
/// of, by their weights.
///
/// # Errors
/// When there is no memory for the result.
pub fn upsample_backward(grad: &Tensor, input: &[i64], scales: [Scale; 2]) -> Result<Tensor> {
    let dtype = grad.dtype();
    let (output, (height, width)) = (image(grad), (input[2], input[3]));
    // Of the same size it is what comes in, whatever the factors.
    let scales =
        if output == (height, width) { scales.map(|scale| Scale { factor: None, ..scale }) } else { scales };
    let rows: Vec<_> = (0..output.0).map(|at| taps(at, height, output.0, scales[0], dtype)).collect();
    let columns: Vec<_> = (0..output.1).map(|at| taps(at, width, output.1, scales[1], dtype)).collect();
    let mut sums = Sums::new(input);
    let all = reals(&packed(grad)?, dtype);
    for plane in 0..input[..2].iter().product::<i64>() {
        for (row, column) in grid(output) {
            let own = all[(plane * output.0 * output.1 + row * output.1 + column) as usize];
            for (p, a) in &rows[row as usize] {
                for (q, b) in &columns[column as usize] {
                    let weight = (Term::number(*a, dtype) * Term::number(*b, dtype)).finish();
                    sums.0[(plane * height * width + p * width + q) as usize].add_product(own, weight);
                }
            }
        }
    }
    // Eager has no kernel for channels that are innermost where four places make an element.
    let out = match scales[0].cubic {
        true => Tensor::zeros(dtype, input)?,
        false => formatted(grad, dtype, input)?,
    };
    store_reals(&out, &sums.finish(dtype), dtype);
    Ok(out)
}
