//! The pass `add-call-context`: functions of the LLVM dialect get the context of the call, and leave at its first error.
//!
//! Contract: a module in the LLVM dialect whose functions call the runtime (`runtime/rt`) without a context. Services of the runtime take the context first; [`SERVICES`]
//! lists them. With `entries` every function that comes to need it takes it, handed down from the C interface of its entry points, and behind
//! a call that can fail stands a test of its first word, the error: a function leaves then, with poison as its results, and what it has allocated is in
//! the context's list. Without it services get null: their errors end the process, so that there is nothing to test.
//!
//! Both are linear in the module: what needs a context and what can fail is handed up the calls once, and blocks are cut from their ends.

use crate::llvm::text;
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{
        Attribute, AttributeLike, Block, BlockRef, Location, Operation, OperationRef, Region, RegionLike,
        Type, TypeLike, ValueLike,
        attribute::{
            ArrayAttribute, DenseI32ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute,
            StringAttribute, TypeAttribute,
        },
        operation::OperationBuilder,
        r#type::IntegerType,
    },
};
use mlir_sys::{
    mlirBlockInsertArgument, mlirLLVMFunctionTypeGet, mlirLLVMFunctionTypeGetInput,
    mlirLLVMFunctionTypeGetNumInputs, mlirLLVMFunctionTypeGetReturnType, mlirOperationRemoveFromParent,
    mlirRegionInsertOwnedBlockAfter,
};
use std::collections::{BTreeSet, HashMap, HashSet};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        attributes::{array, string, symbol, ty},
        cursor::{Cursor, V},
        location,
        operations::{collect, definition, erase, name_of, users},
        pass::Failure,
        strings::string_ref,
    },
};

/// What a service of the runtime does beside its work.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It cannot fail.
    Sure,
    /// It can fail, and says itself what went wrong.
    Fails,
    /// It is told what went wrong, and where: the call has failed.
    Told,
    /// It runs a function, by its address, and fails as that does.
    Runs,
}

/// The services that take a context.
const SERVICES: [(&str, Kind); 22] = [
    ("terrace_rt_set_error", Kind::Told),
    ("terrace_rt_refuse", Kind::Told),
    (RUNS, Kind::Runs),
    (ALLOC, Kind::Fails),
    (PLAIN_ALLOC, Kind::Fails),
    (ALIGNED_ALLOC, Kind::Fails),
    (FREE, Kind::Sure),
    (PLAIN_FREE, Kind::Sure),
    ("terrace_rt_check_room", Kind::Fails),
    ("terrace_rt_generator_seed", Kind::Sure),
    ("terrace_rt_generator_drawn", Kind::Sure),
    ("terrace_rt_set_generator", Kind::Sure),
    ("terrace_rt_sort", Kind::Fails),
    ("terrace_rt_histogram", Kind::Fails),
    ("terrace_rt_fft", Kind::Fails),
    ("terrace_rt_storage_bytes", Kind::Sure),
    ("_mlir_ciface_terrace_rt_out_of_bounds", Kind::Fails),
    ("_mlir_ciface_terrace_rt_resize_storage", Kind::Fails),
    ("terrace_gpu_launch", Kind::Fails),
    ("terrace_gpu_read", Kind::Fails),
    ("terrace_gpu_write", Kind::Fails),
    ("terrace_gpu_constant", Kind::Fails),
];

const ALLOC: &str = "terrace_rt_alloc";
const FREE: &str = "terrace_rt_free";
/// What upstream's lowering of memrefs calls.
const PLAIN_ALLOC: &str = "_mlir_memref_to_llvm_alloc";
const ALIGNED_ALLOC: &str = "_mlir_memref_to_llvm_aligned_alloc";
const PLAIN_FREE: &str = "_mlir_memref_to_llvm_free";
/// What says where an error came up.
const LOCATE: &str = "terrace_rt_locate";
/// What marks the C interface of an entry point that takes a context, as an attribute of LLVM's.
pub const MARK: &str = "terrace-context";
/// What runs a function on threads.
const RUNS: &str = "terrace_rt_parallel_for";
const C_INTERFACE: &str = "_mlir_ciface_";
/// The alignment of memory that asks for none.
const ALIGNMENT: i64 = 64;

