//! Launches: calls of the kernel's function over the points of its grid, on the pool of the runtime where that pays.

use super::work::Kernel;
use melior::{
    dialect::llvm::{self, AllocaOptions, LoadStoreOptions, r#type as llvm_type},
    ir::{
        Block, Location, OperationRef, Region, RegionLike, Type, TypeLike, ValueLike,
        attribute::{DenseI32ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute, TypeAttribute},
        r#type::{FunctionType, IntegerType},
    },
};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        extent::Extent,
        operations::erase,
        pass::Failure,
        shaped::Shaped,
    },
    ops::kernel,
};
use terrace_size::symbols::Predicate;

/// Element operations from which on a launch is worth the pool: some 10 us of one core, ten times the launch.
const PARALLEL_FROM: i64 = 1 << 18;
/// The least that a thread takes at once.
const CHUNK: i64 = 1 << 15;
/// What runs a body on the pool.
const PARALLEL_FOR: &str = "terrace_rt_parallel_for";

/// The struct in which arguments travel to the threads: a memref as its descriptor, an index as i64.
pub(super) fn field<'c>(at: &Cursor<'c, '_>, ty: Type<'c>) -> Type<'c> {
    let word: Type = IntegerType::new(at.context, 64).into();
    if unsafe { mlir_sys::mlirTypeIsAIndex(ty.to_raw()) } {
        return word;
    }
    let Some(shaped) = Shaped::of(ty).filter(|s| s.buffer) else { return ty };
    let pointer = llvm_type::pointer(at.context, 0);
    let mut fields = vec![pointer, pointer, word];
    if shaped.rank() > 0 {
        let list = llvm_type::array(word, shaped.rank() as u32);
        fields.extend([list, list]);
    }
    llvm_type::r#struct(at.context, &fields, false)
}

/// A value as one of another type that it is lowered to or from.
pub(super) fn cast<'c, 'a>(
    at: &Cursor<'c, 'a>,
    value: V<'c, 'a>,
    to: Type<'c>,
) -> Result<V<'c, 'a>, Failure> {
    if value.r#type() == to {
        return Ok(value);
    }
    at.op("builtin.unrealized_conversion_cast", &[value], to)
}

/// The address of a field.
pub(super) fn address<'c, 'a>(
    at: &Cursor<'c, 'a>,
    context: V<'c, 'a>,
    fields: Type<'c>,
    index: usize,
) -> Result<V<'c, 'a>, Failure> {
    let indices = DenseI32ArrayAttribute::new(at.context, &[0, index as i32]);
    let pointer = llvm_type::pointer(at.context, 0);
    let op = llvm::get_element_ptr(at.context, context, indices, fields, pointer, at.location);
    Ok(at.insert(op).result_at(0)?.into())
}

/// A private function with an empty body.
pub(super) fn function<'c, 'a>(
    at: &Cursor<'c, 'a>,
    name: &str,
    arguments: &[Type<'c>],
) -> Result<OperationRef<'c, 'a>, Failure> {
    let region = Region::new();
    let values: Vec<_> = arguments.iter().map(|ty| (*ty, at.location)).collect();
    region.append_block(Block::new(&values));
    at.function(name, arguments, &[], &[], region)
}

/// A call without results.
pub(crate) fn call<'c, 'a>(at: &Cursor<'c, 'a>, name: &str, arguments: &[V<'c, 'a>]) -> Result<(), Failure> {
    let callee = at.named("callee", FlatSymbolRefAttribute::new(at.context, name));
    at.build("func.call", arguments, &[], &[callee], vec![]).map(drop)
}

/// The function that a thread runs: takes the arguments out of the struct and calls the kernel's function.
fn task<'c: 'a, 'a>(module: &Cursor<'c, 'a>, kernel: &Kernel<'c, 'a>, name: &str) -> Result<(), Failure> {
    let at = module.of(kernel.location);
    let pointer = llvm_type::pointer(at.context, 0);
    let op = function(&at, name, &[pointer, at.index_type(), at.index_type()])?;
    let block = op.region(0)?.first_block().ok_or(internal!("a function has no body"))?;
    let at = Cursor::end(block, at.location);
    let types: Vec<Type> = kernel.arguments.iter().map(|ty| field(&at, *ty)).collect();
    let fields = llvm_type::r#struct(at.context, &types, false);
    let mut arguments = vec![];
    for (i, (ty, argument)) in types.iter().zip(&kernel.arguments).enumerate() {
        let address = address(&at, block.argument(0)?.into(), fields, i)?;
        let load = llvm::load(at.context, address, *ty, at.location, LoadStoreOptions::new());
        arguments.push(cast(&at, at.insert(load).result_at(0)?.into(), *argument)?);
    }
    let range: [V; 2] = [block.argument(1)?.into(), block.argument(2)?.into()];
    arguments.extend(range);
    call(&at, &kernel.name, &arguments)?;
    at.build("func.return", &[], &[], &[], vec![])?;
    Ok(())
}

