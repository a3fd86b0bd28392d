//! Operators that only graph has: how functional's spell them.
//!
//! The formulas are eager's, and so is what they give for nan and infinities. Numbers become tensors, in the
//! dtype that the operator computes in.

use super::lowering::{Lowered, Lowering, is_constant};
use crate::functional::writer::{Writer, Written};
use melior::ir::{Value, ValueLike};
use terrace_dialects::{
    aten::placement::iterated::{computed, factors},
    ir::{dtype::Dtype, pass::Failure, types::is_graph_tensor, view},
    ops::functional as f,
};
use terrace_size::Size;

/// Builds operators on tensors of one dtype and shape; half precision in f32, rounded when it is
/// [`Decomposer::done`].
pub(crate) struct Decomposer<'s, 'l, 'c, 'a> {
    pub(crate) l: &'s mut Lowering<'l, 'c, 'a>,
    dtype: Dtype,
    pub(crate) sizes: Vec<Size>,
}

impl<'s, 'l, 'c, 'a> Decomposer<'s, 'l, 'c, 'a> {
    pub(crate) fn new(l: &'s mut Lowering<'l, 'c, 'a>, dtype: Dtype) -> Result<Self, Failure> {
        let (sizes, _) = l.result()?;
        Ok(Self { l, dtype, sizes })
    }

    /// Of a dtype and a shape that are not the result's.
    pub(crate) fn of(l: &'s mut Lowering<'l, 'c, 'a>, dtype: Dtype, sizes: Vec<Size>) -> Self {
        Self { l, dtype, sizes }
    }

    pub(crate) fn write(&self) -> Writer<'c, 'a> {
        **self.l.values
    }

    /// A tensor or a number; the number is not rounded to half precision.
    pub(crate) fn tensor(&mut self, value: Value<'c, 'a>) -> Written<'c, 'a> {
        let number = !is_graph_tensor(value.r#type());
        let value =
            self.l.tensor(value, if number { self.dtype.opmath() } else { self.dtype }, &self.sizes)?;
        self.write().cast(value, self.dtype.opmath())
    }

    /// The dtype of the result.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The sizes of the result.
    pub fn sizes(&self) -> &[Size] {
        &self.sizes
    }

    /// An attribute of the operation.
    pub fn attribute(&self, name: &str) -> Option<melior::ir::Attribute<'c>> {
        view::attribute(self.l.op, name)
    }

    /// An operand of ODS as a tensor.
    pub(crate) fn operand(&mut self, place: usize) -> Written<'c, 'a> {
        let value = self.l.operand(place);
        self.tensor(value)
    }

    /// An optional operand.
    pub(crate) fn optional(&mut self, place: usize) -> Result<Option<Value<'c, 'a>>, Failure> {
        let value = view::optional(self.l.op, self.l.op_impl, place);
        value.map(|value| self.tensor(value)).transpose()
    }

    /// The value that the operator gives.
    pub(crate) fn done(&self, value: Value<'c, 'a>) -> Lowered<'c, 'a> {
        Ok(vec![self.write().cast(value, self.dtype)?])
    }

    /// An optional number, or its default.
    pub(crate) fn parameter(&mut self, place: usize, default: f64) -> Written<'c, 'a> {
        match self.optional(place)? {
            Some(value) => Ok(value),
            None => self.number(default),
        }
    }

    pub(crate) fn number(&mut self, value: f64) -> Written<'c, 'a> {
        let number = self.l.values.float(value)?;
        self.l.values.full(number, self.dtype.opmath(), &self.sizes)
    }
}