/// A call.
#[derive(Clone, Copy)]
struct Call<'c, 'a> {
    op: OperationRef<'c, 'a>,
    to: Callee,
}

/// What is called.
#[derive(Clone, Copy)]
enum Callee {
    /// A function of the module, by its number.
    Own(usize),
    /// A service; what it runs, if that is known.
    Service(&'static str, Kind, Option<usize>),
}

impl Callee {
    /// A function of the module that runs in the call.
    fn runs(self) -> Option<usize> {
        match self {
            Callee::Own(number) => Some(number),
            Callee::Service(.., runs) => runs,
        }
    }
}

/// A function with a body.
struct Function<'c, 'a> {
    op: OperationRef<'c, 'a>,
    name: String,
    calls: Vec<Call<'c, 'a>>,
}

/// The functions of a module, and which of them have a property.
struct Functions<'c, 'a> {
    all: Vec<Function<'c, 'a>>,
    /// By the number of a function those that call it, or hand it to what runs it.
    callers: Vec<Vec<usize>>,
    /// Those that threads run, by their numbers.
    bodies: BTreeSet<usize>,
}

impl<'c: 'a, 'a> Functions<'c, 'a> {
    fn of(module: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        let mut all = vec![];
        let mut numbers = HashMap::new();
        let mut next = module.region(0)?.first_block().and_then(|block| block.first_operation());
        while let Some(op) = next {
            next = op.next_in_block();
            if name_of(op) == "llvm.func" && op.region(0)?.first_block().is_some() {
                let name = string(op.attribute("sym_name")?);
                numbers.insert(name.clone(), all.len());
                all.push(Function { op, name, calls: vec![] });
            }
        }
        let (mut callers, mut bodies) = (vec![vec![]; all.len()], BTreeSet::new());
        for (number, function) in all.iter_mut().enumerate() {
            for op in collect(function.op, |op| name_of(op) == "llvm.call") {
                // A call by address has no callee.
                let Ok(callee) = op.attribute("callee") else { continue };
                let callee = symbol(callee);
                let to = match numbers.get(&callee) {
                    Some(own) => Callee::Own(*own),
                    None => match SERVICES.iter().find(|(name, _)| *name == callee) {
                        Some((name, kind)) => {
                            let body =
                                (*kind == Kind::Runs).then(|| definition(op.operand(0).ok()?)).flatten();
                            let body = body.and_then(|op| op.attribute("global_name").ok()).map(symbol);
                            Callee::Service(name, *kind, body.and_then(|name| numbers.get(&name).copied()))
                        }
                        None => continue,
                    },
                };
                if let Some(runs) = to.runs() {
                    callers[runs].push(number);
                }
                function.calls.push(Call { op, to });
            }
            // Blocks that are alike but for what they run are one, which is given the address.
            let hands_on = |user: OperationRef| {
                let service = user.attribute("callee").map(symbol).unwrap_or_default();
                service == RUNS
                    || matches!(name_of(user), "llvm.br" | "llvm.cond_br" | "llvm.switch" | "llvm.select")
            };
            for op in collect(function.op, |op| name_of(op) == "llvm.mlir.addressof") {
                let name = op.attribute("global_name").map(symbol).unwrap_or_default();
                let is_run = users(op.result_at(0)?.into()).any(hands_on);
                if let Some(body) = numbers.get(&name).filter(|_| is_run) {
                    bodies.insert(*body);
                    callers[*body].push(number);
                }
            }
        }
        Ok(Self { all, callers, bodies })
    }

    /// The functions of these numbers, and all that run them.
    fn and_callers(&self, seeds: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut have = vec![false; self.all.len()];
        let mut work: Vec<usize> = seeds.collect();
        while let Some(number) = work.pop() {
            if !std::mem::replace(&mut have[number], true) {
                work.extend(&self.callers[number]);
            }
        }
        have
    }

