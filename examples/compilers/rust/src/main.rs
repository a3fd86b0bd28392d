//! A compiler of its own, with Terrace as a stage: linalg on tensors, loops that are fused, scf on memrefs,
//! LLVM.
//!
//! ```text
//! example-compiler FILE
//! ```

use melior::{
    Context,
    dialect::DialectRegistry,
    ir::Module,
    pass::PassManager,
    utility::{parse_pass_pipeline, register_all_dialects, register_all_passes},
};
use std::process::ExitCode;

/// Passes of upstream, and those of Terrace that shall have options, are written as text.
const TO_MEMREFS: &str = "builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map})";
const TO_LLVM: &str = "builtin.module(convert-scf-to-cf,expand-strided-metadata,lower-affine,finalize-memref-to-llvm,\
    convert-arith-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)";

/// Runs passes that `add` names. A text is all of a manager's pipeline, so passes and texts have managers of
/// their own.
fn run(
    context: &Context,
    module: &mut Module,
    add: impl FnOnce(&PassManager) -> Result<(), melior::Error>,
) -> Result<(), String> {
    let manager = PassManager::new(context);
    add(&manager).map_err(|why| why.to_string())?;
    // What is wrong, MLIR has said at its place.
    manager.run(module).map_err(|_| "the program does not compile".to_string())
}

fn compiled(context: &Context, text: &str) -> Result<String, String> {
    let mut module = Module::parse(context, text).ok_or("the text is no module")?;
    run(context, &mut module, |manager| {
        manager.nested_under("func.func").add_pass(terrace_lowering::create::convert_linalg_to_loop());
        manager.add_pass(terrace_passes::create::loop_fuse());
        Ok(())
    })?;
    run(context, &mut module, |manager| {
        parse_pass_pipeline(manager.as_operation_pass_manager(), TO_MEMREFS)
    })?;
    run(context, &mut module, |manager| {
        manager.nested_under("func.func").add_pass(terrace_lowering::create::convert_loop_to_scf());
        Ok(())
    })?;
    run(context, &mut module, |manager| parse_pass_pipeline(manager.as_operation_pass_manager(), TO_LLVM))?;
    Ok(module.as_operation().to_string())
}

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: example-compiler FILE");
        return ExitCode::FAILURE;
    };
    // The compiler's own dialects and passes, and Terrace's beside them.
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    terrace_dialects::register_dialects(&registry);
    register_all_passes();
    let context = Context::new();
    context.append_dialect_registry(&registry);
    let text = std::fs::read_to_string(&file).map_err(|why| format!("{file}: {why}"));
    match text.and_then(|text| compiled(&context, &text)) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("example-compiler: {why}");
            ExitCode::FAILURE
        }
    }
}
