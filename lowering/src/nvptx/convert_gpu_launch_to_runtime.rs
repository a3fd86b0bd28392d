//! The pass `convert-gpu-launch-to-runtime`: the host's side of a program whose buffers lie on a GPU.
//!
//! The function that launches kernels runs on the processor; of a buffer it has the address on the device
//! alone. What it does with one becomes a call of the session that runs it (`terrace_native::gpu`): a launch
//! hands over the number of the kernel and its arguments, a word each; a single element is read or written by
//! way of the device; a constant is on the device from its first use on. Allocations stay: the session
//! provides what MLIR's lowering calls for them.

use crate::buffers::convert_graph_boundary_to_memref::{OUT_OF_BOUNDS, RESIZE_STORAGE};
use melior::{
    dialect::llvm::{self, r#type as llvm_type},
    ir::{
        OperationRef, RegionLike, Type, ValueLike,
        attribute::{DenseI64ArrayAttribute, FlatSymbolRefAttribute},
        r#type::{IntegerType, MemRefType},
    },
};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    analysis::memory::Memory,
    ir::{
        BlockLike, OperationLike,
        attributes::{string, symbol},
        cursor::{Cursor, V},
        descriptor::Descriptor,
        operations::{collect_within, definition, name_of, refuse},
        pass::Failure,
        refusal::Reason,
        rewrite::{erase, replace_uses, replace_uses_except},
        shaped::{Shaped, strides_and_offset},
        types::{bits, bytes, is_float, part},
    },
};
use terrace_size::DYNAMIC;

/// The services of the session: name, how many indices they take, and whether they return one.
const SERVICES: [(&str, usize, bool); 5] = [
    ("terrace_gpu_launch", 5, false),
    ("terrace_gpu_fetch", 3, false),
    ("terrace_gpu_read", 2, true),
    ("terrace_gpu_write", 3, false),
    ("terrace_gpu_constant", 2, true),
];

/// The allocation that stands in the descriptor of a constant: MLIR's own lowering has the same.
const CONSTANT: i64 = 0xdead_beef;

/// What writes calls of services, and remembers which they are.
struct Calls {
    used: HashSet<&'static str>,
}

impl Calls {
    fn call<'c, 'a>(
        &mut self,
        at: &Cursor<'c, 'a>,
        name: &'static str,
        arguments: &[V<'c, 'a>],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        self.used.insert(name);
        let callee = at.named("callee", FlatSymbolRefAttribute::new(at.context, name));
        let returns = SERVICES.iter().any(|(known, _, returns)| *known == name && *returns);
        let results: &[Type] = if returns { &[at.index_type()] } else { &[] };
        at.build("func.call", arguments, results, &[callee], vec![])
    }

    /// Declares what is called.
    fn declare(&self, at: &Cursor) -> Result<(), Failure> {
        for (name, count, returns) in SERVICES.iter().filter(|(name, ..)| self.used.contains(name)) {
            let index = at.index_type();
            at.declare(name, &vec![index; *count], &vec![index; usize::from(*returns)], &[])?;
        }
        Ok(())
    }
}

/// The names of the kernels of a GPU module, in order: a launch names one by its place.
fn kernels(module: OperationRef) -> Vec<String> {
    let mut names = vec![];
    let mut next =
        module.region(0).ok().and_then(|region| region.first_block()).and_then(|b| b.first_operation());
    while let Some(op) = next {
        if op.attribute("nvvm.kernel").is_ok() {
            names.extend(op.attribute("sym_name").map(string));
        }
        next = op.next_in_block();
    }
    names
}

/// The address of the first element of a buffer's type at offset 0.
fn address<'c, 'a>(at: &Cursor<'c, 'a>, buffer: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    at.op("memref.extract_aligned_pointer_as_index", &[buffer], at.index_type())
}

