//! What tensors, storages and accesses are, as the analysis knows them.

use super::transform::ElementTransform;
use melior::ir::{Attribute, Identifier, Location, OperationRef, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
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
    /// The dynamic view of this number: a part of another tensor's storage, by an index that is known at run
    /// time.
    DynamicView(usize),
}

/// A tensor that a value names.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// The storage.
    pub origin: Origin,
    /// Equal for values that are the same tensor: an in-place operation returns the tensor that it wrote.
    pub identity: usize,
    /// Sizes, strides and offset: in memory, or logical, over a storage whose strides are not known.
    pub layout: Layout,
    /// What that covers of the storage, in elements of it.
    pub span: Layout,
    /// How its elements are read.
    pub transform: ElementTransform,
}

/// A graph tensor among the arguments.
pub struct Argument {
    /// What the function declares about it.
    pub declared: Declared,
    /// Its layout: row-major at offset 0, and logical, where it is not known.
    pub layout: Layout,
    /// Whether strides or offset are known when the program runs only.
    pub logical: bool,
    /// Its element type.
    pub dtype: Dtype,
    /// The tensor that it is.
    pub identity: usize,
}

/// A new storage.
pub struct Fresh<'c, 'a> {
    /// Its layout: logical where strides are not known.
    pub layout: Layout,
    /// Its element type.
    pub dtype: Dtype,
    /// Whether its strides are not known.
    pub logical: bool,
    /// The tensor that is all of it.
    pub identity: usize,
    /// What made it.
    pub op: OperationRef<'c, 'a>,
}

/// A read or write of a part of a storage.
pub struct Access<'c, 'a> {
    /// The storage, of a dynamic view that which it is of.
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

/// Which tensor a value names.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The selectors that say it.
    pub by: Vec<usize>,
    /// The identity in each combination of their states; the last selector changes fastest.
    pub states: SmallVec<[usize; 1]>,
}

/// What says which of several tensors a value names.
pub struct Selector<'c, 'a> {
    /// How many states there are.
    pub states: usize,
    /// The truth value that it is, state 0 where that holds; None where it comes along with what it selects.
    pub condition: Option<Value<'c, 'a>>,
}

/// Combinations of states that a tensor or an operation may have.
pub const MOST: usize = 64;

/// What is not known, and what would help.
pub const UNKNOWN: &str = "which are not known here: declare graph.layout = strided<[...], offset: ...> with static \
    numbers on the arguments that they come from";

/// A tensor as the boundary makes it.
#[derive(Clone, Debug)]
pub struct Derivation<'c> {
    /// The view operation.
    pub op: ViewOp<'c>,
    /// The identity of the tensor that it views.
    pub source: usize,
    /// The number of its result.
    pub index: usize,
}

/// A view operation apart from its operands.
#[derive(Clone, Debug)]
pub struct ViewOp<'c> {
    pub name: &'static str,
    pub location: Location<'c>,
    pub attributes: Vec<(Identifier<'c>, Attribute<'c>)>,
    /// The operands beside the tensor.
    pub numbers: Vec<Size>,
}

/// How many bytes a storage has.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Now.
    pub now: Size,
    /// At most, so far.
    pub most: Size,
    /// Whether that is known, and not only that there are as many.
    pub exact: bool,
}

/// What a symbol is.
#[derive(Clone, Copy)]
pub enum Source<'c, 'a> {
    /// A size of an argument.
    Size {
        /// The number of the argument.
        argument: usize,
        /// The dimension.
        dim: usize,
    },
    /// An argument that is a number.
    Argument(usize),
    /// A number that is computed.
    Number(Value<'c, 'a>),
    /// A size of a result, which elements decide.
    Counted(Value<'c, 'a>, usize),
}

/// A view at a dynamic index.
pub struct DynamicView<'c, 'a> {
    /// The tensor that it views.
    pub parent: usize,
    /// The dimension in which the index counts.
    pub dim: usize,
    /// The index.
    pub index: Value<'c, 'a>,
    /// Whether the dimension stays, with one element.
    pub keeps: bool,
    /// Its layout at index 0.
    pub base: Layout,
    /// Its element type.
    pub dtype: Dtype,
}

/// What storages count in, those that do not count in elements of the tensor that made them.
pub type Granules = FxHashMap<Origin, Dtype>;
