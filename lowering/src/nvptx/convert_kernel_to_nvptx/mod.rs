//! The pass `convert-kernel-to-nvptx`: tile programs become functions for a GPU, launches launches of them.
//!
//! All kernels of a module go into one `gpu.module`. A point of a kernel's grid is a block, in row-major
//! order along x; a tile is spread over the threads of the block as its layout says. A kernel of numbers
//! alone is one warp. The files: [`crate::kernel::tiles`] writes the body, `check` says what has no such
//! form, [`launch`] writes the launches, [`open`] takes buffers apart of which the run knows sizes or
//! strides.

mod check;
mod launch;
mod open;

use crate::{
    kernel::{
        disjoint::Disjoint,
        tiles::{
            body::{Body, Lowered},
            order::Order,
            scratch::Scratch,
            threads::Threads,
        },
    },
    options::ConvertKernelToNvptx as Options,
};
use check::check;
use melior::ir::{
    Attribute, Block, OperationRef, Region, RegionLike, Type, ValueLike,
    attribute::{DenseI32ArrayAttribute, IntegerAttribute, StringAttribute, TypeAttribute},
    operation::{WalkOrder, WalkResult},
    r#type::{FunctionType, IntegerType, MemRefType},
};
use std::collections::HashSet;
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        attributes::string,
        cursor::{Cursor, V},
        diagnostics::emit_op_warning,
        extent::Extent,
        operations::{arguments, collect, name_of, refuse},
        pass::Failure,
        refusal::Reason,
        rewrite::{erase, set_attribute},
        shaped::Shaped,
    },
    loops::{
        layout::{Layout, WARP},
        library::is_library,
    },
    ops::kernel,
};
use terrace_size::DYNAMIC;

