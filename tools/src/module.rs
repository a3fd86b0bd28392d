//! Reading a .mlir file, with diagnostics at its locations on standard error.

use melior::{
    Context,
    diagnostic::{Diagnostic, DiagnosticSeverity},
    dialect::DialectRegistry,
    ir::{Module, OperationRef},
};
use mlir_sys::{mlirContextEnableMultithreading, mlirModuleCreateParseFromFile};
use std::{cell::RefCell, fs, path::Path, rc::Rc};
use terrace_dialects::{
    bridge::string_ref,
    ir::{BlockLike, OperationLike},
};

/// A context with upstream's dialects and passes and ours.
pub fn context() -> Context {
    terrace_lowering::pipeline::register();
    let registry = DialectRegistry::new();
    terrace_dialects::register_upstream(&registry);
    terrace_dialects::register_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.attach_diagnostic_handler(|diagnostic| {
        report(&diagnostic, "");
        true
    });
    context
}

/// Diagnostics, in words.
pub type Said = Rc<RefCell<Vec<String>>>;

/// A context for one thread that keeps diagnostics to itself, and what they say.
pub fn listening() -> (Context, Said) {
    let context = context();
    let said = Said::default();
    let sink = said.clone();
    context.attach_diagnostic_handler(move |diagnostic| {
        sink.borrow_mut().push(diagnostic.to_string());
        true
    });
    context.enable_multi_threading(false);
    (context, said)
}

/// Prints a diagnostic as `file:line:column: error: message`, and its notes.
fn report(diagnostic: &Diagnostic, indent: &str) {
    let location = diagnostic.location().to_string();
    let place =
        location.strip_prefix("loc(").and_then(|l| l.strip_suffix(')')).unwrap_or(&location).replace('"', "");
    let severity = match diagnostic.severity() {
        DiagnosticSeverity::Error => "error",
        DiagnosticSeverity::Warning => "warning",
        DiagnosticSeverity::Note => "note",
        DiagnosticSeverity::Remark => "remark",
    };
    eprintln!("{indent}{place}: {severity}: {diagnostic}");
    for note in (0..diagnostic.note_count()).filter_map(|i| diagnostic.note(i).ok()) {
        report(&note, "  ");
    }
}

/// Parses a file as one module, verified; what is wrong with it has been printed where this is an error.
///
/// # Errors
/// The file can't be read, is no MLIR, or does not verify.
pub fn read<'c>(context: &'c Context, file: &Path) -> Result<Module<'c>, String> {
    // Says in plain words what the parser would say about a file that it can't open.
    fs::metadata(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let name = file.display().to_string();
    unsafe {
        mlirContextEnableMultithreading(context.to_raw(), false);
        let module = mlirModuleCreateParseFromFile(context.to_raw(), string_ref(&name));
        if module.ptr.is_null() { Err(String::new()) } else { Ok(Module::from_raw(module)) }
    }
}

/// The functions of a module.
pub fn functions<'c, 'a>(module: &'a Module<'c>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    let mut next = module.body().first_operation();
    while let Some(op) = next {
        if op.name().as_string_ref().as_str() == Ok("func.func") {
            found.push(op);
        }
        next = op.next_in_block();
    }
    found
}
