//! Writes the body of a loop operation once more, in front of another operation, at other indices.
//!
//! An index becomes an affine expression of values that are there. A load's place is composed of these, and
//! simplified by what is known of the values; where the body uses an index as a number the expression is
//! computed. A tensor that was loaded from may have become something else: see [`Local`].

use super::range_of;
use crate::emit::{Emitted, Emitter, Number};
use melior::ir::{OperationRef, Type, ValueLike};
use std::collections::HashMap;
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::V,
        dtype::{Dtype, ElementType},
        operations::key,
        rewrite::set_operand,
        shaped::Shaped,
    },
    loops::affine::{self, Expr},
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// What stands for a tensor: a value of fewer dimensions, some of the tensor's.
#[derive(Clone)]
pub(crate) struct Local<'c, 'a> {
    pub value: V<'c, 'a>,
    /// The tensor's dimensions that it has, in order; none: it is the element itself.
    pub dims: Vec<usize>,
}

/// A body on its way to another place.
pub(crate) struct Copy<'c, 'a> {
    at: Emitter<'c, 'a>,
    /// What indices are made of.
    values: Vec<V<'c, 'a>>,
    /// The indices of the body, as expressions of `values`.
    places: HashMap<usize, Expr>,
    /// What became of other values.
    inside: HashMap<usize, V<'c, 'a>>,
    locals: HashMap<usize, Local<'c, 'a>>,
    /// Where it does not hold nothing is read.
    mask: Option<V<'c, 'a>>,
}

impl<'c: 'a, 'a> Copy<'c, 'a> {
    /// A copy that is written at a place; expressions have these values as their dimensions.
    pub fn new(at: Emitter<'c, 'a>, values: &[V<'c, 'a>]) -> Self {
        let (places, inside, locals) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { at, values: values.to_vec(), places, inside, locals, mask: None }
    }

    /// The same, with loads under a mask.
    pub fn masked(self, mask: Option<V<'c, 'a>>) -> Self {
        Self { mask, ..self }
    }

    /// The same, where tensors have become something else.
    pub fn with_locals(self, locals: HashMap<usize, Local<'c, 'a>>) -> Self {
        Self { locals, ..self }
    }

    /// An index of the body is an expression.
    pub fn index(&mut self, index: V<'c, 'a>, expr: Expr) {
        self.places.insert(key(index), expr);
    }

    /// Writes operations in order.
    pub fn write(
        &mut self,
        body: &[OperationRef<'c, 'a>],
    ) -> Result<(), terrace_dialects::ir::pass::Failure> {
        for op in body {
            match loop_::LoadOp::try_from(*op) {
                Ok(load) => {
                    let value = self.load(load)?;
                    self.inside.insert(key(op.result_at(0)?), value);
                }
                Err(_) => self.operation(*op)?,
            }
        }
        Ok(())
    }

    /// What became of a value.
    pub fn value(&mut self, value: V<'c, 'a>) -> Emitted<'c, 'a> {
        if let Some(known) = self.inside.get(&key(value)) {
            return Ok(*known);
        }
        let Some(expr) = self.places.get(&key(value)) else { return Ok(value) };
        let ranges: Vec<_> = self.values.iter().map(|v| range_of(*v)).collect();
        let computed = number(&self.at, &expr.simplify(&ranges), &self.values)?;
        self.inside.insert(key(value), computed);
        Ok(computed)
    }

    /// Where an access of the body is, in expressions of the values that are returned.
    pub fn place(&mut self, exprs: &[Expr], operands: &[V<'c, 'a>]) -> (Vec<Expr>, Vec<V<'c, 'a>>) {
        let mut values = self.values.clone();
        let mut dims = vec![];
        for operand in operands {
            dims.push(match self.places.get(&key(*operand)) {
                Some(expr) => expr.clone(),
                None => {
                    values.push(self.inside.get(&key(*operand)).copied().unwrap_or(*operand));
                    Expr::Dim(values.len() - 1)
                }
            });
        }
        (exprs.iter().map(|e| e.substitute(&dims)).collect(), values)
    }

    fn load(&mut self, load: loop_::LoadOp<'c, 'a>) -> Emitted<'c, 'a> {
        let (mut exprs, values) = self.place(&affine::exprs(load.map()), &load.indices());
        let mut source = load.source();
        let own = load.mask().map(|mask| self.value(mask)).transpose()?;
        let mut other = load.other().map(|other| self.value(other)).transpose()?;
        if let Some(local) = self.locals.get(&key(source)) {
            if local.dims.is_empty() {
                return Ok(match (own, other) {
                    (Some(mask), Some(other)) => self.at.select(mask, local.value, other),
                    _ => local.value,
                });
            }
            source = local.value;
            exprs = local.dims.iter().map(|d| exprs[*d].clone()).collect();
        }
        let mask = match (own, self.mask) {
            (Some(own), Some(mask)) => Some(self.at.and(own, mask)),
            (None, Some(_)) if is_inside(source, &exprs, &values) => None,
            (own, mask) => own.or(mask),
        };
        if mask.is_some() && other.is_none() {
            let element = Shaped::expect(source.r#type())?.element;
            other = Some(zero(&self.at, element).ok_or("loads what has no zero")?);
        }
        load_at(&self.at.of(load.operation().location()), source, &exprs, &values, mask, other)
    }

    fn operation(&mut self, op: OperationRef<'c, 'a>) -> Result<(), terrace_dialects::ir::pass::Failure> {
        let mut operands = vec![];
        for operand in op.operands() {
            operands.push(self.value(operand)?);
        }
        let copy = self.at.insert((*op).clone());
        for (i, value) in operands.into_iter().enumerate() {
            set_operand(copy, i, value);
        }
        for (old, new) in op.results().zip(copy.results()) {
            self.inside.insert(key(old), new.into());
        }
        Ok(())
    }
}

