//! Activations of weights, of halves, and by logarithms; powers in the widest dtype.

use super::{
    decomposer::Decomposer,
    lowering::{Lowered, Lowering},
};
use terrace_dialects::{
    ir::{attributes as convert, view},
    ops::functional as f,
};
use terrace_size::Size;

/// `prelu` and `_prelu_kernel`: below 0 times a weight, which stands along dimension 1, or expands.
pub fn prelu<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let weight = l.read(l.operand(1))?;
    let w = **l.values;
    let own = w.sizes(weight)?;
    let weight = if l.base_name() == "prelu" {
        let mut along = vec![Size::ONE; sizes.len()];
        if sizes.len() > 1 {
            along[1] = own.iter().product();
        }
        w.view(weight, &along)?
    } else {
        weight
    };
    let weight = w.cast(w.expand(weight, &sizes)?, dtype.opmath())?;
    let mut s = Decomposer::new(l, dtype)?;
    let x = s.operand(0)?;
    let below = w.binary(f::mul, x, weight)?;
    s.done(w.choose(w.binary(f::gt, x, w.like(x, 0.0)?)?, x, below)?)
}

/// The dimension that `glu` halves, and half its size.
fn halved(dim: i64, sizes: &[Size]) -> (usize, Size) {
    let at = if dim < 0 { dim + sizes.len() as i64 } else { dim } as usize;
    (at, sizes[at])
}

/// `glu`: one half times the logistic function of the other.
pub fn glu<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let own = l.read(l.operand(0))?;
    let w = **l.values;
    let (at, half) = halved(view::attribute(l.op, "dim").map_or(-1, convert::i64), &sizes);
    let part = |start: Size| w.cast(w.part_of(own, at, start, start + half)?, dtype.opmath());
    let (first, second) = (part(Size::ZERO)?, part(half)?);
    let value = w.binary(f::mul, first, w.unary(f::sigmoid, second)?)?;
    Ok(vec![w.cast(value, dtype)?])
}

/// `log_sigmoid_forward`, and `log_sigmoid`, its first result.
pub fn log_sigmoid<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, dtype) = l.result()?;
    let both = l.base_name() == "log_sigmoid_forward";
    let mut s = Decomposer::new(l, dtype)?;
    let x = s.operand(0)?;
    let w = s.write();
    let small = w.unary(f::exp, w.unary(f::neg, w.unary(f::abs, x)?)?)?;
    let below = w.binary(f::minimum, x, w.like(x, 0.0)?)?;
    let value = w.binary(f::sub, below, w.unary(f::log1p, small)?)?;
    let mut values = s.done(value)?;
    if both {
        values.extend(s.done(small)?);
    }
    Ok(values)
}

/// `float_power`.
pub fn float_power<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let base = l.tensor(l.operand(0), dtype, &sizes)?;
    let exponent = l.tensor(l.operand(1), dtype, &sizes)?;
    Ok(vec![super::forms::power(l, base, exponent, dtype)?])
}
