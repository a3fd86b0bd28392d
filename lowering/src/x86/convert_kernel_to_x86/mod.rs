//! The pass `convert-kernel-to-x86`: tile programs become functions on vectors, launches calls of them.
//!
//! A kernel becomes `func.func private @NAME(arguments, %from, %to)`, a loop over the points of its grid from
//! the first to before the last, counted in row-major order; sizes of the grid that the launch says are
//! arguments too. A launch calls it on all points, or hands ranges of them to the runtime's pool. The files:
//! [`crate::kernel::tiles`] writes the body, [`distinct`] says which buffers are apart, [`launch`] and
//! [`concurrent`] the calls, [`reinterpret`] views that upstream does not lower, [`work`] what they are
//! worth, [`allocations`] sizes of buffers, [`assertions`] what happens where the program is wrong,
//! [`accesses`] what tests that we are not, [`library`] calls of the runtime, [`loops`] loops that are no
//! kernels.

mod accesses;
mod allocations;
mod assertions;
mod concurrent;
mod distinct;
mod launch;
mod library;
mod loops;
mod reinterpret;
mod work;

use crate::{
    kernel::{
        disjoint::Disjoint,
        tiles::{
            body::{Body, Lowered},
            scratch::Scratch,
        },
    },
    options::ConvertKernelToX86 as Options,
    x86::isa::Isa,
};
use melior::ir::{BlockRef, OperationRef, RegionLike, ValueLike};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        attributes::string,
        cursor::{Cursor, V},
        extent::Extent,
        operations::{arguments, collect, collect_within, name_of, refuse},
        pass::Failure,
        rewrite::erase,
    },
    ops::kernel,
};
use terrace_size::DYNAMIC;
use work::{Kernel, Work};

/// Bytes of scratch memory from which on it is on the heap: the pool's threads have 8 MiB of stack, a caller
/// may have less.
const HEAP_FROM: i64 = 256 << 10;

