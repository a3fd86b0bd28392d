//! Math functions on f32 as polynomials in arith operations, inlined where they are used.
//!
//! Each file holds one family; each function documents its bound in ULP over all inputs, and is right at nan,
//! infinities, signed zeros, denormals and the edges of overflow. The bounds hold with and without fused
//! multiply-add. Coefficients are minimax fits of our own (Lawson's iteration, each rounded to f32 in turn
//! and the rest refitted), with the error that the fit leaves written beside them. What is not in the table
//! stays as it is, f64 too, but for exp, log, expm1 and log1p: it is libm's on a CPU. A GPU has no library:
//! for it there are [functions on f64](doubles), by way of which it has the rest of those on f32, and
//! [loops](remainder).
//!
//! A GPU has an instruction for powers of 2, which is off by up to 2 ULP: exp, exp2 and what is made of them
//! are by that.
//!
//! | function | ULP |
//! |---|---|
//! | log | 1 |
//! | exp, exp2, erf | 1.3; on a GPU 3.8 for exp, 2 for exp2 |
//! | expm1, log2, log10, tanh | 1.5 |
//! | log1p, sin, cos, rsqrt | 1.7 |
//! | pow | 0.6 |
//! | exp and log of f64 | 1 |
//! | expm1 and log1p of f64 | 4 |

mod doubles;
mod emit;
mod error_function;
mod exponential;
mod hyperbolic;
mod logarithm;
mod power;
mod remainder;
mod target;
mod trigonometric;

use emit::{Emitter, element_type};
use melior::ir::{OperationRef, TypeLike, Value, ValueLike};
pub use target::Target;
use terrace_dialects::ir::{
    OperationLike,
    operations::{collect, definition, name_of},
    rewrite::replace,
};

/// The remainder of floats is arith's.
const REMAINDER: &str = "arith.remf";

/// A quotient, which may be one that need not be exact.
const RATIO: &str = "arith.divf";

/// Operations that a GPU has an instruction for, which upstream writes as comparisons, and LLVM's intrinsics.
const EXTREMES: [(&str, &str); 2] = [("arith.maximumf", "llvm.maximum"), ("arith.minimumf", "llvm.minimum")];

/// Writes the expansion of `op` in front of it; the value to replace its result by, or `None` if there is no
/// expansion: another operation, or another type than f32, f64 and vectors of fixed size of them.
pub fn expand<'c, 'a>(op: OperationRef<'c, 'a>, target: Target) -> Option<Value<'c, 'a>> {
    let name = op.name();
    let name = name.as_string_ref().as_str().ok()?;
    let x = op.operand(0).ok()?;
    let element = element_type(x.r#type())?;
    let e = Emitter::new(op, x.r#type(), target)?;
    if name == RATIO {
        return ratio(op, &e);
    }
    if let Some((_, intrinsic)) = EXTREMES.iter().find(|(own, _)| *own == name) {
        let operands = [x, op.operand(1).ok()?];
        return (element.is_f32() && e.is_gpu()).then(|| e.intrinsic(intrinsic, &operands, &[]));
    }
    let name = if name == REMAINDER { name } else { name.strip_prefix("math.")? };
    if target.nvptx && (element.is_f32() || element.is_f64()) && e.is_flat() {
        let operands: Vec<_> = op.operands().collect();
        match name {
            "sqrt" | "ceil" | "floor" | "trunc" | "round" | "roundeven" | "copysign" => {
                return Some(e.intrinsic(&format!("llvm.{name}"), &operands, &[]));
            }
            "absf" => return Some(e.intrinsic("llvm.fabs", &operands, &[])),
            _ => {}
        }
    }
    let operands: Vec<_> = op.operands().collect();
    if target.nvptx && name == "ipowi" {
        return Some(remainder::ipow(&e, x, operands[1]));
    }
    if target.nvptx && (name == REMAINDER || element.is_f32() && doubles::FOR_FLOATS.contains(&name)) {
        let wide = |x: Value<'c, 'a>| if element.is_f64() { x } else { e.extend(x) };
        let wide: Vec<_> = operands.into_iter().map(wide).collect();
        let result = match name {
            REMAINDER => remainder::fmod(&e, wide[0], wide[1]),
            _ => doubles::expand(&e, name, &wide)?,
        };
        return Some(if element.is_f64() { result } else { e.truncate_to(result, x.r#type()) });
    }
    if element.is_f64() {
        return doubles::expand(&e, name, &operands);
    }
    if !element.is_f32() {
        return None;
    }
    Some(match name {
        "exp" => exponential::exp(&e, x, op.attribute("fastmath").ok() == e.near()),
        "exp2" => exponential::exp2(&e, x),
        "expm1" => exponential::expm1(&e, x),
        "log" => logarithm::log(&e, x),
        "log2" => logarithm::log2(&e, x),
        "log10" => logarithm::log10(&e, x),
        "log1p" => logarithm::log1p(&e, x),
        "tanh" => hyperbolic::tanh(&e, x),
        "erf" => error_function::erf(&e, x),
        "sin" => trigonometric::sin(&e, x),
        "cos" => trigonometric::cos(&e, x),
        "rsqrt" => power::rsqrt(&e, x),
        "powf" => power::pow(&e, x, op.operand(1).ok()?),
        _ => return None,
    })
}

/// A quotient that may be off by 2 ULP, of a divisor that is one number for all lanes: a product by one over
/// it, which is off by one and a half. None of another; a GPU has an instruction.
fn ratio<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Option<Value<'c, 'a>> {
    let spread = definition(op.operand(1).ok()?).filter(|op| name_of(*op) == "vector.broadcast")?;
    let divisor = spread.operand(0).ok().filter(|divisor| !divisor.r#type().is_vector())?;
    if e.target.nvptx || op.attribute("fastmath").ok() != e.near() {
        return None;
    }
    let one = Emitter::new(op, divisor.r#type(), e.target)?;
    let inverse = one.div(one.like(divisor, 1.0), divisor);
    Some(e.mul(op.operand(0).ok()?, e.spread(inverse)))
}

/// Expands every operation below `root` that has an expansion; returns how many there were.
pub fn expand_all(root: OperationRef, target: Target) -> usize {
    let mut count = 0;
    let is_extreme = |name| EXTREMES.iter().any(|(own, _)| *own == name);
    let of_arith = |name| match target.nvptx {
        true => name == REMAINDER || is_extreme(name),
        false => name == RATIO,
    };
    let wanted = |op| name_of(op).starts_with("math.") || of_arith(name_of(op));
    for op in collect(root, wanted) {
        let Some(value) = expand(op, target) else { continue };
        // Expansions contain none of the other operations.
        replace(op, &[value]);
        count += 1;
    }
    count
}
