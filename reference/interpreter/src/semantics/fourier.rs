//! Fourier transforms by their definition: each element is the sum of all along a dimension, turned.
//!
//! Sums are in f64. An element may be off by a few roundings of the sum of magnitudes for each level of a
//! fast transform. Strides are those that eager's transforms give: the dimensions that are transformed are
//! innermost.

use super::{
    complex::{Complex, complex},
    elements::{Elements, complexes, store, store_reals},
    error::Result,
    real::Real,
};
use std::f64::consts::PI;
use terrace_tensor::{
    Dtype, Flags, Tensor,
    layout::{contiguous_strides, positions},
};

/// An element on its way: its value, the sum of the magnitudes that it came of, and how far operands move it.
#[derive(Clone, Copy, Default)]
struct Sum {
    value: Complex,
    magnitude: f64,
    spread: f64,
}

/// Elements of some sizes in row-major order, and how many levels of a fast transform they went through.
struct Field {
    sizes: Vec<i64>,
    sums: Vec<Sum>,
    levels: f64,
}

impl Field {
    fn of(tensor: &Tensor, dtype: Dtype) -> Field {
        let of = |[re, im]: [Real; 2]| {
            let value = complex(re.value, im.value);
            Sum { value, magnitude: value.abs(), spread: re.bound.max(im.bound) }
        };
        let sums = complexes(tensor, dtype).into_iter().map(of).collect();
        Field { sizes: tensor.sizes().to_vec(), sums, levels: 0.0 }
    }

    /// The number of elements between neighbours along a dimension.
    fn step(&self, dim: usize) -> usize {
        contiguous_strides(&self.sizes)[dim] as usize
    }

    /// The same with a dimension of another size: each element along it made of all those along it before.
    fn along(&self, dim: usize, size: i64, element: impl Fn(i64, &[Sum]) -> Sum) -> Field {
        let mut sizes = self.sizes.clone();
        sizes[dim] = size;
        let (step, own) = (self.step(dim), contiguous_strides(&self.sizes));
        let make = |index: Vec<i64>| {
            let others = index.iter().zip(&own).enumerate().filter(|(d, _)| *d != dim);
            let first: i64 = others.map(|(_, (at, stride))| at * stride).sum();
            let line: Vec<Sum> =
                (0..self.sizes[dim] as usize).map(|k| self.sums[first as usize + k * step]).collect();
            element(index[dim], &line)
        };
        let sums = positions(&sizes).map(make).collect();
        Field { sizes, sums, levels: self.levels }
    }

    /// Transformed along a dimension.
    fn transformed(&self, dim: usize, forward: bool) -> Field {
        let size = self.sizes[dim];
        let turn = if forward { -2.0 } else { 2.0 } * PI;
        let mut field = self.along(dim, size, |k, line| {
            // One element stays as it is, the sign of a zero too.
            if let [only] = line {
                return *only;
            }
            let mut sum = Sum::default();
            for (n, term) in line.iter().enumerate() {
                // A whole number of turns is taken off first.
                let part = (n as i64 * k).rem_euclid(size);
                let factor = root_of_one(part, size, turn);
                sum.value = sum.value + term.value * factor;
                sum.magnitude += term.magnitude;
                sum.spread += term.spread;
            }
            sum
        });
        field.levels += 2.0 + (size.max(1) as f64).log2();
        field
    }

    /// Times a real number.
    fn scaled(mut self, factor: f64) -> Field {
        for sum in &mut self.sums {
            *sum = Sum {
                value: sum.value.scale(factor),
                magnitude: sum.magnitude * factor,
                spread: sum.spread * factor,
            };
        }
        self
    }

    fn store(&self, out: &Tensor) {
        let part = out.dtype().part();
        let real =
            |value: f64, sum: &Sum| Real::rounded(value, sum.spread, self.levels * sum.magnitude, part);
        if out.dtype().is_complex() {
            let pair = |sum: &Sum| [real(sum.value.re, sum), real(sum.value.im, sum)];
            store(out, &Elements::Complex(self.sums.iter().map(pair).collect()), out.dtype());
        } else {
            let reals: Vec<Real> = self.sums.iter().map(|sum| real(sum.value.re, sum)).collect();
            store_reals(out, &reals, part);
        }
    }
}

/// `e^(i turn part / size)`, exact at quarters of a turn.
fn root_of_one(part: i64, size: i64, turn: f64) -> Complex {
    match (4 * part) % size == 0 {
        true => match 4 * part / size {
            0 => complex(1.0, 0.0),
            1 => complex(0.0, 1.0f64.copysign(turn)),
            2 => complex(-1.0, 0.0),
            _ => complex(0.0, -1.0f64.copysign(turn)),
        },
        false => Complex::polar(1.0, turn * part as f64 / size as f64),
    }
}

/// What a transform of so many elements is multiplied by.
fn scale(normalization: i64, count: i64) -> f64 {
    match normalization {
        0 => 1.0,
        1 => 1.0 / (count as f64).sqrt(),
        _ => 1.0 / count as f64,
    }
}

