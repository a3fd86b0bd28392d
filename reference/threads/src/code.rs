//! Machine code of kernels: what it defines, and what it calls.

use crate::block::addresses;
use std::{ffi::c_void, mem};
use terrace_call::DeviceError;

/// Machine code of kernels, as the crate `terrace-emulator` writes it.
///
/// # Safety
/// Addresses are those of functions that stay as long as this does: [`LINK`] takes a table of addresses, one
/// for each of [`FUNCTIONS`], and is called once, before any other; [`SPOIL`] takes nothing, and [`CALL`]
/// with the name of a kernel behind it an array of pointers to its arguments.
pub unsafe trait Code {
    /// Where a function is; None: there is none of this name.
    fn address(&self, function: &str) -> Option<usize>;
}

/// The function that is told where [`FUNCTIONS`] are.
pub const LINK: &str = "link";
/// The function that fills the memory that the threads of a block share, before a block runs.
pub const SPOIL: &str = "spoil";
/// What stands in front of the name of a kernel.
pub const CALL: &str = "call.";

/// What machine code of kernels calls: name, result and parameters in LLVM IR. Those with a dot are
/// intrinsics of a GPU.
pub const FUNCTIONS: [(&str, &str, &[&str]); 7] = [
    ("read.ptx.sreg.tid.x", "i32", &[]),
    ("read.ptx.sreg.ctaid.x", "i32", &[]),
    ("barrier.cta.sync.aligned.all", "void", &["i32"]),
    ("shfl.sync.bfly.i32", "i32", &["i32", "i32", "i32", "i32"]),
    ("reads", "void", &["ptr", "i64", "i64", "i64", "i64", "i64"]),
    ("written", "void", &["ptr", "i64", "i64", "i64", "i64", "i64"]),
    ("spoil", "void", &["ptr", "i64"]),
];

/// Tells code where [`FUNCTIONS`] are.
///
/// # Errors
/// It is not what [`Code`] says.
pub fn link(code: &dyn Code) -> Result<(), DeviceError> {
    let link =
        code.address(LINK).ok_or_else(|| DeviceError("is no code of kernels for this machine".into()))?;
    let table = addresses();
    // SAFETY: as `Code` says.
    unsafe { mem::transmute::<usize, extern "C" fn(*const *const c_void)>(link)(table.as_ptr()) };
    Ok(())
}
