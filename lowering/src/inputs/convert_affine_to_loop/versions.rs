//! Nests in two versions: as loop operations, where a test of addresses says that their memrefs are apart,
//! and as they were.
//!
//! ```mlir
//! scf.if %apart {
//!   %x1, %y1 = memref.distinct_objects %x, %y : memref<8xf32>, memref<8xf32>
//!   loop.pointwise (%i = 8) into %y1 { ... }
//! } else {
//!   affine.for %i = 0 to 8 { ... }
//! }
//! ```
//!
//! Nests that come one after the other are in one such operation, so that they can be fused.

use super::{Plan, nest::is_scalar};
use melior::ir::{
    OperationRef, RegionLike, Type, ValueLike,
    r#type::{IntegerType, MemRefType},
};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use terrace_dialects::{
    analysis::{
        dependence::Access,
        memory::{self, Memory, static_layout},
    },
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        operations::{collect, key, name_of},
        pass::Failure,
        rewrite::{self, move_before, set_operand},
        shaped::Shaped,
        types,
    },
};
use terrace_size::{DYNAMIC, symbols::Predicate};

/// Whether a nest is what such an operation has for memrefs that overlap.
pub(super) fn is_last_resort(root: OperationRef) -> bool {
    let first = || {
        let holder = root.parent_operation().filter(|op| name_of(*op) == "scf.if")?;
        holder.region(0).ok()?.first_block()?.first_operation()
    };
    first().is_some_and(|op| name_of(op) == "memref.distinct_objects" && op.block() != root.block())
}

/// Parts nests that become loop operations into runs: those of one come one after the other. What lies
/// between them goes in front.
pub(super) fn runs<'c: 'a, 'a>(plans: Vec<Plan<'c, 'a>>) -> Vec<Vec<Plan<'c, 'a>>> {
    let mut runs: Vec<Vec<Plan>> = vec![];
    for plan in plans {
        match runs.last_mut() {
            Some(run) if follows(run, plan.root) => run.push(plan),
            _ => runs.push(vec![plan]),
        }
    }
    runs
}

fn follows<'c: 'a, 'a>(run: &[Plan<'c, 'a>], root: OperationRef<'c, 'a>) -> bool {
    let last = run[run.len() - 1].root;
    let mut between = vec![];
    let mut next = last.next_in_block();
    while let Some(op) = next.filter(|op| *op != root) {
        // A reshape reads its sizes in memory.
        let is_view = memory::is_view(op) && name_of(op) != "memref.reshape";
        if !is_scalar(op) && !is_view && name_of(op) != "memref.dim" {
            return false;
        }
        between.push(op);
        next = op.next_in_block();
    }
    if next.is_none() {
        return false;
    }
    for op in between {
        move_before(op, run[0].root);
    }
    true
}

/// Writes a run in two versions.
pub(super) fn write<'c: 'a, 'a>(run: &[Plan<'c, 'a>]) -> Result<(), Failure> {
    let at = Cursor::before(run[0].root)?;
    let pairs = pairs(run)?;
    let mut ranges = FxHashMap::default();
    let mut in_sequence = at.integer(IntegerType::new(at.context, 1).into(), 1)?;
    for pair in &pairs {
        for memref in pair {
            if let Entry::Vacant(entry) = ranges.entry(key(*memref)) {
                entry.insert(range(at, *memref)?);
            }
        }
        let [a, b] = pair.map(|memref| ranges[&key(memref)]);
        let before = at.compare(Predicate::LessOrEqual, a.1, b.0)?;
        let after = at.compare(Predicate::LessOrEqual, b.1, a.0)?;
        let own = at.op("arith.ori", &[before, after], before.r#type())?;
        in_sequence = at.op("arith.andi", &[in_sequence, own], own.r#type())?;
    }
    at.either(in_sequence, &[], |at, way| {
        match way {
            0 => distinct(at, run, &pairs)?,
            _ => run.iter().for_each(|plan| move_to(at, plan.root)),
        }
        Ok(vec![])
    })?;
    Ok(())
}

fn move_to<'c: 'a, 'a>(at: Cursor<'c, 'a>, op: OperationRef<'c, 'a>) {
    // SAFETY: nobody owns it between the two.
    at.insert(rewrite::detach(op));
}

