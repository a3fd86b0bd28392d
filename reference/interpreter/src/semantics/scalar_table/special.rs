//! Functions of elements that are not in every program: signs, shifts, divisors, gamma and error functions,
//! logarithms of products.

use libm::{hypot, log, log1p};
use std::f64::consts::{PI, SQRT_2};

use terrace_tensor::Dtype;

use super::{APPROXIMATE, DEFAULT, Pointwise, Promotion};
use crate::semantics::complex::{Complex, complex};

/// The magnitude of self with the sign of the other.
pub const COPYSIGN: Pointwise = Pointwise {
    name: "copysign",
    kernel: "copysign_cpu",
    promotion: Promotion::Float,
    float: Some(|v| v[0].copysign(v[1])),
    // What sign a nan has that was computed is up to the machine.
    correctly_rounded: false,
    error: |v, _| if v[1].is_nan() { f64::INFINITY } else { 0.0 },
    ..DEFAULT
};

/// The larger operand; of a nan and a number the number.
pub const FMAX: Pointwise = Pointwise {
    name: "fmax",
    kernel: "fmax_cpu",
    float: Some(|v| v[0].max(v[1])),
    int: Some(|v| v[0].max(v[1])),
    bool: Some(|v| v[0] | v[1]),
    ..DEFAULT
};

/// The smaller operand; of a nan and a number the number.
pub const FMIN: Pointwise = Pointwise {
    name: "fmin",
    kernel: "fmin_cpu",
    float: Some(|v| v[0].min(v[1])),
    int: Some(|v| v[0].min(v[1])),
    bool: Some(|v| v[0] & v[1]),
    ..DEFAULT
};

/// Bits shifted to the left; 0 where they are shifted by a negative number.
pub const LEFT_SHIFT: Pointwise = Pointwise {
    name: "bitwise_left_shift",
    kernel: "lshift_cpu",
    int: Some(|v| if (0..64).contains(&v[1]) { v[0] << v[1] } else { 0 }),
    ..DEFAULT
};

/// Bits shifted to the right; nothing but the sign where they are shifted by a negative number.
pub const RIGHT_SHIFT: Pointwise = Pointwise {
    name: "bitwise_right_shift",
    kernel: "rshift_cpu",
    int: Some(|v| v[0] >> if (0..64).contains(&v[1]) { v[1] } else { 63 }),
    ..DEFAULT
};

/// The greatest common divisor.
pub const GCD: Pointwise =
    Pointwise { name: "gcd", kernel: "gcd_cpu", int: Some(|v| gcd(v[0], v[1])), ..DEFAULT };

/// The least common multiple.
pub const LCM: Pointwise = Pointwise {
    name: "lcm",
    kernel: "lcm_cpu",
    int: Some(|v| match gcd(v[0], v[1]) {
        0 => 0,
        divisor => v[0].wrapping_div(divisor).wrapping_mul(v[1]).wrapping_abs(),
    }),
    ..DEFAULT
};

/// It is positive, also of the least number, whose magnitude overflows in PyTorch; of that alone it is that
/// number.
fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as i64
}

/// Whether the sign is minus, that of a zero included.
pub const SIGNBIT: Pointwise = Pointwise {
    name: "signbit",
    kernel: "signbit_cpu",
    promotion: Promotion::Bool,
    float: Some(|v| f64::from(u8::from(v[0].is_sign_negative()))),
    int: Some(|v| i64::from(v[0] < 0)),
    bool: Some(|_| 0),
    ..DEFAULT
};

/// Whether self is infinity.
pub const ISPOSINF: Pointwise = Pointwise {
    name: "isposinf",
    float: Some(|v| f64::from(u8::from(v[0] == f64::INFINITY))),
    int: Some(|_| 0),
    ..SIGNBIT
};

/// Whether self is minus infinity.
pub const ISNEGINF: Pointwise =
    Pointwise { name: "isneginf", float: Some(|v| f64::from(u8::from(v[0] == -f64::INFINITY))), ..ISPOSINF };

