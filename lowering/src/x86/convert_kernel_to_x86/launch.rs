//! Launches: calls of the kernel's function over the points of its grid, on the pool of the runtime where
//! that pays.

use super::work::Kernel;
use melior::{
    dialect::llvm::{self, AllocaOptions, LoadStoreOptions, r#type as llvm_type},
    ir::{
        Block, Location, OperationRef, Region, RegionLike, Type, TypeLike, ValueLike,
        attribute::{
            DenseI32ArrayAttribute, DenseI64ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute,
            TypeAttribute,
        },
        r#type::{FunctionType, IntegerType},
    },
};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        extent::Extent,
        pass::Failure,
        rewrite::erase,
        shaped::{Shaped, strides_and_offset},
    },
    ops::kernel,
};
use terrace_size::{DYNAMIC, symbols::Predicate};

/// Element operations from which on a launch is worth the pool: some 10 us of one core, ten times the launch.
pub(super) const PARALLEL_FROM: i64 = 1 << 18;
/// The least that a thread takes at once.
pub(super) const CHUNK: i64 = 1 << 15;
/// What runs a body on the pool.
const PARALLEL_FOR: &str = "terrace_rt_parallel_for";

/// A field of the struct in which arguments travel to the threads: [`whole`], or of a memref the address of
/// its elements where its type says all else.
fn field<'c>(at: &Cursor<'c, '_>, ty: Type<'c>) -> Type<'c> {
    if fixed(ty).is_some() { llvm_type::pointer(at.context, 0) } else { whole(at, ty) }
}

/// The fields of arguments.
pub(super) fn fields<'c>(at: &Cursor<'c, '_>, arguments: &[Type<'c>]) -> Vec<Type<'c>> {
    arguments.iter().map(|ty| field(at, *ty)).collect()
}

/// How the function of a kernel takes arguments: a memref by the address of its elements where its type says
/// all else. A call of seven numbers for each matrix would be longer than some kernels.
pub(super) fn passed<'c>(at: &Cursor<'c, '_>, arguments: &[Type<'c>]) -> Vec<Type<'c>> {
    arguments.iter().map(|ty| if fixed(*ty).is_some() { field(at, *ty) } else { *ty }).collect()
}

