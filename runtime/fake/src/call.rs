//! Operators on fake tensors.

use crate::mode::{Error, FakeMode, FakeNumber, FakeTensor, Number, Object, OnReal};
use melior::ir::{
    Attribute, Identifier, Location, OperationRef, Type, Value, ValueLike,
    attribute::{BoolAttribute, DenseI32ArrayAttribute, FloatAttribute, IntegerAttribute},
    operation::OperationBuilder,
    r#type::IntegerType,
};
use std::panic::Location as Caller;
use terrace_dialects::ir::{
    BlockLike, OperationLike,
    args::{Args, KnownValues},
    registry::{self, Arity, OpImpl},
    rewrite::{self, erase},
    types::is_graph_tensor,
};
use terrace_tensor::Tensor;

/// What stands for an operand of an operator's definition.
#[derive(Debug, Clone)]
pub enum Operand<'t> {
    /// None, of an optional one.
    None,
    /// A fake tensor.
    Fake(FakeTensor),
    /// A real tensor: refused or converted, as the mode says.
    Real(&'t Tensor),
    /// A number that an operator made.
    Number(FakeNumber),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// Those of a list.
    List(Vec<Operand<'t>>),
}

macro_rules! operand {
    ($($from:ty => $variant:ident;)*) => {
        $(impl<'t> From<$from> for Operand<'t> {
            fn from(value: $from) -> Self {
                Operand::$variant(value)
            }
        })*
    };
}

operand! {
    FakeTensor => Fake;
    &'t Tensor => Real;
    FakeNumber => Number;
    i64 => Int;
    f64 => Float;
    bool => Bool;
}

impl From<Option<FakeTensor>> for Operand<'_> {
    fn from(tensor: Option<FakeTensor>) -> Self {
        tensor.map_or(Operand::None, Operand::Fake)
    }
}

/// One result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    Tensor(FakeTensor),
    Number(FakeNumber),
}

/// The results of a call or of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outputs {
    pub(crate) all: Vec<Output>,
    pub(crate) location: String,
}

impl Outputs {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The tensor that a result is.
    ///
    /// # Errors
    /// There is no such result, or it is a number.
    pub fn tensor(&self, number: usize) -> Result<FakeTensor, Error> {
        match self.all.get(number) {
            Some(Output::Tensor(tensor)) => Ok(*tensor),
            other => Err(self.wrong(number, other, "tensor")),
        }
    }

    /// The number that a result is.
    ///
    /// # Errors
    /// There is no such result, or it is a tensor.
    pub fn number(&self, number: usize) -> Result<FakeNumber, Error> {
        match self.all.get(number) {
            Some(Output::Number(number)) => Ok(*number),
            other => Err(self.wrong(number, other, "number")),
        }
    }

    fn wrong(&self, number: usize, found: Option<&Output>, wanted: &str) -> Error {
        let message = match found {
            Some(_) => format!("result {number} is no {wanted}"),
            None => format!("has {} results, there is no result {number}", self.all.len()),
        };
        Error { location: self.location.clone(), message }
    }
}