/// A kernel that has become a function of the GPU.
struct Kernel<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    name: String,
    /// The function's name, of letters that PTX takes.
    symbol: String,
    grid: Vec<i64>,
    threads: i64,
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
    fn new(op: kernel::FuncOp<'c, 'a>, taken: &mut HashSet<String>) -> Self {
        let (operation, name) = (op.operation(), op.sym_name());
        let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let plain: String = name.chars().map(letter).collect();
        let plain = if plain.starts_with(|c: char| c.is_ascii_digit()) { format!("_{plain}") } else { plain };
        let symbol = fresh(&plain, taken);
        Self { operation, name, symbol, grid: op.grid(), threads: threads(operation) }
    }

    /// Writes the function of a kernel into a module of the GPU.
    fn lower(
        &self,
        module: &Cursor<'c, 'a>,
        op: kernel::FuncOp<'c, 'a>,
        disjoint: HashSet<(usize, usize)>,
    ) -> Result<(), Failure> {
        let at = module.of(self.operation.location());
        let old = op.body().first_block().ok_or(internal!("a kernel has no body"))?;
        let count = old.argument_count() - self.grid.len();
        let own: Vec<V> = arguments(old).take(count).collect();
        let taken: Vec<Vec<Type>> = own.iter().map(|argument| open::types(&at, argument.r#type())).collect();
        let sizes = self.grid.iter().filter(|size| **size == DYNAMIC).map(|_| at.index_type());
        let types: Vec<Type> = taken.iter().flatten().copied().chain(sizes).collect();
        let mut all: Vec<_> = types.iter().map(|ty| (*ty, at.location)).collect();
        let scratch = Scratch::all(old).map_err(|(op, why)| refuse(op, why))?;
        let shared = Attribute::parse(at.context, "#gpu.address_space<workgroup>");
        let shared = shared.ok_or(internal!("is built without the gpu dialect"))?;
        for Scratch { op, shaped, .. } in &scratch {
            let ty = MemRefType::new(shaped.element, &shaped.shape, None, Some(shared)).into();
            all.push((ty, op.location()));
        }
        // Vectors of 16 bytes are loaded from it.
        let aligned = vec!["{llvm.align = 16 : i64}"; scratch.len()].join(", ");
        let aligned = Attribute::parse(at.context, &format!("[{aligned}]")).filter(|_| !scratch.is_empty());
        let region = Region::new();
        region.append_block(Block::new(&all));
        let unit = || Attribute::unit(at.context);
        let mut attributes = vec![
            at.named("sym_name", StringAttribute::new(at.context, &self.symbol)),
            at.named("function_type", TypeAttribute::new(FunctionType::new(at.context, &types, &[]).into())),
            at.named("gpu.kernel", unit()),
            at.named(
                "known_block_size",
                DenseI32ArrayAttribute::new(at.context, &[self.threads as i32, 1, 1]),
            ),
        ];
        attributes.extend(aligned.map(|aligned| at.named("workgroup_attrib_attrs", aligned)));
        attributes.push(
            at.named("arg_attrs", no_alias(&at, (self.operation, &own, &taken), &self.grid, &disjoint)?),
        );
        let function = at.build("gpu.func", &[], &[], &attributes, vec![region])?;
        let entry = function.region(0)?.first_block().ok_or(internal!("a function has no body"))?;
        let at = Cursor::end(entry, at.location);
        let x = Attribute::parse(at.context, "#gpu<dim x>")
            .ok_or(internal!("is built without the gpu dialect"))?;
        let x = [at.named("dimension", x)];
        let threads = Threads {
            count: self.threads,
            id: at.with("gpu.thread_id", &[], at.index_type(), &x)?,
            entry,
            shared: vec![],
            order: Order::new(old, disjoint),
        };
        let point = at.with("gpu.block_id", &[], at.index_type(), &x)?;
        let mut body = Body::new(1).spread(threads);
        let values: Vec<V> = arguments(entry).take(types.len()).collect();
        let mut rest = &values[..];
        for (old, taken) in own.iter().zip(&taken) {
            let (values, next) = rest.split_at(taken.len());
            body.set(*old, Lowered::One(open::joined(&at, old.r#type(), values)?));
            rest = next;
        }
        let grid = Extent::listed(&self.grid, rest);
        // Like any other memory from here on: LLVM sees again which it is.
        for (i, Scratch { op, .. }) in scratch.iter().enumerate() {
            let (old, new) = (op.result_at(0)?, entry.argument(types.len() + i)?);
            let memory = at.op("memref.memory_space_cast", &[new.into()], old.r#type())?;
            body.set(old.into(), Lowered::One(memory));
        }
        let indices = at.unravel(point, &grid)?;
        for (old, new) in arguments(old).skip(count).zip(indices) {
            body.set(old, Lowered::One(new));
        }
        body.block(old, at)?;
        at.build("gpu.return", &[], &[], &[], vec![])?;
        let shared = (entry.argument_count() - types.len()) as i64;
        let shared = IntegerAttribute::new(IntegerType::new(at.context, 64).into(), shared);
        // SAFETY: nobody else looks at the function.
        set_attribute(function, "workgroup_attributions", shared.into());
        Ok(())
    }
}

/// Says of a buffer that the kernel only reads, and writes nothing of through another one, that it is nobody
/// else's: its loads need not wait for stores. Of what is written it is not said: LLVM would take it that no
/// other thread writes there, either.
fn no_alias<'c>(
    at: &Cursor<'c, '_>,
    (kernel, arguments, taken): (OperationRef, &[V<'c, '_>], &[Vec<Type<'c>>]),
    grid: &[i64],
    disjoint: &HashSet<(usize, usize)>,
) -> Result<Attribute<'c>, Failure> {
    let reads = |op: &OperationRef| ["kernel.load", "kernel.gather", "memref.load"].contains(&name_of(*op));
    let others = collect(kernel, |op| !reads(&op));
    let touched: HashSet<usize> =
        others.iter().flat_map(|op| op.operands()).map(|own| own.to_raw().ptr as usize).collect();
    let is_read = |i: usize| !touched.contains(&(arguments[i].to_raw().ptr as usize));
    let is_buffer = |i: usize| Shaped::of(arguments[i].r#type()).is_some_and(|shaped| shaped.buffer);
    let alone = |i: usize| {
        let mut others = (0..arguments.len()).filter(|j| *j != i && is_buffer(*j));
        is_buffer(i) && is_read(i) && others.all(|j| is_read(j) || disjoint.contains(&(i.min(j), i.max(j))))
    };
    let texts = taken.iter().enumerate().flat_map(|(i, taken)| {
        let first = if alone(i) { "{llvm.noalias}" } else { "{}" };
        std::iter::once(first).chain(vec!["{}"; taken.len() - 1])
    });
    let sizes = grid.iter().filter(|size| **size == DYNAMIC).map(|_| "{}");
    let text = format!("[{}]", texts.chain(sizes).collect::<Vec<_>>().join(", "));
    Attribute::parse(at.context, &text).ok_or(internal!("writes no list of attributes").into())
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
            Ok(()) => kernels.push(Kernel::new(kernel, &mut symbols)),
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
    let launches = launch::find(module)?;
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
    for kernel in &kernels {
        let op = kernel::FuncOp::try_from(kernel.operation).map_err(|_| "is no kernel any more")?;
        kernel.lower(&Cursor::end(inside, kernel.operation.location()), op, disjoint.pairs(&kernel.name))?;
    }
    for launch in launches {
        if let Some(kernel) = kernels.iter().find(|kernel| kernel.name == launch.callee()) {
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
