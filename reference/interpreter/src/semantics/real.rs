//! Floats with their error bounds.
//!
//! A [`Real`] is a float and a bound: how far the same element may lie from it in an implementation that
//! computes in the dtype of the elements, in another order, with fused multiply-adds, with functions that are
//! a few units in the last place off. Two results agree when they lie within their bounds.
//!
//! A bound has two parts. What an operand may be off moves the result: a function is evaluated at the corners
//! of the box its operands may lie in. And each operator adds an error of its own, in units of the dtype's
//! epsilon, relative to the magnitudes it works on, so that cancellation is accounted for. Results that are
//! exact on every path (sums and products of small integers) add nothing: programs over such values compare
//! bit for bit.
//!
//! Accumulations of n terms may lose `min(n, 8 sqrt(n))` half-units relative to the sum of magnitudes. The
//! second is the probabilistic bound, with a generous factor (N. Higham and T. Mary, "A New Approach to
//! Probabilistic Rounding Error Analysis", 2019).

use terrace_tensor::Dtype;

/// A float and how far it may be off.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Real {
    /// The float; exact in the dtype it belongs to.
    pub value: f64,
    /// At least 0; infinite where nothing can be said.
    pub bound: f64,
}

impl Real {
    /// A value that every implementation has.
    pub fn exact(value: f64) -> Real {
        Real { value, bound: 0.0 }
    }

    /// `exact`, computed in f64 from operands that move it by `spread`, rounded to `dtype`; `own` is the
    /// operator's error in units of epsilon, an absolute magnitude.
    pub fn rounded(exact: f64, spread: f64, own: f64, dtype: Dtype) -> Real {
        let value = dtype.round(exact);
        let own = if own == 0.0 { 0.0 } else { dtype.epsilon() * own + dtype.smallest() };
        let bound = spread + own;
        if value.is_finite() {
            return Real { value, bound: if bound.is_nan() { f64::INFINITY } else { bound } };
        }
        // nan and infinity are themselves, unless an operand that is off might have avoided them.
        Real { value, bound: if spread == 0.0 { 0.0 } else { f64::INFINITY } }
    }
}

/// How far a function moves, at most, from its value at `operands` when each of them moves by its bound,
/// found at the corners of that box.
pub fn spread(function: impl Fn(&[f64]) -> f64, operands: &[Real], value: f64) -> f64 {
    let mut most = 0.0f64;
    at_corners(operands, |corner| {
        let moved = function(corner);
        let distance =
            if moved == value || (moved.is_nan() && value.is_nan()) { 0.0 } else { (moved - value).abs() };
        most = if distance.is_nan() { f64::INFINITY } else { most.max(distance) };
    });
    most
}

/// How far a function moves that starts again from the other end of its values where operands pass from one
/// piece to the next: `piece` is the number of the one they are in, and how far it is from end to end. 0
/// where they stay in one.
pub fn jump(piece: impl Fn(&[f64]) -> (f64, f64), operands: &[Real]) -> f64 {
    let (mut first, mut last, mut height) = (f64::INFINITY, f64::NEG_INFINITY, 0.0f64);
    at_corners(operands, |corner| {
        let (number, ends) = piece(corner);
        (first, last, height) = (first.min(number), last.max(number), height.max(ends));
    });
    if first < last { height } else { 0.0 }
}

/// The corners of the box that operands may lie in: each that may be off is at its low end, in the middle or
/// at its high end. There are none where no operand is.
fn at_corners(operands: &[Real], mut see: impl FnMut(&[f64])) {
    let loose: Vec<usize> = (0..operands.len()).filter(|&i| operands[i].bound != 0.0).collect();
    if loose.is_empty() {
        return;
    }
    let mut corner: Vec<f64> = operands.iter().map(|operand| operand.value).collect();
    for code in 0..3usize.pow(loose.len() as u32) {
        let mut rest = code;
        for &i in &loose {
            corner[i] = operands[i].value + operands[i].bound * (rest % 3) as f64 - operands[i].bound;
            rest /= 3;
        }
        see(&corner);
    }
}

/// A function of floats: its value at `operands`, rounded to `dtype`, and how far it may be off. `error` is
/// the function's own, in units of epsilon, from the values of the operands and the result; there is none
/// where `exact` says so.
pub fn evaluate(
    function: impl Fn(&[f64]) -> f64,
    exact: impl Fn(&[f64], f64) -> bool,
    error: impl Fn(&[f64], f64) -> f64,
    operands: &[Real],
    dtype: Dtype,
) -> Real {
    let values: Vec<f64> = operands.iter().map(|operand| operand.value).collect();
    let value = function(&values);
    let own = if exact(&values, value) { 0.0 } else { error(&values, value) };
    Real::rounded(value, spread(function, operands, value), own, dtype)
}

