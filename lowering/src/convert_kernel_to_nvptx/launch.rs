//! Launches, and what they say of a kernel's arguments.

use super::Kernel;
use melior::ir::{Attribute, OperationRef, attribute::DenseI32ArrayAttribute};
use std::collections::HashSet;
use terrace_dialects::{
    cursor::Cursor,
    memory::Memory,
    operations::{collect_within, erase, name_of},
    ops::kernel,
    pass::Failure,
};

/// The launches of a module's own kernels.
pub(super) fn find<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<kernel::LaunchOp<'c, 'a>> {
    let enters = |op| match name_of(op) {
        // Another table of symbols: not this module's.
        "builtin.module" | "gpu.module" => op == module,
        name => name != "kernel.func",
    };
    let found = collect_within(module, enters, |op| name_of(op) == "kernel.launch");
    found.into_iter().filter_map(|op| kernel::LaunchOp::try_from(op).ok()).collect()
}

/// The pairs of arguments of a kernel, the smaller first, that share no memory in any launch. Of a kernel that nobody launches here nothing is known.
pub(super) fn apart<'c: 'a, 'a>(
    name: &str,
    launches: &[kernel::LaunchOp<'c, 'a>],
) -> HashSet<(usize, usize)> {
    let mut common: Option<HashSet<(usize, usize)>> = None;
    for launch in launches.iter().filter(|launch| launch.callee() == name) {
        let memories: Vec<_> = launch.arguments().into_iter().map(Memory::of).collect();
        let pairs = (0..memories.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let apart: HashSet<_> = pairs.filter(|(i, j)| memories[*i].is_apart(&memories[*j], false)).collect();
        common = Some(match common {
            Some(before) => before.intersection(&apart).copied().collect(),
            None => apart,
        });
    }
    common.unwrap_or_default()
}

/// Turns a launch into one of a function of the GPU module `module`.
pub(super) fn launch<'c: 'a, 'a>(
    op: kernel::LaunchOp<'c, 'a>,
    kernel: &Kernel,
    module: &str,
) -> Result<(), Failure> {
    let operation = op.operation();
    let at = Cursor::before(operation)?;
    let points = kernel.points().ok_or("has too many grid points")?;
    // Nothing to do; and a GPU refuses a grid of no blocks.
    if points > 0 {
        let one = at.index(1)?;
        let arguments = op.arguments();
        let mut operands = vec![at.index(points)?, one, one, at.index(kernel.threads)?, one, one];
        let segments = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, arguments.len() as i32, 0];
        operands.extend(arguments);
        let callee = Attribute::parse(at.context, &format!("@{module}::@{}", kernel.symbol));
        let attributes = [
            at.named("kernel", callee.ok_or("has a name that is no symbol")?),
            at.named("operandSegmentSizes", DenseI32ArrayAttribute::new(at.context, &segments)),
        ];
        at.build("gpu.launch_func", &operands, &[], &attributes, vec![])?;
    }
    // SAFETY: the launch has no results, and nobody looks at it any more.
    unsafe { erase(operation) };
    Ok(())
}
