//! Functions of modules, followed from example inputs.

use crate::{
    call::{Operand, Output, Outputs},
    mode::{Error, FakeMode, FakeNumber, FakeTensor, Number, Object},
};
use melior::ir::{Location, Module, OperationRef, Type, TypeLike, Value, ValueLike};
use std::panic::Location as Caller;
use terrace_dialects::{
    analysis::fake::{Fake, Thing},
    ir::{
        BlockLike, OperationLike,
        arguments::{self, Layout as Declared},
        types::{TensorType, is_count, is_float, is_truth},
    },
};
use terrace_size::{DYNAMIC, Number as _};

impl<'c> FakeMode<'c> {
    /// Follows a function of a module, which outlives the mode: its results, for these arguments. Real
    /// tensors among them are its example inputs, and become fake ones. It is not recorded: what it makes has
    /// no elements to be computed.
    ///
    /// # Errors
    /// There is no such function, an argument is not what it declares, or an operation refuses its operands;
    /// at the line of the caller, or at the operation.
    #[track_caller]
    pub fn propagate(
        &mut self,
        module: &'c Module<'c>,
        name: &str,
        given: &[Operand],
    ) -> Result<Outputs, Error> {
        let location = self.caller(Caller::caller());
        let mut functions = std::iter::successors(module.body().first_operation(), |op| op.next_in_block());
        let is_it = |op: &OperationRef| {
            op.attribute("sym_name").is_ok_and(|own| terrace_dialects::ir::attributes::string(own) == name)
        };
        let function = functions
            .find(is_it)
            .ok_or_else(|| Error::at(location, format!("no function is named @{name}")))?;
        let block = function.region(0).ok().and_then(|region| melior::ir::RegionLike::first_block(&region));
        let block =
            block.ok_or_else(|| Error::at(location, format!("@{name} is declared but not defined")))?;
        if given.len() != block.argument_count() {
            let wanted = block.argument_count();
            return Err(Error::at(
                location,
                format!("@{name} takes {wanted} arguments, got {}", given.len()),
            ));
        }
        self.symbols.asks(function.to_raw().ptr as usize);
        let (mut things, mut objects) = (vec![], vec![]);
        for (number, operand) in given.iter().enumerate() {
            let value: Value = block.argument(number).map_err(|e| Error::at(location, e.to_string()))?.into();
            let refuse =
                |message: String| Error::at(location, format!("argument {number} of @{name} {message}"));
            let ty = value.r#type();
            things.push(match operand {
                Operand::Fake(_) | Operand::Real(_) => {
                    let fake = self.argument(operand).map_err(refuse)?;
                    let declared =
                        arguments::declared(function, number).map_err(|e| refuse(e.to_string()))?;
                    self.fits(value, &declared.layout, &fake).map_err(refuse)?;
                    objects.push(FakeTensor(fake.identity));
                    Thing::Tensor(fake)
                }
                Operand::Int(number) if is_count(ty) => Thing::Number((*number).into()),
                Operand::Number(number) if self.numbers[number.0].ty == ty => {
                    self.number(*number).map_or(Thing::Unknown, Thing::Number)
                }
                Operand::Bool(_) if is_truth(ty) => Thing::Unknown,
                Operand::Float(_) if is_float(ty) => Thing::Unknown,
                other => return Err(refuse(format!("is {ty}, got {other:?}"))),
            });
        }
        let before: Vec<usize> = self.state.storages.iter().map(|storage| storage.version).collect();
        let state = &mut self.state;
        match self.symbols.enter(|| state.run(function, things)) {
            Ok(things) => {
                let types = function_results(function);
                let made = self.outputs(things, &types, location);
                self.outdate(&objects, &before);
                Ok(made)
            }
            Err(wrong) => {
                let op = wrong.op;
                let op_name = op.name();
                let op_name = op_name.as_string_ref();
                let op_name = op_name.as_str().unwrap_or_default();
                Err(Error::at(op.location(), format!("'{op_name}' op {}", wrong.message)))
            }
        }
    }

