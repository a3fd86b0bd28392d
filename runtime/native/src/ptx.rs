//! From lowered GPU modules to PTX.

use crate::{
    Error, Kernel, OptLevel, code, cpu,
    signature::string_attribute,
    translate::{LlvmModule, location_text},
};
use inkwell::{
    OptimizationLevel,
    attributes::{Attribute, AttributeLoc},
    module::Module as LlvmIr,
    passes::PassBuilderOptions,
    targets::{InitializationConfig, Target, TargetMachine},
};
use melior::ir::{
    Module, RegionLike,
    block::BlockLike,
    operation::{OperationLike, OperationRef},
};

/// The architectures that PTX is made for; those with an `a` have instructions that later ones lack.
pub const GPU_ARCHITECTURES: [&str; 9] =
    ["sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a"];

/// The version of PTX that has the instructions of an architecture, and not more: older drivers take it.
fn ptx_version(arch: &str) -> Option<&'static str> {
    match arch {
        "sm_100" | "sm_100a" => Some("+ptx86"),
        _ => GPU_ARCHITECTURES.contains(&arch).then_some("+ptx80"),
    }
}

/// What CUDA itself defines for device code.
const PROVIDED: [&str; 4] = ["vprintf", "malloc", "free", "__assertfail"];

/// Intrinsics that stand for libm's functions; LLVM's code generator for GPUs gives up the process at them,
/// but for powers of 2 in f32, which are an instruction.
const LIBM: [&str; 20] = [
    "exp", "exp2", "exp10", "log", "log2", "log10", "pow", "powi", "sin", "cos", "tan", "sincos", "asin",
    "acos", "atan", "atan2", "sinh", "cosh", "tanh", "modf",
];

/// Whether a function that a module only declares exists on the GPU.
fn is_provided(name: &str) -> bool {
    match name.strip_prefix("llvm.") {
        Some(intrinsic) => {
            let function = intrinsic.split('.').next().unwrap_or_default();
            !LIBM.contains(&function) || function == "exp2" && intrinsic.ends_with("f32")
        }
        None => PROVIDED.contains(&name),
    }
}

/// Takes the GPU modules of `module` out, each as a module of its own with its name.
///
/// Translation to LLVM IR needs this: it skips a nested module without a word.
pub fn kernels<'c>(module: &Module<'c>) -> Vec<(String, Module<'c>)> {
    let mut found = Vec::new();
    let mut next = module.body().first_operation();
    while let Some(operation) = next {
        if operation.name().as_string_ref().as_str() == Ok("gpu.module") {
            let name = string_attribute(operation, "sym_name").unwrap_or_default();
            found.push((name, body_as_module(operation)));
        }
        next = operation.next_in_block();
    }
    found
}

fn body_as_module<'c>(gpu_module: OperationRef<'c, '_>) -> Module<'c> {
    let module = Module::new(gpu_module.location());
    let block = gpu_module.regions().next().and_then(|region| region.first_block());
    let mut next = block.and_then(|block| block.first_operation());
    while let Some(operation) = next {
        module.body().append_operation((*operation).clone());
        next = operation.next_in_block();
    }
    module
}

/// The names of the kernels of a module, in order.
fn names(kernels: &Module) -> Vec<String> {
    let mut names = Vec::new();
    let mut next = kernels.body().first_operation();
    while let Some(operation) = next {
        if operation.attribute("nvvm.kernel").is_ok() {
            names.extend(string_attribute(operation, "sym_name"));
        }
        next = operation.next_in_block();
    }
    names
}

/// What is known of a kernel of an optimized module: LLVM says of a pointer that nothing is written through
/// it.
fn kernel(module: &LlvmIr, name: String) -> Kernel {
    let read_only = ["readonly", "readnone"].map(Attribute::get_named_enum_kind_id);
    let function = module.get_function(&name);
    let parameters = function.map(|f| f.get_params()).unwrap_or_default();
    let writes = parameters.iter().enumerate().map(|(i, parameter)| {
        let known = |kind: &u32| {
            function.and_then(|f| f.get_enum_attribute(AttributeLoc::Param(i as u32), *kind)).is_some()
        };
        parameter.is_pointer_value() && !read_only.iter().any(known)
    });
    Kernel { writes: writes.collect(), name }
}

/// Optimized LLVM IR for a GPU.
pub struct GpuCode {
    kernels: Vec<Kernel>,
    llvm: LlvmModule,
    machine: TargetMachine,
}

impl GpuCode {
    /// Translates a module of kernels in the LLVM and NVVM dialects, for one of [`GPU_ARCHITECTURES`].
    ///
    /// Every function that the kernels call must be in the module; math functions in particular have to be
    /// expanded, since NVIDIA's bitcode library is not linked.
    pub fn nvptx(kernels: &Module, arch: &str, level: OptLevel) -> Result<GpuCode, Error> {
        let version = ptx_version(arch).ok_or_else(|| Error::UnknownGpu(arch.into()))?;
        Target::initialize_nvptx(&InitializationConfig::default());
        let machine = cpu::machine("nvptx64-nvidia-cuda", arch, version, OptimizationLevel::Aggressive)?;
        let llvm = LlvmModule::translate(kernels, &machine)?;
        llvm.verify()?;
        level.optimize(&llvm.module, &machine, "")?;
        // What a kernel only reads need not come back from the device.
        let reads = llvm.module.run_passes("cgscc(function-attrs)", &machine, PassBuilderOptions::create());
        reads.map_err(|e| Error::CodeGeneration(e.to_string()))?;
        let declared = llvm.module.get_functions().filter(|f| f.count_basic_blocks() == 0);
        let missing: Vec<_> = declared
            .map(|f| f.get_name().to_string_lossy().into_owned())
            .filter(|name| !is_provided(name))
            .collect();
        if !missing.is_empty() {
            let location = location_text(kernels.as_operation().location());
            return Err(Error::CodeGeneration(format!(
                "{location}: kernels call {}, which nothing defines on the GPU",
                missing.join(", ")
            )));
        }
        let kernels = names(kernels).into_iter().map(|name| kernel(&llvm.module, name)).collect();
        Ok(GpuCode { kernels, llvm, machine })
    }

    /// The kernels, in the order of the module.
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// The text of the LLVM IR.
    pub fn llvm_ir(&self) -> String {
        self.llvm.module.print_to_string().to_string()
    }

    /// The text of the PTX.
    pub fn ptx(&self) -> Result<String, Error> {
        code::assembly(&self.llvm, &self.machine)
    }
}
