//! What patterns are written with: what replaces an operation, and questions about values.

pub(super) use crate::ir::operations::constant;
use crate::ir::{attributes, builder::BuildError, operations, types::TensorType};
use melior::ir::{Attribute, Operation, OperationRef, Value, ValueLike};

/// What an operation is replaced by.
pub(super) enum Replacement<'c, 'a> {
    /// A value of the same type.
    Value(Value<'c, 'a>),
    /// A new operation of the same result type.
    Operation(Operation<'c>),
}

pub(super) type Replaced<'c, 'a> = Option<Replacement<'c, 'a>>;

impl<'c> Replacement<'c, '_> {
    /// A new operation that was built. Where it could not be, nothing is replaced.
    pub(super) fn built(op: Result<Operation<'c>, BuildError>) -> Option<Self> {
        op.ok().map(Self::Operation)
    }
}

/// The operation that a value is a result of.
pub(super) fn source<'c, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    operations::definition(value)
}

/// The operation of class `T` that a value is a result of.
pub(super) fn defined<'c: 'a, 'a, T: TryFrom<OperationRef<'c, 'a>>>(value: Value<'c, 'a>) -> Option<T> {
    T::try_from(source(value)?).ok()
}

/// The type of a tensor with static sizes.
pub(super) fn tensor<'c>(value: Value<'c, '_>) -> Option<TensorType<'c>> {
    TensorType::of(value.r#type()).filter(TensorType::is_static)
}

/// A dimension, counted from the end where negative.
pub(super) fn wrap(dim: i64, rank: usize) -> usize {
    (if dim < 0 { dim + rank.max(1) as i64 } else { dim }) as usize
}

/// The element that a constant tensor repeats.
pub(super) fn splat<'c>(value: Value<'c, '_>) -> Option<Attribute<'c>> {
    attributes::splat(constant(value)?)
}
