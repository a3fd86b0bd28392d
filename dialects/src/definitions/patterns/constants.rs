//! What operators make of small constants is a constant.
//!
//! Elements that only move may be of any dtype. Arithmetic is that of integers and truth values, where the
//! number that is folded is the one that would be computed, to the bit: sizes, places and masks are made of
//! them. Constants of more than [`LIMIT`] different elements stay as they are, so that programs do not grow.

use super::{
    Replaced, Replacement, constant,
    regions::{self, Region},
    splat, tensor, wrap,
};
use crate::{
    definitions::folds,
    ir::{
        OperationLike, attributes, context,
        dtype::{
            Dtype::{self, *},
            ElementType,
        },
        types::TensorType,
    },
    ops::functional,
};
use melior::ir::{
    Attribute, AttributeLike, OperationRef, Value, ValueLike,
    attribute::{DenseElementsAttribute, FloatAttribute, IntegerAttribute},
};

/// The most elements that a folded constant has, unless they are all the same.
const LIMIT: i64 = 64;

/// A constant tensor of few elements, in row-major order.
struct Small<'c> {
    shape: Vec<i64>,
    elements: Vec<Attribute<'c>>,
}

fn count(shape: &[i64]) -> i64 {
    shape.iter().product()
}

/// The positions of a shape, in row-major order.
fn positions(shape: &[i64]) -> impl Iterator<Item = Vec<i64>> {
    (0..count(shape)).map(|number| {
        let mut rest = number;
        let mut position: Vec<i64> = shape.iter().rev().map(|size| (rest % size, rest /= size).0).collect();
        position.reverse();
        position
    })
}

/// The row-major number of a position in a tensor that is repeated along dimensions of size 1 and along
/// leading ones.
fn repeated(shape: &[i64], position: &[i64]) -> usize {
    let own = &position[position.len() - shape.len()..];
    let add = |number: i64, (size, at): (&i64, &i64)| number * size + if *size == 1 { 0 } else { *at };
    shape.iter().zip(own).fold(0, add) as usize
}

fn small<'c>(value: Value<'c, '_>) -> Option<Small<'c>> {
    let attribute = constant(value)?;
    let ty = tensor(value)?;
    let total = count(&ty.shape);
    if !(1..=LIMIT).contains(&total) || ty.dtype == U8 {
        return None;
    }
    let elements = positions(&ty.shape).map(|place| attributes::element(attribute, &place)).collect();
    Some(Small { shape: ty.shape, elements })
}

/// The constant of an operation's result type with these elements, or with one that it repeats.
fn folded<'c, 'a>(op: OperationRef<'c, 'a>, elements: &[Attribute<'c>]) -> Replaced<'c, 'a> {
    let ty = op.result_at(0).ok()?.r#type();
    let all = match elements {
        [one] => DenseElementsAttribute::splat(ty, *one),
        _ => DenseElementsAttribute::new(ty, elements).ok()?,
    };
    folds::materialize("functional", all.into(), ty, op.location()).map(Replacement::Operation)
}

/// The type of the result, where its elements are few.
fn result<'c>(op: OperationRef<'c, '_>) -> Option<TensorType<'c>> {
    tensor(op.result_at(0).ok()?.into()).filter(|ty| (1..=LIMIT).contains(&count(&ty.shape)))
}

/// `view`, `squeeze`, `unsqueeze`, `permute`, `expand`, `select` and `slice` of a constant.
pub fn moved<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let (from, to) = (small(op.operand(0).ok()?)?, result(op)?.shape);
    let source: Box<dyn Fn(Vec<i64>) -> Vec<i64>> = if let Ok(permute) = functional::PermuteOp::try_from(op) {
        let dims: Vec<usize> = permute.dims().into_iter().map(|dim| wrap(dim, to.len())).collect();
        Box::new(move |position| {
            let mut source = vec![0; position.len()];
            dims.iter().zip(position).for_each(|(dim, at)| source[*dim] = at);
            source
        })
    } else if functional::ExpandOp::try_from(op).is_ok() {
        Box::new(|position| position)
    } else if let Some(part) = regions::part(op) {
        let Region::Range { dim, start, step, kept, .. } = part.region else { return None };
        Box::new(move |mut position| {
            match kept {
                true => position[dim] = start + position[dim] * step,
                false => position.insert(dim, start),
            }
            position
        })
    } else {
        return folded(op, &from.elements);
    };
    let elements: Vec<Attribute> =
        positions(&to).map(|position| from.elements[repeated(&from.shape, &source(position))]).collect();
    folded(op, &elements)
}

/// `cat` of constants.
pub fn joined<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let cat = functional::CatOp::try_from(op).ok()?;
    let ty = result(op)?;
    let dim = wrap(cat.dim().unwrap_or(0), ty.shape.len());
    let same = |value: &Value| tensor(*value).is_some_and(|own| own.dtype == ty.dtype);
    if !op.operands().all(|value| same(&value)) {
        return None;
    }
    let parts = op.operands().map(small).collect::<Option<Vec<_>>>()?;
    let element = |mut position: Vec<i64>| {
        for part in &parts {
            if position[dim] < part.shape[dim] {
                return Some(part.elements[repeated(&part.shape, &position)]);
            }
            position[dim] -= part.shape[dim];
        }
        None
    };
    folded(op, &positions(&ty.shape).map(element).collect::<Option<Vec<_>>>()?)
}

