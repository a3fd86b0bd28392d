//! Gradients of activations: how functional's operators spell them. The formulas are eager's.

use super::{
    decomposer::Decomposer,
    lowering::{Lowered, Lowering},
};
use crate::functional::writer::{Writer, Written};
use melior::ir::Value;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI, SQRT_2};
use terrace_dialects::{
    ir::{attributes as convert, pass::Failure, view},
    ops::functional as f,
};

/// The gradient of an activation, from what comes in and the operand or the result.
pub fn activation<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, dtype) = l.result()?;
    let name = l.base_name();
    let flag = |name: &str| view::attribute(l.op, name).is_some_and(convert::bool);
    let of_result = flag("is_result");
    let tanh = view::attribute(l.op, "approximate").map(convert::string).as_deref() == Some("tanh");
    if name == "gelu_backward" && dtype.is_complex() {
        return Err(format!("\"GeluBackwardKernelImpl\" not implemented for '{}'", dtype.aten_name()).into());
    }
    let mut s = Decomposer::new(l, dtype)?;
    let (grad, x) = (s.operand(0)?, s.operand(if name == "elu_backward" { 4 } else { 1 })?);
    let w = s.write();
    // The gradient of complex numbers has the conjugate of the slope.
    let x = if dtype.is_complex() { w.unary(f::conj_physical, x)? } else { x };
    let mul = |a, b| w.binary(f::mul, a, b);
    let value = match name {
        "tanh_backward" => mul(grad, w.binary(f::sub, s.number(1.0)?, mul(x, x)?)?)?,
        "sigmoid_backward" => mul(mul(grad, w.binary(f::sub, s.number(1.0)?, x)?)?, x)?,
        "silu_backward" => {
            let (one, sigmoid) = (s.number(1.0)?, w.unary(f::sigmoid, x)?);
            let rest = w.binary(f::add, one, mul(x, w.binary(f::sub, one, sigmoid)?)?)?;
            mul(mul(grad, sigmoid)?, rest)?
        }
        "gelu_backward" => mul(grad, if tanh { gelu_tanh(w, x)? } else { gelu(w, x)? })?,
        "hardtanh_backward" => {
            let (low, high, zero) = (s.operand(2)?, s.operand(3)?, s.number(0.0)?);
            let above = w.choose(w.binary(f::ge, x, high)?, zero, grad)?;
            w.choose(w.binary(f::le, x, low)?, zero, above)?
        }
        "hardsigmoid_backward" => {
            let (zero, part) = (s.number(0.0)?, mul(grad, s.number(f64::from(1.0f32 / 6.0))?)?);
            let below = w.choose(w.binary(f::lt, x, s.number(3.0)?)?, part, zero)?;
            w.choose(w.binary(f::gt, x, s.number(-3.0)?)?, below, zero)?
        }
        "hardswish_backward" => {
            let part = w.binary(f::add, w.over(x, 3.0)?, s.number(0.5)?)?;
            let below = w.choose(w.binary(f::lt, x, s.number(3.0)?)?, mul(grad, part)?, grad)?;
            w.choose(w.binary(f::le, x, s.number(-3.0)?)?, s.number(0.0)?, below)?
        }
        "leaky_relu_backward" => {
            let part = mul(grad, s.operand(2)?)?;
            w.choose(w.binary(f::gt, x, s.number(0.0)?)?, grad, part)?
        }
        "elu_backward" => {
            let (alpha, scale, inner) = (s.operand(1)?, s.operand(2)?, s.operand(3)?);
            let negative = mul(alpha, scale)?;
            let slope = match of_result {
                true => w.binary(f::add, x, negative)?,
                false => mul(negative, w.unary(f::exp, mul(x, inner)?)?)?,
            };
            let below = mul(mul(grad, inner)?, slope)?;
            w.choose(w.binary(f::le, x, s.number(0.0)?)?, below, mul(grad, scale)?)?
        }
        "softplus_backward" => {
            let (beta, threshold) = (s.operand(2)?, s.operand(3)?);
            let scaled = mul(x, beta)?;
            let power = w.unary(f::exp, scaled)?;
            let soft = w.quotient(mul(grad, power)?, w.binary(f::add, power, s.number(1.0)?)?)?;
            w.choose(w.binary(f::gt, scaled, threshold)?, grad, soft)?
        }
        _ => return Err(format!("there is no gradient '{name}'").into()),
    };
    s.done(value)
}

/// The derivative of gelu by way of erf: the distribution, and the operand times the density.
fn gelu<'c, 'a>(w: Writer<'c, 'a>, x: Value<'c, 'a>) -> Written<'c, 'a> {
    let distribution = w.shifted(w.unary(f::erf, w.scaled(x, FRAC_1_SQRT_2)?)?, 1.0)?;
    let square = w.scaled(w.binary(f::mul, x, x)?, -0.5)?;
    let density = w.scaled(w.unary(f::exp, square)?, 1.0 / (2.0 * PI).sqrt())?;
    w.binary(f::add, w.scaled(distribution, 0.5)?, w.binary(f::mul, x, density)?)
}

/// The same by way of tanh.
fn gelu_tanh<'c, 'a>(w: Writer<'c, 'a>, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let beta = FRAC_2_SQRT_PI / SQRT_2;
    let square = w.binary(f::mul, x, x)?;
    let cube = w.binary(f::mul, square, x)?;
    let inner = w.unary(f::tanh, w.scaled(w.binary(f::add, x, w.scaled(cube, 0.044715)?)?, beta)?)?;
    let left = w.scaled(w.shifted(inner, 1.0)?, 0.5)?;
    let one = w.like(x, 1.0)?;
    let slope = w.binary(f::sub, one, w.binary(f::mul, inner, inner)?)?;
    let argument = w.scaled(w.shifted(w.scaled(square, 3.0 * 0.044715)?, 1.0)?, beta)?;
    let right = w.binary(f::mul, w.scaled(x, 0.5)?, w.binary(f::mul, slope, argument)?)?;
    w.binary(f::add, left, right)
}
