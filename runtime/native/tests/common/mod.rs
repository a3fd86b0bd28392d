//! Lowers small programs of upstream dialects, as a compiler's last passes would.
#![allow(dead_code)]

use melior::{
    Context,
    dialect::DialectRegistry,
    ir::Module,
    pass::PassManager,
    utility::{parse_pass_pipeline, register_all_dialects, register_all_passes},
};
use terrace_native::*;

const X86: &str = "builtin.module(convert-vector-to-scf,convert-scf-to-cf,\
    expand-strided-metadata,lower-affine,convert-vector-to-llvm,finalize-memref-to-llvm{use-generic-functions=1},\
    convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-cf-to-llvm,convert-complex-to-llvm,\
    convert-index-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)";

/// A context that has the upstream dialects.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    register_all_passes();
    context
}

pub fn run<'c>(context: &'c Context, mut module: Module<'c>, pipeline: &str) -> Module<'c> {
    let manager = PassManager::new(context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline).unwrap();
    manager.run(&mut module).unwrap();
    module
}

/// Signatures and the lowered module.
pub fn lower<'c>(context: &'c Context, source: &str) -> (Vec<Signature>, Module<'c>) {
    let module = Module::parse(context, source).expect("a well-formed program");
    let signatures = export(&module).unwrap();
    (signatures, run(context, module, X86))
}

pub fn code_for(source: &str, cpu: &Cpu, level: OptLevel) -> Code {
    let context = context();
    let (signatures, module) = lower(&context, source);
    Code::x86(&module, signatures, cpu, level).unwrap()
}

pub fn code(source: &str) -> Code {
    code_for(source, &Cpu::host(), OptLevel::default())
}

pub fn session(source: &str) -> Loaded {
    Loaded::load(&code(source)).unwrap()
}
