//! Gradients of images of other sizes.

use super::{
    copy::packed,
    elements::{reals, store_reals},
    error::Result,
    pooling::{Scale, grid, image, taps},
    real::{Accumulator, Real},
    term::Term,
    windows::formatted,
};
use terrace_tensor::{Dtype, Tensor};

/// Sums at the places of images.
struct Sums(Vec<Accumulator>);

impl Sums {
    fn new(sizes: &[i64]) -> Sums {
        Sums(vec![Accumulator::default(); sizes.iter().product::<i64>() as usize])
    }

    fn finish(&self, dtype: Dtype) -> Vec<Real> {
        self.0.iter().map(|sum| sum.finish(dtype)).collect()
    }
}

/// The gradients of `upsample_nearest2d` and its kin, for an image of `input` sizes: each element goes to the
/// places that it was made of, by their weights.
///
/// # Errors
/// When there is no memory for the result.
pub fn upsample_backward(grad: &Tensor, input: &[i64], scales: [Scale; 2]) -> Result<Tensor> {
    let dtype = grad.dtype();
    let (output, (height, width)) = (image(grad), (input[2], input[3]));
    // Of the same size it is what comes in, whatever the factors.
    let scales =
        if output == (height, width) { scales.map(|scale| Scale { factor: None, ..scale }) } else { scales };
    // Eager has no kernel for channels that are innermost where four places make an element.
    let out = match scales[0].cubic {
        true => Tensor::zeros(dtype, input)?,
        false => formatted(grad, dtype, input, 2)?,
    };
    if out.is_empty() {
        return Ok(out);
    }
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
    store_reals(&out, &sums.finish(dtype), dtype);
    Ok(out)
}
