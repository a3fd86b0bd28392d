//! The functions of the GPU module. One runs the points of a kernel; or those of several launches, that of
//! each after those of the one before:
//!
//! ```text
//! gpu.func @step_concurrent(%p0, %g0, %p1, %g1) kernel {   the launches of @step on 4 points each
//!   %number = %block floordiv 4
//!   %p, %g = scf.index_switch %number  case 0 { %p0, %g0 }  default { %p1, %g1 }
//!   the body of @step at point %block mod 4
//! }
//! ```
//!
//! Where the launches are of several kernels, an `scf.if` on the block's number chooses the body.

use super::{Kernel, open};
use crate::kernel::tiles::{
    body::{Body, Lowered},
    order::Order,
    scratch::Scratch,
    threads::Threads,
};
use melior::ir::{
    Attribute, Block, BlockRef, OperationRef, Region, RegionLike, Type, ValueLike,
    attribute::{
        DenseI32ArrayAttribute, DenseI64ArrayAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
    },
    r#type::{FunctionType, IntegerType, MemRefType},
};
use std::{collections::HashSet, ops::Range};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        extent::Extent,
        operations::{arguments, collect, name_of, refuse},
        pass::Failure,
        rewrite::set_attribute,
        shaped::Shaped,
    },
    ops::kernel,
};
use terrace_size::{DYNAMIC, symbols::Predicate};

/// A kernel in a function.
pub(super) struct Part<'c, 'a, 'k> {
    kernel: &'k Kernel<'c, 'a>,
    body: BlockRef<'c, 'a>,
    /// Its arguments, without the indices of a point.
    own: Vec<V<'c, 'a>>,
    /// What the function takes for each.
    taken: Vec<Vec<Type<'c>>>,
    /// Whether all launches hand over the same for it.
    same: Vec<bool>,
    /// How many launches there are: one of those that come later.
    times: usize,
    disjoint: HashSet<(usize, usize)>,
}

impl<'c: 'a, 'a, 'k> Part<'c, 'a, 'k> {
    /// That of some launches, or of any single one.
    pub fn new(
        at: &Cursor<'c, 'a>,
        kernel: &'k Kernel<'c, 'a>,
        launches: &[kernel::LaunchOp<'c, 'a>],
        disjoint: HashSet<(usize, usize)>,
    ) -> Result<Self, Failure> {
        let op = kernel::FuncOp::try_from(kernel.operation).map_err(|_| "is no kernel any more")?;
        let body = op.body().first_block().ok_or(internal!("a kernel has no body"))?;
        let count = body.argument_count() - kernel.grid.len();
        let own: Vec<V> = arguments(body).take(count).collect();
        let taken = own.iter().map(|argument| open::types(at, argument.r#type())).collect();
        let lists: Vec<Vec<V>> = launches.iter().map(|launch| launch.arguments()).collect();
        let same = (0..count).map(|i| lists.iter().all(|list| list[i] == lists[0][i])).collect();
        Ok(Self { kernel, body, own, taken, same, times: launches.len().max(1), disjoint })
    }

    /// What the function is handed for these launches.
    pub fn given(
        &self,
        at: &Cursor<'c, 'a>,
        launches: &[kernel::LaunchOp<'c, 'a>],
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let mut given = vec![];
        for (i, same) in self.same.iter().enumerate() {
            for launch in launches.iter().take(if *same { 1 } else { self.times }) {
                given.extend(open::given(at, launch.arguments()[i])?);
            }
        }
        Ok(given)
    }

    /// The types of what the function takes for all launches: argument by argument, launch by launch.
    fn types(&self) -> Vec<Type<'c>> {
        let all = self
            .taken
            .iter()
            .zip(&self.same)
            .map(|(taken, same)| (taken, if *same { 1 } else { self.times }));
        all.flat_map(|(taken, times)| taken.repeat(times)).collect()
    }

    /// The points of one launch, where all sizes of the grid are numbers.
    fn points(&self) -> i64 {
        self.kernel.grid.iter().product()
    }

    /// What the arguments are in the launch of a number, out of what the function takes for this part.
    fn chosen(
        &self,
        at: &Cursor<'c, 'a>,
        number: V<'c, 'a>,
        values: &[V<'c, 'a>],
    ) -> Result<Vec<Vec<V<'c, 'a>>>, Failure> {
        let (mut rest, mut lists) = (values, vec![]);
        for (taken, same) in self.taken.iter().zip(&self.same) {
            let times = if *same { 1 } else { self.times };
            let (own, next) = rest.split_at(taken.len() * times);
            lists.push(own.chunks(taken.len()).collect::<Vec<_>>());
            rest = next;
        }
        let differ = |i: &usize| lists[*i].len() > 1;
        let mut all = vec![];
        for launch in 0..self.times {
            let own = (0..lists.len()).filter(differ).flat_map(|i| lists[i][launch]);
            all.push(own.map(|value| in_global_memory(at, *value)).collect::<Result<Vec<V>, _>>()?);
        }
        let chosen = choose(at, number, &all)?;
        let types = (0..lists.len()).filter(differ).flat_map(|i| &self.taken[i]);
        let generic = |(value, ty): (&V<'c, 'a>, &Type<'c>)| match value.r#type() == *ty {
            true => Ok(*value),
            false => at.op("memref.memory_space_cast", &[*value], *ty),
        };
        let chosen = chosen.iter().zip(types).map(generic).collect::<Result<Vec<V>, Failure>>()?;
        let mut chosen = &chosen[..];
        let one = |i: usize| {
            if !differ(&i) {
                return lists[i][0].to_vec();
            }
            let (own, next) = chosen.split_at(self.taken[i].len());
            chosen = next;
            own.to_vec()
        };
        Ok((0..lists.len()).map(one).collect())
    }
}

