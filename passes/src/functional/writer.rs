//! Writes operations of the functional dialect at a place: the vocabulary of what spells one operator by
//! others.
//!
//! Results are inferred, so the operands say everything. Numbers are tensors here: [`Writer::like`] fills one
//! to go along with another.

mod estimates;
mod rounds;
mod sizes;
mod tensors;

pub use tensors::{broadcast, number, same};

use melior::{
    Context,
    ir::{
        Attribute, Identifier, Location, Operation, OperationRef, Type, Value, ValueLike,
        attribute::{FloatAttribute, IntegerAttribute},
        operation::OperationBuilder,
    },
};
use terrace_dialects::{
    analysis::known::Known,
    internal,
    ir::{
        OperationLike,
        builder::BuildError,
        context,
        cursor::Cursor,
        dtype::{Category, Dtype, ElementType},
        pass::Failure,
        types::TensorType,
    },
    ops::functional,
};
use terrace_size::Size;

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
    /// What is known of values beyond their types.
    pub known: Known<'a>,
}

impl<'c, 'a> Writer<'c, 'a> {
    /// Stands in front of an operation, with nothing known of values but their types.
    pub fn before(before: OperationRef<'c, 'a>) -> Self {
        Self { context: context::of(before.context()), before, known: Known::NOTHING }
    }

    /// The same place, with this known of values.
    pub fn knowing(self, known: Known<'a>) -> Self {
        Self { known, ..self }
    }

