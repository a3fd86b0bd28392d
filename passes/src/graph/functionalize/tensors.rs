//! What tensors, storages and accesses are, as the analysis knows them.

use super::seen::Seen;
use melior::ir::OperationRef;
use terrace_dialects::ir::{arguments::Declared, dtype::Dtype};
use terrace_layout;
use terrace_size::Size;

/// Sizes, strides and offset: numbers, or expressions over what is known when the program runs.
pub type Layout = terrace_layout::Layout<Size>;

/// Where a tensor's storage comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The storage of the argument of this number.
    Argument(usize),
    /// The new storage of this number.
    Fresh(usize),
    /// The window of this number: a part of another tensor's storage, by an index that is known at run time.
    Window(usize),
}

/// A tensor that a value names.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// The storage.
    pub origin: Origin,
    /// Equal for values that are the same tensor: an in-place operation returns the tensor that it wrote.
    pub identity: usize,
    /// Sizes, strides and offset: in memory, or in the frame of a storage whose strides are not known.
    pub layout: Layout,
    /// What that covers of the storage, in elements of it.
    pub span: Layout,
    /// How elements are seen.
    pub seen: Seen,
}

/// A graph tensor among the arguments.
pub struct Argument {
    /// What the function declares about it.
    pub declared: Declared,
    /// Its layout: row-major at offset 0, its frame, where it is not known.
    pub layout: Layout,
    /// Whether strides or offset are known when the program runs only.
    pub framed: bool,
    /// Its element type.
    pub dtype: Dtype,
    /// The tensor that it is.
    pub identity: usize,
}

/// A new storage.
pub struct Fresh<'c, 'a> {
    /// Its layout: its frame where strides are not known.
    pub layout: Layout,
    /// Its element type.
    pub dtype: Dtype,
    /// Whether its strides are not known.
    pub framed: bool,
    /// The tensor that is all of it.
    pub identity: usize,
    /// What made it.
    pub op: OperationRef<'c, 'a>,
}

/// A read or write of a part of a storage.
pub struct Access<'c, 'a> {
    /// The storage, of a window that which it is of.
    pub origin: Origin,
    /// What the tensor is of.
    pub at: Origin,
    /// The part, in elements of the storage. Nothing repeats in what is written.
    pub layout: Layout,
    /// The part as the tensor counts.
    pub view: Layout,
    /// The tensor that it is of.
    pub identity: usize,
    /// Whether it is a write.
    pub writes: bool,
    /// The operation.
    pub op: OperationRef<'c, 'a>,
}
