//! What a call says of its arguments: the key of a variant, and the facts that are written into the function.
//!
//! Of a tensor alone on its storage the offset is no part of it: slices `data[32 * i:32 * (i + 1)]` of one tensor have one signature. The code is given
//! its buffer from its elements on, at offset 0. Only programs that ask where tensors lie in their storages have to know ([`reads_offsets`]).

use melior::ir::{Module, OperationRef};
use terrace_dialects::operations::{collect, name_of};
use terrace_tensor::{DType, Flags, Scalar, Tensor, Value};

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// A tensor.
    Tensor {
        /// The type of its elements.
        dtype: DType,
        /// Elements per dimension.
        sizes: Vec<i64>,
        /// Elements of memory between neighbours.
        strides: Vec<i64>,
        /// Elements of memory before the first one, where another argument has the same storage.
        offset: Option<i64>,
        /// The first argument that has the same storage.
        storage: usize,
        /// The first argument that is the very same tensor.
        object: usize,
        /// How elements are seen.
        flags: Flags,
    },
    /// A number; which one only where the function can be compiled for no others.
    Number(Option<i64>),
}

/// What of a call a signature has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// Integers, by their values.
    pub numbers: bool,
    /// The offsets of all tensors.
    pub offsets: bool,
}

/// Operators that ask where a tensor lies in its storage, or may, by how their names begin.
const OFFSETS: [&str; 11] = [
    "as_strided",
    "copy",
    "custom",
    "new_storage",
    "resize",
    "set_",
    "storage",
    "sym_storage_offset",
    "view.dtype",
    "view_as_complex",
    "view_copy.dtype",
];

/// Whether a program asks where tensors lie in their storages.
pub fn reads_offsets(module: &Module) -> bool {
    let asks = |op: OperationRef| {
        let name = name_of(op).strip_prefix("graph.").unwrap_or_default();
        // What puts a part into a copy of a tensor gives the copy its offset.
        name.contains("_scatter") || OFFSETS.iter().any(|asks| name.starts_with(asks))
    };
    !collect(module.as_operation(), asks).is_empty()
}

/// What a call says of its arguments, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature(pub Vec<Argument>);

impl Signature {
    /// That of a call; integers may be part of it, and all offsets.
    pub fn of(arguments: &[Value], Details { numbers, offsets }: Details) -> Signature {
        let tensors: Vec<Option<&Tensor>> = arguments.iter().map(Value::as_tensor).collect();
        let shares = |a: &Tensor, b: &Option<&Tensor>| b.is_some_and(|b| b.storage().is_same(a.storage()));
        let argument = |(i, value): (usize, &Value)| match value {
            Value::Scalar(Scalar::Int(number)) if numbers => Argument::Number(Some(*number)),
            Value::Scalar(Scalar::Bool(truth)) if numbers => Argument::Number(Some(i64::from(*truth))),
            Value::Scalar(_) => Argument::Number(None),
            Value::Tensor(tensor) => {
                let storage = tensors.iter().position(|other| shares(tensor, other)).unwrap_or(i);
                let is_object = |other: &Option<&Tensor>| other.is_some_and(|other| other.is_same(tensor));
                let alone = tensors.iter().filter(|other| shares(tensor, other)).count() == 1;
                Argument::Tensor {
                    dtype: tensor.dtype(),
                    sizes: tensor.sizes().to_vec(),
                    strides: tensor.strides().to_vec(),
                    offset: (offsets || !alone).then(|| tensor.offset()),
                    storage,
                    object: tensors.iter().position(is_object).unwrap_or(i),
                    flags: tensor.flags(),
                }
            }
        };
        Signature(arguments.iter().enumerate().map(argument).collect())
    }

    /// Whether a number is among the arguments that decides nothing so far.
    pub fn has_numbers(&self) -> bool {
        self.0.contains(&Argument::Number(None))
    }
}
