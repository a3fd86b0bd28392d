//! Out of the mode: real elements of fake tensors.

use crate::{
    call::discard,
    mode::{Error, FakeMode, FakeTensor},
};
use melior::{
    dialect::func,
    ir::{AttributeLike, Value, ValueLike, attribute::TypeAttribute, r#type::FunctionType},
};
use std::{collections::HashMap, panic::Location as Caller};
use terrace_dialects::ir::{BlockLike, OperationLike};
use terrace_interpreter::Interpreter;
use terrace_tensor::{Storage, Tensor, TensorError, Value as RuntimeValue};

impl FakeMode<'_> {
    /// What fake tensors are: all that was called, computed by the interpreter from copies of the real
    /// tensors as they are now. Real tensors are not written; results that alias each other still do.
    ///
    /// # Errors
    /// A tensor, or anything that was called, depends on one that was not recorded, for
    /// [`FakeMode::propagate`] made or changed it; an operation refuses the elements that it gets, at the
    /// line that called it.
    #[track_caller]
    pub fn compute(&mut self, tensors: &[FakeTensor]) -> Result<Vec<Tensor>, Error> {
        let location = self.caller(Caller::caller());
        let lost = || {
            Error::at(location, "a tensor that a followed function made was not recorded and has no elements")
        };
        let values = tensors.iter().map(|tensor| self.object(*tensor).value.ok_or_else(lost));
        let values: Vec<Value> =
            values.collect::<Result<Vec<_>, _>>()?.into_iter().map(|raw| self.value(raw)).collect();
        let mut copies = HashMap::new();
        let arguments = self.arguments.iter().map(|real| match real {
            Some(real) => copy(real, &mut copies).map_err(|error| Error::at(location, error.to_string())),
            None => Err(lost()),
        });
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        // The record as a function that returns them, for as long as it runs.
        let block = self.block();
        let end = block.append_operation(func::r#return(&values, location));
        let inputs: Vec<_> = (0..block.argument_count())
            .filter_map(|number| Some(block.argument(number).ok()?.r#type()))
            .collect();
        let outputs: Vec<_> = values.iter().map(|value| value.r#type()).collect();
        let ty = TypeAttribute::new(FunctionType::new(self.context, &inputs, &outputs).into());
        let function = self.function();
        // SAFETY: the function's own attribute, of the context.
        unsafe {
            let name = melior::StringRef::new("function_type");
            mlir_sys::mlirOperationSetInherentAttributeByName(function.to_raw(), name.to_raw(), ty.to_raw());
        }
        let results = match self.record.as_operation().verify() {
            true => Interpreter::new(&self.record)
                .call("main", arguments)
                .map_err(|error| Error { location: error.location, message: error.message }),
            false => Err(Error::at(location, "the record is no program")),
        };
        // SAFETY: it was appended above, and nothing uses it.
        unsafe { discard(end) };
        let tensor = |value: RuntimeValue| value.as_tensor().cloned();
        Ok(results?.into_iter().filter_map(tensor).collect())
    }
}

/// A tensor on a copy of its storage, of which there is one.
pub(crate) fn copy(real: &Tensor, copies: &mut HashMap<u64, Storage>) -> Result<RuntimeValue, TensorError> {
    let storage = match copies.get(&real.storage().id()) {
        Some(storage) => storage.clone(),
        None => {
            let storage = Storage::from_bytes(&real.storage().to_bytes())?;
            copies.insert(real.storage().id(), storage.clone());
            storage
        }
    };
    let (sizes, strides) = (real.sizes().to_vec(), real.strides().to_vec());
    Ok(Tensor::new(storage, real.dtype(), sizes, strides, real.offset())?.with_flags(real.flags()).into())
}
