//! A whole module all the way down to code, for CPU and GPU.

use melior::{Context, ir::Module};
use terrace_lowering::pipeline::{self, Level, gpu, pass::Pipeline};
use terrace_native::{Code, Cpu, GpuCode, OptLevel, Signature, export, kernels};
use terrace_session::{
    Diagnostic,
    entry::Entry,
    listening,
    lower::target,
    specialize::{copy, keep},
};

/// Code for a CPU; its entry points are the public functions of the module. Functions that are refused are
/// left out with a warning each where `skip` says so; else there is an error for each of them, and no code.
///
/// # Errors
/// What is wrong; empty where a diagnostic has said it.
pub fn x86<'c>(
    context: &'c Context,
    mut module: Module<'c>,
    cpu: &Cpu,
    effort: OptLevel,
    skip: bool,
) -> Result<Code, String> {
    let written = copy(&module);
    let (lowered, said) = listening(context, || lower(context, &mut module, cpu));
    let signatures = match lowered {
        Ok(signatures) => signatures,
        Err(why) => {
            if said.iter().any(Diagnostic::is_internal) {
                said.iter().for_each(|said| eprintln!("{said}"));
                return Err(why);
            }
            // Each function alone says what is wrong with it.
            let mut refused = vec![];
            for name in Entry::all(&written).into_iter().map(Entry::name) {
                let mut alone = copy(&written);
                keep(context, &mut alone, |own| own == name)?;
                let (lowered, said) = listening(context, || lower(context, &mut alone, cpu));
                if lowered.is_err() {
                    refused.push((name, said));
                }
            }
            if refused.is_empty() {
                said.iter().for_each(|said| eprintln!("{said}"));
                return Err(why);
            }
            for (name, said) in &refused {
                let leaves = |said: &Diagnostic| Diagnostic {
                    severity: "warning",
                    message: format!("@{name} is left out: {}", said.message),
                    ..said.clone()
                };
                said.iter().for_each(|said| eprintln!("{}", if skip { leaves(said) } else { said.clone() }));
            }
            if !skip {
                return Err(String::new());
            }
            module = written;
            keep(context, &mut module, |own| refused.iter().all(|(name, _)| own != name))?;
            lower(context, &mut module, cpu)?
        }
    };
    Code::x86(&module, signatures, cpu, effort).map_err(|e| e.to_string())
}

/// Takes a module down to the LLVM dialect.
fn lower<'c>(context: &'c Context, module: &mut Module<'c>, cpu: &Cpu) -> Result<Vec<Signature>, String> {
    let target = target(cpu);
    let mut signatures = vec![];
    for level in Level::ALL {
        if level == Level::Llvm {
            // The LLVM dialect forgets what a memref was.
            signatures = export(module).map_err(|e| e.to_string())?;
        }
        pipeline::run(context, module, &level.passes(&target)).map_err(|_| String::new())?;
    }
    Ok(signatures)
}

/// Code for a GPU from the one GPU module of a module, or, where there is none, from the kernels that the way
/// down from graph gives; those that have no form on threads are not in it, and a warning at each says why.
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
    let above = if bare { gpu::from_graph(arch, true) } else { Pipeline::default() };
    let passes = above.then(gpu::to_nvvm(bare));
    pipeline::run(context, &mut module, &passes).map_err(|_| String::new())?;
    match &kernels(&module)[..] {
        [(_, one)] => GpuCode::nvptx(one, arch, effort).map_err(|e| e.to_string()),
        [] => Err("there is no gpu.module to compile for a gpu".into()),
        several => {
            let names: Vec<_> = several.iter().map(|(name, _)| format!("@{name}")).collect();
            Err(format!("a .ptx holds one gpu.module, there are {}", names.join(", ")))
        }
    }
}