/// `leaky_relu`, `elu`, `softplus` and their kin: one thing above a bound, another below it.
pub fn activation<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, dtype) = l.result()?;
    let name = l.base_name();
    let mut s = Decomposer::new(l, dtype)?;
    let x = s.operand(0)?;
    let value = match name {
        "leaky_relu" => {
            let (zero, slope) = (s.number(0.0)?, s.parameter(1, 0.01)?);
            let below = s.write().binary(f::mul, x, slope)?;
            s.write().choose(s.write().binary(f::gt, x, zero)?, x, below)?
        }
        "elu" | "celu" | "selu" => {
            let zero = s.number(0.0)?;
            let (alpha, scale, inner) = match name {
                "elu" => (s.parameter(1, 1.0)?, s.parameter(2, 1.0)?, s.parameter(3, 1.0)?),
                "celu" => {
                    let (alpha, one) = (s.parameter(1, 1.0)?, s.number(1.0)?);
                    (alpha, one, s.write().quotient(one, alpha)?)
                }
                _ => (s.number(1.673_263_242_354_377_2)?, s.number(1.050_700_987_355_480_5)?, s.number(1.0)?),
            };
            let power = s.write().unary(f::expm1, s.write().binary(f::mul, x, inner)?)?;
            let below = s.write().binary(f::mul, power, s.write().binary(f::mul, alpha, scale)?)?;
            s.write().choose(s.write().binary(f::lt, x, zero)?, below, s.write().binary(f::mul, x, scale)?)?
        }
        "softplus" => {
            let (beta, threshold) = (s.parameter(1, 1.0)?, s.parameter(2, 20.0)?);
            let scaled = s.write().binary(f::mul, x, beta)?;
            let soft = s.write().unary(f::log1p, s.write().unary(f::exp, scaled)?)?;
            s.write().choose(
                s.write().binary(f::gt, scaled, threshold)?,
                x,
                s.write().quotient(soft, beta)?,
            )?
        }
        "hardshrink" => {
            let bound = s.parameter(1, 0.5)?;
            let w = s.write();
            let above = w.binary(f::ge, x, w.unary(f::neg, bound)?)?;
            let inside = w.binary(f::logical_and, above, w.binary(f::le, x, bound)?)?;
            w.choose(inside, w.like(x, 0.0)?, x)?
        }
        "softshrink" => {
            let bound = s.parameter(1, 0.5)?;
            let w = s.write();
            // nan stays.
            let inside = w.scaled(x, 0.0)?;
            let below = w.binary(f::lt, x, w.unary(f::neg, bound)?)?;
            let below = w.choose(below, w.binary(f::add, x, bound)?, inside)?;
            w.choose(w.binary(f::gt, x, bound)?, w.binary(f::sub, x, bound)?, below)?
        }
        _ => return Err(format!("there is no activation '{name}'").into()),
    };
    s.done(value)
}

/// `threshold`: another value where self is not above.
pub fn threshold<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, dtype) = l.result()?;
    let mut s = Decomposer::new(l, dtype)?;
    let (x, threshold, value) = (s.operand(0)?, s.operand(1)?, s.operand(2)?);
    s.done(s.write().choose(s.write().binary(f::le, x, threshold)?, value, x)?)
}

/// `addcmul` and `addcdiv`: `self + value * tensor1 * tensor2`, or `/ tensor2`.
pub fn add_product<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let dtype = computed(l.op, l.op_impl, &factors(l.op, l.op_impl));
    let divides = l.base_name() == "addcdiv";
    let scales = view::optional(l.op, l.op_impl, 3).is_some_and(|value| !is_constant(value, 1.0));
    let mut s = Decomposer::new(l, dtype)?;
    let (x, mut first, second) = (s.operand(0)?, s.operand(1)?, s.operand(2)?);
    if scales {
        let value = s.operand(3)?;
        first = s.write().binary(f::mul, value, first)?;
    }
    let term =
        if divides { s.write().quotient(first, second)? } else { s.write().binary(f::mul, first, second)? };
    s.done(s.write().binary(f::add, x, term)?)
}

/// `masked_fill`: a number, or a tensor without dimensions, where the mask holds.
pub fn masked_fill<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let mask = l.tensor(l.operand(1), Dtype::Bool, &sizes)?;
    let mut s = Decomposer::new(l, dtype)?;
    let (x, value) = (s.operand(0)?, s.operand(2)?);
    s.done(s.write().choose(mask, value, x)?)
}
