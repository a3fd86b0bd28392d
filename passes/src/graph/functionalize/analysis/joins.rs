//! Control flow as the analysis knows it: joins, and the branches that meet there.

use super::{tensors::*, transform::ElementTransform};
use rustc_hash::FxHashMap;
use std::ops::Range;
use terrace_dialects::ir::dtype::Dtype;
use terrace_layout::Key;

/// How many storages and tensors there were before.
#[derive(Clone, Copy, Debug)]
pub struct Since {
    /// New storages.
    pub fresh: usize,
    pub dynamic_views: usize,
    pub identities: usize,
    pub symbols: usize,
}

/// What a tensor is, behind a join.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    pub origin: Origin,
    /// By its key.
    pub layout: Key,
    pub transform: ElementTransform,
    pub object: Object,
}

/// Which tensor object it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    /// Any that there is: nobody looks at it on this branch.
    Any(usize),
    /// One that was there before.
    Known(usize),
    /// That of a place.
    At(usize),
}

/// A join: a place where branches meet.
#[derive(Debug, Default)]
pub struct Merge {
    /// What says the state; None where there is one.
    pub selector: Option<usize>,
    /// The new storages that are slots, in order of their numbers.
    pub slots: Vec<usize>,
    pub keys: FxHashMap<(usize, Key, Dtype), usize>,
    pub states: Vec<Vec<Part>>,
    /// For each state the identities in all places.
    pub identities: Vec<Vec<usize>>,
    /// How often something became known.
    pub news: usize,
}

/// A way to it.
#[derive(Debug)]
pub struct Branch {
    /// The selectors of what it brings along.
    pub by: Vec<usize>,
    /// The state that it comes in, for each combination of their states.
    pub states: Vec<usize>,
    /// For each combination the new storages that fill slots: slot and storage.
    pub fills: Vec<Vec<(usize, usize)>>,
}

/// A state in which a loop came round: what the tensor of each place is.
pub type Round = Vec<Passed>;

/// A tensor that came round.
#[derive(Clone, Debug)]
pub enum Passed {
    /// One that came in at the same place.
    AsItCame,
    /// One of the loop's own, by its identity; its storage is the slot of a place.
    Own {
        /// The identity.
        identity: usize,
        /// The first place that has it.
        place: usize,
        /// The place of the slot.
        slot: usize,
    },
}

/// Control flow: where its ways meet, and its ways. Branches meet in one place, a way from each region. A
/// counted loop has one at its start, which is its end too; the ways are that into it and that back.
/// `scf.while` has one at its start and one where its condition decides, to which its third way leads.
pub struct Flow {
    /// Where ways meet.
    pub merges: Vec<Merge>,
    /// The ways.
    pub branches: Vec<Branch>,
    /// What is read and written inside, among all accesses.
    pub accesses: Range<usize>,
    /// What was there before.
    pub since: Since,
}
