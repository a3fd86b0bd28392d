//! The sizes of storages: who knows them, and what a call goes on with where one is too small.

use std::{
    ffi::{CStr, c_void},
    mem::MaybeUninit,
    ptr,
};
use terrace_rt::{
    memory::{terrace_rt_alloc, terrace_rt_free},
    status::terrace_rt_take_error,
    storage::{
        ENOUGH, SizeOf, terrace_rt_out_of_bounds, terrace_rt_reach, terrace_rt_set_storage_bytes,
        terrace_rt_storage_bytes,
    },
};

/// Knows one storage, of 12 bytes.
extern "C" fn twelve(caller: *mut c_void, storage: *mut c_void) -> i64 {
    if caller == storage { 12 } else { -1 }
}

#[test]
fn the_caller_knows_its_storages_and_the_program_its_own() {
    let mut own = [0u8; 12];
    let theirs = own.as_mut_ptr();
    let new = terrace_rt_alloc(80, 64);
    // SAFETY: they are the caller's and the program's.
    let sizes = || unsafe { [theirs, new].map(|at| terrace_rt_storage_bytes(at as i64)) };
    assert_eq!(sizes(), [ENOUGH; 2]);
    terrace_rt_set_storage_bytes(Some(twelve as SizeOf), theirs.cast());
    assert_eq!(sizes(), [12, 80]);

    let refused = |at: *mut u8, bytes: i64| {
        let mut row = MaybeUninit::<[*mut u8; 5]>::uninit();
        // SAFETY: five words can be written.
        unsafe {
            terrace_rt_out_of_bounds(row.as_mut_ptr().cast(), at as i64, bytes, bytes);
            row.assume_init()
        }
    };
    let words = refused(theirs, 28);
    assert_eq!(words[0], theirs);
    assert_ne!(words[1], theirs);
    // What is refused of that is the caller's too: nobody frees it.
    assert_eq!(refused(words[1], 100)[0], theirs);
    // Far beyond no memory is taken but what is touched.
    let far = refused(theirs, 1 << 40);
    // SAFETY: there are so many.
    unsafe { far[1].add((1 << 40) - 1).write(7) };
    // The program's own stays until the error is taken, whoever frees it.
    assert_eq!(refused(new, 1 << 40)[0], new);
    // SAFETY: nothing is done.
    unsafe { terrace_rt_free(new) };
    assert_eq!(sizes(), [12, 80]);
    // SAFETY: it has so many bytes.
    assert_eq!(unsafe { std::slice::from_raw_parts(words[1], 28) }, [0; 28]);
    let error = terrace_rt_take_error();
    // SAFETY: the message lives as long as the process.
    let said = unsafe { CStr::from_ptr(error) };
    assert_eq!(
        said,
        c"setStorage: as_strided requiring a storage size of 28 is out of bounds for storage of size 12"
    );
    terrace_rt_set_storage_bytes(None, ptr::null_mut());
}

#[test]
fn a_view_reaches_so_many_bytes() {
    // SAFETY: the words are what the function reads.
    let reach = |words: &[i64]| unsafe { terrace_rt_reach(words.as_ptr()) };
    assert_eq!(reach(&[4, 2, 3, 2, 5, 1, 7]), 4 * (2 * 5 + 1 + 7 + 1));
    assert_eq!(reach(&[8, 0, 7]), 64);
    assert_eq!(reach(&[4, 2, 3, 0, 5, 1, 7]), 0);
    assert_eq!(reach(&[4, 1, i64::MIN, 5, 7]), 0);
    // What wraps around in 64 bits.
    assert_eq!(reach(&[4, 1, 3, 1 << 62, 0]), i64::MAX);
    assert_eq!(reach(&[4, 2, 1 << 32, 1 << 32, 1 << 32, 1 << 32, 0]), i64::MAX);
    assert_eq!(reach(&[16, 1, i64::MAX, i64::MAX, i64::MAX]), i64::MAX);
}
