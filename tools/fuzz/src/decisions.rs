//! What decides something by elements: there, floats that only come near the true ones lead to quite other
//! results, so that nothing could be compared.

use terrace_tensor::{Dtype, Tensor};

/// Operators of floats whose results jump, without `graph.`, `_foreach_`, trailing underscores and overloads.
const JUMPS: [&str; 30] = [
    "angle",
    "atan2",
    "bernoulli",
    "ceil",
    "copysign",
    "eq",
    "fake_quantize_per_tensor_affine",
    "floor",
    "floor_divide",
    "fmod",
    "frac",
    "ge",
    "gt",
    "hardshrink",
    "heaviside",
    "histc",
    "le",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "lt",
    "ne",
    "nextafter",
    "remainder",
    "round",
    "sgn",
    "sign",
    "threshold",
    "trunc",
];

/// What is known of the floats that an operator is given.
#[derive(Debug, Clone, Copy)]
pub struct Floats {
    /// Whether an element may be another one elsewhere.
    inexact: bool,
    /// Whether an element is no number.
    nan: bool,
    low: f64,
    high: f64,
}

impl Floats {
    /// The floats of some tensors.
    pub fn of<'a>(tensors: impl Iterator<Item = &'a Tensor>) -> Floats {
        let mut floats = Floats { inexact: false, nan: false, low: 0.0, high: 0.0 };
        for tensor in tensors.filter(|tensor| tensor.dtype().is_float() || tensor.dtype().is_complex()) {
            for at in tensor.offsets() {
                let value = tensor.read(at).to_f64();
                floats.inexact |= tensor.bound(at) != 0.0;
                floats.nan |= value.is_nan();
                if value.is_finite() {
                    (floats.low, floats.high) = (floats.low.min(value), floats.high.max(value));
                } else {
                    floats.high = f64::INFINITY;
                }
            }
        }
        floats
    }
}

/// Whether an element is not exact and next to nothing.
pub fn vanishes(tensor: &Tensor) -> bool {
    let least = |at: i64| tensor.bound(at) != 0.0 && tensor.read(at).to_f64().abs() < 1e-30;
    tensor.dtype().is_float() && tensor.offsets().any(|at| least(at) && tensor.read(at).to_f64() != 0.0)
}

/// As [`decides`], of the last operation of a text.
pub fn of_text(text: &str, floats: &Floats, results: &[&Tensor]) -> bool {
    let last = text.lines().last().and_then(|line| line.split_once("graph."));
    let name = last.and_then(|(_, rest)| rest.split(' ').next());
    name.is_some_and(|name| decides(name, text.contains("rounding_mode"), floats, results))
}

/// Whether tensors of several dtypes share the storage of a tensor, and the bits of floats there may be
/// others elsewhere: of those that are not exact, that are no numbers, and of zeros, as which of two is the
/// larger one is open too.
pub fn is_read_by_bits<'a>(written: &'a Tensor, others: impl Iterator<Item = &'a Tensor>) -> bool {
    let unsure = |own: &&Tensor| {
        let open = |value: f64| value.is_nan() || value == 0.0 && value.is_sign_negative();
        let floats = own.dtype().is_float() || own.dtype().is_complex();
        floats && own.offsets().any(|at| own.bound(at) != 0.0 || open(own.read(at).to_f64()))
    };
    let sharing: Vec<&Tensor> =
        others.filter(|other| other.storage().is_same(written.storage())).chain([written]).collect();
    sharing.iter().any(|own| own.dtype().part() != written.dtype().part()) && sharing.iter().any(unsure)
}

/// Whether an operator, without its dialect, decides by floats that may be others elsewhere, or makes
/// integers of floats that fit none. `rounds` says whether a quotient is rounded.
pub fn decides(operator: &str, rounds: bool, floats: &Floats, results: &[&Tensor]) -> bool {
    let bare = operator.strip_prefix("_foreach_").unwrap_or(operator);
    let bare = bare.split('.').next().unwrap_or(bare).trim_end_matches('_');
    let by_bits = ["view.dtype", "view_copy.dtype"].contains(&operator);
    let jumps = by_bits || JUMPS.contains(&bare) || bare == "div" && rounds;
    let mut others = results.iter().map(|tensor| tensor.dtype());
    let outside = |dtype: Dtype| {
        let range = dtype.integer_range().filter(|_| dtype != Dtype::Bool && !by_bits);
        range.is_some_and(|(low, high)| floats.low < low as f64 || floats.high > high as f64)
    };
    let number = |dtype: Dtype| dtype.is_float() || dtype.is_complex();
    // What is no number has any sign.
    let by_sign = ["copysign", "signbit"].contains(&bare);
    let unknown_bits = by_bits && floats.high.is_infinite() || by_sign && floats.nan;
    unknown_bits || others.clone().any(outside) || floats.inexact && (jumps || !others.all(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_jumps_needs_exact_elements() {
        let near = Tensor::from_elements(Dtype::F32, &[1], &[2.5]).unwrap();
        near.set_bound(0, 1e-6);
        let truth = Tensor::zeros(Dtype::Bool, &[1]).unwrap();
        let floats = Floats::of([&near].into_iter());
        assert!(decides("lt", false, &floats, &[&truth]));
        assert!(decides("_foreach_round_", false, &floats, &[]));
        assert!(!decides("div_", false, &floats, &[&near]));
        assert!(decides("div_", true, &floats, &[&near]));
        assert!(decides("view_copy.dtype", false, &floats, &[&near]));
    }

    #[test]
    fn what_is_no_number_has_any_sign() {
        let none = Tensor::from_elements(Dtype::F32, &[1], &[f64::NAN]).unwrap();
        let truth = Tensor::zeros(Dtype::Bool, &[1]).unwrap();
        let floats = Floats::of([&none].into_iter());
        assert!(decides("signbit", false, &floats, &[&truth]));
        assert!(decides("copysign_.Tensor", false, &floats, &[&none]));
        assert!(!decides("isnan", false, &floats, &[&truth]));
    }

    #[test]
    fn integers_are_not_made_of_floats_that_they_do_not_hold() {
        let large = Tensor::from_elements(Dtype::F32, &[1], &[246.0]).unwrap();
        let floats = Floats::of([&large].into_iter());
        let result = |dtype| Tensor::zeros(dtype, &[1]).unwrap();
        assert!(decides("_to_copy", false, &floats, &[&result(Dtype::I8)]));
        assert!(!decides("_to_copy", false, &floats, &[&result(Dtype::U8)]));
    }
}
