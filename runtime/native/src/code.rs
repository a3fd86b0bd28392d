//! A module as LLVM IR for one CPU, optimized: what is printed, written as an object, or loaded into a
//! session, which takes parts that threads make ([`parts`](crate::parts)).

use crate::{Cpu, Error, Signature, entry, parts::Parts, signature::string_attribute, translate::LlvmModule};
use inkwell::{
    OptimizationLevel,
    attributes::AttributeLoc,
    memory_buffer::MemoryBuffer,
    module::Module as LlvmIr,
    passes::PassBuilderOptions,
    support::LLVMString,
    targets::{FileType, TargetMachine},
    values::FunctionValue,
};
use melior::ir::{Module, block::BlockLike, operation::OperationLike};
use std::{cell::OnceCell, str::FromStr};

/// How much work LLVM puts into the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OptLevel {
    /// None: for looking at what the lowering produced.
    None,
    /// A short list of passes that suits code which is vectorized and unrolled already: several times cheaper
    /// than `O2` at the same speed within noise.
    #[default]
    Fast,
    /// LLVM's own pipeline at level 2.
    O2,
    /// LLVM's own pipeline at level 3.
    O3,
}

/// By its name alone instcombine ends the process where one round leaves something to combine.
const FAST: &str = "always-inline,globaldce,\
    function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),gvn,\
    instcombine<no-verify-fixpoint>,simplifycfg)";

/// The attribute of functions that have loops of their own, as `convert-kernel-to-x86` says of those that are
/// no kernels.
const OWN_LOOPS: &str = "terrace-loops";

/// What LLVM's own pipelines do to loops, for functions that have loops of their own: behind [`FAST`], which
/// vectorizes nothing.
const LOOPS: &str = "loop-mssa(loop-rotate,licm),simplifycfg,instcombine<no-verify-fixpoint>,loop(loop-idiom,indvars,loop-deletion),gvn,\
    loop-mssa(licm),loop(loop-rotate),loop-vectorize,loop-load-elim,instcombine<no-verify-fixpoint>,simplifycfg,slp-vectorizer,\
    loop-unroll,instcombine<no-verify-fixpoint>,loop-mssa(licm),simplifycfg";

