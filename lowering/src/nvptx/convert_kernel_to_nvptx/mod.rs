//! The pass `convert-kernel-to-nvptx`: tile programs become functions for a GPU, launches launches of them.
//!
//! All kernels of a module go into one `gpu.module`. A point of a kernel's grid is a block, in row-major
//! order along x; a tile is spread over the threads of the block as its layout says. A kernel of numbers
//! alone is one warp. The files: [`function`] writes a function, its body [`crate::kernel::tiles`]; `check`
//! says what has no such form; [`launch`] writes the launches, [`merge`] those of several kernels at once;
//! [`open`] takes buffers apart of which the run knows sizes or strides.

mod check;
mod function;
mod launch;
mod merge;
mod open;

use crate::{
    kernel::{concurrent::dissolve, disjoint::Disjoint},
    options::ConvertKernelToNvptx as Options,
};
use check::check;
use function::Part;
use melior::ir::{
    Attribute, Block, OperationRef, Region, RegionLike, ValueLike,
    attribute::StringAttribute,
    operation::{WalkOrder, WalkResult},
};
use merge::Merged;
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        attributes::string,
        cursor::Cursor,
        diagnostics::emit_op_warning,
        operations::{collect, name_of, refuse},
        pass::Failure,
        refusal::Reason,
        rewrite::{erase, set_attribute},
    },
    loops::{
        layout::{Layout, WARP},
        library::is_library,
    },
    ops::kernel,
};

/// A kernel that has become a function of the GPU.
struct Kernel<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    name: String,
    /// The function's name, of letters that PTX takes.
    symbol: String,
    grid: Vec<i64>,
    threads: i64,
    /// Bytes that these share.
    shared: i64,
}

/// The threads of a block, over which the tiles of a kernel are laid out.
fn threads(op: OperationRef) -> i64 {
    let mut threads = WARP;
    op.walk(WalkOrder::PreOrder, |op| {
        match op.results().find_map(|result| Layout::of(result.r#type())) {
            Some(layout) => threads = layout.count(),
            None => return WalkResult::Advance,
        }
        WalkResult::Interrupt
    });
    threads
}

impl<'c: 'a, 'a> Kernel<'c, 'a> {
    fn new(op: kernel::FuncOp<'c, 'a>, shared: i64, taken: &mut HashSet<String>) -> Self {
        let (operation, name) = (op.operation(), op.sym_name());
        let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let plain: String = name.chars().map(letter).collect();
        let plain = if plain.starts_with(|c: char| c.is_ascii_digit()) { format!("_{plain}") } else { plain };
        let symbol = fresh(&plain, taken);
        Self { operation, name, symbol, grid: op.grid(), threads: threads(operation), shared }
    }
}

/// A name that is not taken yet, and is now.
fn fresh(wanted: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (0..).map(|i| if i == 0 { wanted.to_owned() } else { format!("{wanted}_{i}") });
    let name = numbered.into_iter().find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(name.clone());
    name
}

/// Converts the kernels and launches of a module.
pub fn run(module: OperationRef, options: &Options) -> Result<(), Failure> {
    let block = module.region(0)?.first_block().ok_or(internal!("a module has no body"))?;
    let at = Cursor::start(block, module.location());
    for op in collect(module, is_library) {
        let why = "is a call of the runtime on a CPU: it has no form on the threads of a GPU";
        if !options.partial {
            return Err(refuse(op, &Reason::Device.says(why)));
        }
        emit_op_warning(&op, &format!("stays behind, it is not in the code for the GPU: it {why}"));
    }
    let (mut names, mut symbols) = (HashSet::new(), HashSet::new());
    let mut kernels = vec![];
    let mut next = block.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        if let Ok(symbol) = op.attribute("sym_name") {
            names.insert(string(symbol));
        }
        let Ok(kernel) = kernel::FuncOp::try_from(op) else { continue };
        match check(kernel) {
            Ok(shared) => kernels.push(Kernel::new(kernel, shared, &mut symbols)),
            Err((op, why)) if options.partial => {
                let (name, inner) = (kernel.sym_name(), name_of(op));
                let message =
                    format!("'{name}' stays behind, it is not in the code for the GPU: '{inner}' {why}");
                emit_op_warning(&kernel.operation(), &message);
            }
            Err((op, why)) => return Err(refuse(op, &Reason::Device.says(why))),
        }
    }
    if kernels.is_empty() {
        return Ok(());
    }
    let launches = launch::find(module, "kernel.launch").into_iter();
    let launches: Vec<_> = launches.filter_map(|op| kernel::LaunchOp::try_from(op).ok()).collect();
    let disjoint = Disjoint::of(launches.iter().copied());
    let targets = Attribute::parse(at.context, &format!("[#nvvm.target<chip = \"{}\">]", options.chip));
    let targets = targets.ok_or_else(|| Failure::Message(format!("names no chip: '{}'", options.chip)))?;
    let region = Region::new();
    region.append_block(Block::new(&[]));
    let name = fresh("kernels", &mut names);
    let attributes =
        [at.named("sym_name", StringAttribute::new(at.context, &name)), at.named("targets", targets)];
    let gpu = at.build("gpu.module", &[], &[], &attributes, vec![region])?;
    let inside = gpu.region(0)?.first_block().ok_or(internal!("a module has no body"))?;
    let inside = Cursor::end(inside, at.location);
    let named: HashMap<&str, &Kernel> = kernels.iter().map(|own| (&*own.name, own)).collect();
    let (mut sets, mut merged) = (vec![], HashSet::new());
    for op in launch::find(module, "kernel.concurrent") {
        let plans = merge::plan(op, &named)?;
        merged.extend(plans.iter().flat_map(Merged::launches).map(|launch| launch.operation().to_raw().ptr));
        sets.push((op, plans));
    }
    let is_merged = |launch: &kernel::LaunchOp| merged.contains(&launch.operation().to_raw().ptr);
    let (together, alone): (Vec<_>, Vec<_>) = launches.into_iter().partition(is_merged);
    let [together, others] =
        [&together, &alone].map(|list| list.iter().map(|launch| launch.callee()).collect::<HashSet<_>>());
    for kernel in kernels.iter().filter(|own| !together.contains(&own.name) || others.contains(&own.name)) {
        let part = Part::new(&inside, kernel, &[], disjoint.pairs(&kernel.name))?;
        function::write(&inside, &kernel.symbol, &[part])?;
    }
    let mut new = |wanted: &str| fresh(wanted, &mut symbols);
    for (op, plans) in sets {
        for plan in plans {
            plan.write(op, (&inside, &name), &disjoint, &mut new)?;
        }
        dissolve(op)?;
        erase(op);
    }
    for launch in alone {
        if let Some(kernel) = named.get(&*launch.callee()) {
            launch::launch(launch, kernel, &name)?;
        }
    }
    // SAFETY: the pass runs on it, and nobody else looks at it now.
    set_attribute(module, "gpu.container_module", Attribute::unit(at.context));
    for kernel in kernels {
        assert_eq!(name_of(kernel.operation), "kernel.func");
        erase(kernel.operation);
    }
    Ok(())
}
