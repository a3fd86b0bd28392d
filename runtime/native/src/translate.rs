//! From the LLVM dialect to LLVM IR.

use crate::Error;
use inkwell::{context::Context, targets::TargetMachine};
use melior::{
    StringRef,
    ir::{
        AttributeLike, Location, Module, attribute::StringAttribute, block::BlockLike,
        operation::OperationLike,
    },
    utility::register_all_llvm_translations,
};
use std::{
    fmt::Write,
    sync::{Arc, Mutex},
};

/// An LLVM module with the context that it lives in.
pub(crate) struct LlvmModule {
    // Fields are dropped in order: the module before its context. Nothing hands out what borrows from the
    // context beyond the life of this struct.
    pub module: inkwell::module::Module<'static>,
    _context: Context,
}

impl LlvmModule {
    /// Translates a module of which every operation is in the LLVM dialect, or in one that translates like it
    /// (NVVM), for a machine: how its types lie in memory has to be known before, for loads and stores say
    /// their alignment from then on.
    pub fn translate(module: &Module, machine: &TargetMachine) -> Result<LlvmModule, Error> {
        let mut next = module.body().first_operation();
        while let Some(operation) = next {
            let name = operation.name().as_string_ref().as_str().unwrap_or("?").to_owned();
            // MLIR drops what it does not know at the top level without a word, GPU modules above all.
            if !name.starts_with("llvm.") {
                return Err(Error::NotLowered {
                    location: location_text(operation.location()),
                    operation: name,
                });
            }
            next = operation.next_in_block();
        }
        let mlir = module.context();
        let layout = machine.get_target_data().get_data_layout();
        let text = layout.as_str().to_string_lossy();
        // SAFETY: the module's operation is live.
        unsafe {
            let text = StringAttribute::new(mlir.to_ref(), &text);
            let name = StringRef::new("llvm.data_layout").to_raw();
            mlir_sys::mlirOperationSetAttributeByName(module.as_operation().to_raw(), name, text.to_raw());
        }
        // SAFETY: the reference to a context is itself a context in memory, and lives long enough.
        register_all_llvm_translations(unsafe { mlir.to_ref() });
        let context = Context::create();
        let (raw, diagnostics) = collect_diagnostics(module, || {
            // SAFETY: both contexts live, and the result is owned here.
            unsafe {
                mlir_sys::mlirTranslateModuleToLLVMIR(module.as_operation().to_raw(), context.raw().cast())
            }
        });
        if raw.is_null() {
            return Err(Error::Translate(diagnostics.join("\n")));
        }
        // SAFETY: a module of `context`, not owned by anything else; the struct keeps the context.
        let module = unsafe { inkwell::module::Module::new(raw.cast()) };
        module.set_triple(&machine.get_triple());
        module.set_data_layout(&layout);
        Ok(LlvmModule { module, _context: context })
    }

    /// Checks LLVM's own rules, which a translated module could break by what its attributes say.
    pub fn verify(&self) -> Result<(), Error> {
        self.module.verify().map_err(|e| Error::CodeGeneration(e.to_string()))
    }
}

/// Runs `action` and returns the diagnostics that it emitted, each with its location.
fn collect_diagnostics<T>(module: &Module, action: impl FnOnce() -> T) -> (T, Vec<String>) {
    let messages = Arc::new(Mutex::new(Vec::new()));
    let sink = messages.clone();
    let context = module.context();
    // SAFETY: the reference to a context is itself a context in memory, and lives long enough.
    let context = unsafe { context.to_ref() };
    let id = context.attach_diagnostic_handler(move |diagnostic| {
        let mut line = format!("{}: ", location_text(diagnostic.location()));
        // It ends at bytes that are no UTF-8.
        _ = write!(line, "{diagnostic}");
        sink.lock().unwrap_or_else(|e| e.into_inner()).push(line);
        true
    });
    let result = action();
    context.detach_diagnostic_handler(id);
    let messages = std::mem::take(&mut *messages.lock().unwrap_or_else(|e| e.into_inner()));
    (result, messages)
}

/// `file:line:column` where the location is one, MLIR's notation otherwise.
pub(crate) fn location_text(location: Location) -> String {
    // SAFETY: the location is live; the accessors are asked of the kind of location that has them.
    unsafe {
        let raw = location.to_raw();
        if !mlir_sys::mlirLocationIsAFileLineColRange(raw) {
            let mut text = String::new();
            _ = write!(text, "{location}");
            return text;
        }
        let file = mlir_sys::mlirIdentifierStr(mlir_sys::mlirLocationFileLineColRangeGetFilename(raw));
        format!(
            "{}:{}:{}",
            StringRef::from_raw(file).as_str().unwrap_or("?"),
            mlir_sys::mlirLocationFileLineColRangeGetStartLine(raw),
            mlir_sys::mlirLocationFileLineColRangeGetStartColumn(raw)
        )
    }
}
