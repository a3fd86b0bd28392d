//! Writes operations of the functional dialect at a place: the vocabulary of what spells one operator by others.
//!
//! Results are inferred, so the operands say everything. Numbers are tensors here: [`Writer::like`] fills one to go along
//! with another.

mod tensors;

pub use tensors::broadcast;

use melior::{
    Context,
    ir::{
        Attribute, BlockLike, Identifier, Location, Operation, OperationRef, Type, Value, ValueLike,
        attribute::{FloatAttribute, IntegerAttribute},
        operation::{OperationBuilder, OperationLike},
    },
};
use terrace_dialects::{
    builder::BuildError,
    context,
    dtype::{Category, Dtype},
    ops::functional,
    pass::Failure,
    types::TensorType,
};

/// A value that was written, or why there is none.
pub type Written<'c, 'a> = Result<Value<'c, 'a>, Failure>;
/// Builds an operator of one tensor.
pub type Unary<'c, 'a> = fn(Location<'c>, Value<'c, 'a>) -> Result<Operation<'c>, BuildError>;
/// Builds an operator of two tensors.
pub type Binary<'c, 'a> = fn(Location<'c>, Value<'c, 'a>, Value<'c, 'a>) -> Result<Operation<'c>, BuildError>;

/// Writes operations in front of one, at its location.
#[derive(Clone, Copy)]
pub struct Writer<'c, 'a> {
    /// The context of all operations.
    pub context: &'c Context,
    /// Operations are inserted before this one, at its location.
    pub before: OperationRef<'c, 'a>,
}

impl<'c, 'a> Writer<'c, 'a> {
    /// Stands in front of an operation.
    pub fn before(before: OperationRef<'c, 'a>) -> Self {
        Self { context: context::of(before.context()), before }
    }

    /// The location of operations that are made now.
    pub fn location(&self) -> Location<'c> {
        self.before.location()
    }

    /// Inserts an operation.
    pub fn insert(&self, op: Result<Operation<'c>, BuildError>) -> Result<OperationRef<'c, 'a>, Failure> {
        let block = self.before.block().ok_or("an operation stands in no block")?;
        Ok(block.insert_operation_before(self.before, op?))
    }

    /// Inserts an operation of one result.
    pub fn value(&self, op: Result<Operation<'c>, BuildError>) -> Result<Value<'c, 'a>, Failure> {
        Ok(self.insert(op)?.result(0)?.into())
    }

    /// A tensor type.
    pub fn tensor_type(&self, dtype: Dtype, sizes: &[i64]) -> Type<'c> {
        TensorType { shape: sizes.to_vec(), dtype, device: None, graph: false }.to_type(self.context)
    }

    /// A constant number that a dtype has: f64, i64 or i1.
    pub fn number(&self, dtype: Dtype, value: i64) -> Result<Value<'c, 'a>, Failure> {
        let (ty, value): (Type, Attribute) = match dtype.category() {
            Category::Float | Category::Complex => {
                let ty = Dtype::F64.to_type(self.context);
                (ty, FloatAttribute::new(self.context, ty, value as f64).into())
            }
            category => {
                let dtype = if category == Category::Bool { Dtype::Bool } else { Dtype::I64 };
                let ty = dtype.to_type(self.context);
                (ty, IntegerAttribute::new(ty, value).into())
            }
        };
        let op = OperationBuilder::new("arith.constant", self.location())
            .add_attributes(&[(Identifier::new(self.context, "value"), value)])
            .add_results(&[ty])
            .build()?;
        self.value(Ok(op))
    }

    /// A constant number, f64.
    pub fn float(&self, value: f64) -> Result<Value<'c, 'a>, Failure> {
        let ty = Dtype::F64.to_type(self.context);
        let value = FloatAttribute::new(self.context, ty, value).into();
        let op = OperationBuilder::new("arith.constant", self.location())
            .add_attributes(&[(Identifier::new(self.context, "value"), value)])
            .add_results(&[ty])
            .build()?;
        self.value(Ok(op))
    }

    /// A tensor filled with a number.
    pub fn full(&self, number: Value<'c, 'a>, dtype: Dtype, sizes: &[i64]) -> Result<Value<'c, 'a>, Failure> {
        self.value(functional::full(self.location(), &[self.tensor_type(dtype, sizes)], number, &[]))
    }

    /// The tensor in another dtype.
    pub fn cast(&self, value: Value<'c, 'a>, dtype: Dtype) -> Result<Value<'c, 'a>, Failure> {
        let own = TensorType::of(value.r#type()).ok_or("a cast is of a tensor")?;
        if own.dtype == dtype {
            return Ok(value);
        }
        self.value(functional::to_copy(self.location(), value, dtype.to_type(self.context)))
    }

    /// The tensor broadcast to a shape.
    pub fn expand(&self, value: Value<'c, 'a>, sizes: &[i64]) -> Result<Value<'c, 'a>, Failure> {
        let own = TensorType::of(value.r#type()).ok_or("an expansion is of a tensor")?;
        if own.shape == sizes {
            return Ok(value);
        }
        self.value(functional::expand(self.location(), value, &[], sizes))
    }

    /// A tensor filled with a number, of the dtype and shape of another tensor, whose sizes are static.
    pub fn like(&self, tensor: Value<'c, 'a>, number: f64) -> Written<'c, 'a> {
        let ty = TensorType::of(tensor.r#type()).ok_or("expects a tensor")?;
        if ty.dtype.is_inexact() {
            self.full(self.float(number)?, ty.dtype, &ty.shape)
        } else {
            self.full(self.number(ty.dtype, number as i64)?, ty.dtype, &ty.shape)
        }
    }

    /// An operator of one tensor.
    pub fn unary(&self, op: Unary<'c, 'a>, a: Value<'c, 'a>) -> Written<'c, 'a> {
        self.value(op(self.location(), a))
    }

    /// An operator of two tensors of one dtype and shape.
    pub fn binary(&self, op: Binary<'c, 'a>, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Written<'c, 'a> {
        self.value(op(self.location(), a, b))
    }

    /// The quotient of two tensors.
    pub fn quotient(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Written<'c, 'a> {
        self.value(functional::div(self.location(), a, b, None))
    }

    /// Elements of `yes` where the condition holds, of `no` elsewhere.
    pub fn choose(&self, condition: Value<'c, 'a>, yes: Value<'c, 'a>, no: Value<'c, 'a>) -> Written<'c, 'a> {
        self.value(functional::where_(self.location(), condition, yes, no))
    }
}
