//! The pass `kernel-collect-launches`: launches that do not depend on each other stand in one `kernel.concurrent`.
//!
//! A step of an optimizer writes each of a hundred parameters by a launch of its own, and most of them are too small for several
//! threads. Launches are collected in their order as long as none reads or writes what another one of the set writes. They run where
//! the last of them stands: between them are only operations that touch no memory, allocations, and what frees buffers that none of
//! them uses. Accesses are compared by whose memory it is ([`Owner`]), so the cost is linear.

use super::uses::{Kernels, Use};
use crate::emit::Emitter;
use melior::ir::{
    Block, BlockRef, Operation, OperationRef, Region, RegionLike, ValueLike, r#type::MemRefType,
};
use mlir_sys::mlirOperationRemoveFromParent;
use std::collections::HashMap;
use terrace_dialects::{
    analysis::memory::{Memory, Owner},
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        operations::{collect_within, name_of},
        pass::Failure,
        upstream::is_memory_effect_free,
    },
    ops::kernel,
};

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
        // SAFETY: an operation lives as long as its block.
        let op: OperationRef<'c, 'a> = unsafe { OperationRef::from_raw(op.to_raw()) };
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
            Ok(buffer) if frees => set.allows(&[(Memory::of(buffer).owner(), true)]),
            _ => is_memory_effect_free(op) || name_of(op) == "memref.alloc",
        };
        if !passes {
            set.write()?;
        }
    }
    set.write()
}

/// Whose memory a launch touches, and whether it writes there.
fn accesses<'c: 'a, 'a>(launch: kernel::LaunchOp<'c, 'a>, uses: &[Use]) -> Vec<(Owner, bool)> {
    let touched = |(memref, own): (V<'c, 'a>, &Use)| {
        let is_memref = MemRefType::try_from(memref.r#type()).is_ok();
        (is_memref && (own.reads || own.writes)).then(|| (Memory::of(memref).owner(), own.writes))
    };
    launch.arguments().into_iter().zip(uses).filter_map(touched).collect()
}

/// Launches that do not depend on each other.
#[derive(Default)]
struct Set<'c, 'a> {
    launches: Vec<OperationRef<'c, 'a>>,
    /// Whose memory they touch, and whether one of them writes there.
    touched: HashMap<Owner, bool>,
    writes: bool,
}

impl<'c: 'a, 'a> Set<'c, 'a> {
    /// Whether these accesses do not meet any of its own, one of both a write.
    fn allows(&self, accesses: &[(Owner, bool)]) -> bool {
        let meets = |owner: Owner, writes: bool| match owner {
            Owner::Anybody => writes && !self.touched.is_empty() || self.writes,
            owner => [owner, Owner::Anybody]
                .iter()
                .filter_map(|own| self.touched.get(own))
                .any(|written| writes || *written),
        };
        accesses.iter().all(|(owner, writes)| !meets(*owner, *writes))
    }

    fn take(&mut self, launch: OperationRef<'c, 'a>, accesses: Vec<(Owner, bool)>) {
        self.launches.push(launch);
        for (owner, writes) in accesses {
            *self.touched.entry(owner).or_default() |= writes;
            self.writes |= writes;
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
            block.append_operation(unsafe {
                mlirOperationRemoveFromParent(launch.to_raw());
                Operation::from_raw(launch.to_raw())
            });
        }
        Ok(())
    }
}
