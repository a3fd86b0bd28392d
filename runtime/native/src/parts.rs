//! One module as several, each of which a thread makes machine code of.
//!
//! Functions that nobody outside calls and that are not to be inlined, kernels and bodies of parallel loops,
//! go to parts by their weight; the first part has everything else too. A part is a copy of the module in a
//! context of its own, as LLVM asks of threads. What is another part's stands in it for reference only, and
//! goes first thing. As `llvm::SplitModule`, for code that is not optimized yet.

use crate::{Cpu, Error, OptLevel};
use inkwell::{
    attributes::{Attribute, AttributeLoc},
    context::Context,
    memory_buffer::MemoryBuffer,
    module::{Linkage, Module},
    targets::FileType,
    values::FunctionValue,
};
use std::{cmp::Reverse, collections::HashMap, thread};

/// Instructions that are worth a thread.
const WORTH: usize = 1000;

/// The part of each function that is not in the first one alone, by its name, and how many parts there are.
pub(crate) struct Parts {
    of: HashMap<String, usize>,
    count: usize,
}

impl Parts {
    /// Divides the functions of a module among threads; None where there is nothing to be won.
    pub fn of(module: &Module, threads: usize) -> Option<Parts> {
        let defined = || module.get_functions().filter(|function| function.count_basic_blocks() > 0);
        let total: usize = defined().map(weight).sum();
        let count = threads.min(total / WORTH);
        if count < 2 {
            return None;
        }
        let mut loads = vec![0; count];
        let mut free: Vec<(usize, String)> = vec![];
        for function in defined() {
            match is_free(function) {
                true => free.push((weight(function), name(function))),
                false => loads[0] += weight(function),
            }
        }
        // The heaviest first, each to who has least.
        free.sort_by_key(|(weight, _)| Reverse(*weight));
        let mut of = HashMap::new();
        for (weight, name) in free {
            let part = (0..count).min_by_key(|part| loads[*part]).unwrap_or(0);
            loads[part] += weight;
            of.insert(name, part);
        }
        Some(Parts { of, count })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The objects of a module that is not optimized, one for each part.
    pub fn objects(
        &self,
        module: &Module,
        cpu: &Cpu,
        level: OptLevel,
    ) -> Result<Vec<MemoryBuffer<'static>>, Error> {
        let bitcode = module.write_bitcode_to_memory();
        // The parser wants the zero byte that is behind the buffer.
        let bitcode = bitcode.as_slice();
        let objects = thread::scope(|scope| {
            let part = |number| scope.spawn(move || self.object(bitcode, number, cpu, level));
            let threads: Vec<_> = (1..self.count).map(part).collect();
            let first = self.object(bitcode, 0, cpu, level);
            let rest = threads.into_iter().map(|thread| match thread.join() {
                Ok(object) => object,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            std::iter::once(first).chain(rest).collect::<Result<Vec<_>, _>>()
        })?;
        Ok(objects.iter().map(|bytes| MemoryBuffer::create_from_memory_range_copy(bytes, "object")).collect())
    }

    fn object(&self, bitcode: &[u8], part: usize, cpu: &Cpu, level: OptLevel) -> Result<Vec<u8>, Error> {
        let failed = |e: inkwell::support::LLVMString| Error::CodeGeneration(e.to_string());
        let context = Context::create();
        let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, "part");
        let module = Module::parse_bitcode_from_buffer(&buffer, &context).map_err(failed)?;
        for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
            match self.of.get(&name(function)) {
                Some(own) if *own == part => function.set_linkage(Linkage::External),
                Some(_) => function.set_linkage(Linkage::AvailableExternally),
                // What is inlined, or called here alone, goes with those that call it.
                None if part > 0 && !is_internal(function) => {
                    function.set_linkage(Linkage::AvailableExternally)
                }
                None => {}
            }
        }
        // A constant may be there several times, a variable only once.
        for global in
            module.get_globals().filter(|global| global.get_initializer().is_some() && !global.is_constant())
        {
            global.set_linkage(if part == 0 { Linkage::External } else { Linkage::AvailableExternally });
        }
        let machine = level.machine(cpu)?;
        level.optimize(&module, &machine, "elim-avail-extern,globaldce,")?;
        Ok(machine.write_to_memory_buffer(&module, FileType::Object).map_err(failed)?.as_slice().to_vec())
    }
}

/// Whether a function may be in a part of its own.
fn is_free(function: FunctionValue) -> bool {
    let inlined = Attribute::get_named_enum_kind_id("alwaysinline");
    is_internal(function) && function.get_enum_attribute(AttributeLoc::Function, inlined).is_none()
}

fn is_internal(function: FunctionValue) -> bool {
    matches!(function.get_linkage(), Linkage::Internal | Linkage::Private)
}

fn name(function: FunctionValue) -> String {
    function.get_name().to_string_lossy().into_owned()
}

/// The instructions of a function.
fn weight(function: FunctionValue) -> usize {
    function.get_basic_block_iter().map(|block| block.get_instructions().count()).sum()
}
