//! `loop.fft`: discrete Fourier transforms over some dimensions, by fast ones along each.
//!
//! Sizes of small prime factors are transformed by Stockham's algorithm, a pass per factor; others by
//! Bluestein's, as a convolution whose size is a power of two. All sums are in f64, also those of f32, which
//! is rounded once, at the end. Sources: P. Swarztrauber, "FFT algorithms for vector computers", 1984; L.
//! Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", 1970.

use crate::{
    buffer::{Buffer, Words, parallel},
    context::Context,
};
use std::f64::consts::PI;

/// The largest prime factor of a pass.
const LARGEST_FACTOR: usize = 31;
/// The least number of elements that a thread takes at once.
const GRAIN: i64 = 1 << 11;

/// The words: the input, the result, the number of dimensions and these, 1 for an inverse transform, the
/// normalization.
///
/// # Safety
/// They are as [`crate::buffer`] says, and the buffers of the types and sizes that `loop.fft` has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_fft(context: Option<&Context>, words: *const i64) {
    // SAFETY: the caller's.
    let mut words = unsafe { Words::new(words) };
    let (input, output) = (words.buffer().as_real(), words.buffer().as_real());
    let count = words.word() as usize;
    let dims: Vec<usize> = words.list(count).into_iter().map(|dim| dim as usize).collect();
    let (inverse, normalization) = (words.word() != 0, words.word());
    let (Some(&last), false) = (dims.last(), output.is_empty()) else { return };
    // Which side is complex the ranks tell: a real one has no last dimension of 2.
    let (complex_in, complex_out) =
        (input.sizes.len() >= output.sizes.len(), output.sizes.len() >= input.sizes.len());
    let mut field = Field::read(&input, complex_in);
    let sizes = &output.sizes[..output.sizes.len() - usize::from(complex_out)];
    let mut whole = field.sizes.clone();
    if !complex_out {
        whole[last] = sizes[last] as usize;
    }
    for dim in &dims {
        if *dim == last && !complex_out {
            continue;
        }
        field.transform(context, *dim, inverse);
    }
    if !complex_out {
        field = field.mirrored(last, whole[last]);
        field.transform(context, last, inverse);
    }
    let elements: usize = dims.iter().map(|dim| whole[*dim]).product();
    let factor = match normalization {
        0 => 1.0,
        1 => 1.0 / (elements as f64).sqrt(),
        _ => 1.0 / elements as f64,
    };
    field.write(&output, complex_out, factor);
}

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Complex {
    re: f64,
    im: f64,
}

impl Complex {
    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }

    fn sub(self, other: Complex) -> Complex {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }

    fn mul(self, other: Complex) -> Complex {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }

    fn scale(self, factor: f64) -> Complex {
        Complex { re: self.re * factor, im: self.im * factor }
    }

    fn conj(self) -> Complex {
        Complex { re: self.re, im: -self.im }
    }
}

/// `e^(-2 pi i k / n)`, of an angle of an eighth of a turn at most.
fn root(k: usize, n: usize) -> Complex {
    // In eighths of a turn: the octant, and what is left of it, from the nearer multiple of a quarter.
    let octant = 8 * k / n;
    let quarter = octant.div_ceil(2) % 4;
    let rest = 4 * k as i64 - (octant.div_ceil(2) * n) as i64;
    let angle = PI * rest as f64 / (2 * n) as f64;
    let (sin, cos) = angle.sin_cos();
    match quarter {
        0 => Complex { re: cos, im: -sin },
        1 => Complex { re: -sin, im: -cos },
        2 => Complex { re: -cos, im: sin },
        _ => Complex { re: sin, im: cos },
    }
}

/// How rows of one size are transformed forward.
enum Plan {
    /// By passes of these factors; the roots of one.
    Passes(Vec<usize>, Vec<Complex>),
    /// As a convolution of the size of a plan, with the turns `e^(-pi i k^2 / n)` and the transform of their
    /// conjugates.
    Convolution(Box<Plan>, Vec<Complex>, Vec<Complex>),
}

impl Plan {
    fn new(size: usize) -> Plan {
        let (mut factors, mut rest) = (vec![], size);
        for factor in [4].into_iter().chain(2..=LARGEST_FACTOR) {
            while rest > 1 && rest.is_multiple_of(factor) {
                factors.push(factor);
                rest /= factor;
            }
        }
        if rest <= 1 {
            return Plan::Passes(factors, (0..size).map(|k| root(k, size)).collect());
        }
        let length = (2 * size - 1).next_power_of_two();
        let inner = Plan::new(length);
        // k^2 modulo 2n: the turn has that period.
        let turn = |k: usize| root((k as u128 * k as u128 % (2 * size) as u128) as usize, 2 * size);
        let turns: Vec<Complex> = (0..size).map(turn).collect();
        let mut kernel = vec![Complex::default(); length];
        for (k, turn) in turns.iter().enumerate() {
            kernel[k] = turn.conj();
            kernel[(length - k) % length] = turn.conj();
        }
        let mut scratch = vec![Complex::default(); length];
        inner.forward(&mut kernel, &mut scratch);
        Plan::Convolution(Box::new(inner), turns, kernel)
    }

