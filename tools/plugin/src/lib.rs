//! The plugin that stock `mlir-opt` loads.
//!
//! `mlir-opt --load-dialect-plugin=libterrace_plugin.so --load-pass-plugin=libterrace_plugin.so
//! --pass-pipeline=...`: both are needed, and plugin passes are reached through `--pass-pipeline`.

use mlir_sys::MlirDialectRegistry;
use std::ffi::c_char;

/// What MLIR asks a plugin for.
#[repr(C)]
pub struct PluginInfo<F> {
    api: u32,
    name: *const c_char,
    version: *const c_char,
    callback: F,
}

const API: u32 = 1;

/// Ends a process that has another copy of Terrace: a second dialect of the same name would abort it without
/// a word.
fn refuse_twice() {
    if let Err(why) = terrace_dialects::copies::check() {
        eprintln!("error: {why}");
        std::process::exit(1);
    }
}

/// The passes of Terrace.
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PluginInfo<extern "C" fn()> {
    refuse_twice();
    extern "C" fn register() {
        terrace_passes::register_passes();
        terrace_lowering::register_passes();
        terrace_lowering::pipeline::register_pipelines();
    }
    PluginInfo { api: API, name: c"terrace".as_ptr(), version: c"0.1".as_ptr(), callback: register }
}

/// The dialects of Terrace.
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetDialectPluginInfo() -> PluginInfo<unsafe extern "C" fn(MlirDialectRegistry)> {
    refuse_twice();
    PluginInfo {
        api: API,
        name: c"terrace".as_ptr(),
        version: c"0.1".as_ptr(),
        callback: terrace_dialects::bridge::register_dialects,
    }
}
