//! What was not compiled for the sizes of the run, compiled when it is called.
//!
//! An operation of which types say too little is left in the code as a text of MLIR. Where it is called, this file asks who called
//! the code to compile the text for the tensors that there are, by [`terrace_rt_set_recompile`], for this thread; without that it is an error.
//! The first line of a text is a comment that says so.
//!
//! The words of a call are the address of the text; of each argument that is a tensor address, offset, sizes and strides, of each number its
//! value (an f64 by its bits, a complex number its parts); then of each result as much, a tensor with the address of its allocation and the
//! bytes of it in front. Those of results say what to go on with where there are none: no elements where types leave that open.

use crate::{
    hook::{self, Hook},
    memory::{ALIGNMENT, terrace_rt_alloc},
    moved, status,
    storage::Bytes,
};
use std::{
    ffi::{CStr, c_char, c_void},
    ptr,
};

/// Compiles a text for the words behind its address, calls it, and writes the words of the results; of its caller's own. Memory of results is
/// who called the code's from then on, to be freed by `terrace_rt_free`. False where an error is recorded.
pub type Recompile = extern "C" fn(caller: *mut c_void, source: *const c_char, words: *mut i64) -> bool;

thread_local! {
    static RECOMPILE: Hook<Recompile> = const { Hook::new() };
}

/// Says how this thread's calls compile what was not compiled, and what of the caller's it is given; null takes it back.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_set_recompile(recompile: Option<Recompile>, caller: *mut c_void) {
    RECOMPILE.with(|hook| hook.set(recompile, caller));
}

/// Runs something that calls code of which more is compiled so; who called before says it again afterwards.
pub fn recompiled_by<T>(recompile: Recompile, caller: *mut c_void, run: impl FnOnce() -> T) -> T {
    hook::lend(&RECOMPILE, recompile, caller, run)
}

/// Compiles and calls a text. After an error nothing is called any more.
///
/// # Safety
/// `words` is the address of the words of a call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_recompile(words: i64) -> i64 {
    if status::recorded().is_some() {
        return 0;
    }
    let words = words as *mut i64;
    // SAFETY: the first word is the address of a text, which lives as long as the code.
    let source = unsafe { words.read() } as *const c_char;
    let (recompile, caller) = RECOMPILE.with(Hook::get);
    match recompile {
        // SAFETY: there are more words.
        Some(recompile) => moved::deeper(|| recompile(caller, source, unsafe { words.add(1) })).into(),
        None => {
            // SAFETY: as above.
            let text = unsafe { CStr::from_ptr(source) }.to_string_lossy();
            status::fail(text.lines().next().unwrap_or_default().trim_start_matches("// ").to_owned());
            0
        }
    }
}

/// The memory of a result, or so many bytes where there is none.
///
/// # Safety
/// `row` can be written, and `words` is the address of the words of a result.
#[unsafe(export_name = "_mlir_ciface_terrace_rt_recompiled")]
pub unsafe extern "C" fn terrace_rt_recompiled(row: *mut Bytes, words: i64, bytes: i64) {
    // SAFETY: the caller's.
    unsafe {
        let [allocated, aligned, own] = (words as *const [i64; 3]).read();
        row.write(if allocated == 0 {
            let instead = terrace_rt_alloc(bytes, ALIGNMENT as i64);
            ptr::write_bytes(instead, 0, bytes as usize);
            Bytes::new(instead.cast(), instead.cast(), bytes)
        } else {
            Bytes::new(allocated as *mut c_void, aligned as *mut c_void, own)
        });
    }
}
