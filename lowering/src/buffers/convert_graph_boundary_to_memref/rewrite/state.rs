//! What is known of a function's boundary: its operations, and the views of storages that values are.

use super::super::symbols::Places;
use melior::{
    Context,
    ir::{BlockRef, OperationRef, Value, ValueLike},
};
use std::collections::HashMap;
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::V,
        dtype::Dtype,
        operations::{definition, key, name_of},
        types::is_graph_tensor,
    },
    ops::graph,
};

/// Puts a tensor into another one, or into a buffer.
pub(crate) const MATERIALIZE: &str = "bufferization.materialize_in_destination";

/// Makes the buffer of a value.
pub(crate) const TO_BUFFER: &str = "bufferization.to_buffer";

/// What is wrong, and where.
pub(crate) type Refused<'c, 'a> = (OperationRef<'c, 'a>, String);

/// A view of a storage: the buffer that holds it, and where it lies.
#[derive(Clone)]
pub(crate) struct View<'c, 'a> {
    /// The argument or new buffer whose storage it is.
    pub(crate) root: Root,
    /// The storage's name, for arguments that declare one.
    pub(crate) storage: Option<String>,
    pub(crate) places: Places,
    pub(crate) dtype: Dtype,
    pub(crate) form: Form,
    /// Whether it is read as the conjugates, and as the negatives, of what is stored.
    pub(crate) flags: [bool; 2],
    pub(crate) buffer: Option<Value<'c, 'a>>,
}

/// How much is known of where a view lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Its sizes.
    Static,
    /// That it is row-major, of sizes of the run.
    Contiguous,
    /// Nothing but what its type says.
    Strided,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Root {
    Argument(usize),
    Fresh(usize),
    /// One of several, which an `arith.select` decides on.
    Chosen(usize),
}

/// A function whose graph operations are known.
pub(crate) struct Boundary<'c, 'a> {
    pub(crate) function: OperationRef<'c, 'a>,
    pub(crate) block: BlockRef<'c, 'a>,
    pub(crate) context: &'c Context,
    pub(crate) ops: Vec<OperationRef<'c, 'a>>,
    /// The views that values are, by these.
    pub(crate) views: HashMap<usize, View<'c, 'a>>,
    /// The tensors that reads have become, by these.
    pub(crate) values: HashMap<usize, Value<'c, 'a>>,
    /// Whether values of new storages are put there at the end: nothing looks at the storages before.
    pub(crate) waits: bool,
    /// What the symbols of storages are.
    pub(crate) symbols: HashMap<Root, Vec<V<'c, 'a>>>,
    /// What the cores that are called return, by the calls.
    pub(crate) returns: HashMap<usize, OperationRef<'c, 'a>>,
    /// How often a core returns a value, by the value.
    pub(crate) times_returned: HashMap<usize, usize>,
}

impl<'c, 'a> Boundary<'c, 'a> {
    pub(crate) fn view(&self, value: Value<'c, 'a>) -> Option<&View<'c, 'a>> {
        self.views.get(&key(value))
    }

    pub(crate) fn reads(&self) -> impl Iterator<Item = (graph::ValueOp<'c, 'a>, &View<'c, 'a>)> {
        let reads = self.ops.iter().filter_map(|op| graph::ValueOp::try_from(*op).ok());
        reads.filter_map(|read| Some((read, self.view(read.view())?)))
    }

    pub(crate) fn writes(&self) -> impl Iterator<Item = (graph::WriteBackOp<'c, 'a>, &View<'c, 'a>)> {
        let writes = self.ops.iter().filter_map(|op| graph::WriteBackOp::try_from(*op).ok());
        writes.filter_map(|write| Some((write, self.view(write.view())?)))
    }
}

/// Whether an operation says which of two tensors is meant.
pub(crate) fn is_choice(op: OperationRef) -> bool {
    name_of(op) == "arith.select" && op.results().any(|result| is_graph_tensor(result.r#type()))
}

/// The name of the operation that makes a value.
pub(crate) fn name<'c>(value: Value<'c, '_>) -> Option<&'c str> {
    definition(value).map(name_of)
}
