//! What a workbench has for programs with control flow, beside what straight programs need.

use crate::{typing::Typing, workbench::Entry};
use terrace_tensor::{Scalar, Tensor};

/// A number that operations may use.
#[derive(Debug, Clone)]
pub struct Number {
    /// Its name, with the percent sign.
    pub name: String,
    /// Its type.
    pub ty: String,
    /// The number as it is now.
    pub value: Scalar,
}

/// What a workbench has for such programs.
pub struct Rich<'c> {
    /// What types say of its program.
    pub typing: Typing<'c>,
    /// The numbers that operations may use.
    pub numbers: Vec<Number>,
    /// Builtin tensors: elements of graph tensors at some time.
    pub values: Vec<(String, Tensor)>,
    /// Operators whose results have sizes by elements, with their operands.
    pub by_elements: Vec<(String, Vec<String>)>,
    /// How deep control flow is that is grown now.
    pub depth: usize,
    /// Whether sizes are numbers that types say.
    pub fixed: bool,
    /// Whether tensors are made and drawn into more often than else.
    pub initializes: bool,
    /// How many of a hundred steps are control flow.
    pub control: i64,
    /// The tensor of whose storage views and mutations are asked for.
    pub base: Option<Entry>,
    /// Those that are asked for, the last one first.
    pub wanted: Vec<Wanted>,
}

/// An operator that is asked for, by its place in its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A view.
    View(usize),
    /// A mutation.
    Mutation(usize),
}