/// 0 below 0, 1 above it, the other at 0.
pub const HEAVISIDE: Pointwise = Pointwise {
    name: "heaviside",
    kernel: "heaviside_cpu",
    float: Some(|v| if v[0] == 0.0 { v[1] } else { f64::from(u8::from(v[0] > 0.0)) }),
    int: Some(|v| if v[0] == 0 { v[1] } else { i64::from(v[0] > 0) }),
    bool: Some(|v| if v[0] == 0 { v[1] } else { 1 }),
    ..DEFAULT
};

/// Self; other numbers for nan, infinity and its negative, in each part of a complex number.
pub const NAN_TO_NUM: Pointwise = Pointwise {
    name: "nan_to_num",
    kernel: "nan_to_num",
    float: Some(|v| finite(v[0], [v[1], v[2], v[3]])),
    complex: Some(|v| {
        let numbers = [v[1].re, v[2].re, v[3].re];
        complex(finite(v[0].re, numbers), finite(v[0].im, numbers))
    }),
    int: Some(|v| v[0]),
    bool: Some(|v| v[0]),
    ..DEFAULT
};

fn finite(x: f64, [nan, above, below]: [f64; 3]) -> f64 {
    match x {
        x if x.is_nan() => nan,
        f64::INFINITY => above,
        f64::NEG_INFINITY => below,
        x => x,
    }
}

/// The length of the vector of both.
pub const HYPOT: Pointwise = Pointwise {
    name: "hypot",
    kernel: "hypot_cpu",
    promotion: Promotion::Common,
    float: Some(|v| hypot(v[0], v[1])),
    ..APPROXIMATE
};

/// `self * log(other)`, 0 where self is 0.
pub const XLOGY: Pointwise = Pointwise {
    name: "xlogy",
    kernel: "xlogy_cpu",
    float: Some(|v| times(v[0], v[1], log)),
    // A number is rounded before its logarithm is taken.
    error: |v, result| 4.0 * result.abs() + v[0].abs(),
    ..APPROXIMATE
};

/// `self * log(1 + other)`, 0 where self is 0.
pub const XLOG1PY: Pointwise = Pointwise {
    name: "special_xlog1py",
    kernel: "xlog1py_cpu",
    float: Some(|v| times(v[0], v[1], log1p)),
    ..XLOGY
};

fn times(x: f64, y: f64, log: fn(f64) -> f64) -> f64 {
    if y.is_nan() {
        f64::NAN
    } else if x == 0.0 {
        0.0
    } else {
        x * log(y)
    }
}

/// `-self * log(self)`, 0 at 0, minus infinity below it.
pub const ENTR: Pointwise = Pointwise {
    name: "special_entr",
    kernel: "entr_cpu",
    float: Some(|v| match v[0] {
        x if x > 0.0 => -x * log(x),
        0.0 => 0.0,
        x if x < 0.0 => f64::NEG_INFINITY,
        _ => f64::NAN,
    }),
    ..APPROXIMATE
};

/// `sin(pi * self) / (pi * self)`.
pub const SINC: Pointwise = Pointwise {
    name: "sinc",
    kernel: "sinc_cpu",
    float: Some(|v| match v[0] {
        0.0 => 1.0,
        x => libm::sin(PI * x) / (PI * x),
    }),
    complex: Some(|v| match v[0].scale(PI) {
        Complex { re: 0.0, im: 0.0 } => Complex::ONE,
        x => x.sin() / x,
    }),
    // The rounding of the product moves the sine by as much, which is then divided by it.
    error: |_, result| 4.0 * result.abs() + 2.0,
    ..APPROXIMATE
};

/// `log(self / (1 - self))`, of self between two numbers.
pub const LOGIT: Pointwise = Pointwise {
    name: "logit",
    kernel: "logit_cpu",
    float: Some(|v| {
        let (x, low, high) = (v[0], v[1], v[2]);
        let x = if x < low {
            low
        } else if x > high {
            high
        } else {
            x
        };
        if x == 1.0 { f64::INFINITY } else { log(x / (1.0 - x)) }
    }),
    // The quotient passes its roundings on.
    error: |_, result| 4.0 * result.abs() + 4.0,
    ..APPROXIMATE
};

/// The inverse of the error function.
pub const ERFINV: Pointwise =
    Pointwise { name: "erfinv", kernel: "erfinv_cpu", float: Some(|v| erfinv(v[0])), ..APPROXIMATE };

