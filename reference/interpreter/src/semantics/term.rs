//! Numbers on their way through the steps of a formula.
//!
//! A [`Term`] is computed in f64 and carries the error that an implementation has which rounds each step to
//! the dtype of the elements: what the operands may be off moves the result to first order, and each step
//! adds its own rounding. It is for operators that are compositions: norms, attention, losses, resampling.

use std::ops::{Add, Div, Mul, Neg, Sub};

use terrace_tensor::Dtype;

use super::real::Real;

/// A number of a formula.
#[derive(Debug, Clone, Copy)]
pub struct Term {
    /// The number, not rounded.
    pub value: f64,
    bound: f64,
    dtype: Dtype,
}

impl Term {
    /// An element.
    pub fn of(real: Real, dtype: Dtype) -> Term {
        Term { value: real.value, bound: real.bound, dtype }
    }

    /// A number that is known.
    pub fn number(value: f64, dtype: Dtype) -> Term {
        Term { value, bound: 0.0, dtype }
    }

    /// The dtype that it is rounded to.
    pub fn dtype(self) -> Dtype {
        self.dtype
    }

    /// The result of a step that the operands move by `spread`, and whose own error is a number of units.
    fn step(self, value: f64, spread: f64, units: f64) -> Term {
        // Of f64 nothing wider tells whether a step rounded; a small multiple of a power of two needs no
        // rounding.
        let rounds = match self.dtype {
            Dtype::F64 => (value * 1024.0).fract() != 0.0,
            dtype => dtype.round(value) != value,
        };
        let exact = spread == 0.0 && units <= 1.0 && !rounds;
        let bound = if exact { 0.0 } else { spread + units * self.dtype.epsilon() * value.abs() };
        Term { value, bound: if bound.is_nan() { f64::INFINITY } else { bound }, dtype: self.dtype }
    }

    /// A function whose slope here is known, and which is some units off.
    fn function(self, value: f64, slope: f64, units: f64) -> Term {
        let spread = if self.bound == 0.0 { 0.0 } else { self.bound * slope.abs() };
        self.step(value, spread, units)
    }

    /// `exp`.
    pub fn exp(self) -> Term {
        let value = libm::exp(self.value);
        // A large argument passes its own rounding on.
        self.function(value, value, 2.0 + self.value.abs())
    }

    /// The natural logarithm.
    pub fn log(self) -> Term {
        self.function(libm::log(self.value), 1.0 / self.value, 2.0)
    }

    /// `1 / sqrt(x)`.
    pub fn rsqrt(self) -> Term {
        let value = 1.0 / self.value.sqrt();
        self.function(value, 0.5 * value / self.value, 3.0)
    }

    /// The logistic function.
    pub fn sigmoid(self) -> Term {
        let value = 1.0 / (1.0 + libm::exp(-self.value));
        self.function(value, value * (1.0 - value), 4.0)
    }

    /// The hyperbolic tangent.
    pub fn tanh(self) -> Term {
        let value = libm::tanh(self.value);
        self.function(value, 1.0 - value * value, 4.0)
    }

    /// The larger of two; nan where one is.
    pub fn max(self, other: Term) -> Term {
        if self.value.is_nan() || self.value >= other.value { self } else { other }
    }

    /// The sum of terms, in any order.
    pub fn sum(terms: &[Term], dtype: Dtype) -> Term {
        let magnitude: f64 = terms.iter().map(|t| t.value.abs()).sum();
        let value: f64 = terms.iter().map(|t| t.value).sum();
        let spread: f64 = terms.iter().map(|t| t.bound).sum();
        let count = terms.len() as f64;
        let integral = terms.iter().all(|t| t.value.fract() == 0.0) && magnitude <= 2.0 / dtype.epsilon();
        let own = if integral || count <= 1.0 {
            0.0
        } else {
            magnitude * (0.5 * count.min(8.0 * count.sqrt()) + 1.0)
        };
        let bound = spread + own * dtype.epsilon();
        Term { value, bound: if bound.is_nan() { f64::INFINITY } else { bound }, dtype }
    }

    /// The element that it is in its dtype.
    pub fn finish(self) -> Real {
        Real::rounded(
            self.value,
            self.bound,
            if self.bound == 0.0 { 0.0 } else { self.value.abs() },
            self.dtype,
        )
    }
}

impl Term {
    /// The element that it is in another dtype.
    pub fn finish_as(self, dtype: Dtype) -> Real {
        Term { dtype, ..self }.finish()
    }
}

impl Add for Term {
    type Output = Term;
    fn add(self, other: Term) -> Term {
        self.step(self.value + other.value, self.bound + other.bound, 1.0)
    }
}

impl Sub for Term {
    type Output = Term;
    fn sub(self, other: Term) -> Term {
        self.step(self.value - other.value, self.bound + other.bound, 1.0)
    }
}

impl Mul for Term {
    type Output = Term;
    fn mul(self, other: Term) -> Term {
        let product = |a: f64, b: f64| if b == 0.0 { 0.0 } else { a.abs() * b };
        let spread = product(self.value, other.bound)
            + product(other.value, self.bound)
            + product(self.bound, other.bound);
        self.step(self.value * other.value, spread, 1.0)
    }
}

impl Div for Term {
    type Output = Term;
    fn div(self, other: Term) -> Term {
        let value = self.value / other.value;
        let relative = if other.bound == 0.0 { 0.0 } else { other.bound * value.abs() };
        let spread =
            if self.bound + relative == 0.0 { 0.0 } else { (self.bound + relative) / other.value.abs() };
        self.step(value, spread, 1.0)
    }
}

impl Neg for Term {
    type Output = Term;
    fn neg(self) -> Term {
        Term { value: -self.value, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(value: f64) -> Term {
        Term::number(value, Dtype::F32)
    }

    #[test]
    fn steps_that_are_exact_stay_exact() {
        let sum = Term::sum(&[term(1.0), term(2.0) * term(3.0)], Dtype::F32);
        assert_eq!((sum - term(0.5)).finish(), Real::exact(6.5));
        assert!((sum / term(3.0)).finish().bound > 0.0);
    }

    #[test]
    fn a_root_passes_on_what_its_argument_is_off() {
        let off = Term { bound: 0.25, ..term(4.0) };
        let bound = off.rsqrt().finish().bound;
        assert!((0.0156..0.0157).contains(&bound), "{bound}");
    }
}
