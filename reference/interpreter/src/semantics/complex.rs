//! Complex numbers and their elementary functions, on their principal branches.
//!
//! The inverse functions are composed of roots and logarithms of reals such that signed zeros choose the side
//! of a branch cut. Source: W. Kahan, "Branch Cuts for Complex Elementary Functions", 1987.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A complex number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Complex {
    /// The real part.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
}

/// A number of two parts.
pub const fn complex(re: f64, im: f64) -> Complex {
    Complex { re, im }
}

impl Complex {
    /// 1.
    pub const ONE: Complex = complex(1.0, 0.0);

    /// 1 or 0.
    pub fn truth(holds: bool) -> Complex {
        complex(f64::from(u8::from(holds)), 0.0)
    }

    /// The modulus.
    pub fn abs(self) -> f64 {
        libm::hypot(self.re, self.im)
    }

    /// The argument.
    pub fn angle(self) -> f64 {
        libm::atan2(self.im, self.re)
    }

    /// The conjugate.
    pub fn conj(self) -> Complex {
        complex(self.re, -self.im)
    }

    /// The number of a modulus and an argument.
    pub fn polar(abs: f64, angle: f64) -> Complex {
        complex(abs * libm::cos(angle), abs * libm::sin(angle))
    }

    /// Times a real number.
    pub fn scale(self, factor: f64) -> Complex {
        complex(self.re * factor, self.im * factor)
    }

    /// Times i.
    pub fn times_i(self) -> Complex {
        complex(-self.im, self.re)
    }

    /// Times -i.
    pub fn over_i(self) -> Complex {
        complex(self.im, -self.re)
    }

    /// Whether a part is nan.
    pub fn is_nan(self) -> bool {
        self.re.is_nan() || self.im.is_nan()
    }

    /// `e^z`.
    pub fn exp(self) -> Complex {
        // Where the number is real, so is its exponential, infinite or not.
        if self.im == 0.0 {
            complex(libm::exp(self.re), self.im)
        } else {
            Complex::polar(libm::exp(self.re), self.im)
        }
    }

    /// The natural logarithm.
    pub fn log(self) -> Complex {
        complex(libm::log(self.abs()), self.angle())
    }

    /// `log(1 + z)`, accurate where z is small.
    pub fn log1p(self) -> Complex {
        let square = self.re * (2.0 + self.re) + self.im * self.im;
        let re = if square > -0.5 && square < 1.0 {
            0.5 * libm::log1p(square)
        } else {
            (Complex::ONE + self).log().re
        };
        complex(re, libm::atan2(self.im, 1.0 + self.re))
    }

    /// `e^z - 1`.
    pub fn expm1(self) -> Complex {
        let (grown, half) = (libm::expm1(self.re), libm::sin(0.5 * self.im));
        complex(grown * libm::cos(self.im) - 2.0 * half * half, libm::exp(self.re) * libm::sin(self.im))
    }

    /// The square root.
    pub fn sqrt(self) -> Complex {
        let Complex { re, im } = self;
        if re == 0.0 && im == 0.0 {
            return complex(0.0, im);
        }
        let root = ((self.abs() + re.abs()) * 0.5).sqrt();
        let other = im.abs() / (2.0 * root);
        if re >= 0.0 { complex(root, other.copysign(im)) } else { complex(other, root.copysign(im)) }
    }

    /// `self^exponent`; anything to the power of 0 is 1.
    pub fn pow(self, exponent: Complex) -> Complex {
        if exponent == complex(0.0, 0.0) {
            return Complex::ONE;
        }
        // Small powers are products: exact where these are.
        let Complex { re, im } = exponent;
        if im == 0.0 && re.fract() == 0.0 && re.abs() <= 16.0 {
            let product = (0..re.abs() as u32).fold(Complex::ONE, |product, _| product * self);
            return if re < 0.0 { product.reciprocal() } else { product };
        }
        if self == complex(0.0, 0.0) {
            return match re {
                re if re > 0.0 => self,
                re if re < 0.0 => complex(f64::INFINITY, f64::NAN),
                _ => complex(f64::NAN, f64::NAN),
            };
        }
        (self.log() * exponent).exp()
    }

    /// `1 / z`.
    pub fn reciprocal(self) -> Complex {
        Complex::ONE / self
    }

    /// The sine.
    pub fn sin(self) -> Complex {
        complex(libm::sin(self.re) * libm::cosh(self.im), libm::cos(self.re) * libm::sinh(self.im))
    }

    /// The cosine.
    pub fn cos(self) -> Complex {
        complex(libm::cos(self.re) * libm::cosh(self.im), -libm::sin(self.re) * libm::sinh(self.im))
    }

    /// The tangent.
    pub fn tan(self) -> Complex {
        self.times_i().tanh().over_i()
    }

    /// The hyperbolic sine.
    pub fn sinh(self) -> Complex {
        self.times_i().sin().over_i()
    }

    /// The hyperbolic cosine.
    pub fn cosh(self) -> Complex {
        self.times_i().cos()
    }