    fn having(&self, has: impl Fn(&Function) -> bool) -> impl Iterator<Item = usize> {
        (0..self.all.len()).filter(move |number| has(&self.all[*number]))
    }
}

/// Adds contexts to the functions of a module.
pub fn run(module: OperationRef, options: &crate::options::AddCallContext) -> Result<(), Failure> {
    let functions = Functions::of(module)?;
    // A body that threads run takes a context in any case, as the runtime calls it.
    let bodies = functions.bodies.iter().copied();
    let takes = if options.entries {
        let asks = |function: &Function| {
            let is_service = |call: &Call| matches!(call.to, Callee::Service(..));
            function.name.starts_with(C_INTERFACE) || function.calls.iter().any(is_service)
        };
        functions.and_callers(functions.having(asks).chain(bodies))
    } else {
        let mut takes = vec![false; functions.all.len()];
        bodies.for_each(|body| takes[body] = true);
        takes
    };
    let fails = {
        let can = |call: &Call| match call.to {
            Callee::Service(_, Kind::Runs, None) => true,
            Callee::Service(_, kind, _) => matches!(kind, Kind::Fails | Kind::Told),
            Callee::Own(_) => false,
        };
        functions.and_callers(functions.having(|function| function.calls.iter().any(can)))
    };
    let Some(first) = module.region(0)?.first_block().and_then(|block| block.first_operation()) else {
        return Ok(());
    };
    let mut writer = Writer { top: Cursor::before(first)?, places: HashMap::new(), declared: HashSet::new() };
    for (number, function) in functions.all.iter().enumerate() {
        let context = if takes[number] { Some(add_argument(function)?) } else { None };
        // Whether each can fail, by its number.
        let mut calls = vec![];
        for call in &function.calls {
            let (op, can) = match call.to {
                Callee::Own(own) if takes[own] => (writer.call(call.op, None, context)?, fails[own]),
                Callee::Own(own) => (call.op, fails[own]),
                Callee::Service(name, kind, body) => {
                    let can = match kind {
                        Kind::Sure => false,
                        Kind::Fails | Kind::Told => true,
                        Kind::Runs => body.is_none_or(|body| fails[body]),
                    };
                    (writer.call(call.op, Some((name, kind)), context)?, can)
                }
            };
            if can {
                calls.push((op, call.to));
            }
        }
        if let (true, Some(context)) = (options.entries, context) {
            writer.leave(function, context, &calls)?;
        }
    }
    writer.declare(module)
}

/// Adds the context to the arguments of a function.
fn add_argument<'c, 'a>(function: &Function<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    let op = function.op;
    let at = Cursor::before(op)?;
    let pointer = llvm_type::pointer(at.context, 0);
    set_type(op, &with_first(op, pointer)?);
    if let Ok(attributes) = op.attribute("arg_attrs") {
        // SAFETY: a dictionary without entries.
        let none = unsafe {
            Attribute::from_raw(mlir_sys::mlirDictionaryAttrGet(at.context.to_raw(), 0, std::ptr::null()))
        };
        let all: Vec<_> = [none].into_iter().chain(array(attributes)).collect();
        set(op, "arg_attrs", ArrayAttribute::new(at.context, &all).into());
    }
    if function.name.starts_with(C_INTERFACE) {
        let before = op.attribute("passthrough").map(array).unwrap_or_default();
        let all: Vec<_> = before.into_iter().chain([StringAttribute::new(at.context, MARK).into()]).collect();
        set(op, "passthrough", ArrayAttribute::new(at.context, &all).into());
    }
    let entry = op.region(0)?.first_block().ok_or(internal!("a function has no body"))?;
    // SAFETY: the block is the function's, whose type has said so.
    Ok(unsafe {
        let raw = mlirBlockInsertArgument(entry.to_raw(), 0, pointer.to_raw(), op.location().to_raw());
        V::from_raw(raw)
    })
}

fn set<'c>(op: OperationRef<'c, '_>, name: &str, value: Attribute<'c>) {
    // SAFETY: both are of one context.
    unsafe {
        mlir_sys::mlirOperationSetAttributeByName(op.to_raw(), string_ref(name), value.to_raw());
    }
}

