//! Truth values: comparisons, logic, logic bit by bit, and questions of floats.

use super::{DEFAULT, Pointwise, Promotion};
use crate::semantics::complex::{Complex, complex};

const ZERO: Complex = complex(0.0, 0.0);

/// Comparisons of two operands; complex numbers have no order.
macro_rules! comparison {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $operator:tt $(, $complex:expr)?) => {
        $(#[$doc])*
        pub const $constant: Pointwise = Pointwise {
            name: $name,
            kernel: concat!($name, "_cpu"),
            promotion: Promotion::Bool,
            float: Some(|v| f64::from(u8::from(v[0] $operator v[1]))),
            $(complex: Some($complex),)?
            int: Some(|v| i64::from(v[0] $operator v[1])),
            bool: Some(|v| i64::from(v[0] $operator v[1])),
            ..DEFAULT
        };
    };
}

comparison!(
    /// Equal; nan is not equal to itself.
    EQ, "eq", ==, |v| Complex::truth(v[0] == v[1]));
comparison!(
    /// Not equal.
    NE, "ne", !=, |v| Complex::truth(v[0] != v[1]));
comparison!(
    /// Less.
    LT, "lt", <);
comparison!(
    /// Less or equal.
    LE, "le", <=);
comparison!(
    /// Greater.
    GT, "gt", >);
comparison!(
    /// Greater or equal.
    GE, "ge", >=);

/// Whether an element is zero.
pub const LOGICAL_NOT: Pointwise = Pointwise {
    name: "logical_not",
    kernel: "logical_not_cpu",
    promotion: Promotion::Bool,
    float: Some(|v| f64::from(u8::from(v[0] == 0.0))),
    complex: Some(|v| Complex::truth(v[0] == ZERO)),
    int: Some(|v| i64::from(v[0] == 0)),
    bool: Some(|v| 1 - v[0]),
    ..DEFAULT
};

/// And, bit by bit.
pub const BITWISE_AND: Pointwise = Pointwise {
    name: "bitwise_and",
    kernel: "bitwise_and_cpu",
    int: Some(|v| v[0] & v[1]),
    bool: Some(|v| v[0] & v[1]),
    ..DEFAULT
};

/// Not, bit by bit.
pub const BITWISE_NOT: Pointwise = Pointwise {
    name: "bitwise_not",
    kernel: "bitwise_not_cpu",
    int: Some(|v| !v[0]),
    bool: Some(|v| 1 - v[0]),
    ..DEFAULT
};

/// Or, bit by bit.
pub const BITWISE_OR: Pointwise = Pointwise {
    name: "bitwise_or",
    kernel: "bitwise_or_cpu",
    int: Some(|v| v[0] | v[1]),
    bool: Some(|v| v[0] | v[1]),
    ..DEFAULT
};

/// Exclusive or, bit by bit.
pub const BITWISE_XOR: Pointwise = Pointwise {
    name: "bitwise_xor",
    kernel: "bitwise_xor_cpu",
    int: Some(|v| v[0] ^ v[1]),
    bool: Some(|v| v[0] ^ v[1]),
    ..DEFAULT
};

/// Operators of the truth of their operands: whether they are not zero.
macro_rules! logical {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $operator:tt) => {
        $(#[$doc])*
        pub const $constant: Pointwise = Pointwise {
            name: $name,
            kernel: concat!($name, "_cpu"),
            promotion: Promotion::Bool,
            float: Some(|v| f64::from(u8::from((v[0] != 0.0) $operator (v[1] != 0.0)))),
            complex: Some(|v| Complex::truth((v[0] != ZERO) $operator (v[1] != ZERO))),
            int: Some(|v| i64::from((v[0] != 0) $operator (v[1] != 0))),
            bool: Some(|v| v[0] $operator v[1]),
            ..DEFAULT
        };
    };
}

logical!(
    /// Both.
    LOGICAL_AND, "logical_and", &);
logical!(
    /// Either.
    LOGICAL_OR, "logical_or", |);
logical!(
    /// One of them.
    LOGICAL_XOR, "logical_xor", ^);

/// Questions of one float, of either or both of the parts of a complex number; `$other` is the answer for
/// what is no float.
macro_rules! kind_of_float {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $function:path, $parts:tt, $other:literal) => {
        $(#[$doc])*
        pub const $constant: Pointwise = Pointwise {
            name: $name,
            kernel: concat!($name, "_cpu"),
            promotion: Promotion::Bool,
            float: Some(|v| f64::from(u8::from($function(v[0])))),
            complex: Some(|v| Complex::truth($function(v[0].re) $parts $function(v[0].im))),
            int: Some(|_| $other),
            bool: Some(|_| $other),
            ..DEFAULT
        };
    };
}

kind_of_float!(
    /// Whether self is nan.
    ISNAN, "isnan", f64::is_nan, ||, 0);
kind_of_float!(
    /// Whether self is infinite.
    ISINF, "isinf", f64::is_infinite, ||, 0);
kind_of_float!(
    /// Whether self is neither nan nor infinite.
    ISFINITE, "isfinite", f64::is_finite, &&, 1);
