//! A whole module all the way down to code, for CPU and GPU.

use melior::{Context, ir::Module, pass::PassManager, utility::parse_pass_pipeline};
use terrace_lowering::pipeline::{self, Level, lower_by};
use terrace_native::{Code, Cpu, GpuCode, OptLevel, Signature, kernels};
use terrace_session::lower::target;

/// Code for a CPU; its entry points are the public functions of the module.
///
/// # Errors
/// What is wrong; empty where a diagnostic has said it.
pub fn x86<'c>(
    context: &'c Context,
    mut module: Module<'c>,
    cpu: &Cpu,
    effort: OptLevel,
) -> Result<Code, String> {
    let target = target(cpu);
    let mut signatures = vec![];
    for level in Level::ALL {
        if level == Level::Llvm {
            // The LLVM dialect forgets what a memref was.
            signatures = Signature::export(&module).map_err(|e| e.to_string())?;
        }
        lower_by(context, &mut module, &level.passes(&target), level).map_err(|_| String::new())?;
    }
    Code::x86(&module, signatures, cpu, effort).map_err(|e| e.to_string())
}

/// Code for a GPU from the one GPU module of a module, or, where there is none, from the kernels that the way down from
/// graph gives; those that have no form on threads are not in it, and a
/// warning at each says why.
///
/// # Errors
/// As [`x86`]; there are no kernels, or several GPU modules.
pub fn nvptx<'c>(
    context: &'c Context,
    mut module: Module<'c>,
    arch: &str,
    effort: OptLevel,
) -> Result<GpuCode, String> {
    pipeline::register();
    let bare = kernels(&module).is_empty();
    let mut passes = pipeline::gpu_to_nvvm(bare);
    if bare {
        passes = format!("{},{passes}", pipeline::gpu(arch, true));
    }
    let manager = PassManager::new(context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), &format!("builtin.module({passes})"))
        .map_err(|e| e.to_string())?;
    manager.run(&mut module).map_err(|_| String::new())?;
    match &kernels(&module)[..] {
        [(_, one)] => GpuCode::nvptx(one, arch, effort).map_err(|e| e.to_string()),
        [] => Err("there is no gpu.module to compile for a gpu".into()),
        several => {
            let names: Vec<_> = several.iter().map(|(name, _)| format!("@{name}")).collect();
            Err(format!("a .ptx holds one gpu.module, there are {}", names.join(", ")))
        }
    }
}
