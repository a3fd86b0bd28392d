//! What kernels do with their arguments, so that launches can be moved.

use melior::ir::{OperationRef, RegionLike};
use std::collections::HashMap;
use terrace_dialects::{
    analysis::{
        effects::{self, EffectKind, On},
        memory::Memory,
    },
    ir::{
        OperationLike,
        operations::{argument, arguments, collect, name_of},
    },
    ops::kernel,
};

/// What a kernel does with the memory of one argument.
#[derive(Clone, Copy, Default)]
pub(crate) struct Use {
    pub reads: bool,
    pub writes: bool,
}

/// The kernels of a module, by their names.
pub(crate) struct Kernels(HashMap<String, Option<Uses>>);

/// What a kernel does with its arguments, and nothing besides.
pub(crate) struct Uses {
    /// One per argument.
    pub arguments: Vec<Use>,
    /// Whether elements are found by other elements.
    pub by_elements: bool,
}

impl Kernels {
    /// Reads the kernels below a module.
    pub fn of(module: OperationRef) -> Self {
        let kernels = collect(module, |op| kernel::FuncOp::try_from(op).is_ok());
        let named = |op| Some((kernel::FuncOp::try_from(op).ok()?.sym_name(), uses(op)));
        Self(kernels.into_iter().filter_map(named).collect())
    }

    /// What a launch does with its arguments; None where it may do something else, too.
    pub fn of_launch(&self, launch: kernel::LaunchOp) -> Option<&Uses> {
        self.0.get(&launch.callee())?.as_ref()
    }
}

fn uses(kernel: OperationRef) -> Option<Uses> {
    let block = kernel.region(0).ok()?.first_block()?;
    let mut uses = Uses { arguments: vec![Use::default(); arguments(block).count()], by_elements: false };
    for op in collect(kernel, |op| op != kernel) {
        uses.by_elements |= matches!(name_of(op), "kernel.gather" | "kernel.scatter" | "kernel.atomic");
        for (effect, on) in effects::of(op).unwrap_or_default() {
            let memref = match on {
                On::Operand(number) => op.operand(number).ok()?,
                On::Result(_) => continue,
                On::Generator | On::Anything => return None,
            };
            // Else it is memory of the kernel.
            if let Some(own) = argument(Memory::of(memref).root).filter(|own| own.owner() == block) {
                let entry = &mut uses.arguments[own.argument_number()];
                entry.reads |= effect != EffectKind::Write;
                entry.writes |= effect != EffectKind::Read;
            }
        }
    }
    Some(uses)
}
