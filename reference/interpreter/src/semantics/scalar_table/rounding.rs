//! Floats as whole numbers, what rounding takes off, and signs.

use super::{DEFAULT, Pointwise};

/// Rounding of floats to whole numbers; integers are whole.
macro_rules! rounding {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $function:path) => {
        $(#[$doc])*
        pub const $constant: Pointwise = Pointwise {
            name: $name,
            kernel: concat!($name, "_vml_cpu"),
            float: Some(|v| $function(v[0])),
            int: Some(|v| v[0]),
            ..DEFAULT
        };
    };
}

rounding!(
    /// The next whole number above.
    CEIL, "ceil", f64::ceil);
rounding!(
    /// The next whole number below.
    FLOOR, "floor", f64::floor);
rounding!(
    /// The nearest whole number, the even one of two.
    ROUND, "round", f64::round_ties_even);
rounding!(
    /// The next whole number towards zero.
    TRUNC, "trunc", f64::trunc);

/// What `trunc` takes off.
pub const FRAC: Pointwise = Pointwise {
    name: "frac",
    kernel: "frac_cpu",
    float: Some(|v| v[0] - v[0].trunc()),
    piece: Some(|v| (v[0].trunc(), 1.0)),
    ..DEFAULT
};

/// [`SIGN`], and the direction of a complex number.
pub const SGN: Pointwise =
    Pointwise { name: "sgn", complex: Some(|v| v[0].sgn()), correctly_rounded: false, ..SIGN };

/// -1, 0 or 1; 0 for nan.
pub const SIGN: Pointwise = Pointwise {
    name: "sign",
    kernel: "sign_cpu",
    float: Some(|v| f64::from(u8::from(v[0] > 0.0)) - f64::from(u8::from(v[0] < 0.0))),
    int: Some(|v| v[0].signum()),
    bool: Some(|v| v[0]),
    ..DEFAULT
};