/// A buffer as one of global memory: of a pointer that was chosen nobody sees any more where it points to.
fn in_global_memory<'c: 'a, 'a>(at: &Cursor<'c, 'a>, value: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    let Ok(ty) = MemRefType::try_from(value.r#type()) else { return Ok(value) };
    let global = Attribute::parse(at.context, "#gpu.address_space<global>");
    let global = global.ok_or(internal!("is built without the gpu dialect"))?;
    let Shaped { element, shape, .. } = Shaped::expect(value.r#type())?;
    let ty = MemRefType::new(element, &shape, Some(ty.layout()), Some(global));
    at.op("memref.memory_space_cast", &[value], ty.into())
}

/// One of several lists, by its number, which is known when it runs: a jump by a table.
fn choose<'c: 'a, 'a>(
    at: &Cursor<'c, 'a>,
    number: V<'c, 'a>,
    lists: &[Vec<V<'c, 'a>>],
) -> Result<Vec<V<'c, 'a>>, Failure> {
    let (last, others) = lists.split_last().ok_or(internal!("chooses one of nothing"))?;
    if others.is_empty() || last.is_empty() {
        return Ok(last.clone());
    }
    let types: Vec<Type> = last.iter().map(ValueLike::r#type).collect();
    let region = |_: &Vec<V>| {
        let region = Region::new();
        region.append_block(Block::new(&[]));
        region
    };
    let numbers: Vec<i64> = (0..others.len() as i64).collect();
    let cases = at.named("cases", DenseI64ArrayAttribute::new(at.context, &numbers));
    let op = at.build("scf.index_switch", &[number], &types, &[cases], lists.iter().map(region).collect())?;
    // The default comes first.
    for (way, list) in std::iter::once(last).chain(others).enumerate() {
        let block = op.region(way)?.first_block().ok_or(internal!("a case has no body"))?;
        Cursor::end(block, at.location).build("scf.yield", list, &[], &[], vec![])?;
    }
    Ok(op.results().map(V::from).collect())
}

/// A function that is written: its kernels, and the buffers of scratch memory of each.
struct Function<'c, 'a, 'p, 'k> {
    entry: BlockRef<'c, 'a>,
    /// The number of a thread.
    thread: V<'c, 'a>,
    parts: &'p [Part<'c, 'a, 'k>],
    /// What is taken for each.
    values: Vec<Vec<V<'c, 'a>>>,
    /// The sizes of a grid that the launch says.
    sizes: Vec<V<'c, 'a>>,
    scratch: Vec<Vec<(V<'c, 'a>, V<'c, 'a>)>>,
}

