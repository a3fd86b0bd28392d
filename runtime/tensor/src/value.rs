//! What a function takes and returns.

use crate::{error::TensorError, scalar::Scalar, storage::Storage, tensor::Tensor};
use std::collections::{HashMap, hash_map::Entry};

/// An argument or a result of a program.
#[derive(Debug, Clone)]
pub enum Value {
    /// A tensor; a value of a builtin tensor type and a memref are ones too.
    Tensor(Tensor),
    /// A number.
    Scalar(Scalar),
}

impl Value {
    /// The tensor, if it is one.
    pub fn as_tensor(&self) -> Option<&Tensor> {
        match self {
            Value::Tensor(tensor) => Some(tensor),
            Value::Scalar(_) => None,
        }
    }

    /// The number, if it is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Value::Tensor(_) => None,
            Value::Scalar(scalar) => Some(*scalar),
        }
    }

    /// The same values on other storages: `other` gives one for each, once, so that values share them as
    /// these do.
    ///
    /// # Errors
    /// Those of `other`; a tensor does not fit.
    pub fn on_others<E: From<TensorError>>(
        values: &[Value],
        mut other: impl FnMut(&Storage) -> Result<Storage, E>,
    ) -> Result<Vec<Value>, E> {
        let mut known: HashMap<u64, Storage> = HashMap::new();
        let moved = |value: &Value| {
            let Value::Tensor(tensor) = value else { return Ok(value.clone()) };
            let storage = match known.entry(tensor.storage().id()) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(new) => new.insert(other(tensor.storage())?).clone(),
            };
            let (sizes, strides) = (tensor.sizes().to_vec(), tensor.strides().to_vec());
            let same = Tensor::new(storage, tensor.dtype(), sizes, strides, tensor.offset())?;
            Ok(Value::Tensor(same.with_flags(tensor.flags())))
        };
        values.iter().map(moved).collect()
    }

    /// The same values on storages of this process: those of a device are copied.
    ///
    /// # Errors
    /// When memory cannot be had, and what the device says.
    pub fn here(values: &[Value]) -> Result<Vec<Value>, TensorError> {
        Value::on_others(values, Storage::here)
    }
}

impl From<Tensor> for Value {
    fn from(tensor: Tensor) -> Value {
        Value::Tensor(tensor)
    }
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Value {
        Value::Scalar(scalar)
    }
}