    /// The number of elements of scratch memory.
    fn scratch(&self) -> usize {
        match self {
            Plan::Passes(_, roots) => roots.len(),
            Plan::Convolution(_, _, kernel) => 2 * kernel.len(),
        }
    }

    /// Transforms a row in place.
    fn forward(&self, row: &mut [Complex], scratch: &mut [Complex]) {
        match self {
            Plan::Passes(factors, roots) => passes(factors, roots, row, &mut scratch[..row.len()]),
            Plan::Convolution(inner, turns, kernel) => {
                let (padded, scratch) = scratch.split_at_mut(kernel.len());
                padded.fill(Complex::default());
                for ((to, from), turn) in padded.iter_mut().zip(&*row).zip(turns) {
                    *to = from.mul(*turn);
                }
                inner.forward(padded, scratch);
                // The inverse by the forward one of the conjugate.
                for (element, factor) in padded.iter_mut().zip(kernel) {
                    *element = element.mul(*factor).conj();
                }
                inner.forward(padded, scratch);
                let factor = 1.0 / kernel.len() as f64;
                for ((to, from), turn) in row.iter_mut().zip(&*padded).zip(turns) {
                    *to = from.conj().scale(factor).mul(*turn);
                }
            }
        }
    }
}

/// Stockham's passes. Each takes rows of `factor` parts apart, so that after all of them the order is
/// natural.
fn passes(factors: &[usize], roots: &[Complex], row: &mut [Complex], scratch: &mut [Complex]) {
    let total = row.len();
    let (mut size, mut step) = (total, 1);
    let (mut from, mut to): (&mut [Complex], &mut [Complex]) = (row, scratch);
    for &factor in factors {
        let part = size / factor;
        for p in 0..part {
            for q in 0..step {
                let at = |k: usize| from[q + step * (p + part * k)];
                let place = |j: usize| q + step * (factor * p + j);
                let turned = |value: Complex, j: usize| value.mul(roots[j * p * step]);
                match factor {
                    2 => {
                        let (a, b) = (at(0), at(1));
                        to[place(0)] = a.add(b);
                        to[place(1)] = turned(a.sub(b), 1);
                    }
                    4 => {
                        let (a, b, c, d) = (at(0), at(1), at(2), at(3));
                        let (even, odd) = (a.add(c), b.add(d));
                        let (above, below) = (a.sub(c), b.sub(d));
                        // Minus i times the difference.
                        let quarter = Complex { re: below.im, im: -below.re };
                        to[place(0)] = even.add(odd);
                        to[place(1)] = turned(above.add(quarter), 1);
                        to[place(2)] = turned(even.sub(odd), 2);
                        to[place(3)] = turned(above.sub(quarter), 3);
                    }
                    _ => {
                        for j in 0..factor {
                            let term = |k: usize| at(k).mul(roots[j * k % factor * (total / factor)]);
                            let sum = (0..factor).fold(Complex::default(), |sum, k| sum.add(term(k)));
                            to[place(j)] = turned(sum, j);
                        }
                    }
                }
            }
        }
        (from, to) = (to, from);
        size = part;
        step *= factor;
    }
    if factors.len() % 2 == 1 {
        // What was computed last is in the scratch memory.
        to.copy_from_slice(from);
    }
}

/// Complex numbers of some sizes, in row-major order.
struct Field {
    sizes: Vec<usize>,
    numbers: Vec<Complex>,
}

/// Lets threads write different rows.
struct Shared(*mut Complex);
// SAFETY: rows are apart.
unsafe impl Sync for Shared {}

impl Shared {
    fn at(&self, place: usize) -> *mut Complex {
        self.0.wrapping_add(place)
    }
}

impl Field {
    fn read(buffer: &Buffer, complex: bool) -> Field {
        let rank = buffer.sizes.len() - usize::from(complex);
        let sizes = buffer.sizes[..rank].iter().map(|size| *size as usize).collect();
        let mut parts = buffer.offsets().map(|at| buffer.real(at));
        let mut numbers = Vec::with_capacity(buffer.len() as usize);
        while let Some(re) = parts.next() {
            numbers.push(Complex { re, im: if complex { parts.next().unwrap_or_default() } else { 0.0 } });
        }
        Field { sizes, numbers }
    }