/// The logarithm of the magnitude of the gamma function.
pub const LGAMMA: Pointwise = Pointwise {
    name: "lgamma",
    kernel: "lgamma_cpu",
    float: Some(|v| libm::lgamma(v[0])),
    // It crosses 0 where the function is 1.
    error: |_, result| 4.0 * result.abs() + 4.0,
    ..APPROXIMATE
};

/// The derivative of the logarithm of the gamma function.
pub const DIGAMMA: Pointwise = Pointwise {
    name: "digamma",
    kernel: "digamma",
    float: Some(|v| digamma(v[0])),
    error: |v, result| 8.0 * result.abs() + 8.0 + if v[0] < 0.0 { 8.0 * result * result } else { 0.0 },
    ..APPROXIMATE
};

/// The modified Bessel function of the first kind, of order 0.
pub const I0: Pointwise = Pointwise {
    name: "i0",
    kernel: "i0_cpu",
    float: Some(|v| i0(v[0])),
    error: |v, result| (8.0 + v[0].abs()) * result.abs(),
    ..APPROXIMATE
};

/// [`I0`] over the exponential of the magnitude of its operand.
pub const I0E: Pointwise = Pointwise {
    name: "special_i0e",
    kernel: "i0e_cpu",
    float: Some(|v| i0e(v[0])),
    error: |v, result| (8.0 + v[0].abs().min(1000.0)) * result.abs(),
    ..APPROXIMATE
};

/// The normal distribution's cumulative function.
pub const NDTR: Pointwise = Pointwise {
    name: "special_ndtr",
    kernel: "erf_vml_cpu",
    float: Some(|v| 0.5 * libm::erfc(-v[0] / SQRT_2)),
    // erfc amplifies the rounding of its argument; eager computes (1 + erf) / 2, whose tail cancels.
    error: |v, result| 1.0 + (4.0 + 2.0 * v[0] * v[0]) * result.abs(),
    ..APPROXIMATE
};

/// By Halley's method, on `erfc` away from 0: nothing cancels there.
fn erfinv(x: f64) -> f64 {
    let size = x.abs();
    if size.is_nan() || size > 1.0 {
        return f64::NAN;
    }
    if size == 1.0 || x == 0.0 {
        return if size == 1.0 { f64::INFINITY.copysign(x) } else { x };
    }
    // Winitzki's approximation, a few digits.
    let (a, l) = (0.147, log1p(-size * size));
    let b = 2.0 / (PI * a) + 0.5 * l;
    let mut z = ((b * b - l / a).sqrt() - b).sqrt();
    for _ in 0..6 {
        let miss = if size < 0.5 { libm::erf(z) - size } else { (1.0 - size) - libm::erfc(z) };
        let step = miss / (2.0 / PI.sqrt() * libm::exp(-z * z));
        if step.is_finite() {
            z -= step / (1.0 + z * step);
        }
    }
    z.copysign(x)
}

/// By its recurrence up to where the asymptotic series is exact enough; below 0 by reflection.
fn digamma(mut x: f64) -> f64 {
    if x == 0.0 {
        return f64::INFINITY.copysign(-x);
    }
    if x < 0.0 {
        if x == x.floor() {
            return f64::NAN;
        }
        // Of the fraction, whose tangent is exact where that of a large number is not.
        return digamma(1.0 - x) - PI / libm::tan(PI * (x - x.trunc()));
    }
    let mut sum = 0.0;
    while x < 12.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    // The Bernoulli numbers, each over its index.
    let terms =
        [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0];
    let series = terms.iter().rev().fold(0.0, |sum, term| (sum + term) * y);
    sum + log(x) - 0.5 / x - series
}

/// The series of `(x^2 / 4)^k / k!^2`, whose terms are all positive.
fn i0(x: f64) -> f64 {
    // Of infinity eager divides one by another.
    if !x.is_finite() {
        return f64::NAN;
    }
    if x.abs() > 720.0 {
        return f64::INFINITY;
    }
    let (square, mut term, mut sum, mut k) = (x * x / 4.0, 1.0, 1.0, 1.0);
    while term > sum * f64::EPSILON / 4.0 {
        term *= square / (k * k);
        sum += term;
        k += 1.0;
    }
    sum
}