/// The address of one element.
fn element<'c, 'a>(
    at: &Cursor<'c, 'a>,
    buffer: V<'c, 'a>,
    indices: &[V<'c, 'a>],
) -> Result<V<'c, 'a>, Failure> {
    let shaped = Shaped::expect(buffer.r#type())?;
    let bytes = bytes(shaped.element).ok_or("has a buffer of no numbers")?;
    let index = at.index_type();
    let parts = Descriptor::of(at, buffer)?;
    let mut place = parts.offset;
    for (i, stride) in indices.iter().zip(parts.strides) {
        let term = at.op("arith.muli", &[*i, stride], index)?;
        place = at.op("arith.addi", &[place, term], index)?;
    }
    let distance = at.op("arith.muli", &[place, at.index(bytes)?], index)?;
    at.op("arith.addi", &[address(at, buffer)?, distance], index)
}

/// A number as a word: its bits, the rest zero.
fn word<'c, 'a>(at: &Cursor<'c, 'a>, value: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    let ty = value.r#type();
    let Some(width) = bits(ty) else { return Ok(value) };
    let integer = IntegerType::new(at.context, width).into();
    let value = if is_float(ty) { at.op("arith.bitcast", &[value], integer)? } else { value };
    at.op("arith.index_castui", &[value], at.index_type())
}

/// The number of a type that a word has the bits of.
fn number<'c, 'a>(at: &Cursor<'c, 'a>, word: V<'c, 'a>, ty: Type<'c>) -> Result<V<'c, 'a>, Failure> {
    let Some(width) = bits(ty) else { return Ok(word) };
    let integer: Type = IntegerType::new(at.context, width).into();
    let value = at.op("arith.index_castui", &[word], integer)?;
    if is_float(ty) { at.op("arith.bitcast", &[value], ty) } else { Ok(value) }
}

/// The number at an address of the device; a complex one is its two parts, a word each.
fn read<'c, 'a>(
    at: &Cursor<'c, 'a>,
    place: V<'c, 'a>,
    ty: Type<'c>,
    calls: &mut Calls,
) -> Result<V<'c, 'a>, Failure> {
    if let Some(part) = part(ty) {
        let real = read(at, place, part, calls)?;
        let imaginary = read(at, second(at, place, part)?, part, calls)?;
        return at.op("complex.create", &[real, imaginary], ty);
    }
    let size = at.index(bytes(ty).ok_or("loads no number")?)?;
    let word = calls.call(at, "terrace_gpu_read", &[place, size])?.result_at(0)?;
    number(at, word.into(), ty)
}

/// Puts a number at an address of the device, as `read` has it.
fn write<'c, 'a>(
    at: &Cursor<'c, 'a>,
    place: V<'c, 'a>,
    value: V<'c, 'a>,
    calls: &mut Calls,
) -> Result<(), Failure> {
    if let Some(part) = part(value.r#type()) {
        write(at, place, at.op("complex.re", &[value], part)?, calls)?;
        return write(at, second(at, place, part)?, at.op("complex.im", &[value], part)?, calls);
    }
    let size = at.index(bytes(value.r#type()).ok_or("stores no number")?)?;
    calls.call(at, "terrace_gpu_write", &[place, size, word(at, value)?]).map(drop)
}

/// The address of the second part of a complex number.
fn second<'c, 'a>(at: &Cursor<'c, 'a>, place: V<'c, 'a>, part: Type<'c>) -> Result<V<'c, 'a>, Failure> {
    let size = at.index(bytes(part).ok_or("has parts that are no numbers")?)?;
    at.op("arith.addi", &[place, size], at.index_type())
}

/// Whether a buffer is the function's own, on the stack.
fn is_on_the_stack<'c: 'a, 'a>(buffer: V<'c, 'a>) -> bool {
    definition(Memory::of(buffer).root).is_some_and(|op| name_of(op) == "memref.alloca")
}

/// Whether a copy brings elements, as they lie, from the device to the stack.
fn is_fetch(op: OperationRef) -> Result<bool, Failure> {
    let (from, to) = (op.operand(0)?, op.operand(1)?);
    let ty = to.r#type();
    let dense = Shaped::of(ty).map(|own| MemRefType::contiguous(own.element, &own.shape, None).into());
    Ok(is_on_the_stack(to) && !is_on_the_stack(from) && from.r#type() == ty && dense == Some(ty))
}

/// The bytes of a buffer of static size.
fn size_of(buffer: V) -> Result<i64, Failure> {
    let shaped = Shaped::expect(buffer.r#type())?;
    let size = bytes(shaped.element).zip(shaped.elements()).map(|(b, n)| b.saturating_mul(n));
    Ok(size.ok_or("has elements that are no numbers")?)
}

/// Turns a launch into a call.
fn launch<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    names: &HashMap<String, usize>,
    calls: &mut Calls,
) -> Result<(), Failure> {
    let at = Cursor::before(op)?;
    let name = symbol(op.attribute("kernel")?);
    let number = *names.get(&name).ok_or_else(|| refuse(op, "launches no kernel of the module"))?;
    let operands: Vec<V> = op.operands().collect();
    let (sizes, arguments) = operands.split_at_checked(6).ok_or("has no grid")?;
    // At the head of the function: there it is one place, however often the launch is reached.
    let mut function = op;
    while let Some(parent) = function.parent_operation().filter(|_| name_of(function) != "func.func") {
        function = parent;
    }
    let head = function.region(0)?.first_block().ok_or("a function has no body")?;
    let list = MemRefType::new(at.index_type(), &[arguments.len() as i64], None, None).into();
    let list = Cursor::start(head, at.location).allocate("memref.alloca", list, &[])?;
    for (i, argument) in arguments.iter().enumerate() {
        let ty = argument.r#type();
        let value = match Shaped::of(ty).is_some_and(|shaped| shaped.buffer) {
            true => address(&at, *argument)?,
            false if bytes(ty).is_some() && part(ty).is_none() => word(&at, *argument)?,
            false => return Err(refuse(op, &format!("hands over {ty}: a kernel takes buffers and numbers"))),
        };
        at.build("memref.store", &[value, list, at.index(i as i64)?], &[], &[], vec![])?;
    }
    let count = at.index(arguments.len() as i64)?;
    let number = at.index(number as i64)?;
    calls.call(&at, "terrace_gpu_launch", &[number, sizes[0], sizes[3], address(&at, list)?, count])?;
    erase(op);
    Ok(())
}

/// The values of a constant on the device, as a buffer.
fn constant<'c: 'a, 'a>(op: OperationRef<'c, 'a>, calls: &mut Calls) -> Result<(), Failure> {
    let result: V = op.result_at(0)?.into();
    let at = match op.next_in_block() {
        Some(next) => Cursor::before(next)?.of(op.location()),
        None => return Err("stands at the end of a block".into()),
    };
    let ty = result.r#type();
    let (shaped, layout) = (Shaped::expect(ty)?, strides_and_offset(ty));
    let (strides, _) =
        layout.filter(|(strides, _)| !strides.contains(&DYNAMIC)).ok_or("has a layout of its own")?;
    let size = at.index(size_of(result)?)?;
    let here = address(&at, result)?;
    let device: V = calls.call(&at, "terrace_gpu_constant", &[here, size])?.result_at(0)?.into();
    let word: Type = IntegerType::new(at.context, 64).into();
    let pointer = llvm_type::pointer(at.context, 0);
    let list = llvm_type::array(word, shaped.rank() as u32);
    let lists = if shaped.rank() > 0 { vec![list, list] } else { vec![] };
    let fields = llvm_type::r#struct(at.context, &[vec![pointer, pointer, word], lists].concat(), false);
    let mut whole: V = at.op("llvm.mlir.poison", &[], fields)?;
    let mut set = |value: V<'c, 'a>, place: &[i64]| -> Result<(), Failure> {
        let place = DenseI64ArrayAttribute::new(at.context, place);
        whole =
            at.insert(llvm::insert_value(at.context, whole, place, value, at.location)).result_at(0)?.into();
        Ok(())
    };
    let as_pointer = |value: V<'c, 'a>| -> Result<V<'c, 'a>, Failure> {
        at.op("llvm.inttoptr", &[at.op("arith.index_cast", &[value], word)?], pointer)
    };
    set(as_pointer(at.index(CONSTANT)?)?, &[0])?;
    set(as_pointer(device)?, &[1])?;
    set(at.integer(word, 0)?, &[2])?;
    for (d, (size, stride)) in shaped.shape.iter().zip(strides).enumerate() {
        set(at.integer(word, *size)?, &[3, d as i64])?;
        set(at.integer(word, stride)?, &[4, d as i64])?;
    }
    let there = at.build("builtin.unrealized_conversion_cast", &[whole], &[ty], &[], vec![])?;
    // All but the address that was taken of it.
    let address = definition(here).ok_or("has no address")?;
    replace_uses_except(result, there.result_at(0)?, address);
    Ok(())
}

/// A call of what is only declared, which computes on the host.
fn is_foreign(op: OperationRef, declared: &HashSet<String>) -> bool {
    let callee = op.attribute("callee").map(symbol).unwrap_or_default();
    let buffers = op.operands().map(|v| v.r#type()).chain(op.results().map(|r| r.r#type()));
    declared.contains(&callee) && buffers.into_iter().any(|ty| Shaped::of(ty).is_some_and(|s| s.buffer))
}

/// Converts what the functions of a module do with buffers, and takes the GPU module out.
pub fn run(module: OperationRef, _: &crate::options::ConvertGpuLaunchToRuntime) -> Result<(), Failure> {
    let block = module.region(0)?.first_block().ok_or("a module has no body")?;
    let (mut gpu, mut names, mut declared) = (vec![], vec![], HashSet::new());
    let mut next = block.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        match name_of(op) {
            "gpu.module" => {
                names.extend(kernels(op));
                gpu.push(op);
            }
            "func.func" if op.region(0).is_ok_and(|region| region.first_block().is_none()) => {
                declared.extend(op.attribute("sym_name").map(string));
            }
            _ => {}
        }
    }
    if gpu.len() > 1 {
        return Err(refuse(gpu[1], "is a second GPU module: kernels are numbered within one"));
    }
    let names: HashMap<String, usize> = names.into_iter().enumerate().map(|(at, name)| (name, at)).collect();
    let mut calls = Calls { used: HashSet::new() };
    let enters = |op| !matches!(name_of(op), "gpu.module" | "kernel.func");
    for op in collect_within(module, enters, |op| op != module) {
        let at = || Cursor::before(op);
        match name_of(op) {
            "gpu.launch_func" => launch(op, &names, &mut calls)?,
            "memref.get_global" => constant(op, &mut calls)?,
            "memref.load" if !is_on_the_stack(op.operand(0)?) => {
                let at = at()?;
                let (ty, indices) = (op.result_at(0)?.r#type(), op.operands().skip(1).collect::<Vec<_>>());
                let place = element(&at, op.operand(0)?, &indices)?;
                let value = read(&at, place, ty, &mut calls)?;
                replace_uses(op.result_at(0)?, value);
                erase(op);
            }
            "memref.store" if !is_on_the_stack(op.operand(1)?) => {
                let at = at()?;
                let (value, indices) = (op.operand(0)?, op.operands().skip(2).collect::<Vec<_>>());
                let place = element(&at, op.operand(1)?, &indices)?;
                write(&at, place, value, &mut calls)?;
                erase(op);
            }
            "memref.copy" if is_fetch(op)? => {
                let (at, from, to) = (at()?, op.operand(0)?, op.operand(1)?);
                let size = at.index(size_of(to)?)?;
                calls.call(&at, "terrace_gpu_fetch", &[address(&at, from)?, size, address(&at, to)?])?;
                erase(op);
            }
            "memref.copy" => {
                return Err(refuse(
                    op,
                    "copies what lies on the GPU: 'convert-copy-to-loop' makes a kernel of it",
                ));
            }
            "kernel.launch" => {
                return Err(refuse(op, &Reason::Device.says("launches a kernel that has no form on a GPU")));
            }
            // Nobody says how large storages are there.
            "func.call" if op.attribute("callee").is_ok_and(|callee| symbol(callee) == OUT_OF_BOUNDS) => {
                // How many bytes it is to have comes last.
                let (result, room) = (op.result_at(0)?, op.operand(op.operand_count() - 1)?);
                let memory = at()?.allocate("memref.alloc", result.r#type(), &[room])?;
                replace_uses(result, memory);
                erase(op);
            }
            "func.call" if is_foreign(op, &declared) => {
                let callee = op.attribute("callee").map(symbol).unwrap_or_default();
                let why = match callee == RESIZE_STORAGE {
                    true => "makes the storage of an argument another size: on a GPU they have fixed sizes",
                    false => "computes on the host what lies on the GPU",
                };
                return Err(refuse(op, &Reason::Device.says(why)));
            }
            _ => {}
        }
    }
    calls.declare(&Cursor::start(block, module.location()))?;
    for op in gpu {
        erase(op);
    }
    Ok(())
}