/// Strides of a result: batch dimensions outermost, as the operand has them, and those that are transformed
/// innermost.
fn strides(operand: &Tensor, sizes: &[i64], dims: &[usize]) -> Vec<i64> {
    if sizes.contains(&0) {
        return contiguous_strides(sizes);
    }
    let mut batch = dims_where(operand.rank(), |dim| !dims.contains(&dim));
    batch.sort_by_key(|dim| -operand.strides()[*dim]);
    let order: Vec<usize> = batch.into_iter().chain(dims.iter().copied()).collect();
    let mut strides = vec![0; sizes.len()];
    let mut step = 1;
    for dim in order.into_iter().rev() {
        strides[dim] = step;
        step *= sizes[dim];
    }
    strides
}

/// The dimensions that are wanted, in the order in which C++'s `std::partition` leaves them.
fn dims_where(rank: usize, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut dims: Vec<usize> = (0..rank).collect();
    let (mut first, mut last) = (0, rank);
    loop {
        while first < last && wanted(dims[first]) {
            first += 1;
        }
        while first < last && !wanted(dims[last - 1]) {
            last -= 1;
        }
        if first == last {
            dims.truncate(first);
            return dims;
        }
        dims.swap(first, last - 1);
        first += 1;
        last -= 1;
    }
}

/// Dimensions by stride, the largest first.
fn by_stride(tensor: &Tensor, dims: &[usize]) -> Vec<usize> {
    let mut dims = dims.to_vec();
    dims.sort_by_key(|dim| -tensor.strides()[*dim]);
    dims
}

/// The tensor, or a copy where its elements are not what is stored.
fn resolved(tensor: &Tensor) -> Result<Tensor> {
    if tensor.flags() == Flags::default() { Ok(tensor.clone()) } else { super::copy::clone(tensor) }
}

/// `_fft_c2c`.
///
/// # Errors
/// When the memory cannot be had.
pub fn c2c(tensor: &Tensor, dims: &[usize], normalization: i64, forward: bool) -> Result<Tensor> {
    if dims.is_empty() {
        return super::copy::clone(tensor);
    }
    let tensor = &resolved(tensor)?;
    let mut field = Field::of(tensor, tensor.dtype());
    for &dim in dims {
        field = field.transformed(dim, forward);
    }
    let count = dims.iter().map(|dim| tensor.sizes()[*dim]).product();
    let strides = strides(tensor, tensor.sizes(), &by_stride(tensor, dims));
    let out = Tensor::zeros_strided(tensor.dtype(), tensor.sizes(), &strides)?;
    field.scaled(scale(normalization, count)).store(&out);
    Ok(out)
}

/// `_fft_r2c`: where `onesided` the first half of the last of the dimensions, which tells the other one.
///
/// # Errors
/// When the memory cannot be had.
pub fn r2c(tensor: &Tensor, dims: &[usize], normalization: i64, onesided: bool) -> Result<Tensor> {
    let dtype = if tensor.dtype() == Dtype::F32 { Dtype::C64 } else { Dtype::C128 };
    let mut field = Field::of(tensor, dtype);
    for &dim in dims {
        field = field.transformed(dim, true);
    }
    let count = dims.iter().map(|dim| tensor.sizes()[*dim]).product();
    let (&last, others) =
        dims.split_last().ok_or_else(|| super::error::Error::new("transforms no dimension"))?;
    if onesided {
        field = field.along(last, tensor.sizes()[last] / 2 + 1, |k, line| line[k as usize]);
    }
    let mut order = by_stride(tensor, others);
    order.push(last);
    let out = Tensor::zeros_strided(dtype, &field.sizes, &strides(tensor, &field.sizes, &order))?;
    field.scaled(scale(normalization, count)).store(&out);
    Ok(out)
}

/// `_fft_c2r`: what is missing of the last of the dimensions mirrors what is there.
///
/// # Errors
/// When the memory cannot be had.
pub fn c2r(tensor: &Tensor, dims: &[usize], normalization: i64, size: i64) -> Result<Tensor> {
    let (&last, others) =
        dims.split_last().ok_or_else(|| super::error::Error::new("transforms no dimension"))?;
    let tensor = &resolved(tensor)?;
    let tensor = if others.is_empty() { tensor.clone() } else { c2c(tensor, others, normalization, false)? };
    let field = Field::of(&tensor, tensor.dtype()).along(last, size, |k, line| match 2 * k <= size {
        // The first element and the middle one mirror themselves: they are real.
        true if k == 0 || 2 * k == size => {
            let sum = line[k as usize];
            Sum { value: complex(sum.value.re, 0.0), ..sum }
        }
        true => line[k as usize],
        false => {
            let sum = line[(size - k) as usize];
            Sum { value: sum.value.conj(), ..sum }
        }
    });
    let field = field.transformed(last, false);
    let strides = strides(&tensor, &field.sizes, &[last]);
    let out = Tensor::zeros_strided(tensor.dtype().part(), &field.sizes, &strides)?;
    field.scaled(scale(normalization, size)).store(&out);
    Ok(out)
}