/// Writes a function for kernels into a module of the GPU; a grid that the launch says is that of one alone.
pub(super) fn write<'c: 'a, 'a>(
    module: &Cursor<'c, 'a>,
    symbol: &str,
    parts: &[Part<'c, 'a, '_>],
) -> Result<(), Failure> {
    let first = parts.first().ok_or(internal!("a function without kernels"))?;
    let at = module.of(first.kernel.operation.location());
    let sizes = first.kernel.grid.iter().filter(|size| **size == DYNAMIC).map(|_| at.index_type());
    let types: Vec<Type> = parts.iter().flat_map(Part::types).chain(sizes).collect();
    let mut all: Vec<_> = types.iter().map(|ty| (*ty, at.location)).collect();
    let scratch = parts.iter().map(|part| Scratch::all(part.body)).collect::<Result<Vec<_>, _>>();
    let scratch = scratch.map_err(|(op, why)| refuse(op, why))?;
    let shared = Attribute::parse(at.context, "#gpu.address_space<workgroup>");
    let shared = shared.ok_or(internal!("is built without the gpu dialect"))?;
    for Scratch { op, shaped, .. } in scratch.iter().flatten() {
        all.push((MemRefType::new(shaped.element, &shaped.shape, None, Some(shared)).into(), op.location()));
    }
    // Vectors of 16 bytes are loaded from it.
    let aligned = vec!["{llvm.align = 16 : i64}"; all.len() - types.len()].join(", ");
    let aligned = Attribute::parse(at.context, &format!("[{aligned}]")).filter(|_| all.len() > types.len());
    let region = Region::new();
    region.append_block(Block::new(&all));
    let threads = DenseI32ArrayAttribute::new(at.context, &[first.kernel.threads as i32, 1, 1]);
    let mut attributes = vec![
        at.named("sym_name", StringAttribute::new(at.context, symbol)),
        at.named("function_type", TypeAttribute::new(FunctionType::new(at.context, &types, &[]).into())),
        at.named("gpu.kernel", Attribute::unit(at.context)),
        at.named("known_block_size", threads),
    ];
    attributes.extend(aligned.map(|aligned| at.named("workgroup_attrib_attrs", aligned)));
    // Which of several buffers it is only the run knows.
    if let ([part], true) = (parts, first.times == 1) {
        attributes.push(at.named("arg_attrs", no_alias(&at, part)?));
    }
    let function = at.build("gpu.func", &[], &[], &attributes, vec![region])?;
    let entry = function.region(0)?.first_block().ok_or(internal!("a function has no body"))?;
    let at = Cursor::end(entry, at.location);
    let x =
        Attribute::parse(at.context, "#gpu<dim x>").ok_or(internal!("is built without the gpu dialect"))?;
    let x = [at.named("dimension", x)];
    let thread = at.with("gpu.thread_id", &[], at.index_type(), &x)?;
    let block = at.with("gpu.block_id", &[], at.index_type(), &x)?;
    let mut given = arguments(entry).collect::<Vec<_>>().into_iter();
    let values = parts.iter().map(|part| given.by_ref().take(part.types().len()).collect()).collect();
    let dynamic = types.len() - parts.iter().map(|part| part.types().len()).sum::<usize>();
    let sizes = given.by_ref().take(dynamic).collect();
    // Like any other memory from here on: LLVM sees again which it is.
    let memory = |(own, new): (&Scratch<'c, 'a>, V<'c, 'a>)| {
        let old: V = own.op.result_at(0)?.into();
        Ok((old, at.op("memref.memory_space_cast", &[new], old.r#type())?))
    };
    let scratch = scratch.iter().map(|own| own.iter().zip(given.by_ref()).map(memory).collect());
    let scratch = scratch.collect::<Result<Vec<Vec<_>>, Failure>>()?;
    let own = Function { entry, thread, parts, values, sizes, scratch };
    own.among(&at, block, 0..parts.len())?;
    at.build("gpu.return", &[], &[], &[], vec![])?;
    let shared = (entry.argument_count() - types.len()) as i64;
    let shared = IntegerAttribute::new(IntegerType::new(at.context, 64).into(), shared);
    // SAFETY: nobody else looks at the function.
    set_attribute(function, "workgroup_attributions", shared.into());
    Ok(())
}

impl<'c: 'a, 'a> Function<'c, 'a, '_, '_> {
    /// The first block of a part.
    fn first(&self, part: usize) -> i64 {
        self.parts[..part].iter().map(|part| part.points() * part.times as i64).sum()
    }

    /// Runs the part of a block: one of a range.
    fn among(&self, at: &Cursor<'c, 'a>, block: V<'c, 'a>, range: Range<usize>) -> Result<(), Failure> {
        if range.len() == 1 {
            return self.part(at, block, range.start);
        }
        let middle = range.start + range.len() / 2;
        let first = at.compare(Predicate::Less, block, at.index(self.first(middle))?)?;
        at.either(first, &[], |at, way| {
            let half = if way == 0 { range.start..middle } else { middle..range.end };
            self.among(&at, block, half).map(|()| vec![])
        })?;
        Ok(())
    }

    /// Runs a block's point.
    fn part(&self, at: &Cursor<'c, 'a>, block: V<'c, 'a>, number: usize) -> Result<(), Failure> {
        let part = &self.parts[number];
        let order = Order::new(part.body, part.disjoint.clone());
        let Self { entry, thread: id, .. } = *self;
        let threads = Threads { count: part.kernel.threads, id, entry, shared: vec![], order };
        let mut body = Body::new(1).spread(threads);
        let (mut point, mut launch) = (block, at.index(0)?);
        if number > 0 {
            point = at.op("arith.subi", &[point, at.index(self.first(number))?], at.index_type())?;
        }
        if part.times > 1 {
            let points = at.index(part.points())?;
            launch = at.op("arith.divui", &[point, points], at.index_type())?;
            point = at.op("arith.remui", &[point, points], at.index_type())?;
        }
        let values = part.chosen(at, launch, &self.values[number])?;
        for (old, values) in part.own.iter().zip(&values) {
            body.set(*old, Lowered::One(open::joined(at, old.r#type(), values)?));
        }
        for (old, memory) in &self.scratch[number] {
            body.set(*old, Lowered::One(*memory));
        }
        let grid = Extent::listed(&part.kernel.grid, &self.sizes);
        let indices = at.unravel(point, &grid)?;
        for (old, new) in arguments(part.body).skip(part.own.len()).zip(indices) {
            body.set(old, Lowered::One(new));
        }
        body.block(part.body, *at)
    }
}

/// Says of a buffer that the kernel only reads, and writes nothing of through another one, that it is nobody
/// else's: its loads need not wait for stores. Of what is written it is not said: LLVM would take it that no
/// other thread writes there, either.
fn no_alias<'c: 'a, 'a>(at: &Cursor<'c, 'a>, part: &Part<'c, 'a, '_>) -> Result<Attribute<'c>, Failure> {
    let Part { kernel: Kernel { operation: kernel, grid, .. }, own: arguments, taken, disjoint, .. } = part;
    let reads = |op: &OperationRef| ["kernel.load", "kernel.gather", "memref.load"].contains(&name_of(*op));
    let others = collect(*kernel, |op| !reads(&op));
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
