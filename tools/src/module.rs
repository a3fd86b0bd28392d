//! Reading a .mlir file, with diagnostics at its locations on standard error.

use melior::{Context, ir::Module};
use mlir_sys::mlirModuleCreateParseFromFile;
use std::{cell::RefCell, fs, path::Path, rc::Rc};
use terrace_dialects::ir::strings::string_ref;

/// A context that prints what is said to standard error.
pub fn context() -> Context {
    let context = terrace_session::context();
    context.attach_diagnostic_handler(|diagnostic| {
        terrace_session::report(&diagnostic);
        true
    });
    context
}

/// Diagnostics, in words.
pub type Messages = Rc<RefCell<Vec<String>>>;

/// A context for one thread that keeps diagnostics to itself, and what they say.
pub fn listening() -> (Context, Messages) {
    let context = context();
    let said = Messages::default();
    let sink = said.clone();
    context.attach_diagnostic_handler(move |diagnostic| {
        sink.borrow_mut().push(terrace_session::words(&diagnostic));
        true
    });
    context.enable_multi_threading(false);
    (context, said)
}

/// Parses a file as one module, verified; what is wrong with it has been printed where this is an error.
///
/// # Errors
/// The file can't be read, is no MLIR, or does not verify.
pub fn read<'c>(context: &'c Context, file: &Path) -> Result<Module<'c>, String> {
    // Says in plain words what the parser would say about a file that it can't open.
    fs::metadata(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let name = file.display().to_string();
    // SAFETY: the name is read during the call; a module that is not null is new and nobody else's.
    unsafe {
        let module = mlirModuleCreateParseFromFile(context.to_raw(), string_ref(&name));
        if module.ptr.is_null() { Err(String::new()) } else { Ok(Module::from_raw(module)) }
    }
}
