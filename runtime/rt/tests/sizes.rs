//! The sizes of storages: who knows them, and what is beyond them.

use std::{ffi::c_void, mem::MaybeUninit, ptr};
use terrace_rt::{context::Context, storage::*};

/// Knows one storage, of 12 bytes.
extern "C" fn twelve(caller: *mut c_void, storage: *mut c_void) -> i64 {
    if caller == storage { 12 } else { -1 }
}

#[test]
fn the_caller_knows_its_storages() {
    let mut own = [0u8; 12];
    let theirs = own.as_mut_ptr();
    let context = Context::new();
    let size = |storage: *mut u8| terrace_rt_storage_bytes(Some(&context), storage as i64);
    assert_eq!(size(theirs), ENOUGH);
    terrace_rt_context_set_storages(&context, Some(twelve), None, theirs.cast());
    assert_eq!((size(theirs), size(ptr::null_mut())), (12, ENOUGH));
    let mut row = MaybeUninit::<[*mut u8; 5]>::uninit();
    // SAFETY: five words can be written.
    unsafe { terrace_rt_out_of_bounds(Some(&context), row.as_mut_ptr().cast(), theirs as i64, 28, 28) };
    assert_eq!(
        context.error(),
        Some(
            c"setStorage: as_strided requiring a storage size of 28 is out of bounds for storage of size 12"
        )
    );
}