    /// The hyperbolic tangent.
    pub fn tanh(self) -> Complex {
        let (tangent, sinh) = (libm::tan(self.im), libm::sinh(self.re));
        let cosh = (1.0 + sinh * sinh).sqrt();
        if self.re.abs() > 20.0 {
            return complex(1.0f64.copysign(self.re), 0.0f64.copysign(libm::sin(2.0 * self.im)));
        }
        let grown = 1.0 + tangent * tangent;
        let below = 1.0 + grown * sinh * sinh;
        complex(grown * cosh * sinh / below, tangent / below)
    }

    /// The inverse sine.
    pub fn asin(self) -> Complex {
        let (minus, plus) =
            (Complex::sqrt(complex(1.0 - self.re, -self.im)), Complex::sqrt(complex(1.0 + self.re, self.im)));
        complex(libm::atan2(self.re, (minus * plus).re), libm::asinh((minus.conj() * plus).im))
    }

    /// The inverse cosine.
    pub fn acos(self) -> Complex {
        let (minus, plus) =
            (Complex::sqrt(complex(1.0 - self.re, -self.im)), Complex::sqrt(complex(1.0 + self.re, self.im)));
        complex(2.0 * libm::atan2(minus.re, plus.re), libm::asinh((plus.conj() * minus).im))
    }

    /// The inverse tangent.
    pub fn atan(self) -> Complex {
        self.times_i().atanh().over_i()
    }

    /// The inverse hyperbolic sine.
    pub fn asinh(self) -> Complex {
        self.times_i().asin().over_i()
    }

    /// The inverse hyperbolic cosine.
    pub fn acosh(self) -> Complex {
        let (minus, plus) =
            (Complex::sqrt(complex(self.re - 1.0, self.im)), Complex::sqrt(complex(self.re + 1.0, self.im)));
        complex(libm::asinh((minus.conj() * plus).re), 2.0 * libm::atan2(minus.im, plus.re))
    }

    /// The inverse hyperbolic tangent.
    pub fn atanh(self) -> Complex {
        let Complex { re, im } = self;
        let (above, below) = (1.0 + re, 1.0 - re);
        let ratio = libm::log1p(4.0 * re / (below * below + im * im));
        let turn = libm::atan2(2.0 * im, below * above - im * im);
        complex(0.25 * ratio, 0.5 * turn)
    }

    /// `1 / (1 + e^-z)`.
    pub fn sigmoid(self) -> Complex {
        Complex::ONE / (Complex::ONE + (-self).exp())
    }

    /// The number of modulus 1 in the same direction; 0 of 0.
    pub fn sgn(self) -> Complex {
        let abs = self.abs();
        if abs == 0.0 { Complex::default() } else { complex(self.re / abs, self.im / abs) }
    }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        complex(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        complex(self.re - other.re, self.im - other.im)
    }
}

impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        complex(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

impl Div for Complex {
    type Output = Complex;
    fn div(self, other: Complex) -> Complex {
        if other == complex(0.0, 0.0) && !self.is_nan() {
            // Only the sign of a zero is left of the divisor.
            let infinity = f64::INFINITY.copysign(other.re);
            return complex(infinity * self.re, infinity * self.im);
        }
        // Divided by the larger part first, so that squares do not overflow.
        let scale = other.re.abs().max(other.im.abs());
        let (re, im) = (other.re / scale, other.im / scale);
        let below = re * re + im * im;
        let above = complex(self.re / scale, self.im / scale) * complex(re, -im);
        complex(above.re / below, above.im / below)
    }
}

impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        complex(-self.re, -self.im)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(actual: Complex, re: f64, im: f64) {
        let error = (actual - complex(re, im)).abs();
        assert!(error <= 1e-14 * (1.0 + complex(re, im).abs()), "{actual:?} instead of {re} + {im}i");
    }

    // Identities that hold on the principal branches, at points off the cuts.
    #[test]
    fn inverses_undo_functions() {
        for z in [complex(0.5, 0.75), complex(-0.25, 1.5), complex(2.0, -0.5), complex(-1.5, -1.25)] {
            let Complex { re, im } = z;
            is(z.sqrt() * z.sqrt(), re, im);
            is(z.log().exp(), re, im);
            is(z.log1p().exp() - Complex::ONE, re, im);
            is(z.asin().sin(), re, im);
            is(z.acos().cos(), re, im);
            is(z.atan().tan(), re, im);
            is(z.asinh().sinh(), re, im);
            is(z.acosh().cosh(), re, im);
            is(z.atanh().tanh(), re, im);
            is(z * z.reciprocal(), 1.0, 0.0);
            is(z.pow(complex(0.5, 0.0)), z.sqrt().re, z.sqrt().im);
            is(z.expm1() + Complex::ONE, z.exp().re, z.exp().im);
        }
    }

    #[test]
    fn the_sign_of_a_zero_chooses_the_side_of_a_cut() {
        is(complex(-4.0, 0.0).sqrt(), 0.0, 2.0);
        is(complex(-4.0, -0.0).sqrt(), 0.0, -2.0);
        is(complex(-1.0, -0.0).log(), 0.0, -std::f64::consts::PI);
        assert_eq!(complex(2.0, 0.0).acosh().im, 0.0);
        assert!(complex(2.0, 0.0).asin().im > 0.0 && complex(2.0, -0.0).asin().im < 0.0);
    }
}
