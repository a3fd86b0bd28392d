//! Math functions on f64, for a GPU, which has no library for them: each file holds one family.
//!
//! Bounds are in ULP over all inputs, with fused multiply-add. Where no fit is named coefficients are those
//! of the power series, as many as f64 has use for. Functions on f32 that are seldom used come by way of f64
//! too. On a processor, which has libm, only exp and log are written where it fuses, and expm1 and log1p by
//! these.
//!
//! | function | ULP |
//! |---|---|
//! | exp, log, sin, cos, atan | 1.5 |
//! | exp2, log2, log10, erf, pow | 2 |
//! | expm1, log1p, tan, asin, acos, atan2, rsqrt | 4 |
//! | sinh, cosh, tanh, asinh, acosh, atanh, erfc | 6 |

mod error_function;
mod exponential;
mod hyperbolic;
mod inverse;
mod logarithm;
mod parts;
mod power;
mod stable;
mod trigonometric;

use super::emit::{Emitter, V};
use parts::*;
use stable::*;

/// The functions that f32 has by way of f64.
pub(super) const FOR_FLOATS: [&str; 11] =
    ["tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "asinh", "acosh", "atanh", "erfc"];

/// A function on f64, of one argument or two; None where there is no expansion.
pub(super) fn expand<'c, 'a>(e: &Emitter<'c, 'a>, name: &str, x: &[V<'c, 'a>]) -> Option<V<'c, 'a>> {
    Some(match (name, x) {
        ("expm1", [x]) => expm1(e, *x),
        ("log1p", [x]) => log1p(e, *x),
        ("exp", [x]) if fuses(e) => exponential::exp(e, *x),
        ("log", [x]) if fuses(e) => logarithm::log(e, *x),
        _ if !e.target.nvptx => return None,
        ("exp2", [x]) => exponential::exp2(e, *x),
        ("log2", [x]) => logarithm::log2(e, *x),
        ("log10", [x]) => logarithm::log10(e, *x),
        ("powf", [x, y]) => power::pow(e, *x, *y),
        ("sin", [x]) => trigonometric::sin(e, *x),
        ("cos", [x]) => trigonometric::cos(e, *x),
        ("tan", [x]) => trigonometric::tan(e, *x),
        ("asin", [x]) => inverse::asin(e, *x),
        ("acos", [x]) => inverse::acos(e, *x),
        ("atan", [x]) => inverse::atan(e, *x),
        ("atan2", [y, x]) => inverse::atan2(e, *y, *x),
        ("sinh", [x]) => hyperbolic::sinh(e, *x),
        ("cosh", [x]) => hyperbolic::cosh(e, *x),
        ("tanh", [x]) => hyperbolic::tanh(e, *x),
        ("asinh", [x]) => hyperbolic::asinh(e, *x),
        ("acosh", [x]) => hyperbolic::acosh(e, *x),
        ("atanh", [x]) => hyperbolic::atanh(e, *x),
        ("erf", [x]) => error_function::erf(e, *x),
        ("erfc", [x]) => error_function::erfc(e, *x),
        ("rsqrt", [x]) => e.div(e.like(*x, 1.0), e.sqrt(*x)),
        _ => return None,
    })
}
