//! What `include/terrace-c/Register.h` declares: Terrace's dialects, passes and pipelines inside of another compiler.
//!
//! The library links libMLIR.so as its user does, so that both speak of the same contexts, types and passes.

#![allow(non_snake_case)] // as names in MLIR's C interface are

use mlir_sys::{
    MlirContext, MlirDialectRegistry, mlirContextAppendDialectRegistry, mlirDialectRegistryCreate,
    mlirDialectRegistryDestroy,
};
use terrace_dialects::bridge::register_dialects;

/// Adds the dialects to a registry.
///
/// # Safety
/// The registry has to be live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceRegisterDialects(registry: MlirDialectRegistry) {
    unsafe { register_dialects(registry) }
}

/// Adds the dialects to a context.
///
/// # Safety
/// The context has to be live, and no other thread at work in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceRegisterDialectsInContext(context: MlirContext) {
    unsafe {
        let registry = mlirDialectRegistryCreate();
        register_dialects(registry);
        mlirContextAppendDialectRegistry(context, registry);
        mlirDialectRegistryDestroy(registry);
    }
}

/// Makes the passes known by name.
#[unsafe(no_mangle)]
pub extern "C" fn terraceRegisterPasses() {
    terrace_passes::register_passes();
    terrace_lowering::register_passes();
}

/// Makes the pipelines known by name.
#[unsafe(no_mangle)]
pub extern "C" fn terraceRegisterPipelines() {
    terrace_lowering::pipeline::register_pipelines();
}
