//! What the operations of a block depend on: the edges of a graph, from an operation to one that has to come
//! after it.
//!
//! An operation uses values, in its regions too. It reads and writes memory as its effects say; two accesses
//! that may be of one element, one of them a write, keep their order. What does not say its effects, or
//! touches memory that has no known root, keeps its place among all that touches memory. Accesses are kept by
//! the memory that they are of, and forgotten when a whole buffer is written, so the graph grows with the
//! block.

use crate::loops::operation::alias::{Alias, alias};
use melior::ir::{BlockRef, OperationRef, ValueLike};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    analysis::{
        effects::{self, EffectKind, On},
        memory::{Memory, Owner},
    },
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        operations::{collect, key, name_of},
        shaped::Shaped,
        upstream::is_memory_effect_free,
    },
    loops::ANY_TIME,
};

/// Accesses of one memory beyond which the next one is taken for one of all of it.
const KEPT: usize = 64;

/// The operations of a block, by their places in it, and what they depend on.
pub(super) struct Graph<'c, 'a> {
    pub ops: Vec<OperationRef<'c, 'a>>,
    /// Node `i` is operation `i`.
    pub edges: DiGraph<(), ()>,
    places: HashMap<usize, usize>,
}

/// An access of memory.
#[derive(Clone, Copy)]
struct Access<'c, 'a> {
    /// None: it may be of anything.
    buffer: Option<V<'c, 'a>>,
    writes: bool,
}

/// The accesses of one memory so far that a later one may have to come after.
#[derive(Default)]
struct Accesses<'c, 'a> {
    all: Vec<(usize, Access<'c, 'a>)>,
}

/// What an operation is known by.
fn name(op: OperationRef) -> usize {
    op.to_raw().ptr as usize
}

impl<'c: 'a, 'a> Graph<'c, 'a> {
    /// The graph of a block.
    pub fn of(block: BlockRef<'c, 'a>) -> Self {
        let ops: Vec<_> = std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect();
        let places = ops.iter().enumerate().map(|(i, op)| (name(*op), i)).collect();
        let mut edges = DiGraph::with_capacity(ops.len(), 2 * ops.len());
        ops.iter().for_each(|_| {
            edges.add_node(());
        });
        let mut graph = Self { ops, edges, places };
        graph.values();
        graph.memory();
        graph
    }

    /// The place of an operation, or of the one of this block that it is inside of.
    pub fn place(&self, op: OperationRef<'c, 'a>) -> Option<usize> {
        let mut next = Some(op);
        while let Some(op) = next {
            if let Some(place) = self.places.get(&name(op)) {
                return Some(*place);
            }
            next = op.parent_operation();
        }
        None
    }

    /// What an operation depends on.
    pub fn before(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        self.edges.neighbors_directed(NodeIndex::new(place), petgraph::Incoming).map(|node| node.index())
    }

    fn after(&mut self, first: usize, second: usize) {
        self.edges.add_edge(NodeIndex::new(first), NodeIndex::new(second), ());
    }

    fn values(&mut self) {
        for i in 0..self.ops.len() {
            let mut known = HashSet::new();
            for op in collect(self.ops[i], |_| true) {
                for operand in op.operands() {
                    let definition = terrace_dialects::ir::operations::definition(operand);
                    let place = definition.and_then(|op| self.places.get(&name(op)).copied());
                    if let Some(place) = place.filter(|place| *place != i && known.insert(*place)) {
                        self.after(place, i);
                    }
                }
            }
        }
    }

    fn memory(&mut self) {
        let mut memories: HashMap<Owner, Accesses> = HashMap::new();
        // The last that may touch anything: what comes later comes after it.
        let mut barrier: Option<usize> = None;
        for i in 0..self.ops.len() {
            let mut after = HashSet::new();
            let accesses = accesses(self.ops[i]);
            if accesses.is_empty() {
                continue;
            }
            after.extend(barrier);
            let anything = |access: &Access| {
                access.buffer.is_none_or(|buffer| Memory::of(buffer).owner() == Owner::Anybody)
            };
            if accesses.iter().any(anything) {
                for memory in memories.values() {
                    after.extend(memory.all.iter().map(|access| access.0));
                }
                memories.clear();
                barrier = Some(i);
            } else {
                for access in accesses {
                    let Some(buffer) = access.buffer else { continue };
                    let of = Memory::of(buffer);
                    let memory = memories.entry(of.owner()).or_default();
                    let all = memory.all.len() >= KEPT
                        || (access.writes && of.root == buffer && of.owner() != Owner::Caller);
                    for (place, other) in &memory.all {
                        let apart =
                            || other.buffer.is_some_and(|other| alias(other, buffer) == Alias::Disjoint);
                        if *place != i && (all || ((access.writes || other.writes) && !apart())) {
                            after.insert(*place);
                        }
                    }
                    if all {
                        memory.all.retain(|access| access.0 == i);
                        memory.all.push((i, Access { buffer: None, writes: true }));
                    } else {
                        memory.all.push((i, access));
                    }
                }
            }
            for place in after {
                self.after(place, i);
            }
        }
    }
}

/// The accesses of memory of an operation and of what is inside of it.
fn accesses<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Access<'c, 'a>> {
    // A check that may stand later comes after what it checks, and holds up nothing.
    if is_memory_effect_free(op) || op.attribute(ANY_TIME).is_ok() {
        return vec![];
    }
    let mut found: Vec<Access> = vec![];
    for inner in collect(op, |_| true) {
        if is_memory_effect_free(inner) {
            continue;
        }
        let anything = Access { buffer: None, writes: true };
        match effects::of(inner) {
            Some(all) => {
                for (effect, on) in all {
                    let buffer = match on {
                        On::Operand(i) => inner.operand(i).ok(),
                        On::Result(i) => inner.result_at(i).ok().map(Into::into),
                        On::Generator | On::Anything => None,
                    };
                    let is_buffer = |v: &V| Shaped::of(v.r#type()).is_some_and(|s| s.buffer);
                    let writes = !matches!(effect, EffectKind::Read);
                    // New memory is nobody else's.
                    if effect != EffectKind::Allocate {
                        found.push(Access { buffer: buffer.filter(is_buffer), writes });
                    }
                }
            }
            // Structured control flow does what is inside of it.
            None if name_of(inner).starts_with("scf.") || name_of(inner).starts_with("loop.") => {}
            None => found.push(anything),
        }
    }
    let mut known = HashSet::new();
    found.retain(|access| known.insert((access.buffer.map(key), access.writes)));
    found
}