    /// The distance of neighbours along a dimension.
    fn step(&self, dim: usize) -> usize {
        self.sizes[dim + 1..].iter().product()
    }

    fn transform(&mut self, context: Option<&Context>, dim: usize, inverse: bool) {
        let (size, step) = (self.sizes[dim], self.step(dim));
        if size <= 1 {
            return;
        }
        let plan = Plan::new(size);
        let rows = (self.numbers.len() / size) as i64;
        let numbers = Shared(self.numbers.as_mut_ptr());
        parallel(context, rows, GRAIN / size as i64, |rows| {
            let mut row = vec![Complex::default(); size];
            let mut scratch = vec![Complex::default(); plan.scratch()];
            for number in rows {
                let number = number as usize;
                let first = number / step * (step * size) + number % step;
                let turn = |value: Complex| if inverse { value.conj() } else { value };
                for (k, element) in row.iter_mut().enumerate() {
                    // SAFETY: an element of this row, which no other thread touches.
                    *element = turn(unsafe { numbers.at(first + k * step).read() });
                }
                plan.forward(&mut row, &mut scratch);
                for (k, element) in row.iter().enumerate() {
                    // SAFETY: as above.
                    unsafe { numbers.at(first + k * step).write(turn(*element)) };
                }
            }
        });
    }

    /// With a dimension of another size, of whose elements the second half mirrors the first.
    fn mirrored(&self, dim: usize, size: usize) -> Field {
        let (step, own) = (self.step(dim), self.sizes[dim]);
        let mut sizes = self.sizes.clone();
        sizes[dim] = size;
        let count: usize = sizes.iter().product();
        let number = |at: usize| {
            let (outer, k, inner) = (at / (size * step), at / step % size, at % step);
            let value = |k: usize| self.numbers[(outer * own + k) * step + inner];
            match 2 * k {
                // The first element and the middle one mirror themselves: they are real.
                twice if twice == 0 || twice == size => Complex { im: 0.0, ..value(k) },
                twice if twice < size => value(k),
                _ => value(size - k).conj(),
            }
        };
        Field { numbers: (0..count).map(number).collect(), sizes }
    }

    /// Writes as many elements of each dimension as there is room for.
    fn write(&self, buffer: &Buffer, complex: bool, factor: f64) {
        let rank = self.sizes.len();
        let steps: Vec<usize> = (0..rank).map(|dim| self.step(dim)).collect();
        for (number, at) in buffer.offsets().enumerate() {
            let (mut rest, part) = if complex { (number / 2, number % 2) } else { (number, 0) };
            let mut place = 0;
            for dim in (0..rank).rev() {
                let size = buffer.sizes[dim] as usize;
                place += rest % size * steps[dim];
                rest /= size;
            }
            let value = self.numbers[place].scale(factor);
            buffer.set_float(at, if part == 0 { value.re } else { value.im });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the definition.
    fn slow(row: &[Complex]) -> Vec<Complex> {
        let n = row.len();
        let element = |k: usize| {
            let terms = row.iter().enumerate().map(|(j, x)| x.mul(root(j * k % n, n)));
            terms.fold(Complex::default(), Complex::add)
        };
        (0..n).map(element).collect()
    }

    #[test]
    fn sizes_of_all_kinds_agree_with_the_definition() {
        let large = [100, 121, 128, 210, 255, 256, 331, 509, 1000, 1024, 1021];
        for size in (1..70).chain(large) {
            let number = |i: usize| (i * 7919 % 1009) as f64 / 504.5 - 1.0;
            let row: Vec<Complex> =
                (0..size).map(|i| Complex { re: number(i), im: number(i + 4001) }).collect();
            let (plan, mut fast) = (Plan::new(size), row.clone());
            plan.forward(&mut fast, &mut vec![Complex::default(); plan.scratch()]);
            for (k, (fast, slow)) in fast.iter().zip(slow(&row)).enumerate() {
                let error = (fast.re - slow.re).abs().max((fast.im - slow.im).abs());
                assert!(error <= 1e-14 * size as f64, "{size}: element {k}: {fast:?} {slow:?}");
            }
        }
    }

    #[test]
    fn roots_are_exact_at_eighths() {
        let half = 0.5f64.sqrt();
        for (k, re, im) in [(0, 1.0, -0.0), (1, half, -half), (2, -0.0, -1.0), (4, -1.0, 0.0), (6, 0.0, 1.0)]
        {
            let found = root(k, 8);
            assert!((found.re - re).abs() < 2e-16 && (found.im - im).abs() < 2e-16, "{k} {found:?}");
        }
    }
}