/// The memrefs of which one is written and the other touched, and of which it is not known otherwise that
/// they are apart.
fn pairs<'c: 'a, 'a>(run: &[Plan<'c, 'a>]) -> Result<Vec<[V<'c, 'a>; 2]>, Failure> {
    let mut touched: Vec<(V<'c, 'a>, bool)> = vec![];
    for (Access { buffer, .. }, writes) in run.iter().flat_map(|plan| &plan.accesses) {
        match touched.iter_mut().find(|(other, _)| other == buffer) {
            Some((_, written)) => *written |= writes,
            None => touched.push((*buffer, *writes)),
        }
    }
    let mut pairs = vec![];
    for (i, (a, a_written)) in touched.iter().enumerate() {
        for (b, b_written) in &touched[i + 1..] {
            let (own, other) = (Memory::of(*a), Memory::of(*b));
            if (*a_written || *b_written) && !own.is_disjoint(&other, false) && own.is_disjoint(&other, true)
            {
                pairs.push([*a, *b]);
            }
        }
    }
    Ok(pairs)
}

/// The addresses of a memref: of its first byte, and of that behind its last one.
fn range<'c: 'a, 'a>(at: Cursor<'c, 'a>, memref: V<'c, 'a>) -> Result<(V<'c, 'a>, V<'c, 'a>), Failure> {
    let (index, shaped) = (at.index_type(), Shaped::expect(memref.r#type())?);
    let start = at.op("memref.extract_aligned_pointer_as_index", &[memref], index)?;
    let sum = |a: V<'c, 'a>, b: V<'c, 'a>| at.op("arith.addi", &[a, b], index);
    let times = |a: V<'c, 'a>, b: V<'c, 'a>| at.op("arith.muli", &[a, b], index);
    // The first and the last element, counted from the start.
    let (mut first, mut last);
    match static_layout(memref).filter(|_| !shaped.shape.contains(&DYNAMIC)) {
        Some((strides, offset)) => {
            let reach = |keep: fn(i64) -> i64| {
                let steps = shaped.shape.iter().zip(&strides).map(|(size, stride)| keep((size - 1) * stride));
                at.index(offset + steps.sum::<i64>())
            };
            (first, last) = (reach(|step| step.min(0))?, reach(|step| step.max(0))?);
        }
        None => {
            let rank = shaped.shape.len();
            let base: Type = MemRefType::contiguous(shaped.element, &[], None).into();
            let types = [vec![base], vec![index; 1 + 2 * rank]].concat();
            let op = at.build("memref.extract_strided_metadata", &[memref], &types, &[], vec![])?;
            let part = |i: usize| -> Result<V<'c, 'a>, Failure> { Ok(op.result_at(i)?.into()) };
            (first, last) = (part(1)?, part(1)?);
            for d in 0..rank {
                let steps = at.op("arith.subi", &[part(2 + d)?, at.index(1)?], index)?;
                let reach = times(steps, part(2 + rank + d)?)?;
                first = sum(first, at.op("arith.minsi", &[reach, at.index(0)?], index)?)?;
                last = sum(last, at.op("arith.maxsi", &[reach, at.index(0)?], index)?)?;
            }
        }
    }
    // Numbers of an odd width lie as far apart as those of the next power of two.
    let bytes = types::bytes(shaped.element).ok_or("has elements of no size")?;
    let width = at.index((bytes as u64).next_power_of_two() as i64)?;
    let end = sum(last, at.index(1)?)?;
    Ok((sum(start, times(first, width)?)?, sum(start, times(end, width)?)?))
}

/// Writes loop operations on memrefs that are apart.
fn distinct<'c: 'a, 'a>(
    at: Cursor<'c, 'a>,
    run: &[Plan<'c, 'a>],
    pairs: &[[V<'c, 'a>; 2]],
) -> Result<(), Failure> {
    let mut names: FxHashMap<usize, V<'c, 'a>> = FxHashMap::default();
    let mut last = None;
    for pair in pairs {
        let both = pair.map(|memref| names.get(&key(memref)).copied().unwrap_or(memref));
        let op = at.build("memref.distinct_objects", &both, &both.map(|v| v.r#type()), &[], vec![])?;
        for (i, memref) in pair.iter().enumerate() {
            names.insert(key(*memref), op.result_at(i)?.into());
        }
        last = Some(op);
    }
    run.iter().try_for_each(|plan| plan.write(at))?;
    let mut next = last.and_then(|op| op.next_in_block());
    while let Some(op) = next {
        for inner in collect(op, |_| true) {
            for (i, operand) in inner.operands().enumerate() {
                if let Some(name) = names.get(&key(operand)) {
                    set_operand(inner, i, *name);
                }
            }
        }
        next = op.next_in_block();
    }
    Ok(())
}