impl OptLevel {
    fn pipeline(self) -> &'static str {
        match self {
            OptLevel::None => "always-inline",
            OptLevel::Fast => FAST,
            OptLevel::O2 => "default<O2>",
            OptLevel::O3 => "default<O3>",
        }
    }

    fn code_generation(self) -> OptimizationLevel {
        match self {
            OptLevel::None => OptimizationLevel::None,
            OptLevel::Fast | OptLevel::O2 => OptimizationLevel::Default,
            OptLevel::O3 => OptimizationLevel::Aggressive,
        }
    }

    /// Runs the passes of this level, behind others.
    pub(crate) fn optimize(
        self,
        module: &LlvmIr,
        machine: &TargetMachine,
        before: &str,
    ) -> Result<(), Error> {
        let options = || {
            let options = PassBuilderOptions::create();
            options.set_loop_vectorization(true);
            options.set_loop_slp_vectorization(true);
            options
        };
        let failed = |e: LLVMString| Error::CodeGeneration(e.to_string());
        module.run_passes(&format!("{before}{}", self.pipeline()), machine, options()).map_err(failed)?;
        let has_loops = |f: &FunctionValue| {
            f.get_string_attribute(AttributeLoc::Function, OWN_LOOPS).is_some() && f.count_basic_blocks() > 0
        };
        if self == OptLevel::Fast {
            for function in module.get_functions().filter(has_loops) {
                function.run_passes(LOOPS, machine, options()).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// A code generator for `cpu` at this level.
    pub(crate) fn machine(self, cpu: &Cpu) -> Result<TargetMachine, Error> {
        cpu.machine(self.code_generation())
    }
}

impl FromStr for OptLevel {
    type Err = String;

    /// `none`, `fast`, `O2`, `O3`.
    fn from_str(name: &str) -> Result<OptLevel, String> {
        match name {
            "none" => Ok(OptLevel::None),
            "fast" => Ok(OptLevel::Fast),
            "O2" => Ok(OptLevel::O2),
            "O3" => Ok(OptLevel::O3),
            _ => Err(format!("unknown optimization level \"{name}\", expected none, fast, O2 or O3")),
        }
    }
}

/// Optimized LLVM IR for an x86 CPU, with the signatures of its entry points.
pub struct Code {
    llvm: LlvmModule,
    machine: TargetMachine,
    level: OptLevel,
    /// Whether the passes of the level have run.
    optimized: OnceCell<()>,
    /// How many threads make machine code for a session.
    threads: usize,
    pub(crate) cpu: Cpu,
    pub(crate) signatures: Vec<Signature>,
}

impl Code {
    /// Translates `module`, which is in the LLVM dialect; it is optimized when it is asked for. `signatures`
    /// are those of its functions before they were lowered.
    pub fn x86(
        module: &Module,
        signatures: Vec<Signature>,
        cpu: &Cpu,
        level: OptLevel,
    ) -> Result<Code, Error> {
        let machine = level.machine(cpu)?;
        let llvm = LlvmModule::translate(module, &machine)?;
        entry::prepare(&llvm.module, &signatures, &private_functions(module))?;
        llvm.verify()?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Code { llvm, machine, level, optimized: OnceCell::new(), threads, cpu: cpu.clone(), signatures })
    }

    /// The same, with so many threads to make machine code for a session; without it, as many as there are
    /// processors.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Code {
        Code { threads, ..self }
    }

    /// The entry points that the code was made for.
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// The module, optimized.
    fn whole(&self) -> Result<&LlvmModule, Error> {
        if self.optimized.get().is_none() {
            self.level.optimize(&self.llvm.module, &self.machine, "")?;
            self.optimized.get_or_init(|| ());
        }
        Ok(&self.llvm)
    }

    /// Does something with the module before it is optimized.
    pub(crate) fn with_module<R>(&self, work: impl FnOnce(&LlvmIr<'static>) -> R) -> Result<R, Error> {
        match self.optimized.get() {
            Some(()) => Err(Error::CodeGeneration("the code is optimized already".into())),
            None => Ok(work(&self.llvm.module)),
        }
    }

    /// The text of the LLVM IR.
    pub fn llvm_ir(&self) -> Result<String, Error> {
        Ok(self.whole()?.module.print_to_string().to_string())
    }

    /// The text of the assembly.
    pub fn assembly(&self) -> Result<String, Error> {
        assembly(self.whole()?, &self.machine)
    }

    /// An ELF object; what it needs beside libc and libm is in the runtime archive.
    pub fn object(&self) -> Result<Vec<u8>, Error> {
        Ok(generate(self.whole()?, &self.machine, FileType::Object)?.as_slice().to_vec())
    }

    /// In how many parts a session gets the code: one for each thread, where there is enough to do.
    pub fn parts(&self) -> usize {
        self.divided().map_or(1, |parts| parts.count())
    }

    fn divided(&self) -> Option<Parts> {
        // Behind what inlines by itself parts would be other code; and what is optimized is not divided any
        // more.
        let divides = self.level == OptLevel::Fast && self.optimized.get().is_none();
        if divides { Parts::of(&self.llvm.module, self.threads) } else { None }
    }

    /// Objects that are to be linked together, one for each part.
    pub(crate) fn objects(&self) -> Result<Vec<MemoryBuffer<'static>>, Error> {
        match self.divided() {
            Some(parts) => parts.objects(&self.llvm.module, &self.cpu, self.level),
            None => Ok(vec![generate(self.whole()?, &self.machine, FileType::Object)?]),
        }
    }
}

/// The text of the assembly, PTX where the machine is a GPU.
pub(crate) fn assembly(llvm: &LlvmModule, machine: &TargetMachine) -> Result<String, Error> {
    let buffer = generate(llvm, machine, FileType::Assembly)?;
    Ok(String::from_utf8_lossy(buffer.as_slice()).trim_end_matches('\0').to_owned())
}

fn generate(
    llvm: &LlvmModule,
    machine: &TargetMachine,
    kind: FileType,
) -> Result<MemoryBuffer<'static>, Error> {
    machine.write_to_memory_buffer(&llvm.module, kind).map_err(|e| Error::CodeGeneration(e.to_string()))
}

/// Functions of private visibility; LLVM IR does not keep it.
fn private_functions(module: &Module) -> Vec<String> {
    let mut names = Vec::new();
    let mut next = module.body().first_operation();
    while let Some(operation) = next {
        if string_attribute(operation, "sym_visibility").is_some_and(|v| v != "public") {
            names.extend(string_attribute(operation, "sym_name"));
        }
        next = operation.next_in_block();
    }
    names
}
