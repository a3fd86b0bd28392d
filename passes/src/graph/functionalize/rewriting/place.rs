//! A place where operations go, in the core or on its boundary, and the few of arith that both need.

use super::super::analysis::tensors::Layout;
use crate::functional::writer::{Writer, Written};
use melior::ir::{
    Attribute, Identifier, Location, Operation, OperationRef, Type, Value, attribute::IntegerAttribute,
    operation::OperationBuilder,
};
use terrace_dialects::{
    ir::{
        OperationLike, context,
        dtype::{Dtype, ElementType},
        pass::Failure,
    },
    ops::graph,
};

/// Where operations go.
#[derive(Clone, Copy)]
pub struct Place<'p, 'c, 'a> {
    /// Puts an operation there.
    pub put: &'p dyn Fn(Operation<'c>) -> Result<OperationRef<'c, 'a>, Failure>,
    /// The location of what is made.
    pub location: Location<'c>,
}

impl<'c, 'a> Place<'_, 'c, 'a> {
    /// An operation by its name.
    pub fn op(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, Attribute<'c>)],
        results: &[Type<'c>],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let context = context::of(self.location.context());
        let attributes: Vec<_> =
            attributes.iter().map(|(name, value)| (Identifier::new(context, name), *value)).collect();
        let op = OperationBuilder::new(name, self.location).add_operands(operands);
        (self.put)(op.add_attributes(&attributes).add_results(results).build()?)
    }

    /// An operation of one result.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, Attribute<'c>)],
        ty: Type<'c>,
    ) -> Written<'c, 'a> {
        Ok(self.op(name, operands, attributes, &[ty])?.result_at(0)?.into())
    }

    /// The type of a number or a truth value.
    pub fn scalar(&self, dtype: Dtype) -> Type<'c> {
        dtype.to_type(context::of(self.location.context()))
    }

    /// A constant of an integer type.
    pub fn constant(&self, ty: Type<'c>, number: i64) -> Written<'c, 'a> {
        self.value("arith.constant", &[], &[("value", IntegerAttribute::new(ty, number).into())], ty)
    }

    /// Whether two numbers, i64, are so by a predicate of `arith.cmpi`.
    pub fn compared(&self, predicate: i64, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Written<'c, 'a> {
        let predicate = IntegerAttribute::new(self.scalar(Dtype::I64), predicate).into();
        self.value("arith.cmpi", &[a, b], &[("predicate", predicate)], self.scalar(Dtype::Bool))
    }
}

/// A view of a tensor's storage with exactly these sizes, strides and offset.
pub(crate) fn as_strided<'c, 'a>(
    w: &Writer<'c, 'a>,
    location: Location<'c>,
    tensor: Value<'c, 'a>,
    to: &Layout,
) -> Written<'c, 'a> {
    let (sizes, strides, at) = (w.listed(&to.sizes)?, w.listed(&to.strides)?, w.listed(&[to.offset])?);
    let view = graph::as_strided(location, tensor, &sizes.0, &sizes.1, &strides.0, &strides.1, &at.0, &at.1);
    Ok(w.insert(view)?.result_at(0)?.into())
}