    fn argument(&mut self, operand: &Operand) -> Result<Fake<'c>, String> {
        let tensor = match operand {
            Operand::Real(real) => self.fake(real),
            Operand::Fake(tensor) => *tensor,
            _ => return Err("is no tensor".into()),
        };
        Ok(self.get(tensor).clone())
    }

    /// Whether a tensor is what an argument declares; sizes that are symbols are taken for what the type
    /// says.
    fn fits(&mut self, value: Value<'c, '_>, declared: &Declared, fake: &Fake<'c>) -> Result<(), String> {
        let ty = TensorType::of(value.r#type()).ok_or("is no tensor in the function")?;
        let (known, device) = (fake.known.clone(), fake.device);
        let layout = &known.layout;
        self.symbols.enter(|| {
            let equal = |wanted: &[i64], own: &[terrace_size::Size]| {
                wanted.len() == own.len()
                    && wanted
                        .iter()
                        .zip(own)
                        .all(|(wanted, own)| *wanted == DYNAMIC || own.assume_eq(*wanted))
            };
            if ty.dtype != known.dtype || ty.device != device || !equal(&ty.shape, &layout.sizes) {
                let sizes = &layout.sizes;
                return Err(format!("is {}, got {:?}{sizes:?}", value.r#type(), known.dtype));
            }
            let (strides, fits) = match declared {
                Declared::Any => return Ok(()),
                Declared::Contiguous => {
                    ("contiguous".to_owned(), layout.is_contiguous() && layout.offset.assume_eq(0))
                }
                Declared::Strided { strides, offset } => (
                    format!("of strides {strides:?} and offset {offset}"),
                    equal(strides, &layout.strides) && equal(&[*offset], &[layout.offset]),
                ),
            };
            if fits {
                return Ok(());
            }
            let (own, offset) = (&layout.strides, layout.offset);
            Err(format!("is {strides}, got strides {own:?} and offset {offset}"))
        })
    }

    /// What a function did to its arguments is not in the record: objects whose elements or metadata it
    /// changed have no value there any more.
    fn outdate(&mut self, arguments: &[FakeTensor], before: &[usize]) {
        let written = |storage: &usize| {
            before.get(*storage).is_some_and(|version| self.state.storages[*storage].version != *version)
        };
        for object in self.objects.values_mut().filter(|object| object.fake.storages.iter().any(written)) {
            object.value = None;
        }
        for argument in arguments {
            if let (Some(fake), Some(object)) =
                (self.state.changed.remove(&argument.0), self.objects.get_mut(&argument.0))
            {
                *object = Object { fake, value: None };
            }
        }
    }

    /// Handles of what a function made.
    fn outputs(&mut self, things: Vec<Thing<'c>>, types: &[Type<'c>], location: Location<'c>) -> Outputs {
        let handle = |(thing, ty): (Thing<'c>, &Type<'c>)| match thing {
            Thing::Tensor(fake) => {
                let identity = fake.identity;
                let value = self.objects.get(&identity).and_then(|object| object.value);
                self.objects.insert(identity, Object { fake, value });
                Output::Tensor(FakeTensor(identity))
            }
            number => {
                let size = if let Thing::Number(size) = number { Some(size) } else { None };
                self.numbers.push(Number { size, ty: *ty, value: None });
                Output::Number(FakeNumber(self.numbers.len() - 1))
            }
        };
        Outputs {
            all: things.into_iter().zip(types).map(handle).collect(),
            location: crate::mode::place(location),
        }
    }
}

/// The types of a function's results.
fn function_results<'c>(function: OperationRef<'c, '_>) -> Vec<Type<'c>> {
    let Ok(signature) = function.attribute("function_type") else { return vec![] };
    let signature = terrace_dialects::ir::attributes::ty(signature).to_raw();
    // SAFETY: the type of a function is a function type.
    unsafe {
        (0..mlir_sys::mlirFunctionTypeGetNumResults(signature))
            .map(|number| Type::from_raw(mlir_sys::mlirFunctionTypeGetResult(signature, number)))
            .collect()
    }
}