/// What a value is in memory: an index an i64, a memref its descriptor.
pub(super) fn whole<'c>(at: &Cursor<'c, '_>, ty: Type<'c>) -> Type<'c> {
    let word: Type = IntegerType::new(at.context, 64).into();
    if ty.is_index() {
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

/// Offset, sizes and strides of a memref whose type says them.
fn fixed(ty: Type) -> Option<(i64, Vec<i64>, Vec<i64>)> {
    let shape = Shaped::of(ty).filter(|s| s.buffer)?.shape;
    let (strides, offset) = strides_and_offset(ty)?;
    let known = offset != DYNAMIC && !shape.contains(&DYNAMIC) && !strides.contains(&DYNAMIC);
    known.then_some((offset, shape, strides))
}

/// A value as the function of a kernel takes it.
fn pass<'c, 'a>(at: &Cursor<'c, 'a>, value: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    let ty = value.r#type();
    if fixed(ty).is_none() {
        return Ok(value);
    }
    let value = cast(at, value, whole(at, ty))?;
    let (place, to) = (DenseI64ArrayAttribute::new(at.context, &[1]), field(at, ty));
    Ok(at.insert(llvm::extract_value(at.context, value, place, to, at.location)).result_at(0)?.into())
}

/// What the function of a kernel took as the value of this type that it was.
pub(super) fn arrived<'c, 'a>(
    at: &Cursor<'c, 'a>,
    field: V<'c, 'a>,
    ty: Type<'c>,
) -> Result<V<'c, 'a>, Failure> {
    let Some((offset, sizes, strides)) = fixed(ty) else { return Ok(field) };
    let mut value: V = at.op("llvm.mlir.poison", &[], whole(at, ty))?;
    let mut put = |what: V<'c, 'a>, place: &[i64]| {
        let place = DenseI64ArrayAttribute::new(at.context, place);
        value =
            at.insert(llvm::insert_value(at.context, value, place, what, at.location)).result_at(0)?.into();
        Ok::<_, Failure>(())
    };
    let word: Type = IntegerType::new(at.context, 64).into();
    let number = |number: i64| at.constant(word, IntegerAttribute::new(word, number).into());
    put(field, &[0])?;
    put(field, &[1])?;
    put(number(offset)?, &[2])?;
    for (d, (size, stride)) in sizes.into_iter().zip(strides).enumerate() {
        put(number(size)?, &[3, d as i64])?;
        put(number(stride)?, &[4, d as i64])?;
    }
    cast(at, value, ty)
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

/// Fields of a struct, the first of these numbers on, as the function of a kernel takes arguments of these
/// types.
pub(super) fn unpack<'c, 'a>(
    at: &Cursor<'c, 'a>,
    slot: V<'c, 'a>,
    fields: &[Type<'c>],
    from: usize,
    to: &[Type<'c>],
) -> Result<Vec<V<'c, 'a>>, Failure> {
    let all = llvm_type::r#struct(at.context, fields, false);
    let one = |(i, to): (usize, &Type<'c>)| {
        let address = address(at, slot, all, from + i)?;
        let load = llvm::load(at.context, address, fields[from + i], at.location, LoadStoreOptions::new());
        cast(at, at.insert(load).result_at(0)?.into(), *to)
    };
    passed(at, to).iter().enumerate().map(one).collect()
}

/// The address of values in a struct of these fields, in the frame of the function around an operation, in
/// front of which they are put there.
fn pack<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    values: Vec<V<'c, 'a>>,
    fields: &[Type<'c>],
) -> Result<V<'c, 'a>, Failure> {
    let at = Cursor::before(operation)?;
    let all = llvm_type::r#struct(at.context, fields, false);
    let pointer = llvm_type::pointer(at.context, 0);
    let word: Type = IntegerType::new(at.context, 64).into();
    let start = entry(operation, at.location)?;
    let one = start.constant(word, IntegerAttribute::new(word, 1).into())?;
    let options = AllocaOptions::new().elem_type(Some(TypeAttribute::new(all)));
    let slot =
        start.insert(llvm::alloca(at.context, one, pointer, at.location, options)).result_at(0)?.into();
    for (i, argument) in values.into_iter().enumerate() {
        let value = cast(&at, pass(&at, argument)?, fields[i])?;
        let address = address(&at, slot, all, i)?;
        at.insert(llvm::store(at.context, value, address, at.location, LoadStoreOptions::new()));
    }
    Ok(slot)
}

/// Runs a task of the module on the pool: a function of a struct of these values, and of a range of `count`.
pub(super) fn run<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    task: &str,
    (values, fields): (Vec<V<'c, 'a>>, &[Type<'c>]),
    [count, grain]: [V<'c, 'a>; 2],
) -> Result<(), Failure> {
    let slot = pack(operation, values, fields)?;
    let at = Cursor::before(operation)?;
    let pointer = llvm_type::pointer(at.context, 0);
    let ty = FunctionType::new(at.context, &[pointer, at.index_type(), at.index_type()], &[]).into();
    let symbol = at.named("value", FlatSymbolRefAttribute::new(at.context, task));
    let body = cast(&at, at.with("func.constant", &[], ty, &[symbol])?, pointer)?;
    call(&at, PARALLEL_FOR, &[body, slot, count, grain])
}

/// The head of a task: a place in it, the struct of what it is given, and its range.
pub(super) fn head<'c: 'a, 'a>(
    module: &Cursor<'c, 'a>,
    location: Location<'c>,
    name: &str,
) -> Result<(Cursor<'c, 'a>, V<'c, 'a>, [V<'c, 'a>; 2]), Failure> {
    let at = module.of(location);
    let pointer = llvm_type::pointer(at.context, 0);
    let op = function(&at, name, &[pointer, at.index_type(), at.index_type()])?;
    let block = op.region(0)?.first_block().ok_or(internal!("a function has no body"))?;
    let [slot, from, to] = [0, 1, 2].map(|i| block.argument(i).map(V::from));
    Ok((Cursor::end(block, location), slot?, [from?, to?]))
}

/// The function that a thread runs: takes the arguments out of the struct and calls the kernel's function.
fn task<'c: 'a, 'a>(module: &Cursor<'c, 'a>, kernel: &Kernel<'c, 'a>, name: &str) -> Result<(), Failure> {
    let (at, slot, range) = head(module, kernel.location, name)?;
    let fields: Vec<Type> = fields(&at, &kernel.arguments);
    let arguments = unpack(&at, slot, &fields, 0, &kernel.arguments)?;
    call(&at, &kernel.name, &[arguments, range.to_vec()].concat())?;
    at.build("func.return", &[], &[], &[], vec![])?;
    Ok(())
}

/// The start of the function around an operation: what is allocated there is freed when it returns, and only
/// then.
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

/// How many points, each of so much work, a thread takes at once at least: all of them where that does not
/// pay for the pool.
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
        if !points.is(0) {
            let given =
                given.into_iter().map(|value| pass(&at, value)).collect::<Result<Vec<V>, Failure>>()?;
            call(&at, &kernel.name, &[given, vec![at.index(0)?, at.extent(points)?]].concat())?;
        }
    } else {
        if kernel.task.is_none() {
            let name = fresh(&format!("{}.task", kernel.name));
            task(module, kernel, &name)?;
            kernel.task = Some(name);
        }
        let task = kernel.task.as_deref().unwrap_or_default();
        let fields: Vec<Type> = fields(&at, &kernel.arguments);
        run(operation, task, (given, &fields), [at.extent(points)?, at.extent(grain)?])?;
    }
    erase(operation);
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
