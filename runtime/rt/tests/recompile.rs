//! What was not compiled: who called compiles it, and where nobody can it is an error.

use std::{
    ffi::{CStr, c_char, c_void},
    mem::MaybeUninit,
    ptr,
};
use terrace_rt::{
    memory::{terrace_rt_alloc, terrace_rt_free},
    recompile::{Recompile, terrace_rt_recompile, terrace_rt_recompiled, terrace_rt_set_recompile},
    status::terrace_rt_take_error,
};

const SOURCE: &CStr = c"// graph.exp is compiled when it is called\nfunc.func @f()";

/// Gives eight bytes of sevens as the result behind one number; it counts its calls.
extern "C" fn sevens(calls: *mut c_void, source: *const c_char, words: *mut i64) -> bool {
    // SAFETY: as the test calls it.
    unsafe {
        assert_eq!(CStr::from_ptr(source), SOURCE);
        *calls.cast::<i64>() += 1;
        assert_eq!(words.read(), 41);
        let memory = terrace_rt_alloc(8, 64);
        ptr::write_bytes(memory, 7, 8);
        words.add(1).cast::<[i64; 3]>().write([memory as i64, memory as i64, 8]);
    }
    true
}

fn call(recompile: Option<Recompile>, calls: &mut i64) -> [i64; 5] {
    let mut words = [SOURCE.as_ptr() as i64, 41, 0, 0, 0];
    let mut row = MaybeUninit::<[i64; 5]>::uninit();
    terrace_rt_set_recompile(recompile, ptr::from_mut(calls).cast());
    // SAFETY: the words are a call's, and the row can be written.
    let row = unsafe {
        terrace_rt_recompile(words.as_mut_ptr() as i64);
        terrace_rt_recompiled(row.as_mut_ptr().cast(), words[2..].as_ptr() as i64, 24);
        row.assume_init()
    };
    terrace_rt_set_recompile(None, ptr::null_mut());
    row
}

fn error() -> String {
    let error = terrace_rt_take_error();
    // SAFETY: a message lives as long as the process.
    if error.is_null() { String::new() } else { unsafe { CStr::from_ptr(error) }.to_string_lossy().into() }
}

#[test]
fn who_called_compiles() {
    let mut calls = 0;
    // Its memory, from its first byte on.
    let [allocated, aligned, offset, size, stride] = call(Some(sevens), &mut calls);
    assert_eq!((calls, allocated, offset, size, stride, error()), (1, aligned, 0, 8, 1, String::new()));
    // SAFETY: there are so many bytes, and they are ours.
    unsafe {
        assert_eq!((aligned as *const [u8; 8]).read(), [7; 8]);
        terrace_rt_free(allocated as *mut u8);
    }
    // Without one it is an error, and there is memory all the same, to go on with.
    let [allocated, _, _, size, _] = call(None, &mut calls);
    assert_eq!((calls, size, error().as_str()), (1, 24, "graph.exp is compiled when it is called"));
    // SAFETY: as above.
    unsafe {
        assert_eq!((allocated as *const [u8; 24]).read(), [0; 24]);
        terrace_rt_free(allocated as *mut u8);
    }
    // After an error nothing is called any more.
    terrace_rt::status::fail("an error".into());
    let [allocated, ..] = call(Some(sevens), &mut calls);
    assert_eq!((calls, error().as_str()), (1, "an error"));
    // SAFETY: as above.
    unsafe { terrace_rt_free(allocated as *mut u8) };
}
