//! `loop.histogram`: how many elements lie in each of equal parts of a range.

use crate::{
    buffer::{Bf16, Dtype, F16, Words},
    context::{Context, fail},
};

/// The words: the elements, the counts, the least and the largest of the range.
///
/// # Safety
/// They are as [`crate::buffer`] says, and the buffers of the types that `loop.histogram` has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_histogram(context: Option<&Context>, words: *const i64) {
    // SAFETY: the caller's.
    let mut words = unsafe { Words::new(words) };
    let (input, output) = (words.buffer(), words.buffer());
    let (low, high) = (words.float(), words.float());
    let mut counts = vec![0u64; output.len() as usize];
    let values: Vec<f64> = input.offsets().map(|at| input.real(at)).collect();
    match range(&values, low, high) {
        Ok((low, high)) => count(&values, (low, high), input.dtype, &mut counts),
        Err(message) => fail(context, message),
    }
    for (at, count) in output.offsets().zip(counts) {
        output.set_float(at, count as f64);
    }
}

/// The range that is counted in: that of the elements where none is given.
fn range(values: &[f64], mut low: f64, mut high: f64) -> Result<(f64, f64), String> {
    if low == high && !values.is_empty() {
        let nan = values.iter().any(|value| value.is_nan());
        low = if nan { f64::NAN } else { values.iter().copied().fold(f64::INFINITY, f64::min) };
        high = if nan { f64::NAN } else { values.iter().copied().fold(f64::NEG_INFINITY, f64::max) };
    }
    if low == high {
        (low, high) = (low - 1.0, high + 1.0);
    }
    if !(low.is_finite() && high.is_finite()) {
        return Err(format!("torch.histc: range of [{}, {}] is not finite", word(low), word(high)));
    }
    if low < high { Ok((low, high)) } else { Err("torch.histc: max must be larger than min".into()) }
}

/// Counts, with the roundings of the elements' type.
fn count(values: &[f64], (low, high): (f64, f64), dtype: Dtype, counts: &mut [u64]) {
    let round = |value: f64| match dtype {
        Dtype::F16 => F16::of(value).value().into(),
        Dtype::Bf16 => Bf16::of(value).value().into(),
        Dtype::F32 => f64::from(value as f32),
        _ => value,
    };
    let (low, high) = (round(low), round(high));
    let parts = counts.len();
    for value in values.iter().filter(|value| **value >= low && **value <= high) {
        let part = round(round(round(value - low) * parts as f64) / round(high - low)) as usize;
        counts[part.min(parts - 1)] += 1;
    }
}

/// A number as eager's messages have it: six digits at most.
fn word(value: f64) -> String {
    if value.is_nan() {
        return "-nan".into();
    }
    if value.is_infinite() {
        return value.to_string();
    }
    let text = format!("{value:.5e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let trimmed = |digits: &str| match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => digits.to_owned(),
    };
    if (-4..6).contains(&exponent) {
        return trimmed(&format!("{value:.*}", (5 - exponent) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}
