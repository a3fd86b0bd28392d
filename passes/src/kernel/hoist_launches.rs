//! The pass `kernel-hoist-launches`: what launches compute alike in each round of a loop is computed once, in
//! front of it.
//!
//! A recurrent layer multiplies by the same weight in each step; packed into panels it is a buffer that each
//! round would fill anew. A buffer of static size that a round allocates and frees goes out of the loop with
//! the launches that write it where these come before all that read it, write nothing else, and read memory
//! only that no operation of the loop may write. A kernel that finds its elements by other elements stays:
//! what makes sure that they are there may stand in the loop.

use super::uses::{Kernels, Use, Uses};
use melior::ir::{BlockRef, OperationRef, RegionLike, ValueLike, r#type::MemRefType};
use std::cmp::Ordering;
use terrace_dialects::{
    analysis::{
        effects::{self, EffectKind, On},
        memory::Memory,
    },
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        kept,
        operations::{collect, collect_within, home, key, name_of, users},
        pass::Failure,
        rewrite::{move_after, move_before},
        shaped::Shaped,
        upstream::is_memory_effect_free,
    },
    ops::kernel,
};
use terrace_size::DYNAMIC;

/// Takes launches out of every `scf.for` below a module, from the inside.
pub fn run(module: OperationRef, _: &crate::options::KernelHoistLaunches) -> Result<(), Failure> {
    let kernels = Kernels::of(module);
    let outside = |op| kernel::FuncOp::try_from(op).is_err();
    let loops = collect_within(module, outside, |op| name_of(op) == "scf.for");
    for op in loops.into_iter().rev() {
        if let Some(mut round) = Round::of(op, &kernels) {
            round.hoist();
        }
    }
    Ok(())
}

/// One round of a loop.
struct Round<'c, 'a, 'k> {
    op: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    kernels: &'k Kernels,
    /// What operations of the round write, whether it is theirs alone or not.
    writes: Vec<(OperationRef<'c, 'a>, Memory<'c, 'a>)>,
}

impl<'c: 'a, 'a, 'k> Round<'c, 'a, 'k> {
    /// None where something may be written that no operation of the loop names.
    fn of(op: OperationRef<'c, 'a>, kernels: &'k Kernels) -> Option<Self> {
        let block = op.region(0).ok()?.first_block()?;
        let mut writes = vec![];
        for inner in collect(op, |inner| inner != op) {
            if let Ok(launch) = kernel::LaunchOp::try_from(inner) {
                let uses = kernels.of_launch(launch)?;
                let written =
                    launch.arguments().into_iter().zip(&uses.arguments).filter(|(_, own)| own.writes);
                writes.extend(written.map(|(memref, _)| (inner, Memory::of(memref))));
                continue;
            }
            // A check ends the program or does nothing; what is in a region comes by itself.
            if name_of(inner) == "cf.assert" || inner.region_count() > 0 || is_memory_effect_free(inner) {
                continue;
            }
            for (effect, on) in effects::of(inner)? {
                match (effect, on) {
                    (EffectKind::Read | EffectKind::Allocate, _) => {}
                    (_, On::Operand(number)) => writes.push((inner, Memory::of(inner.operand(number).ok()?))),
                    _ => return None,
                }
            }
        }
        Some(Self { op, block, kernels, writes })
    }

    fn hoist(&mut self) {
        let all = std::iter::successors(self.block.first_operation(), |op| op.next_in_block());
        let all = all.map(kept::operation);
        let allocations: Vec<OperationRef> = all.filter(|op| name_of(*op) == "memref.alloc").collect();
        for allocation in allocations {
            let Some((moved, free)) = self.invariant(allocation) else { continue };
            for op in &moved {
                move_before(*op, self.op);
            }
            move_after(free, self.op);
            self.writes.retain(|(op, _)| !moved.contains(op) && *op != free);
        }
    }

    /// What goes in front of the loop for a buffer that is alike in each round, in order, and what frees it.
    fn invariant(
        &self,
        allocation: OperationRef<'c, 'a>,
    ) -> Option<(Vec<OperationRef<'c, 'a>>, OperationRef<'c, 'a>)> {
        let buffer: V = allocation.result_at(0).ok()?.into();
        if allocation.operand_count() > 0 {
            return None;
        }
        let (mut writers, mut readers, mut free) = (vec![], vec![], None);
        for user in users(buffer) {
            if user.block() != Some(self.block) {
                return None;
            }
            if name_of(user) == "memref.dealloc" {
                free = Some(user);
                continue;
            }
            let launch = kernel::LaunchOp::try_from(user).ok()?;
            let uses = self.kernels.of_launch(launch)?;
            let written = |(value, own): (&V<'c, 'a>, &Use)| *value == buffer && own.writes;
            if launch.arguments().iter().zip(&uses.arguments).any(written) {
                if !self.is_invariant(launch, uses, buffer) {
                    return None;
                }
                writers.push(user);
            } else {
                readers.push(user);
            }
        }
        writers.sort_by(|a, b| match a == b {
            true => Ordering::Equal,
            false if a.is_before_in_block(*b) => Ordering::Less,
            false => Ordering::Greater,
        });
        writers.dedup();
        let last = writers.last()?;
        let in_order = readers.iter().all(|reader| last.is_before_in_block(*reader));
        in_order.then_some(())?;
        Some(([&[allocation], &writers[..]].concat(), free?))
    }

    /// Whether a launch that writes a buffer writes nothing else, and does the same in each round.
    fn is_invariant(&self, launch: kernel::LaunchOp<'c, 'a>, uses: &Uses, buffer: V<'c, 'a>) -> bool {
        let outside = |value: V<'c, 'a>| home(value).is_none_or(|home| !self.holds(home));
        let stays = |memref: V<'c, 'a>| {
            let memory = Memory::of(memref);
            let fixed = Shaped::of(memref.r#type()).is_some_and(|own| !own.shape.contains(&DYNAMIC));
            fixed && self.writes.iter().all(|(_, written)| memory.is_disjoint(written, false))
        };
        !uses.by_elements
            && launch.dynamic_grid().iter().all(|value| outside(*value))
            && launch.arguments().iter().zip(&uses.arguments).all(|(value, own)| {
                if key(*value) == key(buffer) {
                    return own.writes && !own.reads;
                }
                let is_memref = MemRefType::try_from(value.r#type()).is_ok();
                // What it writes besides is written in the loop.
                outside(*value) && (!is_memref || stays(*value))
            })
    }

    /// Whether a block is in the loop.
    fn holds(&self, mut block: BlockRef<'c, 'a>) -> bool {
        loop {
            if block == self.block {
                return true;
            }
            match block.parent_operation().and_then(|op| op.block()) {
                Some(around) => block = around,
                None => return false,
            }
        }
    }
}