/// `arange` of integers and truth values.
pub fn range<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let arange = functional::ArangeOp::try_from(op).ok()?;
    let ty = result(op)?;
    let number = |value: Value<'c, 'a>| integer(constant(value)?, Dtype::of(value.r#type())?);
    let (start, step) = (number(arange.start())?, number(arange.step())?);
    let elements = (0..ty.shape[0]).map(|i| element(op, start.wrapping_add(step.wrapping_mul(i)), ty.dtype));
    folded(op, &elements.collect::<Option<Vec<_>>>()?)
}

fn is(truth: bool) -> i64 {
    i64::from(truth)
}

/// What an operator computes of the elements at one place.
type Compute = fn(&[i64]) -> i64;

/// What pointwise operators compute of integers and truth values, before the result wraps to its dtype.
static POINTWISE: &[(&str, Compute)] = &[
    ("_to_copy", |v| v[0]),
    ("abs", |v| v[0].wrapping_abs()),
    ("add", |v| v[0].wrapping_add(v[1])),
    ("bitwise_and", |v| v[0] & v[1]),
    ("bitwise_or", |v| v[0] | v[1]),
    ("bitwise_xor", |v| v[0] ^ v[1]),
    ("eq", |v| is(v[0] == v[1])),
    ("ge", |v| is(v[0] >= v[1])),
    ("gt", |v| is(v[0] > v[1])),
    ("le", |v| is(v[0] <= v[1])),
    ("logical_and", |v| is(v[0] != 0 && v[1] != 0)),
    ("logical_not", |v| is(v[0] == 0)),
    ("logical_or", |v| is(v[0] != 0 || v[1] != 0)),
    ("logical_xor", |v| is((v[0] != 0) != (v[1] != 0))),
    ("lt", |v| is(v[0] < v[1])),
    ("maximum", |v| v[0].max(v[1])),
    ("minimum", |v| v[0].min(v[1])),
    ("mul", |v| v[0].wrapping_mul(v[1])),
    ("ne", |v| is(v[0] != v[1])),
    ("neg", |v| v[0].wrapping_neg()),
    ("sub", |v| v[0].wrapping_sub(v[1])),
    ("where", |v| if v[0] != 0 { v[1] } else { v[2] }),
];

/// An element as an integer.
fn integer(element: Attribute, dtype: Dtype) -> Option<i64> {
    let is_integer = element.is_integer();
    match dtype {
        Bool => is_integer.then(|| is(attributes::bool(element))),
        I8 | I16 | I32 | I64 => is_integer.then(|| attributes::i64(element)),
        _ => None,
    }
}

/// An integer as an element: wrapped; a float only where it is that number.
fn element<'c>(op: OperationRef<'c, '_>, number: i64, dtype: Dtype) -> Option<Attribute<'c>> {
    let context = context::of(op.context());
    let ty = dtype.to_type(context);
    let exact = |bits: u32| number.unsigned_abs() <= 1 << bits;
    let number = match dtype {
        Bool => is(number != 0),
        I8 => number as i8 as i64,
        I16 => number as i16 as i64,
        I32 => number as i32 as i64,
        I64 => number,
        F32 if exact(24) => return Some(FloatAttribute::new(context, ty, number as f64).into()),
        F64 if exact(53) => return Some(FloatAttribute::new(context, ty, number as f64).into()),
        _ => return None,
    };
    Some(IntegerAttribute::new(ty, number).into())
}

/// A pointwise operator of constants that are integers or truth values.
pub fn pointwise<'c, 'a>(op: OperationRef<'c, 'a>) -> Replaced<'c, 'a> {
    let name = op.name();
    let name = name.as_string_ref().as_str().ok()?.strip_prefix("functional.")?;
    let function = POINTWISE.iter().find(|(own, _)| *own == name)?.1;
    let ty = tensor(op.result_at(0).ok()?.into())?;
    let dtypes = op.operands().map(|value| Some(tensor(value)?.dtype)).collect::<Option<Vec<_>>>()?;
    let compute = |elements: Vec<Attribute<'c>>| {
        let numbers: Option<Vec<i64>> =
            elements.into_iter().zip(&dtypes).map(|(e, d)| integer(e, *d)).collect();
        element(op, function(&numbers?), ty.dtype)
    };
    if let Some(elements) = op.operands().map(splat).collect::<Option<Vec<_>>>() {
        return folded(op, &[compute(elements)?]);
    }
    let ty = result(op)?;
    let operands = op.operands().map(small).collect::<Option<Vec<_>>>()?;
    let at = |number: usize| compute(operands.iter().map(|operand| operand.elements[number]).collect());
    folded(op, &(0..count(&ty.shape) as usize).map(at).collect::<Option<Vec<_>>>()?)
}
