//! The way down to the LLVM dialect, a level at a time.

use crate::{
    Error, Gpu, ReturnedMetadata, Same,
    entry::Entry,
    options::{Look, Options},
    own_thread::OwnThread,
};
use melior::{
    Context,
    ir::{Attribute, AttributeLike, Location, Module},
};
use mlir_sys::{mlirArrayAttrGetElement, mlirDictionaryAttrGetElementByName};
use std::rc::Rc;
use terrace_dialects::ir::{
    OperationLike, attributes as convert,
    dtype::{Dtype, ElementType},
    operations::{collect, name_of},
    strings::string_ref,
};
use terrace_lowering::pipeline::{self, Level, Target, gpu, pass::Pipeline};
use terrace_native::{
    Code, Cpu, Device, GpuCode, GpuProgram, Level as CpuLevel, Loaded, Offset, OptLevel, export, gpu_program,
    kernels,
};
use terrace_tensor::Flags;

/// The name that the passes have for what a CPU can do.
pub fn target(cpu: &Cpu) -> Target {
    let cpu = match cpu.level() {
        CpuLevel::V1 | CpuLevel::V2 => "x86-64",
        CpuLevel::V3 => "x86-64-v3",
        CpuLevel::V4 => "x86-64-v4",
        CpuLevel::V4Bf16 => "x86-64-v4-bf16",
    };
    Target::new(cpu, true)
}

/// What runs a function.
pub(crate) enum Machine {
    /// This processor.
    Here(Loaded),
    /// Kernels on a device, and this processor for the rest: a device is its thread's.
    Gpu(OwnThread<GpuProgram>),
}

/// A function, compiled.
pub(crate) struct Compiled {
    pub machine: Machine,
    pub metadata: Vec<ReturnedMetadata>,
    /// What it asks of who calls.
    pub asks: Asks,
}

/// Compiles the one entry point of a module, which its signature has been written into.
pub(crate) fn make<'c>(
    context: &'c Context,
    mut module: Module<'c>,
    entry: &str,
    options: &Options,
) -> Result<Compiled, Error> {
    let look = &options.look;
    if let Some(gpu) = &options.gpu {
        return make_gpu(context, module, entry, options, gpu);
    }
    let (check_accesses, without) = (options.check_accesses, options.without.clone());
    let target = Target { check_accesses, without, ..target(&options.cpu) };
    let (mut signatures, mut metadata, mut asks) = (vec![], vec![], Asks::default());
    for level in Level::ALL {
        if level == Level::Llvm {
            // The LLVM dialect forgets what a memref was.
            signatures = export(&module)?;
            metadata = returned_metadata(&module, entry)?;
            asks = Asks::of(&module);
        }
        let passes = match options.stress {
            0 => level.passes(&target),
            seed => level.random_passes(&target, seed),
        };
        down(context, &mut module, level, &passes, look)?;
    }
    let code = Code::x86(&module, signatures, &options.cpu, options.effort)?;
    let machine = Machine::Here(Loaded::load(&code)?);
    if let Some(look) = &options.look_at_code {
        look(&code);
    }
    Ok(Compiled { machine, metadata, asks })
}

fn down<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    level: Level,
    passes: &Pipeline,
    look: &Option<Look>,
) -> Result<(), Error> {
    pipeline::run(context, module, passes)?;
    if let Some(look) = look {
        look(level, module);
    }
    Ok(())
}

/// The same with kernels for a GPU.
fn make_gpu<'c>(
    context: &'c Context,
    module: Module<'c>,
    entry: &str,
    options: &Options,
    gpu: &Gpu,
) -> Result<Compiled, Error> {
    let made = gpu_code(context, module, entry, options, &gpu.architecture)?;
    let device: Rc<dyn Device> = (gpu.load)(&made.kernels).map_err(Error::Device)?;
    let program = gpu_program(&made.host, made.kernels.kernels().to_vec(), device)?;
    Ok(Compiled { machine: Machine::Gpu(OwnThread::new(program)), metadata: made.metadata, asks: made.asks })
}

