//! Operators of other namespaces than ATen's: products and sums rounded once, places within windows, rows in groups.

use terrace_dialects::rules::Window;
use terrace_tensor::{DType, Scalar, Tensor};

use super::elements::{Elements, any_elements, ints, reals, store, store_ints, store_reals};
use super::error::{Result, ensure};
use super::pointwise::apply;
use super::promotion::Operand;
use super::real::{Accumulator, Real, evaluate, is_exact};
use super::scalar_table as rows;
use super::shape::broadcast_view;
use super::strides;
use super::windows::max_pool;

/// `prims.iota`: integers from `start` by `step`.
///
/// # Errors
/// When there is no memory for the result.
pub fn iota(length: i64, start: i64, step: i64, dtype: DType) -> Result<Tensor> {
    let out = Tensor::zeros(dtype, &[length])?;
    let number = |at: i64| start.wrapping_add(at.wrapping_mul(step));
    store_ints(&out, &(0..length).map(number).collect::<Vec<_>>());
    Ok(out)
}

/// `prims.fma`: `a * b + c`, of reals rounded once. Promotion and strides are those of the product, then of the sum.
///
/// # Errors
/// When the operands do not broadcast.
pub fn fma(a: &Tensor, b: &Tensor, c: &Tensor) -> Result<Tensor> {
    let product = apply(&rows::MUL, &[Operand::Tensor(a), Operand::Tensor(b)], &[])?;
    let out = apply(&rows::ADD, &[Operand::Tensor(&product), Operand::Tensor(c)], &[Scalar::Int(1)])?;
    let dtype = out.dtype();
    if !dtype.is_float() {
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

/// `prims._low_memory_max_pool_with_offsets`: the largest elements, and which place of its window each was at, in row-major order.
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
    let offsets = of_windows(&places, DType::I8, windows.len(), offset)?;
    Ok([largest, offsets])
}

/// `prims._low_memory_max_pool_offsets_to_indices`: places of windows as places of images or volumes of some sizes.
///
/// # Errors
/// When there is no memory for the result.
pub fn max_pool_offsets_to_indices(offsets: &Tensor, windows: &[Window], sizes: &[i64]) -> Result<Tensor> {
    let kernel: Vec<i64> = windows.iter().map(|window| window.kernel).collect();
    let place = |offset: i64, at: &[i64]| {
        let along = divided(offset, &kernel).into_iter().zip(windows.iter().zip(at));
        let places = along
            .map(|(inside, (window, at))| at * window.stride - window.padding + inside * window.dilation);
        sizes.iter().zip(places).fold(0, |sum, (size, place)| sum * size + place)
    };
    of_windows(offsets, DType::I64, windows.len(), place)
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
    dtype: DType,
    dims: usize,
    function: impl Fn(i64, &[i64]) -> i64,
) -> Result<Tensor> {
    let out = Tensor::zeros_strided(dtype, tensor.sizes(), &strides::preserved(tensor))?;
    let places = terrace_tensor::layout::positions(tensor.sizes());
    let one = |(at, element): (Vec<i64>, i64)| function(element, &at[at.len() - dims..]);
    store_ints(&out, &places.zip(ints(tensor, DType::I64)).map(one).collect::<Vec<_>>());
    Ok(out)
}

/// The rows of each group: from the first to without the last.
fn groups(offs: &Tensor, rows: i64) -> Result<Vec<(usize, usize)>> {
    let ends = ints(offs, DType::I64);
    let mut start = 0;
    let mut all = Vec::new();
    for end in ends {
        ensure!(end >= start, "expects offsets that do not descend from {start} on, got {end}");
        all.push((start.min(rows) as usize, end.min(rows) as usize));
        start = end;
    }
    Ok(all)
}

/// The sum of products of `count` factors, in the class of the dtype.
fn dot(
    a: &Elements,
    b: &Elements,
    count: usize,
    at: impl Fn(usize) -> (usize, usize),
    dtype: DType,
) -> Elements {
    match (a, b) {
        (Elements::Real(a), Elements::Real(b)) => {
            let mut sum = Accumulator::default();
            (0..count).map(at).for_each(|(i, j)| sum.add_product(a[i], b[j]));
            Elements::Real(vec![sum.finish(dtype)])
        }
        (Elements::Int(a), Elements::Int(b)) => {
            let sum = (0..count).map(at).fold(0i64, |sum, (i, j)| sum.wrapping_add(a[i].wrapping_mul(b[j])));
            Elements::Int(vec![sum])
        }
        (Elements::Complex(a), Elements::Complex(b)) => {
            let [mut re, mut im] = [Accumulator::default(); 2];
            for ([ar, ai], [br, bi]) in (0..count).map(at).map(|(i, j)| (a[i], b[j])) {
                re.add_product(ar, br);
                re.add_product(Real { value: -ai.value, ..ai }, bi);
                im.add_product(ar, bi);
                im.add_product(ai, br);
            }
            Elements::Complex(vec![[re, im].map(|sum| sum.finish(dtype.part()))])
        }
        _ => unreachable!("both are of one dtype"),
    }
}

/// A row-major tensor of zeros in which single elements are put.
struct Made {
    elements: Elements,
    tensor: Tensor,
}

impl Made {
    fn new(dtype: DType, sizes: &[i64], like: Option<&Tensor>) -> Result<Made> {
        let tensor = match like {
            Some(like) => Tensor::zeros_strided(dtype, sizes, &strides::preserved(like))?,
            None => Tensor::zeros(dtype, sizes)?,
        };
        let count = tensor.len();
        let elements = match dtype {
            _ if dtype.is_complex() => Elements::Complex(vec![Default::default(); count]),
            _ if dtype.is_float() => Elements::Real(vec![Default::default(); count]),
            _ => Elements::Int(vec![0; count]),
        };
        Ok(Made { elements, tensor })
    }

    fn put(&mut self, at: usize, element: Elements) {
        match (&mut self.elements, element) {
            (Elements::Real(all), Elements::Real(one)) => all[at] = one[0],
            (Elements::Int(all), Elements::Int(one)) => all[at] = one[0],
            (Elements::Complex(all), Elements::Complex(one)) => all[at] = one[0],
            _ => unreachable!("both are of one dtype"),
        }
    }

    fn done(self) -> Tensor {
        store(&self.tensor, &self.elements, self.tensor.dtype());
        self.tensor
    }
}

/// `transformers.grouped_mm_fallback`: rows [S, K] in groups, each times its matrix of [E, K, N]; rows behind the last group are 0.
///
/// # Errors
/// When the ends of the groups descend.
pub fn grouped_mm(input: &Tensor, weight: &Tensor, offs: &Tensor) -> Result<Tensor> {
    let dtype = input.dtype();
    let (inner, columns) = (weight.sizes()[1] as usize, weight.sizes()[2] as usize);
    let (x, w) = (any_elements(input, dtype)?, any_elements(weight, dtype)?);
    let mut out = Made::new(dtype, &[input.sizes()[0], columns as i64], None)?;
    for (group, (start, end)) in groups(offs, input.sizes()[0])?.into_iter().enumerate() {
        for row in start..end {
            for column in 0..columns {
                let at = |k: usize| (row * inner + k, (group * inner + k) * columns + column);
                out.put(row * columns + column, dot(&x, &w, inner, at, dtype));
            }
        }
    }
    Ok(out.done())
}

/// `transformers.grouped_mm_fallback_backward`: the gradients of rows and matrices.
///
/// # Errors
/// As [`grouped_mm`].
pub fn grouped_mm_backward(
    input: &Tensor,
    weight: &Tensor,
    offs: &Tensor,
    grad: &Tensor,
) -> Result<[Tensor; 2]> {
    let dtype = input.dtype();
    let (inner, columns) = (weight.sizes()[1] as usize, weight.sizes()[2] as usize);
    let all = |t: &Tensor| any_elements(t, dtype);
    let (x, w, g) = (all(input)?, all(weight)?, all(grad)?);
    let mut rows = Made::new(dtype, input.sizes(), Some(input))?;
    let mut matrices = Made::new(dtype, weight.sizes(), Some(weight))?;
    for (group, (start, end)) in groups(offs, input.sizes()[0])?.into_iter().enumerate() {
        for k in 0..inner {
            for row in start..end {
                let at = |n: usize| (row * columns + n, (group * inner + k) * columns + n);
                rows.put(row * inner + k, dot(&g, &w, columns, at, dtype));
            }
            for n in 0..columns {
                let at = |row: usize| ((start + row) * inner + k, (start + row) * columns + n);
                matrices.put((group * inner + k) * columns + n, dot(&x, &g, end - start, at, dtype));
            }
        }
    }
    Ok([rows.done(), matrices.done()])
}
