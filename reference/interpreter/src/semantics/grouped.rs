//! Products of rows or matrices in groups.

use super::{
    elements::{Elements, any_elements, ints, store},
    error::{Result, ensure},
    real::{Accumulator, Real},
    strides,
};
use terrace_tensor::{Dtype, Tensor};

/// The rows of each group: from the first to without the last.
fn groups(offs: &Tensor, rows: i64) -> Result<Vec<(usize, usize)>> {
    let ends = ints(offs, Dtype::I64);
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
    dtype: Dtype,
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

/// A tensor of zeros in which single elements are put, in row-major order.
struct Output {
    elements: Elements,
    tensor: Tensor,
}

impl Output {
    fn new(dtype: Dtype, sizes: &[i64], like: Option<&Tensor>) -> Result<Output> {
        let tensor = match like {
            Some(like) => Tensor::zeros_strided(dtype, sizes, &strides::preserved(like))?,
            None => Tensor::zeros(dtype, sizes)?,
        };
        Output::of(tensor)
    }

    fn of(tensor: Tensor) -> Result<Output> {
        let dtype = tensor.dtype();
        let count = tensor.len();
        let elements = match dtype {
            _ if dtype.is_complex() => Elements::Complex(vec![Default::default(); count]),
            _ if dtype.is_float() => Elements::Real(vec![Default::default(); count]),
            _ => Elements::Int(vec![0; count]),
        };
        Ok(Output { elements, tensor })
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

/// `transformers.grouped_mm_fallback`: rows [S, K] in groups, each times its matrix of [E, K, N]; rows behind
/// the last group are 0.
///
/// # Errors
/// When the ends of the groups descend.
pub fn grouped_mm(input: &Tensor, weight: &Tensor, offs: &Tensor) -> Result<Tensor> {
    let dtype = input.dtype();
    let (inner, columns) = (weight.sizes()[1] as usize, weight.sizes()[2] as usize);
    let (x, w) = (any_elements(input, dtype)?, any_elements(weight, dtype)?);
    let mut out = Output::new(dtype, &[input.sizes()[0], columns as i64], None)?;
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
    let mut rows = Output::new(dtype, input.sizes(), Some(input))?;
    let mut matrices = Output::new(dtype, weight.sizes(), Some(weight))?;
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

/// `_grouped_mm`: the groups are of rows of `a`, of columns of `b`, or of what is summed over; of two batches
/// each matrix is one. Rows of the result begin at multiples of 16 bytes.
///
/// # Errors
/// When the ends of the groups descend.
pub fn grouped_product(a: &Tensor, b: &Tensor, offs: Option<&Tensor>) -> Result<Tensor> {
    let last_two = |t: &Tensor| [2, 1].map(|from| t.sizes()[t.rank() - from] as usize);
    let (dtype, [m, inner], [_, n]) = (a.dtype(), last_two(a), last_two(b));
    let (batch_a, batch_b) = (a.rank() == 3, b.rank() == 3);
    let along = [m, n, inner][usize::from(batch_a) + 2 * usize::from(!batch_a && !batch_b)];
    let parts = match offs {
        Some(offs) => groups(offs, along as i64)?,
        None => vec![(0, 0); a.sizes()[0] as usize],
    };
    let whole =
        |chosen: bool, (start, end): (usize, usize), size: usize| if chosen { start..end } else { 0..size };
    let unit = 16 / dtype.bytes() as i64;
    let padded = (n as i64 + unit - 1) / unit * unit;
    let (sizes, row) = ([parts.len() as i64, m as i64, n as i64], [m as i64 * padded, padded, 1]);
    let skipped = usize::from(batch_a != batch_b);
    let mut out = Output::of(Tensor::zeros_strided(dtype, &sizes[skipped..], &row[skipped..])?)?;
    let (x, y) = (any_elements(a, dtype)?, any_elements(b, dtype)?);
    for (group, part) in parts.into_iter().enumerate() {
        let summed = whole(!batch_a && !batch_b, part, inner);
        for row in whole(!batch_a && batch_b, part, m) {
            for column in whole(batch_a && !batch_b, part, n) {
                let (of_a, of_b) =
                    (usize::from(batch_a) * group * m * inner, usize::from(batch_b) * group * inner * n);
                let at = |k: usize| {
                    let k = summed.start + k;
                    (of_a + row * inner + k, of_b + k * n + column)
                };
                let plane = if skipped == 1 { 0 } else { group * m * n };
                out.put(plane + row * n + column, dot(&x, &y, summed.len(), at, dtype));
            }
        }
    }
    Ok(out.done())
}