/// The start of the function around an operation: what is allocated there is freed when it returns, and only then.
pub(super) fn entry<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    location: Location<'c>,
) -> Result<Cursor<'c, 'a>, Failure> {
    let mut function = op;
    while let Some(parent) = function.parent_operation()
        && parent.parent_operation().is_some()
    {
        function = parent;
    }
    let block = function.region(0)?.first_block().ok_or(internal!("a function has no body"))?;
    Ok(Cursor::start(block, location))
}

/// How many points, each of so much work, a thread takes at once at least: all of them where that does not pay for the
/// pool.
fn grain<'c, 'a>(
    at: &Cursor<'c, 'a>,
    points: Extent<'c, 'a>,
    work: Extent<'c, 'a>,
) -> Result<Extent<'c, 'a>, Failure> {
    if let (Extent::Number(n), Extent::Number(work)) = (points, work) {
        let alone = work.saturating_mul(n) < PARALLEL_FROM || n == 1;
        return Ok(if alone { points } else { Extent::Number((CHUNK / work.max(1)).max(1)) });
    }
    if points.is(1) {
        return Ok(points);
    }
    let index = at.index_type();
    let total = at.extent(at.product(points, work)?)?;
    let alone = at.compare(Predicate::Less, total, at.index(PARALLEL_FROM)?)?;
    let share = match work {
        Extent::Number(work) => at.index((CHUNK / work.max(1)).max(1))?,
        Extent::Value(work) => {
            let one = at.index(1)?;
            let work = at.op("arith.maxsi", &[work, one], index)?;
            let share = at.op("arith.divui", &[at.index(CHUNK)?, work], index)?;
            at.op("arith.maxsi", &[share, one], index)?
        }
    };
    Ok(Extent::Value(at.op("arith.select", &[alone, at.extent(points)?, share], index)?))
}

/// Turns a launch into calls; `module` is where functions go.
pub(super) fn launch<'c: 'a, 'a>(
    module: &Cursor<'c, 'a>,
    op: kernel::LaunchOp<'c, 'a>,
    kernel: &mut Kernel<'c, 'a>,
    fresh: &mut dyn FnMut(&str) -> String,
) -> Result<(), Failure> {
    let operation = op.operation();
    let at = Cursor::before(operation)?;
    let given = kernel.given(&at, op)?;
    let sizes = Extent::listed(&op.grid(), &op.dynamic_grid());
    let points = sizes.into_iter().try_fold(Extent::Number(1), |n, size| at.product(n, size))?;
    let grain = grain(&at, points, kernel.work.value(&at, &given)?)?;
    if grain == points {
        let arguments = [given, vec![at.index(0)?, at.extent(points)?]].concat();
        if !points.is(0) {
            call(&at, &kernel.name, &arguments)?;
        }
    } else {
        if kernel.task.is_none() {
            let name = fresh(&format!("{}.task", kernel.name));
            task(module, kernel, &name)?;
            kernel.task = Some(name);
        }
        let task = kernel.task.as_deref().unwrap_or_default();
        let types: Vec<Type> = kernel.arguments.iter().map(|ty| field(&at, *ty)).collect();
        let fields = llvm_type::r#struct(at.context, &types, false);
        let pointer = llvm_type::pointer(at.context, 0);
        let word: Type = IntegerType::new(at.context, 64).into();
        let start = entry(operation, at.location)?;
        let one = start.constant(word, IntegerAttribute::new(word, 1).into())?;
        let options = AllocaOptions::new().elem_type(Some(TypeAttribute::new(fields)));
        let slot =
            start.insert(llvm::alloca(at.context, one, pointer, at.location, options)).result_at(0)?.into();
        for (i, (argument, ty)) in given.into_iter().zip(&types).enumerate() {
            let value = cast(&at, argument, *ty)?;
            let address = address(&at, slot, fields, i)?;
            at.insert(llvm::store(at.context, value, address, at.location, LoadStoreOptions::new()));
        }
        let ty = FunctionType::new(at.context, &[pointer, at.index_type(), at.index_type()], &[]).into();
        let symbol = at.named("value", FlatSymbolRefAttribute::new(at.context, task));
        let body = cast(&at, at.with("func.constant", &[], ty, &[symbol])?, pointer)?;
        call(&at, PARALLEL_FOR, &[body, slot, at.extent(points)?, at.extent(grain)?])?;
    }
    // SAFETY: the launch has no results, and nobody looks at it any more.
    unsafe { erase(operation) };
    Ok(())
}

/// Declares the runtime's parallel loop; `declared` says what the module has.
pub(super) fn declare(module: &Cursor, declared: impl Fn(&str) -> bool) -> Result<(), Failure> {
    if declared(PARALLEL_FOR) {
        return Ok(());
    }
    let pointer = llvm_type::pointer(module.context, 0);
    let index = module.index_type();
    module.declare(PARALLEL_FOR, &[pointer, pointer, index, index], &[], &[]).map(drop)
}
