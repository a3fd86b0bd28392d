//! What `Register.h` declares: Terrace's dialects, passes and pipelines inside of another compiler.

use mlir_sys::{
    MlirContext, MlirDialectRegistry, MlirLogicalResult, mlirContextAppendDialectRegistry,
    mlirDialectRegistryCreate, mlirDialectRegistryDestroy,
};
use terrace_dialects::{bridge::register_dialects, copies, ir::panics::guard};

/// Does something where Terrace and MLIR are alone in the process; says on standard error why not.
fn alone(work: impl FnOnce() -> Result<(), String>) -> MlirLogicalResult {
    let done = guard(|| copies::check().and_then(|()| work()));
    if let Err(why) = &done {
        eprintln!("error: {why}");
    }
    MlirLogicalResult { value: done.is_ok().into() }
}

/// Adds the dialects to a registry.
///
/// # Safety
/// The registry has to be live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceRegisterDialects(registry: MlirDialectRegistry) -> MlirLogicalResult {
    alone(|| {
        // SAFETY: as the caller promises.
        unsafe { register_dialects(registry) };
        Ok(())
    })
}

/// Adds the dialects to a context.
///
/// # Safety
/// The context has to be live, and no other thread at work in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceRegisterDialectsInContext(context: MlirContext) -> MlirLogicalResult {
    alone(|| {
        // SAFETY: as the caller promises; the registry is destroyed once.
        unsafe {
            copies::check_context(context)?;
            let registry = mlirDialectRegistryCreate();
            register_dialects(registry);
            mlirContextAppendDialectRegistry(context, registry);
            mlirDialectRegistryDestroy(registry);
        }
        Ok(())
    })
}

/// Makes the passes known by name.
#[unsafe(no_mangle)]
pub extern "C" fn terraceRegisterPasses() -> MlirLogicalResult {
    alone(|| {
        terrace_passes::register_passes();
        terrace_lowering::register_passes();
        Ok(())
    })
}

/// Makes the pipelines known by name, and the passes that they name.
#[unsafe(no_mangle)]
pub extern "C" fn terraceRegisterPipelines() -> MlirLogicalResult {
    alone(|| {
        terrace_passes::register_passes();
        terrace_lowering::register_passes();
        terrace_lowering::pipeline::register_pipelines();
        Ok(())
    })
}
