//! The main functions of MLIR's tools, with upstream's dialects and passes and ours.

use crate::bridge::{init, register_dialects};
use mlir_sys::*;
use std::ffi::{CString, c_char, c_int};

type Register = unsafe extern "C" fn(MlirDialectRegistry);

unsafe extern "C" {
    fn terrace_opt_main(
        argc: c_int,
        argv: *const *const c_char,
        title: *const c_char,
        register: Register,
    ) -> c_int;
    fn terrace_lsp_server_main(argc: c_int, argv: *const *const c_char, register: Register) -> c_int;
    fn terrace_reduce_main(argc: c_int, argv: *const *const c_char, register: Register) -> c_int;
}

/// Runs MLIR's opt driver on the process's arguments, with upstream's dialects and passes and ours. Returns
/// the exit status.
pub fn opt_main(title: &str) -> i32 {
    let title = CString::new(title).expect("a title has no zeros");
    // SAFETY: `driver` gives arguments that end in a null and outlive the call, as the title does.
    driver(|argc, argv| unsafe { terrace_opt_main(argc, argv, title.as_ptr(), register_dialects) })
}

/// Runs MLIR's language server on standard input and output, with upstream's dialects and ours. Returns the
/// exit status.
pub fn lsp_server_main() -> i32 {
    // SAFETY: `driver` gives arguments that end in a null and outlive the call.
    driver(|argc, argv| unsafe { terrace_lsp_server_main(argc, argv, register_dialects) })
}

/// Runs MLIR's reducer on the process's arguments, with upstream's dialects and passes and ours. Returns the
/// exit status.
pub fn reduce_main() -> i32 {
    // SAFETY: `driver` gives arguments that end in a null and outlive the call.
    driver(|argc, argv| unsafe { terrace_reduce_main(argc, argv, register_dialects) })
}

/// Calls a C main function with the process's arguments.
fn driver(main: impl FnOnce(c_int, *const *const c_char) -> c_int) -> i32 {
    init();
    let args: Vec<CString> = std::env::args_os()
        .filter_map(|a| CString::new(std::os::unix::ffi::OsStringExt::into_vec(a)).ok())
        .collect();
    let mut argv: Vec<*const c_char> = args.iter().map(|a| a.as_ptr()).collect();
    argv.push(std::ptr::null());
    main(args.len() as c_int, argv.as_ptr())
}
