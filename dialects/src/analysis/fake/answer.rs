//! What fake tensors answer for an operation, kept for operations that ask alike.

use super::Uses;
use crate::aten::placement::place::Known;
use melior::ir::OperationRef;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use terrace_size::Size;

/// What a result is; operands by their numbers.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Operand(usize),
    View(usize, Rc<Known<Size>>),
    Object(Option<usize>, Rc<Known<Size>>),
    New(Rc<Known<Size>>),
}

/// What an operation makes of its operands.
#[derive(Debug)]
pub(super) struct Answer<'c> {
    /// Its graph tensors, each with its device.
    pub places: Vec<(Place, Option<&'c str>)>,
    /// The numbers of the operands that it writes.
    pub written: Vec<usize>,
    /// What it does to the elements of operands, by their numbers.
    pub uses: Vec<(usize, Uses)>,
}

/// An answer, and an operation that got it.
pub(super) type Given<'c> = (OperationRef<'c, 'c>, Rc<Answer<'c>>);

/// Answers by their questions.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers<'c> {
    /// Each with an operation that asked: attributes are compared with its own.
    pub(super) given: FxHashMap<Box<[usize]>, Vec<Given<'c>>>,
    pub(super) kinds: FxHashMap<Box<[i64]>, Rc<Known<Size>>>,
    /// The question that is being put.
    pub(super) question: Vec<usize>,
}