/// Whether there is an element at these expressions whatever the values are.
fn is_inside(source: V, exprs: &[Expr], values: &[V]) -> bool {
    let ranges: Vec<_> = values.iter().map(|v| range_of(*v)).collect();
    let shape = Shaped::of(source.r#type()).map_or(vec![], |shaped| shaped.shape);
    let is_known = |(expr, size): (&Expr, &i64)| *size != DYNAMIC && expr.range(&ranges).within(*size);
    exprs.len() == shape.len() && exprs.iter().zip(&shape).all(is_known)
}

/// An element at expressions, made simple by what is known of the values.
pub(crate) fn load_at<'c, 'a>(
    at: &Emitter<'c, 'a>,
    source: V<'c, 'a>,
    exprs: &[Expr],
    values: &[V<'c, 'a>],
    mask: Option<V<'c, 'a>>,
    other: Option<V<'c, 'a>>,
) -> Emitted<'c, 'a> {
    let ranges: Vec<_> = values.iter().map(|v| range_of(*v)).collect();
    // One value that stands there twice is one dimension: a quotient and a remainder of it join.
    let first = |value: &V<'c, 'a>| values.iter().position(|other| other == value);
    let once: Vec<_> = values.iter().enumerate().map(|(d, v)| Expr::Dim(first(v).unwrap_or(d))).collect();
    let exprs: Vec<_> =
        exprs.iter().map(|e| e.substitute(&once).simplify(&ranges).write(at.context)).collect();
    let (indices, map) = affine::access(at.context, &exprs, values);
    Ok(at.insert(loop_::load(at.location, source, &indices, map, mask, other)?).result_at(0)?.into())
}

/// Zero as an element, of numbers that constants can be.
pub(crate) fn zero<'c, 'a>(at: &Emitter<'c, 'a>, element: Type<'c>) -> Option<V<'c, 'a>> {
    has_zero(element).then(|| at.constant(element, Number::Int(0)))
}

/// Whether there is a constant of a type.
pub(crate) fn has_zero(element: Type) -> bool {
    Dtype::of(element).is_some_and(|dtype| dtype != Dtype::U8 && !dtype.is_complex())
}

/// The value of an expression.
fn number<'c, 'a>(at: &Emitter<'c, 'a>, expr: &Expr, values: &[V<'c, 'a>]) -> Emitted<'c, 'a> {
    let both = |name: &str, l: &Expr, r: &Expr| -> Emitted<'c, 'a> {
        Ok(at.same(name, &[number(at, l, values)?, number(at, r, values)?]))
    };
    match expr {
        Expr::Dim(d) => Ok(values[*d]),
        Expr::Constant(c) => Ok(at.index(*c)),
        Expr::Add(l, r) => both("arith.addi", l, r),
        Expr::Mul(l, r) => both("arith.muli", l, r),
        Expr::FloorDiv(l, r) => both("arith.floordivsi", l, r),
        Expr::CeilDiv(l, r) => both("arith.ceildivsi", l, r),
        Expr::Mod(l, r) => {
            // Rounded down, so that what is left is not negative.
            let (value, by) = (number(at, l, values)?, number(at, r, values)?);
            let whole = at.same("arith.muli", &[at.same("arith.floordivsi", &[value, by]), by]);
            Ok(at.same("arith.subi", &[value, whole]))
        }
    }
}