/// A function for a GPU, compiled and not loaded.
pub struct GpuCompiled {
    /// Its kernels.
    pub kernels: GpuCode,
    /// What launches them.
    pub host: Code,
    /// What its results are beside their buffers.
    pub metadata: Vec<ReturnedMetadata>,
    /// Of each argument how its offset reaches the code.
    pub offsets: Vec<Offset>,
    pub(crate) asks: Asks,
}

/// Compiles the one entry point of a module, its kernels for an architecture.
pub(crate) fn gpu_code<'c>(
    context: &'c Context,
    mut module: Module<'c>,
    entry: &str,
    options: &Options,
    architecture: &str,
) -> Result<GpuCompiled, Error> {
    let target = target(&options.cpu);
    for (level, passes) in gpu::to_loops() {
        down(context, &mut module, level, &passes, &options.look)?;
    }
    down(context, &mut module, Level::Kernel, &gpu::tiles(), &options.look)?;
    let to_nvvm = gpu::kernels(architecture, false).then(gpu::to_nvvm(true));
    down(context, &mut module, Level::Llvm, &to_nvvm, &options.look)?;
    // A program may have no kernels: it only hands arguments on.
    let own = kernels(&module).pop().map_or_else(|| Module::new(Location::unknown(context)), |(_, own)| own);
    let kernels = GpuCode::nvptx(&own, architecture, OptLevel::O2)?;
    let signatures = export(&module)?;
    let metadata = returned_metadata(&module, entry)?;
    let asks = Asks::of(&module);
    pipeline::run(context, &mut module, &gpu::host(&target))?;
    let host = Code::x86(&module, signatures, &options.cpu, options.effort)?;
    Ok(GpuCompiled { kernels, host, metadata, offsets: vec![], asks })
}

/// What a function asks of who calls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asks {
    /// The state of the generator.
    pub generator: bool,
    /// How many bytes storages of arguments have, or that they have others.
    pub storages: bool,
}

impl Asks {
    /// That of a module of kernels.
    fn of(module: &Module) -> Asks {
        let mut asks = Asks::default();
        for op in
            collect(module.as_operation(), |op| matches!(name_of(op), "graph.generator_state" | "func.call"))
        {
            let callee = op.attribute("callee").map(convert::symbol).unwrap_or_default();
            asks.generator |= name_of(op) == "graph.generator_state";
            asks.storages |= ["terrace_rt_storage_bytes", "terrace_rt_resize_storage"].contains(&&*callee);
        }
        asks
    }
}

/// What `convert-graph-boundary-to-memref` left on the results.
fn returned_metadata(module: &Module, entry: &str) -> Result<Vec<ReturnedMetadata>, Error> {
    let entry = Entry::find(module, Some(entry)).map_err(Error::Entry)?;
    let count = entry.function_type().result_count();
    let Ok(all) = entry.operation().attribute("res_attrs") else {
        return Ok(vec![ReturnedMetadata::default(); count]);
    };
    // SAFETY: the list has a dictionary for each result.
    let get = |i: usize, name: &str| unsafe {
        let dictionary = mlirArrayAttrGetElement(all.to_raw(), i as isize);
        Attribute::from_option_raw(mlirDictionaryAttrGetElementByName(dictionary, string_ref(name)))
    };
    let metadata = |i: usize| ReturnedMetadata {
        dtype: get(i, "graph.dtype").and_then(|a| Dtype::of(convert::ty(a))),
        flags: Flags { conj: get(i, "graph.conj").is_some(), neg: get(i, "graph.neg").is_some() },
        same_as: get(i, "graph.same_as").and_then(|a| same(&convert::string(a))),
        object_of: get(i, "graph.object_of").map(|a| convert::i64(a) as usize),
    };
    Ok((0..count).map(metadata).collect())
}

fn same(text: &str) -> Option<Same> {
    let number = |prefix: &str| text.strip_prefix(prefix).and_then(|n| n.parse().ok());
    number("arg").map(Same::Argument).or_else(|| number("result").map(Same::Result))
}