impl<'c: 'a, 'a> Kernel<'c, 'a> {
    /// Writes the function of a kernel.
    fn lower(
        at: &Cursor<'c, 'a>,
        op: kernel::FuncOp<'c, 'a>,
        isa: Isa,
        disjoint: &Disjoint,
    ) -> Result<Self, Failure> {
        let operation = op.operation();
        let old = op.body().first_block().ok_or(internal!("a kernel has no body"))?;
        let grid = op.grid();
        let count = old.argument_count() - grid.len();
        let sizes = grid.iter().filter(|size| **size == DYNAMIC).map(|_| at.index_type());
        let kernel = Self {
            operation,
            name: op.sym_name(),
            location: operation.location(),
            arguments: arguments(old).take(count).map(|a| a.r#type()).chain(sizes).collect(),
            grid,
            work: Work::of(old, old),
            task: None,
        };
        let at = at.of(kernel.location);
        let types = [launch::passed(&at, &kernel.arguments), vec![at.index_type(); 2]].concat();
        let function = launch::function(&at, &kernel.name, &types)?;
        let entry = function.region(0)?.first_block().ok_or(internal!("a function has no body"))?;
        let at = Cursor::end(entry, kernel.location);
        let mut body = Body::new(isa.lanes()).fusing_pairs(isa.has_bf16());
        let own: Vec<V> = arguments(old).take(count).collect();
        let taken =
            own.iter().zip(arguments(entry)).map(|(old, new)| launch::arrived(&at, new, old.r#type()));
        let values = distinct::say(disjoint, &at, op, &own, taken.collect::<Result<_, Failure>>()?)?;
        for (old, new) in own.iter().zip(values) {
            body.set(*old, Lowered::One(new));
        }
        // Once for all points: each has it for itself while it runs.
        let scratch = Scratch::all(old).map_err(|(op, why)| refuse(op, why))?;
        let heap = Scratch::total(&scratch) >= HEAP_FROM;
        let mut allocated = vec![];
        for Scratch { op, .. } in &scratch {
            let result = op.result_at(0)?;
            let attributes: Vec<_> = op.attributes().collect();
            let name = if heap { "memref.alloc" } else { "memref.alloca" };
            let mut sizes = vec![];
            for size in op.operands() {
                let known = arguments(old).zip(arguments(entry)).take(count).find(|(own, _)| *own == size);
                let why = "is scratch memory of a kernel: expects its sizes to be arguments of the kernel";
                sizes.push(known.ok_or_else(|| refuse(*op, why))?.1);
            }
            let memory = at.with(name, &sizes, result.r#type(), &attributes)?;
            body.set(result.into(), Lowered::One(memory));
            allocated.push(memory);
        }
        let all: Vec<V> = arguments(entry).collect();
        let (given, range) = all.split_at(kernel.arguments.len());
        let grid = Extent::listed(&kernel.grid, &given[count..]);
        at.repeat(range[0], range[1], |at, point| {
            for (index, value) in arguments(old).skip(count).zip(at.unravel(point, &grid)?) {
                body.set(index, Lowered::One(value));
            }
            body.block(old, at)
        })?;
        for memory in allocated.into_iter().filter(|_| heap) {
            at.build("memref.dealloc", &[memory], &[], &[], vec![])?;
        }
        at.build("func.return", &[], &[], &[], vec![])?;
        Ok(kernel)
    }

    /// What a launch calls the function with: its arguments, and the sizes of the grid that the kernel leaves
    /// open.
    fn given(&self, at: &Cursor<'c, 'a>, op: kernel::LaunchOp<'c, 'a>) -> Result<Vec<V<'c, 'a>>, Failure> {
        let mut given = op.arguments();
        let sizes = Extent::listed(&op.grid(), &op.dynamic_grid());
        for (_, size) in self.grid.iter().zip(sizes).filter(|(own, _)| **own == DYNAMIC) {
            given.push(at.extent(size)?);
        }
        Ok(given)
    }
}

/// Writes the functions of all kernels of a module; they, and the names of all symbols.
fn lowered<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    isa: Isa,
    disjoint: &Disjoint,
) -> Result<(Vec<Kernel<'c, 'a>>, HashSet<String>), Failure> {
    let mut names = HashSet::new();
    let mut kernels = vec![];
    let mut next = block.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        if let Ok(symbol) = op.attribute("sym_name") {
            names.insert(string(symbol));
        }
        if let Ok(kernel) = kernel::FuncOp::try_from(op) {
            kernels.push(Kernel::lower(&Cursor::before(op)?, kernel, isa, disjoint)?);
        }
    }
    Ok((kernels, names))
}

/// Converts the kernels, launches and assertions of a module.
pub fn run(module: OperationRef, options: &Options) -> Result<(), Failure> {
    let isa: Isa = options.cpu.parse()?;
    let block = module.region(0)?.first_block().ok_or(internal!("a module has no body"))?;
    collect(module, |op| name_of(op) == "func.func").into_iter().for_each(loops::say);
    let launches = collect(module, |op| kernel::LaunchOp::try_from(op).is_ok());
    let disjoint = Disjoint::of(launches.into_iter().filter_map(|op| kernel::LaunchOp::try_from(op).ok()));
    let (mut kernels, mut names) = lowered(block, isa, &disjoint)?;
    if options.check_accesses {
        accesses::check(module)?;
    }
    let declared = names.clone();
    let mut fresh = |wanted: &str| {
        let numbered = (0..).map(|i| if i == 0 { wanted.to_owned() } else { format!("{wanted}_{i}") });
        let name = numbered.into_iter().find(|name| !names.contains(name)).unwrap_or_default();
        names.insert(name.clone());
        name
    };
    let enters = |op| match name_of(op) {
        // Another table of symbols: not this module's.
        "builtin.module" => op == module,
        // What is left of it is about to go.
        name => name != "kernel.func",
    };
    let at = Cursor::start(block, module.location());
    let numbers: HashMap<String, usize> =
        kernels.iter().enumerate().map(|(number, kernel)| (kernel.name.clone(), number)).collect();
    let sets = collect_within(module, enters, |op| kernel::ConcurrentOp::try_from(op).is_ok());
    let runs = concurrent::all(&at, sets, &kernels, &numbers, &mut fresh)?;
    let found = collect_within(module, enters, |op| {
        let named = matches!(name_of(op), "kernel.reinterpret" | "cf.assert" | "graph.guard");
        let is_launch = kernel::LaunchOp::try_from(op).is_ok();
        named
            || is_launch
            || allocations::is_open(op)
            || library::is_call(op)
            || reinterpret::is_open_split(op)
    });
    let (mut messages, mut called) = (assertions::Messages::default(), library::Called::default());
    let mut looks = false;
    for op in found {
        if allocations::is_open(op) {
            allocations::look(op)?;
            looks = true;
            continue;
        }
        if library::is_call(op) {
            called.lower(op)?;
            continue;
        }
        if kernel::ReinterpretOp::try_from(op).is_ok() {
            reinterpret::lower(op)?;
            continue;
        }
        if reinterpret::is_open_split(op) {
            reinterpret::split(op)?;
            continue;
        }
        let Ok(launch) = kernel::LaunchOp::try_from(op) else {
            messages.lower(&at, op, &mut fresh)?;
            continue;
        };
        let number = numbers.get(&launch.callee()).ok_or(internal!("launches no kernel"))?;
        let kernel = &mut kernels[*number];
        launch::launch(&at, launch, kernel, &mut fresh)?;
    }
    if runs || kernels.iter().any(|kernel| kernel.task.is_some()) {
        launch::declare(&at, |name| declared.contains(name))?;
    }
    if looks {
        allocations::declare(&at, |name| declared.contains(name))?;
    }
    messages.declare(&at, |name| declared.contains(name))?;
    called.declare(&at, |name| declared.contains(name))?;
    for kernel in kernels {
        erase(kernel.operation);
    }
    Ok(())
}