impl<'c> FakeMode<'c> {
    /// Applies an operator of the graph dialect, `graph.add`. There is an operand per operand of its
    /// definition, as the reference lists them, and its attributes by their names. Guards that a refused call
    /// took stay.
    ///
    /// # Errors
    /// What the operator refuses, in eager's words, at the line of the caller; a real tensor, where the mode
    /// refuses them.
    #[track_caller]
    pub fn call(
        &mut self,
        name: &str,
        operands: &[Operand],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Outputs, Error> {
        let location = self.caller(Caller::caller());
        let class = registry::by_name(name)
            .filter(|class| class.dialect == "graph" && class.infer.is_some())
            .ok_or_else(|| Error::at(location, format!("there is no operator {name}")))?;
        let refuse = |message: String| Error::at(location, format!("'{name}' op {message}"));
        if operands.len() != class.operands.len() {
            let (wanted, given) = (class.operands.len(), operands.len());
            return Err(refuse(format!("has {wanted} operands in its definition, got {given}")));
        }
        let (mut values, mut segments) = (vec![], vec![]);
        for (number, (operand, arity)) in operands.iter().zip(class.operands).enumerate() {
            let before = values.len();
            self.operand(operand, location, &mut values)
                .map_err(|message| refuse(format!("operand {number} {message}")))?;
            let given = values.len() - before;
            match (arity, given) {
                (Arity::Single, 1) | (Arity::Optional, 0 | 1) | (Arity::Variadic, _) => {}
                _ => return Err(refuse(format!("operand {number} is one value, got {given}"))),
            }
            segments.push(given as i32);
        }
        let mut attributes = attributes.to_vec();
        if class.has_segments {
            attributes
                .push(("operandSegmentSizes", DenseI32ArrayAttribute::new(self.context, &segments).into()));
        }
        let op = self.build(class, location, &values, &attributes).map_err(refuse)?;
        let state = &mut self.state;
        if let Err(wrong) = self.symbols.enter(|| state.visit(op)) {
            let message = wrong.message;
            // SAFETY: it was appended above, and nothing uses it; guards that it took name it.
            self.refused.push(rewrite::detach(op));
            return Err(refuse(message));
        }
        Ok(self.results(op, location))
    }

    /// The values that an operand stands for.
    fn operand(
        &mut self,
        operand: &Operand,
        location: Location<'c>,
        values: &mut Vec<Value<'c, 'c>>,
    ) -> Result<(), String> {
        let context = self.context;
        let constant = match operand {
            Operand::None => return Ok(()),
            Operand::List(list) => {
                return list.iter().try_for_each(|entry| self.operand(entry, location, values));
            }
            Operand::Fake(tensor) => {
                let value = self.recorded(*tensor, location);
                values.push(self.value(value));
                return Ok(());
            }
            Operand::Real(real) => {
                if self.options.on_real == OnReal::Refuse {
                    return Err("is a real tensor among fake ones: FakeMode::fake makes it one, and OnReal::Convert all of them".into());
                }
                let tensor = self.fake(real);
                return self.operand(&tensor.into(), location, values);
            }
            Operand::Number(number) => {
                let value = self.recorded_number(*number, location);
                values.push(self.value(value));
                return Ok(());
            }
            Operand::Int(number) => {
                IntegerAttribute::new(IntegerType::new(context, 64).into(), *number).into()
            }
            Operand::Float(number) => FloatAttribute::new(context, Type::float64(context), *number).into(),
            Operand::Bool(truth) => BoolAttribute::new(context, *truth).into(),
        };
        let constant = melior::dialect::arith::constant(context, constant, location);
        let constant = self.block().append_operation(constant);
        // SAFETY: operations of the record live as long as the mode, and none is given out.
        let constant = unsafe { OperationRef::<'c, 'c>::from_raw(constant.to_raw()) };
        let state = &mut self.state;
        self.symbols.enter(|| state.visit(constant)).map_err(|wrong| wrong.message)?;
        values.push(constant.result_at(0).map_err(|error| error.to_string())?.into());
        Ok(())
    }

    /// Appends an operation to the record; its types are those that its rule gives.
    fn build(
        &mut self,
        class: &'static OpImpl,
        location: Location<'c>,
        values: &[Value<'c, 'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<OperationRef<'c, 'c>, String> {
        let context = self.context;
        let named: Vec<_> =
            attributes.iter().map(|(name, value)| (Identifier::new(context, name), *value)).collect();
        let operation = |types: &[Type<'c>]| {
            let op = OperationBuilder::new(class.name, location);
            let op = op.add_operands(values).add_attributes(&named).add_results(types);
            op.build().map_err(|error| error.to_string())
        };
        // An operation takes no attribute of another kind than its definition's; rules rely on that.
        let untyped = operation(&[])?;
        let attribute = |name: &str| untyped.attribute(name).ok();
        if let Some((name, value)) = attributes.iter().find(|(name, _)| attribute(name).is_none()) {
            return Err(format!("has no attribute '{name}' of the kind of {value}"));
        }
        // Types say what they can; the rest is asked when the operation is visited.
        let types = class.result_types(&Args::new(class, location.context(), values, &attribute))?;
        let op = operation(&types)?;
        if !op.verify() {
            return Err("is not what its definition says: its operands or attributes".into());
        }
        let op = self.block().append_operation(op);
        // SAFETY: operations of the record live as long as the mode, and none is given out.
        Ok(unsafe { OperationRef::from_raw(op.to_raw()) })
    }

    /// Handles of the results of an operation of the record.
    fn results(&mut self, op: OperationRef<'c, 'c>, location: Location<'c>) -> Outputs {
        let results: Vec<Value> = op.results().map(Value::from).collect();
        let handle = |value: Value<'c, 'c>| {
            let raw = value.to_raw();
            if let Some(fake) = self.state.fake(value).filter(|_| is_graph_tensor(value.r#type())).cloned() {
                let identity = fake.identity;
                self.objects.insert(identity, Object { fake, value: Some(raw) });
                return Output::Tensor(FakeTensor(identity));
            }
            self.numbers.push(Number {
                size: self.state.number(value),
                ty: value.r#type(),
                value: Some(raw),
            });
            Output::Number(FakeNumber(self.numbers.len() - 1))
        };
        Outputs { all: results.into_iter().map(handle).collect(), location: crate::mode::place(location) }
    }
}

/// Takes an operation out of its block.
///
/// # Safety
/// Nothing uses it any more.
pub(crate) unsafe fn discard(op: OperationRef) {
    erase(op);
}
