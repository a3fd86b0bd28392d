//! Loop operations become kernels: what each element is becomes a tile program and where it runs.
//!
//! Every loop operation on memrefs becomes a `kernel.func` beside its function and a `kernel.launch` in its place. The
//! [`schedule`] picks the dimension whose indices are the lanes of tiles and splits the others between the grid and
//! loops inside the kernel; [`tiles`] writes these loops; [`body`] writes the body, scalar where it is the same for all
//! lanes and on tiles where it is not; [`access`] tells loads of ranges from gathers. Kernels that come out equal are
//! one.

mod access;
mod body;
mod cursor;
mod nest;
mod schedule;
mod tiles;

use crate::{
    emit::{V, definition, name_of},
    options::ConvertLoopToKernel as Options,
};
use cursor::{Kernel, Lane, key};
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, Operation, OperationRef, Region, RegionLike, Type, ValueLike,
        attribute::StringAttribute,
        operation::{OperationLike, OperationMutLike, WalkOrder, WalkResult},
        r#type::FunctionType,
    },
};
use mlir_sys::mlirOperationDestroy;
use nest::{Nest, refuse};
use schedule::Schedule;
use std::collections::{HashMap, HashSet};
use terrace_dialects::{attributes, context, ops::kernel, pass::Failure};
use tiles::Program;

/// Converts every loop operation below a module; stops at the first that can't be.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    if options.tile < 1 || options.tile & (options.tile - 1) != 0 {
        return Err(format!("expects a tile of a power of two elements, got {}", options.tile).into());
    }
    if options.grain < 1 {
        return Err(format!("expects a grain of 1 element or more, got {}", options.grain).into());
    }
    let mut found = vec![];
    op.walk(WalkOrder::PreOrder, |op| {
        if nest::is_loop(op) {
            found.push(op.to_raw());
        }
        WalkResult::Advance
    });
    let mut kernels = Kernels::new(op);
    for raw in found {
        // SAFETY: the walk found it, and it is destroyed once, here.
        unsafe {
            kernels.convert(OperationRef::from_raw(raw), options)?;
            mlirOperationDestroy(raw);
        }
    }
    Ok(())
}

/// The kernels of a module.
struct Kernels<'c> {
    context: &'c Context,
    /// Symbols that are taken.
    names: HashSet<String>,
    /// The name of each kernel, by its text without the name and by the module that has it.
    texts: HashMap<(usize, String), String>,
    counts: HashMap<String, usize>,
}

/// Where a loop operation stands.
struct Place<'c, 'a> {
    module: OperationRef<'c, 'a>,
    /// The operation of the module that it is in.
    function: OperationRef<'c, 'a>,
    name: String,
}

impl<'c, 'a> Place<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        let (mut function, mut name) = (op, "module".to_string());
        while let Some(parent) = function.parent_operation() {
            if name_of(parent) == "builtin.module" {
                return Ok(Self { module: parent, function, name });
            }
            function = parent;
            if let Ok(symbol) = function.attribute("sym_name") {
                name = attributes::string(symbol);
            }
        }
        Err(refuse(op, "expects to be in a module"))
    }
}

impl<'c: 'a, 'a> Kernels<'c> {
    fn new(root: OperationRef<'c, 'a>) -> Self {
        let mut names = HashSet::new();
        root.walk(WalkOrder::PreOrder, |op| {
            if let Ok(symbol) = op.attribute("sym_name") {
                names.insert(attributes::string(symbol));
            }
            WalkResult::Advance
        });
        Self { context: context::of(root.context()), names, texts: HashMap::new(), counts: HashMap::new() }
    }

    /// Puts a kernel and its launch in front of a loop operation.
    fn convert(&mut self, op: OperationRef<'c, 'a>, options: &Options) -> Result<(), Failure> {
        let nest = Nest::read(op)?;
        if nest.sizes[..nest.outer].contains(&0) {
            return Ok(());
        }
        let schedule = Schedule::of(&nest, options);
        let grid = schedule.grid(&nest.sizes);
        let captured = nest.captured();
        let arguments: Vec<V> = captured.iter().copied().filter(|v| constant(*v).is_none()).collect();
        let (function, block) = self.function(&nest, &arguments, &grid)?;
        let kernel = Kernel::new(self.context, block);
        let at = kernel.start(op.location());
        let mut env = HashMap::new();
        let mut next = 0;
        for value in captured {
            let inside = match constant(value) {
                Some(attribute) => at.constant(value.r#type(), attribute)?,
                None => {
                    next += 1;
                    block.argument(next - 1)?.into()
                }
            };
            env.insert(key(value), Lane::One(inside));
        }
        let points: Vec<V> = (next..next + grid.len())
            .map(|i| Ok(block.argument(i)?.into()))
            .collect::<Result<_, Failure>>()?;
        Program::new(&nest, &schedule).write(at, &env, &points)?;
        at.append(kernel::return_(op.location(), &[]))?;
        let name = self.place(&nest, function)?;
        let launch = kernel::launch(op.location(), &[], &name, &grid, &arguments)?;
        op.block().ok_or("is in no block")?.insert_operation_before(op, launch);
        Ok(())
    }

    /// An empty kernel, not yet in a module.
    fn function(
        &self,
        nest: &Nest<'c, 'a>,
        arguments: &[V<'c, 'a>],
        grid: &[i64],
    ) -> Result<(Operation<'c>, melior::ir::BlockRef<'c, 'a>), Failure> {
        let location = nest.op.location();
        let inputs: Vec<Type> = arguments.iter().map(|v| v.r#type()).collect();
        let indices = grid.iter().map(|_| Type::index(self.context));
        let all: Vec<_> = inputs.iter().copied().chain(indices).map(|t| (t, location)).collect();
        let region = Region::new();
        region.append_block(Block::new(&all));
        let signature = FunctionType::new(self.context, &inputs, &[]).into();
        let function = kernel::func(location, &[], "kernel", signature, grid, vec![region])?;
        let block = function.region(0)?.first_block().ok_or("has no block")?;
        Ok((function, block))
    }

    /// Puts a kernel in front of the function that the nest is in, unless an equal one is there; its name.
    fn place(&mut self, nest: &Nest<'c, 'a>, mut kernel: Operation<'c>) -> Result<String, Failure> {
        let place = Place::of(nest.op)?;
        let text = (place.module.to_raw().ptr as usize, kernel.to_string());
        if let Some(name) = self.texts.get(&text) {
            return Ok(name.clone());
        }
        let stem = format!("{}.{}", place.name, nest.kind.name());
        let count = self.counts.entry(stem.clone()).or_default();
        let name = loop {
            let name = format!("{stem}_{count}");
            *count += 1;
            if self.names.insert(name.clone()) {
                break name;
            }
        };
        kernel.set_attribute("sym_name", StringAttribute::new(self.context, &name).into());
        place.function.block().ok_or("is in no block")?.insert_operation_before(place.function, kernel);
        self.texts.insert(text, name.clone());
        Ok(name)
    }
}

/// The value of a constant, which a kernel has for itself.
fn constant<'c>(value: V<'c, '_>) -> Option<Attribute<'c>> {
    definition(value).filter(|op| name_of(*op) == "arith.constant")?.attribute("value").ok()
}
