//! Two copies of one library in a process, which MLIR answers with an abort or a crash: found before anything
//! is registered.
//!
//! * Terrace twice, as the plugin inside of terrace-opt: each has a dialect `graph`, and MLIR wants one.
//! * MLIR twice, as a compiler that has MLIR linked in statically, or libMLIR.so of another version: a
//!   context of one copy has types that the other does not know.

use crate::ir::{pass, strings::string_ref};
use mlir_sys::{MlirContext, MlirStringRef};
use std::ffi::{CStr, c_int, c_void};

unsafe extern "C" {
    fn terrace_pass_is_known(name: MlirStringRef) -> bool;
    fn terrace_context_is_of_this_library(context: MlirContext) -> bool;
}

/// A pass that each copy of Terrace registers.
const OURS: &str = "graph-functionalize";

/// Tells whether this copy of Terrace and its MLIR are alone in the process.
///
/// # Errors
/// What is there twice, and what would be right.
pub fn check() -> Result<(), String> {
    let names = loaded("libMLIR.so");
    if names.len() > 1 {
        return Err(format!(
            "two copies of MLIR are in this process, {}; Terrace and the compiler around it have to link the same",
            names.join(" and ")
        ));
    }
    // SAFETY: the name lives through the call.
    if !pass::is_registered(OURS) && unsafe { terrace_pass_is_known(string_ref(OURS)) } {
        return Err("Terrace's passes are in this process already, by another copy of it; load either the plugin or the library, \
             and neither where they are built in, as in terrace-opt"
            .into());
    }
    Ok(())
}

/// Tells whether a context was made by the MLIR that Terrace is linked with.
///
/// # Safety
/// The context has to be live.
///
/// # Errors
/// It is not; the text says what would be right.
pub unsafe fn check_context(context: MlirContext) -> Result<(), String> {
    // SAFETY: as the caller promises.
    if unsafe { terrace_context_is_of_this_library(context) } {
        return Ok(());
    }
    Err(format!(
        "the context was made by another copy of MLIR than the one that Terrace links, {}; a compiler that has MLIR linked in \
         statically can run Terrace only as a program",
        loaded("libMLIR.so").join(" and ")
    ))
}

/// The files of shared libraries in this process whose names start so.
fn loaded(prefix: &str) -> Vec<String> {
    struct Found<'a>(&'a str, Vec<String>);
    unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, out: *mut c_void) -> c_int {
        // SAFETY: the loader hands over a live entry with a name that ends in 0; `out` is what `loaded` gave.
        let (name, found) = unsafe { (CStr::from_ptr((*info).dlpi_name), &mut *out.cast::<Found>()) };
        let path = name.to_string_lossy();
        if path.rsplit('/').next().is_some_and(|file| file.starts_with(found.0)) {
            found.1.push(path.into_owned());
        }
        0
    }
    let mut found = Found(prefix, vec![]);
    // SAFETY: the callback gets the struct that outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut found).cast()) };
    found.1
}
