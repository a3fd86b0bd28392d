//! Memory that a value is written to at the end is not the memory of another value that leaves later.
//!
//! What is computed for a buffer may be computed in it: upstream's eliminate-empty-tensors has the first
//! operation of a chain of destinations start from `bufferization.to_tensor %buffer restrict writable`.
//! Another value may begin with the same link of the chain, and bufferization, which does not look at the
//! buffer, may compute that one there and have the first elsewhere, to be copied in the end, over the other.
//! Where a value that may lie in the buffer is used behind the operation that writes to it, the buffer is not
//! computed in: `writable` goes.

use melior::ir::{
    BlockRef, OperationRef, RegionLike, ValueLike, block::BlockArgument, operation::OperationResult,
};
use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};
use terrace_dialects::{
    analysis::memory::Memory,
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        operations::{key, name_of, users},
        rewrite::remove_attribute,
        shaped::Shaped,
    },
};

const WRITABLE: &str = "writable";

/// Goes through the operations of bufferization.
pub fn protect<'c, 'a>(all: &[OperationRef<'c, 'a>]) {
    let named = |name: &'static str| {
        all.iter().copied().filter(move |op| name_of(*op) == name && op.has_attribute(WRITABLE))
    };
    let mut writes: HashMap<usize, Vec<OperationRef>> = HashMap::new();
    for write in named("bufferization.materialize_in_destination") {
        if let Ok(buffer) = write.operand(1) {
            writes.entry(root(buffer)).or_default().push(write);
        }
    }
    let places = Places::default();
    for tensor in named("bufferization.to_tensor") {
        let (Ok(buffer), Ok(own)) = (tensor.operand(0), tensor.result_at(0).map(V::from)) else { continue };
        let Some(writes) = writes.get(&root(buffer)) else { continue };
        let values = in_its_memory(own);
        let loses = |write: &OperationRef| {
            let (Ok(written), Some(block)) = (write.operand(0), write.block()) else { return false };
            let place = places.of(*write, block);
            let after = |user| places.of(user, block) > place;
            written != own && values.iter().any(|v| *v != written && users(*v).any(after))
        };
        if writes.iter().any(loses) {
            remove_attribute(tensor, WRITABLE);
        }
    }
}

fn root(buffer: V) -> usize {
    Memory::of(buffer).root.to_raw().ptr as usize
}

/// The values that may lie in the memory of a tensor, without itself.
fn in_its_memory<'c: 'a, 'a>(tensor: V<'c, 'a>) -> Vec<V<'c, 'a>> {
    let (mut found, mut next) = (vec![], vec![tensor]);
    let mut known = HashSet::from([key(tensor)]);
    while let Some(value) = next.pop() {
        for user in users(value) {
            for other in passed_on(user, value) {
                if is_tensor(other) && known.insert(key(other)) {
                    found.push(other);
                    next.push(other);
                }
            }
        }
    }
    found
}

/// What an operation may make in the memory of an operand.
fn passed_on<'c: 'a, 'a>(op: OperationRef<'c, 'a>, operand: V<'c, 'a>) -> Vec<V<'c, 'a>> {
    let places: Vec<usize> =
        (0..op.operand_count()).filter(|i| op.operand(*i).ok() == Some(operand)).collect();
    let result = |op: OperationRef<'c, 'a>, i: usize| op.result_at(i).ok().map(V::from);
    match name_of(op) {
        "loop.load" => vec![],
        // What is put there is read.
        "bufferization.materialize_in_destination" if !places.contains(&1) => vec![],
        // Destinations stand last.
        name if name.starts_with("loop.") => {
            let first = op.operand_count().saturating_sub(op.result_count());
            places.iter().filter_map(|place| result(op, place.checked_sub(first)?)).collect()
        }
        // The bounds and the step stand first.
        "scf.for" => {
            places.iter().filter_map(|place| place.checked_sub(3)).flat_map(|i| carried(op, i)).collect()
        }
        "scf.yield" => {
            let Some(parent) = op.parent_operation() else { return vec![] };
            match name_of(parent) {
                "scf.for" => places.iter().flat_map(|place| carried(parent, *place)).collect(),
                "scf.if" | "scf.execute_region" | "scf.index_switch" => {
                    places.iter().filter_map(|place| result(parent, *place)).collect()
                }
                _ => all(parent),
            }
        }
        "scf.condition" => op.parent_operation().map_or(vec![], all),
        _ => all(op),
    }
}

/// What a loop carries by a number: its result, and what comes into a round.
fn carried<'c: 'a, 'a>(op: OperationRef<'c, 'a>, number: usize) -> impl Iterator<Item = V<'c, 'a>> {
    let block = op.region(0).ok().and_then(|region| region.first_block());
    let inside = block.and_then(|block| block.argument(number + 1).ok()).map(V::from);
    op.result_at(number).ok().map(V::from).into_iter().chain(inside)
}

/// The results of an operation, and the arguments of its regions.
fn all<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<V<'c, 'a>> {
    let inside = op.regions().filter_map(|region| region.first_block()).flat_map(|block| {
        (0..block.argument_count())
            .filter_map(move |i| block.argument(i).ok())
            .map(|v: BlockArgument| v.into())
    });
    op.results().map(|v: OperationResult| v.into()).chain(inside).collect()
}

fn is_tensor(value: V) -> bool {
    Shaped::of(value.r#type()).is_some_and(|shaped| !shaped.buffer)
}

/// The places of operations in their blocks, counted once a block.
#[derive(Default)]
struct Places {
    counted: RefCell<HashMap<usize, HashMap<usize, usize>>>,
}

impl Places {
    /// The place in a block of an operation, or of the one that it is inside of; behind all where it is in
    /// another block.
    fn of(&self, op: OperationRef, block: BlockRef) -> usize {
        let mut counted = self.counted.borrow_mut();
        let all = counted.entry(block.to_raw().ptr as usize).or_insert_with(|| {
            let ops = std::iter::successors(block.first_operation(), |op| op.next_in_block());
            ops.enumerate().map(|(i, op)| (op.to_raw().ptr as usize, i)).collect()
        });
        let mut op = Some(op);
        while let Some(inner) = op {
            if let Some(place) = all.get(&(inner.to_raw().ptr as usize)) {
                return *place;
            }
            op = inner.parent_operation();
        }
        usize::MAX
    }
}
