//! Kernels and their launches, in their places; kernels that come out equal are one.

use super::cursor::{Cursor, Env, Kernel, Lane, part_key, parts_of};
use crate::emit::{Emitter, complex::Complex};
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockRef, Location, Operation, OperationRef, Region, RegionLike, Type, ValueLike,
        attribute::StringAttribute,
        operation::{OperationMutLike, WalkOrder, WalkResult},
        r#type::FunctionType,
    },
};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike, attributes, context,
        cursor::V,
        extent::Extent,
        operations::{definition, key, name_of, refuse},
        pass::Failure,
    },
    loops::reinterpret::parts,
    ops::kernel,
};

/// The kernels of a module.
pub(crate) struct Kernels<'c> {
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
    /// No kernels yet.
    pub fn new(root: OperationRef<'c, 'a>) -> Self {
        let mut names = HashSet::new();
        root.walk(WalkOrder::PreOrder, |op| {
            if let Ok(symbol) = op.attribute("sym_name") {
                names.insert(attributes::string(symbol));
            }
            WalkResult::Advance
        });
        Self { context: context::of(root.context()), names, texts: HashMap::new(), counts: HashMap::new() }
    }

    /// Puts a kernel, what `write` makes of it, and its launch in front of a loop operation. `captured` are
    /// the values that the kernel uses: its arguments, but for constants.
    pub fn launch(
        &mut self,
        op: OperationRef<'c, 'a>,
        does: &str,
        captured: &[V<'c, 'a>],
        grid: &[Extent<'c, 'a>],
        write: impl FnOnce(Cursor<'c, 'a, '_>, Env<'c, 'a>, &[V<'c, 'a>]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let captured = by_parts(op, captured)?;
        let arguments: Vec<V> = captured.iter().map(|(_, v)| *v).filter(|v| constant(*v).is_none()).collect();
        let (function, block) = self.function(op.location(), &arguments, &Extent::in_types(grid))?;
        let kernel = Kernel::new(block);
        let at = kernel.start(op.location());
        let inside = |i: usize| -> Result<V<'c, 'a>, Failure> { Ok(block.argument(i)?.into()) };
        let mut env = Env::new();
        let mut next = 0;
        for (key, value) in captured {
            let inside = match constant(value) {
                Some(attribute) => at.constant(value.r#type(), attribute)?,
                None => {
                    next += 1;
                    inside(next - 1)?
                }
            };
            env.insert(key, Lane::One(inside));
        }
        let points: Vec<V> =
            (0..grid.len()).map(|d| inside(arguments.len() + d)).collect::<Result<_, Failure>>()?;
        write(at, env, &points)?;
        at.append(kernel::return_(op.location(), &[]))?;
        let name = self.place(op, does, function)?;
        let (dynamic, sizes) = Extent::split(grid);
        let launch = kernel::launch(op.location(), &[], &name, &dynamic, &sizes, &arguments)?;
        op.block().ok_or(internal!("is in no block"))?.insert_operation_before(op, launch);
        Ok(())
    }

    /// An empty kernel, not yet in a module.
    fn function(
        &self,
        location: Location<'c>,
        arguments: &[V<'c, 'a>],
        grid: &[i64],
    ) -> Result<(Operation<'c>, BlockRef<'c, 'a>), Failure> {
        let inputs: Vec<Type> = arguments.iter().map(|v| v.r#type()).collect();
        let indices = grid.iter().map(|_| Type::index(self.context));
        let all: Vec<_> = inputs.iter().copied().chain(indices).map(|t| (t, location)).collect();
        let region = Region::new();
        region.append_block(Block::new(&all));
        let signature = FunctionType::new(self.context, &inputs, &[]).into();
        let function = kernel::func(location, &[], "kernel", signature, grid, vec![region])?;
        let block = function.region(0)?.first_block().ok_or(internal!("has no block"))?;
        Ok((function, block))
    }

    /// Puts a kernel in front of the function that the operation is in, unless an equal one is there; its
    /// name.
    fn place(
        &mut self,
        op: OperationRef<'c, 'a>,
        does: &str,
        mut kernel: Operation<'c>,
    ) -> Result<String, Failure> {
        let place = Place::of(op)?;
        let text = (place.module.to_raw().ptr as usize, kernel.to_string());
        if let Some(name) = self.texts.get(&text) {
            return Ok(name.clone());
        }
        let stem = format!("{}.{does}", place.name);
        let count = self.counts.entry(stem.clone()).or_default();
        let name = loop {
            let name = format!("{stem}_{count}");
            *count += 1;
            if self.names.insert(name.clone()) {
                break name;
            }
        };
        kernel.set_attribute("sym_name", StringAttribute::new(self.context, &name).into());
        place
            .function
            .block()
            .ok_or(internal!("is in no block"))?
            .insert_operation_before(place.function, kernel);
        self.texts.insert(text, name.clone());
        Ok(name)
    }
}

/// What a kernel is given for values that it uses, and the keys by which it knows them: for a buffer of
/// complex numbers that of their parts, for a complex number its parts.
fn by_parts<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    captured: &[V<'c, 'a>],
) -> Result<Vec<(usize, V<'c, 'a>)>, Failure> {
    let e = Emitter::before(op)?;
    let mut given = vec![];
    for &value in captured {
        if let Some(ty) = parts(value.r#type()) {
            given.push((key(value), e.op("kernel.reinterpret", &[value], ty, &[])));
        } else if parts_of(value.r#type()) > 1 {
            let Complex { re, im } = e.parts(value);
            given.extend([(part_key(value, 0), re), (part_key(value, 1), im)]);
        } else {
            given.push((key(value), value));
        }
    }
    Ok(given)
}

/// The value of a constant, which a kernel has for itself.
fn constant<'c>(value: V<'c, '_>) -> Option<Attribute<'c>> {
    definition(value).filter(|op| name_of(*op) == "arith.constant")?.attribute("value").ok()
}