/// Whether a correctly rounded operation on these values has no error in any implementation.
pub fn is_exact(operands: &[f64], result: f64, dtype: Dtype) -> bool {
    match dtype {
        // f64 has nothing wider to compare with: small integers are known to be exact.
        Dtype::F64 => {
            result.abs() <= 2.0 / f64::EPSILON
                && operands.iter().all(|v| v.fract() == 0.0)
                && result.fract() == 0.0
        }
        _ => dtype.round(result) == result,
    }
}

/// A sum of products on its way.
#[derive(Debug, Clone, Copy)]
pub struct Accumulator {
    value: f64,
    magnitude: f64,
    spread: f64,
    count: f64,
    integral: bool,
}

impl Default for Accumulator {
    fn default() -> Accumulator {
        Accumulator { value: 0.0, magnitude: 0.0, spread: 0.0, count: 0.0, integral: true }
    }
}

impl Accumulator {
    /// Adds a term.
    pub fn add(&mut self, term: Real) {
        self.value += term.value;
        self.magnitude += term.value.abs();
        self.spread += term.bound;
        self.count += 1.0;
        self.integral &= term.value.fract() == 0.0;
    }

    /// Adds the product of two factors.
    pub fn add_product(&mut self, a: Real, b: Real) {
        self.value += a.value * b.value;
        self.magnitude += (a.value * b.value).abs();
        if a.bound != 0.0 || b.bound != 0.0 {
            self.spread += a.value.abs() * b.bound + b.value.abs() * a.bound + a.bound * b.bound;
        }
        self.count += 1.0;
        self.integral &= a.value.fract() == 0.0 && b.value.fract() == 0.0;
    }

    /// The sum before rounding.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// How far operands that are off move the sum.
    pub fn spread(&self) -> f64 {
        self.spread
    }

    /// The error of the accumulation itself, in units of `dtype`'s epsilon; 0 where every order gives the
    /// same sum.
    pub fn own(&self, dtype: Dtype) -> f64 {
        if self.integral && self.magnitude <= 2.0 / dtype.epsilon() {
            return 0.0;
        }
        self.magnitude * (0.5 * self.count.min(8.0 * self.count.sqrt()) + 1.0)
    }

    /// The sum, rounded to `dtype`.
    pub fn finish(&self, dtype: Dtype) -> Real {
        Real::rounded(self.value, self.spread, self.own(dtype), dtype)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_integers_stay_exact() {
        let mut sum = Accumulator::default();
        for i in 0..100 {
            sum.add_product(Real::exact(f64::from(i)), Real::exact(2.0));
        }
        assert_eq!(sum.finish(Dtype::F32), Real::exact(9900.0));
        sum.add(Real::exact(0.5));
        assert!(sum.finish(Dtype::F32).bound > 0.0);
    }

    #[test]
    fn cancellation_keeps_the_error_of_its_terms() {
        let mut sum = Accumulator::default();
        for value in [1.0e6 + 0.1, -1.0e6] {
            sum.add(Real::exact(value));
        }
        let result = sum.finish(Dtype::F32);
        assert!(result.bound > f64::from(f32::EPSILON) * 1e6);
    }

    #[test]
    fn a_rest_may_be_any_where_another_quotient_may_be() {
        let piece = |v: &[f64]| ((v[0] / v[1]).floor(), v[1].abs());
        let rest_of_one = |value| jump(piece, &[Real::exact(1.0), Real { value, bound: 0.001 }]);
        assert_eq!(rest_of_one(0.4), 0.0);
        assert_eq!(rest_of_one(0.5), 0.501);
        assert_eq!(jump(piece, &[Real::exact(1.0), Real::exact(0.5)]), 0.0);
    }

    #[test]
    fn a_function_is_tried_at_the_corners() {
        let operands = [Real { value: 3.0, bound: 0.5 }, Real { value: -2.0, bound: 0.25 }];
        let product = |v: &[f64]| v[0] * v[1];
        assert_eq!(spread(product, &operands, -6.0), 3.5 * 2.25 - 6.0);
        let root = |v: &[f64]| v[0].sqrt();
        assert_eq!(spread(root, &[Real { value: 0.1, bound: 0.2 }], 0.1f64.sqrt()), f64::INFINITY);
    }
}