/// The series up to where it is exact enough; then the asymptotic one, whose terms fall off at once.
fn i0e(x: f64) -> f64 {
    let size = x.abs();
    if size < 500.0 {
        return i0(x) * libm::exp(-size);
    }
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..8 {
        let odd = f64::from(2 * k - 1);
        term *= odd * odd / (f64::from(8 * k) * size);
        sum += term;
    }
    sum / (2.0 * PI * size).sqrt()
}

/// The next number of a dtype towards another.
///
/// # Panics
/// When the dtype has no fractions.
pub fn nextafter(dtype: Dtype) -> &'static Pointwise {
    match dtype {
        Dtype::F64 => &const { next(|v| towards(v[0], v[1], 52, -1022)) },
        Dtype::F32 => &const { next(|v| towards(v[0], v[1], 23, -126)) },
        Dtype::F16 => &const { next(|v| towards(v[0], v[1], 10, -14)) },
        Dtype::BF16 => &const { next(|v| towards(v[0], v[1], 7, -126)) },
        _ => &const { Pointwise { float: None, ..next(|v| v[0]) } },
    }
}

const fn next(float: fn(&[f64]) -> f64) -> Pointwise {
    Pointwise { name: "nextafter", kernel: "nextafter_cpu", float: Some(float), ..DEFAULT }
}

/// Of numbers with so many bits after the first, and normal ones down to a power of 2.
fn towards(x: f64, to: f64, bits: i32, least: i32) -> f64 {
    if x.is_nan() || to.is_nan() {
        return f64::NAN;
    }
    if x == to {
        return to;
    }
    if x == 0.0 {
        return libm::ldexp(1.0, least - bits).copysign(to);
    }
    let grows = (to > x) == (x > 0.0);
    let size = x.abs();
    let largest = libm::ldexp(2.0 - libm::ldexp(1.0, -bits), 1 - least);
    if size.is_infinite() {
        return largest.copysign(x);
    }
    // Of a denormal the exponent is that of the least normal number.
    let exponent = libm::ilogb(size).max(least);
    let power = libm::ldexp(1.0, exponent) == size && exponent > least;
    let unit = libm::ldexp(1.0, exponent - bits - i32::from(power && !grows));
    let moved = if grows { size + unit } else { size - unit };
    if moved > largest { f64::INFINITY.copysign(x) } else { moved.copysign(x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_one_another() {
        for x in [1.0f32, 0.0, -0.0, 2.0, -2.5, f32::MAX, 1e-45, 1.1754944e-38, 1.1754942e-38, -7e-44] {
            for (to, own) in [(f64::INFINITY, x.next_up()), (-f64::INFINITY, x.next_down())] {
                let found = (nextafter(Dtype::F32).float.unwrap())(&[x.into(), to]) as f32;
                assert_eq!(found.to_bits(), own.to_bits(), "{x}");
            }
        }
        let up = |x: f64| (nextafter(Dtype::F64).float.unwrap())(&[x, f64::INFINITY]);
        for x in [1.0, 0.0, 5e-324, -1.0, 1e300, f64::MAX, 2.225e-308] {
            assert_eq!(up(x).to_bits(), x.next_up().to_bits(), "{x}");
        }
    }

    /// Expected values are those of mpmath.
    #[test]
    fn functions_have_their_values() {
        let near = |found: f64, expected: f64| {
            assert!((found - expected).abs() <= 4e-15 * expected.abs().max(1.0), "{found} {expected}");
        };
        near(erfinv(0.25), 0.225_312_055_012_178_1);
        near(erfinv(-0.999), -2.326_753_765_513_524_7);
        near(libm::erf(erfinv(0.7)), 0.7);
        near(digamma(1.0), -0.577_215_664_901_532_9);
        near(digamma(-2.5), 1.103_156_640_645_243);
        near(digamma(0.25), -4.227_453_533_376_265);
        near(i0(2.0), 2.279_585_302_336_067);
        near(i0(20.0) / 43_558_282.559_553_53, 1.0);
        assert_eq!(gcd(-12, 18), 6);
        assert_eq!([gcd(i64::MIN, 6), gcd(3, i64::MIN), gcd(i64::MIN, 0)], [2, 1, i64::MIN]);
    }
}
