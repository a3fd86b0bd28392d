//! The sizes of storages: who knows them, and what a call goes on with where one is too small.

use std::{
    ffi::{CStr, c_void},
    mem::MaybeUninit,
    ptr,
};
use terrace_rt::{
    status::terrace_rt_take_error,
    storage::{
        ENOUGH, SizeOf, terrace_rt_out_of_bounds, terrace_rt_set_storage_bytes, terrace_rt_storage_bytes,
    },
};

/// Knows one storage, of 12 bytes.
extern "C" fn twelve(caller: *mut c_void, storage: *mut c_void) -> i64 {
    if caller == storage { 12 } else { -1 }
}

#[test]
fn the_caller_knows_its_storages() {
    let mut own = [0u8; 12];
    let theirs = own.as_mut_ptr();
    let size = || terrace_rt_storage_bytes(theirs as i64);
    assert_eq!(size(), ENOUGH);
    terrace_rt_set_storage_bytes(Some(twelve as SizeOf), theirs.cast());
    assert_eq!(size(), 12);

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
    assert_eq!(size(), 12);
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
