//! From the LLVM IR of kernels to machine code of this machine.

use crate::ir::translate;
use inkwell::{
    OptimizationLevel, context::Context, execution_engine::ExecutionEngine, memory_buffer::MemoryBuffer,
    module::Module, targets::FileType,
};
use std::sync::{Arc, Mutex};
use terrace_native::{Cpu, DeviceError, link_library};
use terrace_threads::{Code, Gpu, Launch, Order};

/// Code in the process.
struct Jit {
    // Fields are dropped in order: the engine before its context, which nothing else borrows from.
    engine: ExecutionEngine<'static>,
    _context: Box<Context>,
}

// SAFETY: `translate` defines the functions so; the engine keeps them.
unsafe impl Code for Jit {
    fn address(&self, function: &str) -> Option<usize> {
        self.engine.get_function_address(function).ok()
    }
}

fn wrong(e: &dyn ToString) -> DeviceError {
    DeviceError(e.to_string())
}

fn parse<'c>(context: &'c Context, ir: &str) -> Result<Module<'c>, DeviceError> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(translate(ir)?.as_bytes(), "kernels");
    context.create_module_from_ir(buffer).map_err(|e| wrong(&e))
}

fn jit(ir: &str) -> Result<Box<dyn Code>, DeviceError> {
    let context = Box::new(Context::create());
    // SAFETY: the engine, which refers to it, is dropped before it.
    let within: &'static Context = unsafe { &*std::ptr::from_ref(&*context) };
    let module = parse(within, ir)?;
    let engine = module.create_jit_execution_engine(OptimizationLevel::Default).map_err(|e| wrong(&e))?;
    Ok(Box::new(Jit { engine, _context: context }))
}

/// Compiles the LLVM IR of kernels into the process; their threads get their turns in an order.
///
/// # Errors
/// It calls an intrinsic that is not known here, or is no LLVM IR.
pub fn gpu(ir: &str, order: Order) -> Result<Gpu, DeviceError> {
    Gpu::new(jit(ir)?, order)
}

/// The same on the memory of another one.
///
/// # Errors
/// As [`gpu`].
pub fn beside(ir: &str, other: &Gpu) -> Result<Gpu, DeviceError> {
    other.beside(jit(ir)?)
}

/// The same, to count what the first blocks of each launch ask of memory ([`Gpu::counting`]).
///
/// # Errors
/// As [`gpu`].
pub fn counting(ir: &str, blocks: u64, launches: Arc<Mutex<Vec<Launch>>>) -> Result<Gpu, DeviceError> {
    Gpu::counting(jit(ir)?, blocks, launches)
}

/// The LLVM IR of kernels as a shared library for any x86-64 machine.
///
/// # Errors
/// As [`gpu`]; there is no linker.
pub fn library(ir: &str) -> Result<Vec<u8>, DeviceError> {
    let context = Context::create();
    let module = parse(&context, ir)?;
    let machine = "x86-64".parse::<Cpu>().and_then(|cpu| cpu.target_machine()).map_err(|e| wrong(&e))?;
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    let object = machine.write_to_memory_buffer(&module, FileType::Object).map_err(|e| wrong(&e))?;
    link_library(object.as_slice()).map_err(|e| wrong(&e))
}
