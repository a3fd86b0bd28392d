//! What a function takes and returns.

use crate::{scalar::Scalar, tensor::Tensor};

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
