//! Operators of other namespaces than ATen's: products and sums rounded once, places within windows.

use super::{
    elements::{ints, reals, store_ints, store_reals},
    error::Result,
    pointwise::apply,
    promotion::Operand,
    real::{Real, evaluate, is_exact},
    scalar_table as rows,
    shape::broadcast_view,
    strides,
    windows::max_pool,
};
use terrace_dialects::aten::rules::Window;
use terrace_tensor::{Dtype, Scalar, Tensor};

/// `prims.iota`: integers from `start` by `step`.
///
/// # Errors
/// When there is no memory for the result.
pub fn iota(length: i64, start: i64, step: i64, dtype: Dtype) -> Result<Tensor> {
    let out = Tensor::zeros(dtype, &[length])?;
    let number = |at: i64| start.wrapping_add(at.wrapping_mul(step));
    store_ints(&out, &(0..length).map(number).collect::<Vec<_>>());
    Ok(out)
}

/// `prims.fma`: `a * b + c`, rounded once where the product is of reals. Promotion and strides are those of
/// the product, then of the sum.
///
/// # Errors
/// When the operands do not broadcast.
pub fn fma(a: &Tensor, b: &Tensor, c: &Tensor) -> Result<Tensor> {
    let product = apply(&rows::MUL, &[Operand::Tensor(a), Operand::Tensor(b)], &[])?;
    let out = apply(&rows::ADD, &[Operand::Tensor(&product), Operand::Tensor(c)], &[Scalar::Int(1)])?;
    let dtype = out.dtype();
    if !(product.dtype().is_float() && dtype.is_float()) {
        return Ok(out);
    }
    let column = |t: &Tensor| -> Result<Vec<Real>> { Ok(reals(&broadcast_view(t, out.sizes())?, dtype)) };
    let (a, b, c) = (column(a)?, column(b)?, column(c)?);
    let exact = |v: &[f64], result: f64| is_exact(&[v[0] * v[1], v[2]], result, dtype);
    let error = |v: &[f64], result: f64| result.abs() + (v[0] * v[1]).abs();
    let one = |((&a, &b), &c)| evaluate(|v| v[0].mul_add(v[1], v[2]), exact, error, &[a, b, c], dtype);
    store_reals(&out, &a.iter().zip(&b).zip(&c).map(one).collect::<Vec<_>>(), dtype);
    Ok(out)
}

/// `prims._low_memory_max_pool_with_offsets`: the largest elements, and which place of its window each was
/// at, in row-major order.
///
/// # Errors
/// When the elements have no kernel.
pub fn max_pool_with_offsets(input: &Tensor, windows: &[Window], ceil: bool) -> Result<[Tensor; 2]> {
    let [largest, places] = max_pool(input, windows, ceil)?;
    let sizes = &input.sizes()[input.rank() - windows.len()..];
    let offset = |place: i64, at: &[i64]| {
        let along = divided(place, sizes).into_iter().zip(windows.iter().zip(at));
        let inside = along.map(|(place, (window, at))| {
            (place - (at * window.stride - window.padding)).div_euclid(window.dilation)
        });
        windows.iter().zip(inside).fold(0, |sum, (window, inside)| sum * window.kernel + inside)
    };
    let offsets = of_windows(&places, Dtype::I8, windows.len(), offset)?;
    Ok([largest, offsets])
}

/// `prims._low_memory_max_pool_offsets_to_indices`: places of windows as places of images or volumes of some
/// sizes.
///
/// # Errors
/// When there is no memory for the result.
pub fn max_pool_offsets_to_indices(offsets: &Tensor, windows: &[Window], sizes: &[i64]) -> Result<Tensor> {
    let kernel: Vec<i64> = windows.iter().map(|window| window.kernel).collect();
    let place = |offset: i64, at: &[i64]| {
        let along = divided(offset, &kernel).into_iter().zip(windows.iter().zip(at));
        let places = along.map(|(inside, (window, at))| {
            (at * window.stride - window.padding).wrapping_add(inside.wrapping_mul(window.dilation))
        });
        sizes.iter().zip(places).fold(0i64, |sum, (size, place)| sum.wrapping_mul(*size).wrapping_add(place))
    };
    of_windows(offsets, Dtype::I64, windows.len(), place)
}

/// The coordinates of a place in row-major order; the first takes what is beyond the sizes.
fn divided(mut place: i64, sizes: &[i64]) -> Vec<i64> {
    let mut along = vec![0; sizes.len()];
    for d in (1..sizes.len()).rev() {
        along[d] = place.rem_euclid(sizes[d]);
        place = place.div_euclid(sizes[d]);
    }
    along[0] = place;
    along
}

/// A function of each element and its place in its image; in the order of the dimensions in memory.
fn of_windows(
    tensor: &Tensor,
    dtype: Dtype,
    dims: usize,
    function: impl Fn(i64, &[i64]) -> i64,
) -> Result<Tensor> {
    let out = Tensor::zeros_strided(dtype, tensor.sizes(), &strides::preserved(tensor))?;
    let places = terrace_tensor::layout::positions(tensor.sizes());
    let one = |(at, element): (Vec<i64>, i64)| function(element, &at[at.len() - dims..]);
    store_ints(&out, &places.zip(ints(tensor, Dtype::I64)).map(one).collect::<Vec<_>>());
    Ok(out)
}