fn set_type<'c>(op: OperationRef<'c, '_>, new: &Type<'c>) {
    set(op, "function_type", TypeAttribute::new(*new).into());
}

/// The type of a function that takes something first.
fn with_first<'c>(function: OperationRef<'c, '_>, first: Type<'c>) -> Result<Type<'c>, Failure> {
    let own = ty(function.attribute("function_type")?).to_raw();
    // SAFETY: it is a function type of the LLVM dialect.
    unsafe {
        let inputs = (0..mlirLLVMFunctionTypeGetNumInputs(own)).map(|i| mlirLLVMFunctionTypeGetInput(own, i));
        let all: Vec<_> = [first.to_raw()].into_iter().chain(inputs).collect();
        let result = mlirLLVMFunctionTypeGetReturnType(own);
        Ok(Type::from_raw(mlirLLVMFunctionTypeGet(result, all.len() as isize, all.as_ptr(), false)))
    }
}

/// What writes the new calls and ways out of a module.
struct Writer<'c, 'a> {
    /// The start of the module.
    top: Cursor<'c, 'a>,
    /// The constants that name places.
    places: HashMap<String, String>,
    /// The services that are called.
    declared: HashSet<&'static str>,
}

impl<'c: 'a, 'a> Writer<'c, 'a> {
    fn pointer(&self) -> Type<'c> {
        llvm_type::pointer(self.top.context, 0)
    }

    fn null(&self, at: &Cursor<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        at.op("llvm.mlir.zero", &[], self.pointer())
    }

    /// The text of a location that is known, as a pointer to it.
    fn place(&mut self, at: &Cursor<'c, 'a>, of: Location<'c>) -> Result<Option<V<'c, 'a>>, Failure> {
        let Some(place) = location::place(of) else { return Ok(None) };
        let name = match self.places.get(&place) {
            Some(name) => name.clone(),
            None => {
                let name = format!("terrace.place.{}", self.places.len());
                text::constant(&self.top.of(of), &name, &place)?;
                self.places.insert(place, name.clone());
                name
            }
        };
        text::address(at, &name).map(Some)
    }

    /// A call with the context, or null where the function has none, in the place of one without; of a service by the name that the runtime has for it.
    fn call(
        &mut self,
        op: OperationRef<'c, 'a>,
        service: Option<(&'static str, Kind)>,
        context: Option<V<'c, 'a>>,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let at = Cursor::before(op)?;
        let context = match context {
            Some(context) => context,
            None => self.null(&at)?,
        };
        let mut operands: Vec<V> = [context].into_iter().chain(op.operands()).collect();
        let mut name = service.map(|(name, _)| name);
        match service {
            Some((_, Kind::Told)) => {
                let place = match self.place(&at, op.location())? {
                    Some(place) => place,
                    None => self.null(&at)?,
                };
                operands.push(place);
            }
            Some((PLAIN_ALLOC, _)) => {
                let word: Type = IntegerType::new(at.context, 64).into();
                let value = at.named("value", IntegerAttribute::new(word, ALIGNMENT));
                operands.push(at.with("llvm.mlir.constant", &[], word, &[value])?);
                name = Some(ALLOC);
            }
            Some((ALIGNED_ALLOC, _)) => {
                operands.swap(1, 2);
                name = Some(ALLOC);
            }
            Some((PLAIN_FREE, _)) => name = Some(FREE),
            _ => {}
        }
        let segments = DenseI32ArrayAttribute::new(at.context, &[operands.len() as i32, 0]);
        let mut attributes: Vec<_> = op
            .attributes()
            .filter(|(name, _)| {
                !matches!(name.as_string_ref().as_str(), Ok("operandSegmentSizes" | "callee"))
            })
            .collect();
        attributes.push(at.named("operandSegmentSizes", segments));
        attributes.push(match name {
            Some(name) => at.named("callee", FlatSymbolRefAttribute::new(at.context, name)),
            None => at.named("callee", op.attribute("callee")?),
        });
        let results: Vec<Type> = op.results().map(|result| result.r#type()).collect();
        let new = at.build("llvm.call", &operands, &results, &attributes, vec![])?;
        for (old, new) in op.results().zip(new.results()) {
            // SAFETY: the new one stands in its place.
            unsafe { mlir_sys::mlirValueReplaceAllUsesOfWith(old.to_raw(), new.to_raw()) };
        }
        if let Some(name) = name {
            self.service(name, new)?;
        }
        // SAFETY: its results are not used any more.
        unsafe { erase(op) };
        Ok(new)
    }

    /// Declares a service as it is called.
    fn service(&mut self, name: &'static str, call: OperationRef<'c, 'a>) -> Result<(), Failure> {
        if !self.declared.insert(name) {
            return Ok(());
        }
        let inputs: Vec<Type> = call.operands().map(|operand| operand.r#type()).collect();
        let result = call.results().next().map_or_else(|| llvm_type::void(self.top.context), |r| r.r#type());
        self.declaration(name, &inputs, result)
    }

    fn declaration(&self, name: &str, inputs: &[Type<'c>], result: Type<'c>) -> Result<(), Failure> {
        let at = self.top;
        let raw: Vec<_> = inputs.iter().map(|ty| ty.to_raw()).collect();
        // SAFETY: types of one context.
        let ty = unsafe {
            Type::from_raw(mlirLLVMFunctionTypeGet(result.to_raw(), raw.len() as isize, raw.as_ptr(), false))
        };
        let attributes = [
            at.named("sym_name", StringAttribute::new(at.context, name)),
            at.type_attribute("function_type", ty),
            at.named("sym_visibility", StringAttribute::new(at.context, "private")),
        ];
        at.build("llvm.func", &[], &[], &attributes, vec![Region::new()]).map(drop)
    }

    /// Removes the declarations without a context, which are called no more.
    fn declare(&self, module: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let mut seen = HashSet::new();
        let mut next = module.region(0)?.first_block().and_then(|block| block.first_operation());
        while let Some(op) = next {
            next = op.next_in_block();
            if name_of(op) != "llvm.func" || op.region(0)?.first_block().is_some() {
                continue;
            }
            let name = string(op.attribute("sym_name")?);
            // Ours stand in front.
            let is_service = SERVICES.iter().any(|(service, _)| *service == name);
            if is_service && (!self.declared.contains(&*name) || !seen.insert(name)) {
                // SAFETY: nobody calls it.
                unsafe { erase(op) };
            }
        }
        Ok(())
    }

    /// Leaves a function behind each of these calls that fails.
    fn leave(
        &mut self,
        function: &Function<'c, 'a>,
        context: V<'c, 'a>,
        calls: &[(OperationRef<'c, 'a>, Callee)],
    ) -> Result<(), Failure> {
        if calls.is_empty() {
            return Ok(());
        }
        let region = function.op.region(0)?;
        let location = function.op.location();
        let exit = region.append_block(Block::new(&[]));
        let at = Cursor::end(exit, location);
        // What allocates does not say where.
        let allocates = |to: &Callee| {
            matches!(to, Callee::Service(ALLOC | PLAIN_ALLOC | ALIGNED_ALLOC | "terrace_rt_check_room", ..))
        };
        if calls.iter().any(|(_, to)| allocates(to)) {
            self.locate(&at, context, location)?;
        }
        let own = ty(function.op.attribute("function_type")?);
        // SAFETY: it is a function type of the LLVM dialect.
        let result = unsafe { Type::from_raw(mlirLLVMFunctionTypeGetReturnType(own.to_raw())) };
        let results = match result == llvm_type::void(at.context) {
            true => vec![],
            false => vec![at.op("llvm.mlir.poison", &[], result)?],
        };
        at.build("llvm.return", &results, &[], &[], vec![])?;
        // From the end, so that each operation moves once.
        for (call, to) in calls.iter().rev() {
            let told = matches!(to, Callee::Service(_, Kind::Told, _));
            let after = call.next_in_block().ok_or(internal!("a block ends in a call"))?;
            if told && name_of(after) == "llvm.br" {
                let block = call.block().ok_or(internal!("is in no block"))?;
                // SAFETY: it has no results.
                unsafe { erase(after) };
                jump(call.location(), &exit, block)?;
                continue;
            }
            let at = Cursor::before(after)?.of(call.location());
            let error = at.op("llvm.load", &[context], self.pointer())?;
            let null = self.null(&at)?;
            let word: Type = IntegerType::new(at.context, 64).into();
            let differs = at.named("predicate", IntegerAttribute::new(word, 1));
            let truth: Type = IntegerType::new(at.context, 1).into();
            let failed = at.with("llvm.icmp", &[error, null], truth, &[differs])?;
            let (block, rest) = cut(region, after)?;
            let says_where = matches!(to, Callee::Service(..))
                && !told
                && !allocates(to)
                && !matches!(to, Callee::Service(_, Kind::Runs, _));
            let way = if says_where && location::place(call.location()).is_some() {
                let way = region.append_block(Block::new(&[]));
                self.locate(&Cursor::end(way, call.location()), context, call.location())?;
                jump(call.location(), &exit, way)?;
                way
            } else {
                exit
            };
            branch(call.location(), failed, [&way, &rest], block)?;
        }
        Ok(())
    }

    /// Says where an error came up.
    fn locate(&mut self, at: &Cursor<'c, 'a>, context: V<'c, 'a>, of: Location<'c>) -> Result<(), Failure> {
        let Some(place) = self.place(at, of)? else { return Ok(()) };
        let attributes = [
            at.named("callee", FlatSymbolRefAttribute::new(at.context, LOCATE)),
            at.named("operandSegmentSizes", DenseI32ArrayAttribute::new(at.context, &[2, 0])),
            at.named("op_bundle_sizes", DenseI32ArrayAttribute::new(at.context, &[])),
        ];
        let call = at.build("llvm.call", &[context, place], &[], &attributes, vec![])?;
        self.service(LOCATE, call)
    }
}

/// Ends a block in front of an operation: the block, and a new one behind it with the rest.
fn cut<'c, 'a>(
    region: melior::ir::RegionRef<'c, 'a>,
    first: OperationRef<'c, 'a>,
) -> Result<(BlockRef<'c, 'a>, BlockRef<'c, 'a>), Failure> {
    let block = first.block().ok_or(internal!("is in no block"))?;
    // SAFETY: the block belongs to the region from here on, and operations move between blocks of one region.
    unsafe {
        let rest = Block::new(&[]);
        let raw = rest.to_raw();
        std::mem::forget(rest);
        mlirRegionInsertOwnedBlockAfter(region.to_raw(), block.to_raw(), raw);
        let rest = BlockRef::from_raw(raw);
        let mut next = Some(first);
        while let Some(op) = next {
            next = op.next_in_block();
            mlirOperationRemoveFromParent(op.to_raw());
            rest.append_operation(Operation::from_raw(op.to_raw()));
        }
        Ok((block, rest))
    }
}

fn jump<'c>(location: Location<'c>, to: &Block<'c>, from: BlockRef<'c, '_>) -> Result<(), Failure> {
    from.append_operation(OperationBuilder::new("llvm.br", location).add_successors(&[to]).build()?);
    Ok(())
}

/// Goes the first way where something holds, which it seldom does, else the second.
fn branch<'c>(
    location: Location<'c>,
    holds: V<'c, '_>,
    ways: [&Block<'c>; 2],
    from: BlockRef<'c, '_>,
) -> Result<(), Failure> {
    let at = Cursor::end(from, location);
    let list = |values: &[i32]| DenseI32ArrayAttribute::new(at.context, values);
    let branch = OperationBuilder::new("llvm.cond_br", location)
        .add_operands(&[holds])
        .add_attributes(&[
            at.named("operandSegmentSizes", list(&[1, 0, 0])),
            at.named("branch_weights", list(&[1, 1 << 20])),
        ])
        .add_successors(&ways)
        .build()?;
    from.append_operation(branch);
    Ok(())
}
