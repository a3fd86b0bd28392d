//! From a module to an entry point whose kernels run on a GPU.

use super::{Compiled, lower::result_facts, target};
use crate::entry::Entry;
use melior::{
    Context,
    ir::{Location, Module},
};
use std::time::{Duration, Instant};
use terrace_lowering::pipeline::{self, Level};
use terrace_session::{Code, Cpu, Device, GpuCode, GpuProgram, OptLevel, Signature, kernels};

/// Compiles an entry point, its kernels for a GPU architecture. `device` gets their code, and is what runs it; each level
/// on the way is shown to `look`.
///
/// # Errors
/// What is wrong; empty where a diagnostic has said it.
pub fn compile_for<'c>(
    context: &'c Context,
    mut module: Module<'c>,
    entry: &str,
    arch: &str,
    device: impl FnOnce(&GpuCode) -> Result<Box<dyn Device>, String>,
    mut look: impl FnMut(Level, &Module<'c>),
) -> Result<(Compiled, Duration), String> {
    let started = Instant::now();
    let cpu = Cpu::host();
    let target = target(&cpu);
    let mut run = |level: Level, module: &mut Module<'c>, passes: &str| {
        pipeline::run(context, module, passes).map_err(|()| String::new())?;
        look(level, module);
        Ok::<_, String>(())
    };
    for level in [Level::Functional, Level::Loop] {
        run(level, &mut module, &level.gpu_passes())?;
    }
    run(Level::Kernel, &mut module, &pipeline::gpu_tiles())?;
    let to_nvvm = format!("{},{}", pipeline::gpu_kernels(arch, false), pipeline::gpu_to_nvvm(true));
    run(Level::Llvm, &mut module, &to_nvvm)?;
    // A program may have no kernels: it only hands arguments on.
    let own = kernels(&module).pop().map_or_else(|| Module::new(Location::unknown(context)), |(_, own)| own);
    let code = GpuCode::nvptx(&own, arch, OptLevel::Fast).map_err(|e| e.to_string())?;
    let signatures = Signature::export(&module).map_err(|e| e.to_string())?;
    let facts = result_facts(Entry::find(&module, Some(entry))?);
    run(Level::Llvm, &mut module, &pipeline::gpu_host(&target))?;
    let host = Code::x86(&module, signatures, &cpu, OptLevel::Fast).map_err(|e| e.to_string())?;
    let program = GpuProgram::load(&host, code.kernels().to_vec(), device(&code)?);
    let program = program.map_err(|e| e.to_string())?;
    Ok((Compiled::on_device(program, entry, facts), started.elapsed()))
}
