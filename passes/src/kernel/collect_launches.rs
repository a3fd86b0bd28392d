//! The pass `kernel-collect-launches`: launches that do not depend on each other stand in one
//! `kernel.concurrent`.
//!
//! A step of an optimizer writes each of a hundred parameters by a launch of its own, and most of them are
//! too small for several threads. Launches are collected in their order as long as none reads or writes what
//! another one of the set writes. They run where the last of them stands: between them are only operations
//! that touch no memory, allocations, and what frees buffers that none of them uses. Accesses are compared by
//! whose memory it is ([`Owner`]), and those of one memory by their layouts: the parts of a concatenation are
//! written side by side. The cost is linear, but for how many parts of one memory are written.

use super::uses::{Kernels, Use};
use crate::emit::Emitter;
use melior::ir::{Block, BlockRef, OperationRef, Region, RegionLike, ValueLike, r#type::MemRefType};
use std::collections::HashMap;
use terrace_dialects::{
    analysis::memory::{Memory, Owner, static_layout},
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        kept,
        operations::{collect_within, name_of},
        pass::Failure,
        rewrite,
        shaped::Shaped,
        upstream::is_memory_effect_free,
    },
    ops::kernel,
};
use terrace_layout::{Layout, overlap::overlap};
use terrace_size::DYNAMIC;

/// Launches in one set: their arguments wait on the stack.
const MOST: usize = 256;

/// Collects launches in every block below a module.
pub fn run(module: OperationRef, _: &crate::options::KernelCollectLaunches) -> Result<(), Failure> {
    let kernels = Kernels::of(module);
    let enters = |op| !matches!(name_of(op), "kernel.func" | "kernel.concurrent");
    let mut blocks: Vec<BlockRef> = vec![];
    for launch in collect_within(module, enters, |op| name_of(op) == "kernel.launch") {
        blocks.extend(launch.block().filter(|block| blocks.last() != Some(block)));
    }
    for block in blocks {
        in_block(block, &kernels)?;
    }
    Ok(())
}

fn in_block<'c: 'a, 'a>(block: BlockRef<'c, 'a>, kernels: &Kernels) -> Result<(), Failure> {
    let mut set = Set::default();
    let mut next = block.first_operation();
    while let Some(op) = next {
        let op: OperationRef<'c, 'a> = kept::operation(op);
        next = op.next_in_block();
        if let Ok(launch) = kernel::LaunchOp::try_from(op) {
            let uses = kernels.of_launch(launch).filter(|_| launch.dynamic_grid().is_empty());
            let Some(uses) = uses else {
                set.write()?;
                continue;
            };
            let accesses = accesses(launch, &uses.arguments);
            if set.launches.len() == MOST || !set.allows(&accesses) {
                set.write()?;
            }
            set.take(op, accesses);
            continue;
        }
        let frees = name_of(op) == "memref.dealloc";
        let passes = match op.operand(0) {
            Ok(buffer) if frees => set.allows(&[Access { part: None, ..Access::of(buffer, true) }]),
            _ => is_memory_effect_free(op) || name_of(op) == "memref.alloc",
        };
        if !passes {
            set.write()?;
        }
    }
    set.write()
}

/// What a launch does with the memory of an argument.
struct Access {
    owner: Owner,
    /// Which elements it may touch, where that is known; counted from the start of the memory.
    part: Option<Layout>,
    writes: bool,
}

impl Access {
    fn of(memref: V, writes: bool) -> Self {
        let memory = Memory::of(memref);
        let sizes = Shaped::of(memref.r#type()).map(|own| own.shape).filter(|own| !own.contains(&DYNAMIC));
        let layout = sizes.zip(static_layout(memref)).filter(|_| memory.is_comparable(&memory));
        let part = layout.map(|(sizes, (strides, offset))| Layout { sizes, strides, offset });
        Self { owner: memory.owner(), part, writes }
    }

    /// Whether they meet where both are of one owner, and one writes.
    fn meets(&self, other: &Self) -> bool {
        let apart = || match (self.owner, &self.part, &other.part) {
            (Owner::Value(_), Some(one), Some(other)) => !overlap(one, other),
            _ => false,
        };
        (self.writes || other.writes) && !apart()
    }
}

/// What a launch does with memory.
fn accesses<'c: 'a, 'a>(launch: kernel::LaunchOp<'c, 'a>, uses: &[Use]) -> Vec<Access> {
    let touched = |(memref, own): (V<'c, 'a>, &Use)| {
        let is_memref = MemRefType::try_from(memref.r#type()).is_ok();
        (is_memref && (own.reads || own.writes)).then(|| Access::of(memref, own.writes))
    };
    launch.arguments().into_iter().zip(uses).filter_map(touched).collect()
}

/// Launches that do not depend on each other.
#[derive(Default)]
struct Set<'c, 'a> {
    launches: Vec<OperationRef<'c, 'a>>,
    touched: HashMap<Owner, Vec<Access>>,
    writes: bool,
}

impl<'c: 'a, 'a> Set<'c, 'a> {
    /// Whether these accesses do not meet any of its own, one of both a write.
    fn allows(&self, accesses: &[Access]) -> bool {
        let meets = |access: &Access| match access.owner {
            Owner::Anybody => access.writes && !self.touched.is_empty() || self.writes,
            owner => {
                let known = [owner, Owner::Anybody].map(|own| self.touched.get(&own));
                known.into_iter().flatten().flatten().any(|own| access.meets(own))
            }
        };
        !accesses.iter().any(meets)
    }

    fn take(&mut self, launch: OperationRef<'c, 'a>, accesses: Vec<Access>) {
        self.launches.push(launch);
        for access in accesses {
            self.writes |= access.writes;
            self.touched.entry(access.owner).or_default().push(access);
        }
    }

    /// Puts them into one operation in the place of the last, where there are several, and starts anew.
    fn write(&mut self) -> Result<(), Failure> {
        let set = std::mem::take(self);
        let [_, .., last] = set.launches[..] else { return Ok(()) };
        let at = Emitter::before(last)?;
        let region = Region::new();
        region.append_block(Block::new(&[]));
        let op = at.insert(kernel::concurrent(at.location, &[], vec![region])?);
        let block = op.region(0)?.first_block().ok_or(internal!("a set of launches has no body"))?;
        for launch in &set.launches {
            // SAFETY: what it uses comes before the last one, in front of which the operation stands.
            block.append_operation(rewrite::detach(*launch));
        }
        Ok(())
    }
}
