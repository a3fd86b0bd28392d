//! Draws from a generator.
//!
//! One definition for every target: a draw is Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy
//! as 1, 2, 3", 2011) with the generator's seed as key, and as counter the number of the element and, in the
//! upper half, the number of the operation among those that drew from the generator. From the four words of a
//! block:
//!
//! * a uniform f32, f16 or bf16 is the upper bits of the first word, as many as the dtype has, in [0, 1); a
//!   uniform f64 the upper 53 bits of the first two;
//! * a normal number is that of Box and Muller, computed in f64 from two uniform f64: the first two words,
//!   one less them, and the last two;
//! * an integer below n is the first two words modulo n.

use super::{
    copy,
    error::{Result, ensure},
    overlap, pointwise,
    reshaping::{Format, packed_copy},
    scalar_table as rows, views,
};
use std::{cell::Cell, f64::consts::TAU};
use terrace_tensor::{Dtype, Flags, Scalar, Tensor};

thread_local! {
    /// The seed, and how many operations have drawn.
    static GENERATOR: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// Starts the generator of this thread anew.
pub fn manual_seed(seed: u64) {
    GENERATOR.set((seed, 0));
}

/// The generator of this thread: its seed, and how many operations have drawn since.
pub fn state() -> (u64, u64) {
    GENERATOR.get()
}

/// Makes the generator of this thread go on from a [`state`].
pub fn set_state(state: (u64, u64)) {
    GENERATOR.set(state);
}

/// Makes the generator go on as if so many operations had drawn.
pub fn skip(operations: u64) {
    let (seed, drawn) = GENERATOR.get();
    GENERATOR.set((seed, drawn.wrapping_add(operations)));
}

/// The draws of one operation.
#[derive(Debug, Clone, Copy)]
pub struct Draws {
    seed: u64,
    operation: u64,
}

impl Draws {
    /// The draws of the next operation.
    pub fn next() -> Draws {
        let state = GENERATOR.get();
        skip(1);
        Draws::of(state)
    }

    /// The draws of the operation that finds the generator in a state.
    pub fn of((seed, operation): (u64, u64)) -> Draws {
        Draws { seed, operation }
    }

    fn block(self, element: u64) -> [u32; 4] {
        let ([low, high], [first, last]) = (halves(element), halves(self.operation));
        philox([low, high, first, last], halves(self.seed))
    }

    /// A uniform number in [0, 1) of a float dtype.
    pub fn uniform(self, element: u64, dtype: Dtype) -> f64 {
        let words = self.block(element);
        let bits = match dtype {
            Dtype::F64 => return unit(words[0], words[1]),
            Dtype::F16 => 11,
            Dtype::BF16 => 8,
            _ => 24,
        };
        f64::from(words[0] >> (32 - bits)) / f64::from(1u32 << bits)
    }

    /// A standard normal number.
    pub fn normal(self, element: u64) -> f64 {
        let words = self.block(element);
        let (radius, angle) = (1.0 - unit(words[0], words[1]), unit(words[2], words[3]));
        (-2.0 * radius.ln()).sqrt() * (TAU * angle).cos()
    }

    /// An integer from 0 to without `n`, which is not 0.
    pub fn below(self, element: u64, n: u64) -> u64 {
        let words = self.block(element);
        (u64::from(words[0]) << 32 | u64::from(words[1])) % n
    }
}

/// The words of a number, the lower one first.
fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

/// 53 bits of two words as a number in [0, 1).
fn unit(high: u32, low: u32) -> f64 {
    ((u64::from(high) << 32 | u64::from(low)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Philox4x32 of ten rounds.
fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let first = u64::from(counter[0]) * 0xD251_1F53;
        let second = u64::from(counter[2]) * 0xCD9E_8D57;
        counter = [
            (second >> 32) as u32 ^ counter[1] ^ key[0],
            second as u32,
            (first >> 32) as u32 ^ counter[3] ^ key[1],
            first as u32,
        ];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    counter
}

/// Writes a draw into each element, in row-major order.
fn fill(tensor: &Tensor, draw: impl Fn(u64) -> Scalar) -> Result<Tensor> {
    overlap::check_distinct(tensor)?;
    for (element, at) in tensor.offsets().enumerate() {
        tensor.write(at, draw(element as u64));
    }
    Ok(tensor.clone())
}

/// The elements as they are stored.
fn unflagged(tensor: &Tensor) -> Tensor {
    tensor.clone().with_flags(Flags::default())
}

/// Draws both parts of complex numbers, as the tensor sees them.
fn parts_(tensor: &Tensor, draw: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    let stored = unflagged(tensor);
    draw(&super::parts::view_as_real(&stored)?)?;
    copy::copy_(tensor, &copy::clone(&stored)?)
}

/// `uniform_`: numbers in `[from, to)`.
///
/// # Errors
/// When elements lie in one place.
pub fn uniform_(draws: Draws, tensor: &Tensor, from: f64, to: f64) -> Result<Tensor> {
    if tensor.dtype().is_complex() {
        return parts_(tensor, |parts| uniform_(draws, parts, from, to));
    }
    let dtype = tensor.dtype();
    fill(tensor, |element| {
        let value = dtype.round(from + (to - from) * draws.uniform(element, dtype));
        // Rounding may not reach the end.
        Scalar::Float(if value >= to { from } else { value })
    })
}

/// `normal_`: numbers of this mean and deviation.
///
/// # Errors
/// When elements lie in one place.
pub fn normal_(draws: Draws, tensor: &Tensor, mean: f64, std: f64) -> Result<Tensor> {
    if tensor.dtype().is_complex() {
        // Either part has the mean, and half of the variance.
        return parts_(tensor, |parts| normal_(draws, parts, mean, std / 2f64.sqrt()));
    }
    let filled = fill(tensor, |element| Scalar::Float(mean + std * draws.normal(element)))?;
    // A logarithm, a root and a cosine, each as exact as whoever computes them; radii are below 9.
    let own = 64.0 * f64::EPSILON * std.abs();
    for at in filled.offsets() {
        let value = filled.read(at).to_f64();
        filled.set_bound(at, filled.dtype().epsilon() * value.abs() + own);
    }
    Ok(filled)
}

/// `randint`: integers from `low` to without `high`, which is larger.
///
/// # Errors
/// When elements lie in one place.
pub fn integers_(draws: Draws, tensor: &Tensor, low: i64, high: i64) -> Result<Tensor> {
    fill(tensor, |element| Scalar::Int(low.wrapping_add(draws.below(element, high.abs_diff(low)) as i64)))
}

/// `bernoulli_`: one with the probability `p`.
///
/// # Errors
/// When elements lie in one place.
pub fn bernoulli_(draws: Draws, tensor: &Tensor, p: f64) -> Result<Tensor> {
    fill(tensor, |element| Scalar::Int((draws.uniform(element, Dtype::F64) < p).into()))
}

/// `bernoulli`: one with the probability that each element is.
///
/// # Errors
/// When one is no probability.
pub fn bernoulli(draws: impl FnOnce() -> Draws, tensor: &Tensor) -> Result<Tensor> {
    let out = packed_copy(tensor)?;
    let likely = |at| (0.0..=1.0).contains(&out.read(at).to_f64());
    ensure!(
        out.offsets().all(likely),
        "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)"
    );
    let draws = draws();
    for (element, at) in out.offsets().enumerate() {
        let one = draws.uniform(element as u64, Dtype::F64) < out.read(at).to_f64();
        out.write(at, Scalar::Int(one.into()));
    }
    Ok(out)
}

/// `randperm`: the numbers below `n`, in the order of a draw for each.
///
/// # Errors
/// When the memory cannot be had.
pub fn randperm(draws: Draws, n: i64, dtype: Dtype) -> Result<Tensor> {
    let out = Tensor::zeros(dtype, &[n])?;
    let mut order: Vec<i64> = (0..n).collect();
    order.sort_by_key(|&element| (draws.block(element as u64), element));
    order.iter().enumerate().for_each(|(at, &number)| out.write(at as i64, Scalar::Int(number)));
    Ok(out)
}

/// `multinomial`: `count` numbers of each row's elements, each as likely as the element says; without
/// `replacement` a number is drawn once.
///
/// # Errors
/// When a row has no distribution.
pub fn multinomial(draws: Draws, tensor: &Tensor, count: i64, replacement: bool) -> Result<Tensor> {
    let rows = if tensor.rank() == 1 { views::unsqueeze(tensor, 0)? } else { tensor.clone() };
    let (height, width) = (rows.sizes()[0], rows.sizes()[1]);
    let out = Tensor::zeros(Dtype::I64, &[height, count])?;
    for row in 0..height {
        let line = views::select(&rows, 0, row)?;
        let mut weights: Vec<f64> = line.offsets().map(|at| line.read(at).to_f64()).collect();
        let (negative, unbounded) = if replacement && count > 1 {
            let wrong = "invalid multinomial distribution (encountering probability entry";
            (format!("{wrong} < 0)"), format!("{wrong} = infinity or NaN)"))
        } else {
            let wrong = "probability tensor contains either `inf`, `nan` or element < 0".to_owned();
            (wrong.clone(), wrong)
        };
        // nan is not below 0.
        for weight in &weights {
            ensure!(weight.is_nan() || *weight >= 0.0, "{negative}");
            ensure!(weight.is_finite(), "{unbounded}");
        }
        ensure!(
            weights.iter().any(|weight| *weight > 0.0),
            "invalid multinomial distribution (sum of probabilities <= 0)"
        );
        if replacement {
            for sample in row * count..(row + 1) * count {
                let mut at = draws.uniform(sample as u64, Dtype::F64) * weights.iter().sum::<f64>();
                let reached = weights.iter().position(|weight| {
                    at -= weight;
                    at < 0.0
                });
                let last = weights.iter().rposition(|weight| *weight > 0.0);
                out.write(sample, Scalar::Int(reached.or(last).unwrap_or_default() as i64));
            }
        } else {
            // A race of exponential clocks: who weighs more comes earlier, who weighs nothing last.
            for (at, weight) in weights.iter_mut().enumerate() {
                let clock = -(1.0 - draws.uniform((row * width) as u64 + at as u64, Dtype::F64)).ln();
                *weight = if *weight > 0.0 { clock / *weight } else { f64::INFINITY };
            }
            let mut order: Vec<usize> = (0..weights.len()).collect();
            order.sort_by(|&a, &b| weights[a].total_cmp(&weights[b]));
            for sample in 0..count {
                out.write(row * count + sample, Scalar::Int(order[sample as usize] as i64));
            }
        }
    }
    if tensor.rank() == 1 { views::select(&out, 0, 0) } else { Ok(out) }
}

/// What dropout multiplies by: 0 with the probability `p`, else the inverse of the other.
fn noise(tensor: &Tensor, p: f64) -> Result<Tensor> {
    let noise = Tensor::zeros_strided(tensor.dtype(), tensor.sizes(), &Format::Preserve.of_copy(tensor))?;
    bernoulli_(Draws::next(), &noise, 1.0 - p)?;
    pointwise::apply_in_place(&rows::DIV, &noise, &[Scalar::Float(1.0 - p).into()], &[])
}

/// `dropout`: the tensor itself where nothing is dropped.
///
/// # Errors
/// When the dtype cannot be scaled.
pub fn dropout(tensor: &Tensor, p: f64, train: bool) -> Result<Tensor> {
    if !train || p == 0.0 || tensor.is_empty() {
        return Ok(tensor.clone());
    }
    if p == 1.0 {
        let zero = Tensor::zeros(tensor.dtype(), &[])?;
        return pointwise::apply(&rows::MUL, &[tensor.into(), (&zero).into()], &[]);
    }
    pointwise::apply(&rows::MUL, &[tensor.into(), (&noise(tensor, p)?).into()], &[])
}

/// `dropout_`: [`dropout`] into the tensor.
///
/// # Errors
/// When elements lie in one place, or the dtype cannot be scaled.
pub fn dropout_(tensor: &Tensor, p: f64, train: bool) -> Result<Tensor> {
    if !train || p == 0.0 || tensor.is_empty() {
        return Ok(tensor.clone());
    }
    if p == 1.0 {
        let zero = Tensor::zeros(tensor.dtype(), &[])?;
        return pointwise::apply_in_place(&rows::MUL, tensor, &[(&zero).into()], &[]);
    }
    pointwise::apply_in_place(&rows::MUL, tensor, &[(&noise(tensor, p)?).into()], &[])
}

/// `native_dropout`: a tensor with elements dropped, and where they were kept; without `train` a copy.
///
/// # Errors
/// When the dtype cannot be scaled.
pub fn native_dropout(tensor: &Tensor, p: f64, train: bool) -> Result<Vec<Tensor>> {
    if tensor.is_empty() {
        let mask = Tensor::zeros_strided(Dtype::Bool, tensor.sizes(), tensor.strides())?;
        return Ok(vec![tensor.clone(), mask]);
    }
    let mask = Tensor::zeros_strided(Dtype::Bool, tensor.sizes(), &Format::Preserve.of_copy(tensor))?;
    if !train {
        return Ok(vec![copy::clone(tensor)?, copy::fill_(&mask, Scalar::Bool(true).into())?]);
    }
    bernoulli_(Draws::next(), &mask, 1.0 - p)?;
    let scale = if p == 1.0 { 0.0 } else { 1.0 / (1.0 - p) };
    let kept = pointwise::apply(&rows::MUL, &[tensor.into(), (&mask).into()], &[])?;
    Ok(vec![pointwise::apply_in_place(&rows::MUL, &kept, &[Scalar::Float(scale).into()], &[])?, mask])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the known answers that come with the authors' implementation.
    #[test]
    fn philox_has_the_known_answers() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
        assert_eq!(philox([u32::MAX; 4], [u32::MAX; 2]), [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]);
        assert_eq!(
            philox([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0]),
            [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]
        );
    }

    fn moments(tensor: &Tensor) -> (f64, f64) {
        let values: Vec<f64> = tensor.to_vec().iter().map(|value| value.to_f64()).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (mean, values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64)
    }

    /// The bounds are five standard deviations of the mean of as many draws.
    #[test]
    fn distributions() {
        manual_seed(7);
        let count = 40_000;
        let new = |dtype| Tensor::zeros(dtype, &[count]).unwrap();
        let near = |(mean, variance): (f64, f64), wanted: f64, spread: f64| {
            let within = 5.0 * (spread / count as f64).sqrt();
            assert!((mean - wanted).abs() < within, "{mean} {wanted}");
            assert!((variance - spread).abs() < 0.05 * spread, "{variance} {spread}");
        };
        for dtype in [Dtype::F32, Dtype::F64] {
            near(moments(&uniform_(Draws::next(), &new(dtype), -1.0, 3.0).unwrap()), 1.0, 16.0 / 12.0);
            near(moments(&normal_(Draws::next(), &new(dtype), 2.0, 0.5).unwrap()), 2.0, 0.25);
            near(moments(&bernoulli_(Draws::next(), &new(dtype), 0.25).unwrap()), 0.25, 0.1875);
            near(
                moments(
                    &dropout(&copy::fill_(&new(dtype), Scalar::Int(1).into()).unwrap(), 0.5, true).unwrap(),
                ),
                1.0,
                1.0,
            );
        }
        near(moments(&integers_(Draws::next(), &new(Dtype::I64), -2, 3).unwrap()), 0.0, 2.0);
    }

    #[test]
    fn numbers_are_in_range_and_operations_differ() {
        manual_seed(1);
        let new = || Tensor::zeros(Dtype::F32, &[1000]).unwrap();
        let (first, second) = (
            uniform_(Draws::next(), &new(), 0.0, 1.0).unwrap(),
            uniform_(Draws::next(), &new(), 0.0, 1.0).unwrap(),
        );
        assert!(first.to_vec().iter().all(|value| (0.0..1.0).contains(&value.to_f64())));
        assert_ne!(first.to_vec(), second.to_vec());
        manual_seed(1);
        assert_eq!(uniform_(Draws::next(), &new(), 0.0, 1.0).unwrap().to_vec(), first.to_vec());
    }

    #[test]
    fn permutations_and_samples() {
        let mut numbers: Vec<i64> =
            randperm(Draws::next(), 50, Dtype::I64).unwrap().to_vec().iter().map(|n| n.to_i64()).collect();
        assert_ne!(numbers, (0..50).collect::<Vec<_>>());
        numbers.sort_unstable();
        assert_eq!(numbers, (0..50).collect::<Vec<_>>());
        let weights = Tensor::from_elements(Dtype::F32, &[4], &[0.0, 1.0, 0.0, 3.0]).unwrap();
        let drawn = multinomial(Draws::next(), &weights, 4000, true).unwrap().to_vec();
        let threes = drawn.iter().filter(|n| n.to_i64() == 3).count();
        assert!(drawn.iter().all(|n| [1, 3].contains(&n.to_i64())) && (2860..3140).contains(&threes));
        let mut once: Vec<i64> = multinomial(Draws::next(), &weights, 4, false)
            .unwrap()
            .to_vec()
            .iter()
            .map(|n| n.to_i64())
            .collect();
        assert!([1, 3].contains(&once[0]) && [1, 3].contains(&once[1]));
        once.sort_unstable();
        assert_eq!(once, [0, 1, 2, 3]);
    }
}
