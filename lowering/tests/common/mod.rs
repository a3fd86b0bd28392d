//! Compiles programs for each level of vector instructions that this machine has, and calls them.
#![allow(dead_code)]

use melior::{
    Context,
    ir::Module,
    pass::PassManager,
    utility::{parse_pass_pipeline, register_all_passes},
};
use std::sync::Once;
use terrace_dialects::ir::OperationLike;
use terrace_lowering::{
    pipeline::{Level, Target},
    x86::isa::Isa,
};
use terrace_native::{Arg, Code, Cpu, Element, Loaded, MemRef, OptLevel, export};

/// A context with upstream's dialects and ours; all passes are registered.
pub fn context() -> Context {
    let context = terrace_dialects::new_context();
    static ONCE: Once = Once::new();
    ONCE.call_once(register_all_passes);
    terrace_passes::register_passes();
    terrace_lowering::register_passes();
    context
}

/// The levels that run here, each with a CPU that has no more.
pub fn isas() -> Vec<(Isa, Cpu)> {
    let all = [
        (Isa::Avx512Bf16, "x86-64-v4-bf16"),
        (Isa::Avx512, "x86-64-v4"),
        (Isa::Avx2, "x86-64-v3"),
        (Isa::Portable, "x86-64"),
    ];
    all.into_iter()
        .map(|(isa, cpu)| (isa, cpu.parse::<Cpu>().unwrap()))
        .filter(|(_, cpu)| cpu.runs_here().is_ok())
        .collect()
}

/// The target of tests: with all optimizations, for calls of a session.
pub fn target(isa: Isa) -> Target {
    Target::new(&isa.to_string(), true)
}

/// Compiles kernels and the functions that launch them.
pub fn compile(source: &str, isa: Isa, cpu: &Cpu) -> Loaded {
    compile_from(&[], source, &target(isa), cpu)
}

/// Compiles functions on graph tensors.
pub fn compile_graph(source: &str, isa: Isa, cpu: &Cpu) -> Loaded {
    compile_graph_for(&target(isa), source, cpu)
}

/// The same for a target.
pub fn compile_graph_for(target: &Target, source: &str, cpu: &Cpu) -> Loaded {
    compile_from(&[Level::Functional, Level::Loop, Level::Kernel], source, target, cpu)
}

/// Compiles boundaries without a core.
pub fn compile_boundaries(source: &str, isa: Isa, cpu: &Cpu) -> Loaded {
    compile_from(&[Level::Loop, Level::Kernel], source, &target(isa), cpu)
}

/// Compiles functions of loop operations.
pub fn compile_loops(source: &str, isa: Isa, cpu: &Cpu) -> Loaded {
    compile_from(&[Level::Kernel], source, &target(isa), cpu)
}

fn compile_from(levels: &[Level], source: &str, target: &Target, cpu: &Cpu) -> Loaded {
    let context = context();
    let mut module = Module::parse(&context, source).unwrap_or_else(|| panic!("no program:\n{source}"));
    assert!(module.as_operation().verify());
    let lower = |module: &mut Module, level: Level| {
        let manager = PassManager::new(&context);
        let pipeline = format!("builtin.module({})", level.passes(target));
        parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline).unwrap();
        manager.run(module).unwrap_or_else(|_| panic!("to {level} for {}:\n{source}", target.cpu));
    };
    levels.iter().for_each(|level| lower(&mut module, *level));
    let signatures = export(&module).unwrap();
    lower(&mut module, Level::Llvm);
    Loaded::load(&Code::x86(&module, signatures, cpu, OptLevel::Fast).unwrap()).unwrap()
}

/// A contiguous buffer as an argument.
pub fn buffer<'a, T: Element>(data: &'a mut [T], sizes: &[i64]) -> Arg<'a> {
    Arg::MemRef(MemRef::from_slice(data, sizes).unwrap())
}

/// A strided view of a buffer as an argument.
pub fn view<'a, T: Element>(data: &'a mut [T], sizes: &[i64], strides: &[i64], offset: i64) -> Arg<'a> {
    let last: i64 = offset + sizes.iter().zip(strides).map(|(n, s)| (n - 1).max(0) * s).sum::<i64>();
    assert!(last < data.len() as i64);
    let base = data.as_mut_ptr().cast();
    // SAFETY: the last element is in the slice, which is borrowed for as long as the argument lives.
    Arg::MemRef(unsafe { MemRef::from_raw(T::DTYPE, base, offset, sizes.to_vec(), strides.to_vec()) })
}