    /// The location of operations that are made now.
    pub fn location(&self) -> Location<'c> {
        self.before.location()
    }

    /// Inserts an operation.
    pub fn insert(&self, op: Result<Operation<'c>, BuildError>) -> Result<OperationRef<'c, 'a>, Failure> {
        let op = Cursor::before(self.before)?.insert(op?);
        self.known.infer(op)?;
        Ok(op)
    }

    /// Inserts an operation of several results.
    pub fn values(&self, op: Result<Operation<'c>, BuildError>) -> Result<Vec<Value<'c, 'a>>, Failure> {
        self.insert(op)?.results().map(|result| self.typed(result.into())).collect()
    }

    /// Inserts an operation of one result.
    pub fn value(&self, op: Result<Operation<'c>, BuildError>) -> Result<Value<'c, 'a>, Failure> {
        self.typed(self.insert(op)?.result_at(0)?.into())
    }

    /// A tensor as one of a type that says all that is known of its sizes.
    pub fn typed(&self, value: Value<'c, 'a>) -> Written<'c, 'a> {
        if !self.known.is_there() {
            return Ok(value);
        }
        let Some(ty) = TensorType::<i64>::of(value.r#type()).filter(|ty| !ty.is_static()) else {
            return Ok(value);
        };
        let Some(sizes) = self.known.sizes(value) else { return Ok(value) };
        self.of_type(value, &sizes, ty.dtype)
    }

    /// A tensor as one of the type that sizes have.
    pub fn of_type(&self, value: Value<'c, 'a>, sizes: &[Size], dtype: Dtype) -> Written<'c, 'a> {
        let ty = self.tensor_type(dtype, sizes);
        let cast = self.cast_to(value, ty)?;
        self.known.set_sizes(cast, sizes);
        Ok(cast)
    }

    /// A tensor as one of a type that says more or less of its sizes.
    ///
    /// # Errors
    /// The types can't be of one tensor: what is taken for granted of sizes contradicts itself.
    pub fn cast_to(&self, value: Value<'c, 'a>, ty: Type<'c>) -> Written<'c, 'a> {
        if value.r#type() == ty {
            return Ok(value);
        }
        if !TensorType::<i64>::may_be_one(value.r#type(), ty) {
            let why = format!(
                "is on a tensor of which sizes that contradict each other are taken for granted: {} is no {ty}",
                value.r#type()
            );
            return Err(why.into());
        }
        let cast = OperationBuilder::new("tensor.cast", self.location()).add_operands(&[value]);
        Ok(self.insert(Ok(cast.add_results(&[ty]).build()?))?.result_at(0)?.into())
    }

    /// A tensor type, with `?` for what is no number.
    pub fn tensor_type(&self, dtype: Dtype, sizes: &[impl Into<Size> + Copy]) -> Type<'c> {
        let shape = sizes.iter().map(|size| (*size).into().simplified().in_type()).collect();
        TensorType { shape, dtype, device: None, graph: false }.to_type(self.context)
    }

    /// A constant.
    fn constant(&self, value: Attribute<'c>, ty: Type<'c>) -> Written<'c, 'a> {
        let op = OperationBuilder::new("arith.constant", self.location())
            .add_attributes(&[(Identifier::new(self.context, "value"), value)])
            .add_results(&[ty])
            .build()?;
        self.value(Ok(op))
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
        self.constant(value, ty)
    }

    /// A constant number, f64.
    pub fn float(&self, value: f64) -> Result<Value<'c, 'a>, Failure> {
        let ty = Dtype::F64.to_type(self.context);
        self.constant(FloatAttribute::new(self.context, ty, value).into(), ty)
    }

    /// A tensor filled with a number.
    pub fn full(
        &self,
        number: Value<'c, 'a>,
        dtype: Dtype,
        sizes: &[impl Into<Size> + Copy],
    ) -> Written<'c, 'a> {
        self.of_sizes(dtype, sizes, |at, ty, dynamic| functional::full(at, ty, number, dynamic))
    }

    /// A new tensor of some sizes, by an operator that gets its type and the sizes which that does not say.
    pub fn of_sizes(
        &self,
        dtype: Dtype,
        sizes: &[impl Into<Size> + Copy],
        build: impl FnOnce(Location<'c>, &[Type<'c>], &[Value<'c, 'a>]) -> Result<Operation<'c>, BuildError>,
    ) -> Written<'c, 'a> {
        let sizes: Vec<Size> = sizes.iter().map(|size| (*size).into()).collect();
        let (dynamic, ty) = (self.listed(&sizes)?.0, self.tensor_type(dtype, &sizes));
        let value = self.value(build(self.location(), &[ty], &dynamic))?;
        self.known.set_sizes(value, &sizes);
        Ok(value)
    }

    /// The tensor in another dtype.
    pub fn cast(&self, value: Value<'c, 'a>, dtype: Dtype) -> Result<Value<'c, 'a>, Failure> {
        let own = TensorType::of(value.r#type()).ok_or(internal!("a cast is of a tensor"))?;
        if own.dtype == dtype {
            return Ok(value);
        }
        self.value(functional::to_copy(self.location(), value, dtype.to_type(self.context)))
    }

    /// The tensor broadcast to a shape.
    pub fn expand(&self, value: Value<'c, 'a>, sizes: &[impl Into<Size> + Copy]) -> Written<'c, 'a> {
        let sizes: Vec<Size> = sizes.iter().map(|size| (*size).into()).collect();
        if same(&self.sizes(value)?, &sizes) {
            return Ok(value);
        }
        let (dynamic, sizes) = self.listed(&sizes)?;
        self.value(functional::expand(self.location(), value, &dynamic, &sizes))
    }

    /// A tensor filled with a number, of the dtype and shape of another tensor.
    pub fn like(&self, tensor: Value<'c, 'a>, number: f64) -> Written<'c, 'a> {
        let (dtype, sizes) = (self.ty(tensor)?.dtype, self.sizes(tensor)?);
        let inexact = dtype.is_inexact();
        let number = if inexact { self.float(number)? } else { self.number(dtype, number as i64)? };
        self.full(number, dtype, &sizes)
    }

    /// The same filled with a size.
    pub fn like_size(&self, tensor: Value<'c, 'a>, size: Size) -> Written<'c, 'a> {
        match size.simplified().known() {
            Some(number) => self.like(tensor, number as f64),
            None => self.full(self.size(size)?, self.ty(tensor)?.dtype, &self.sizes(tensor)?),
        }
    }

    /// The same filled with a number over a size.
    pub fn like_part(&self, tensor: Value<'c, 'a>, number: f64, size: Size) -> Written<'c, 'a> {
        match size.simplified().known() {
            Some(count) => self.like(tensor, number / count as f64),
            None => self.full(self.share(number, size)?, self.ty(tensor)?.dtype, &self.sizes(tensor)?),
        }
    }

    /// A tensor over a size.
    pub fn over_size(&self, tensor: Value<'c, 'a>, size: Size) -> Written<'c, 'a> {
        self.quotient(tensor, self.like_size(tensor, size)?)
    }

    /// The integers from a number on, by a step, as many as a size.
    pub fn counted(&self, size: Size, start: i64, step: i64) -> Written<'c, 'a> {
        let (start, step) = (self.number(Dtype::I64, start)?, self.number(Dtype::I64, step)?);
        self.of_sizes(Dtype::I64, &[size], |at, ty, dynamic| functional::arange(at, ty, start, step, dynamic))
    }

    /// An operator of one tensor.
    pub fn unary(&self, op: Unary<'c, 'a>, a: Value<'c, 'a>) -> Written<'c, 'a> {
        self.value(op(self.location(), a))
    }

    /// An operator of two tensors of one dtype and shape.
    pub fn binary(&self, op: Binary<'c, 'a>, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Written<'c, 'a> {
        // What was learned of sizes since they were made holds for both.
        self.value(op(self.location(), self.typed(a)?, self.typed(b)?))
    }

    /// The quotient of two tensors.
    pub fn quotient(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Written<'c, 'a> {
        self.binary(|at, a, b| functional::div(at, a, b, None), a, b)
    }

    /// Elements of `yes` where the condition holds, of `no` elsewhere.
    pub fn choose(&self, condition: Value<'c, 'a>, yes: Value<'c, 'a>, no: Value<'c, 'a>) -> Written<'c, 'a> {
        let [condition, yes, no] = [condition, yes, no].map(|value| self.typed(value));
        self.value(functional::where_(self.location(), condition?, yes?, no?))
    }
}
