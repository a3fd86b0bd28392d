//! Storages of arguments that change their size.
//!
//! Memory that a call is given belongs to its caller, who alone can make it another size: who calls a function that does so says how, by
//! [`terrace_rt_set_resize`], for this thread. Compiled code asks before it reads anything, and once more, for what is less in the end, when
//! it has written everything.

use crate::{
    hook::{self, Hook},
    memory, status,
};
use std::{cell::RefCell, ffi::c_void, ptr};

/// Makes a storage another size: of the caller's own, the address of its first byte, so many bytes, and whether it may have more. Gives
/// the address of its first byte from now on, at which it has as many of its bytes as there were, or null where it cannot.
///
/// Where it may not have more the memory stays where it is until the call has come back: results may lie in it.
pub type Resize =
    extern "C" fn(caller: *mut c_void, storage: *mut c_void, bytes: i64, at_least: bool) -> *mut c_void;

thread_local! {
    static RESIZE: Hook<Resize> = const { Hook::new() };
    /// Memory in place of that which was not to be had, until the error is taken.
    static INSTEAD: RefCell<Vec<*mut u8>> = const { RefCell::new(vec![]) };
}

/// Says how this thread's calls make storages of their arguments another size, and what of the caller's it is given; null takes it back.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_set_resize(resize: Option<Resize>, caller: *mut c_void) {
    RESIZE.with(|hook| hook.set(resize, caller));
}

/// Runs something that calls compiled code in which storages become another size so; who called before says it again afterwards.
pub fn resized_by<T>(resize: Resize, caller: *mut c_void, run: impl FnOnce() -> T) -> T {
    hook::lend(&RESIZE, resize, caller, run)
}

/// A row of bytes as MLIR's C interface describes one.
#[repr(C)]
pub struct Bytes {
    allocated: *mut c_void,
    aligned: *mut c_void,
    offset: i64,
    size: i64,
    stride: i64,
}

impl Bytes {
    pub(crate) fn new(allocated: *mut c_void, aligned: *mut c_void, size: i64) -> Self {
        Self { allocated, aligned, offset: 0, size, stride: 1 }
    }
}

/// Makes the storage that begins at `storage` at least so many bytes, or just so many: `row` is its memory from now on, as the argument's
/// own by its `allocated`. Where it cannot be an error is recorded, and the memory is other one, so that the call can go on.
///
/// # Safety
/// `row` can be written, and `storage` is the address of an argument's storage.
#[unsafe(export_name = "_mlir_ciface_terrace_rt_resize_storage")]
pub unsafe extern "C" fn terrace_rt_resize_storage(row: *mut Bytes, storage: i64, bytes: i64, at_least: i64) {
    let (resize, caller) = RESIZE.with(Hook::get);
    let storage = storage as *mut c_void;
    let mut new = resize.map_or(ptr::null_mut(), |resize| resize(caller, storage, bytes, at_least != 0));
    if new.is_null() {
        status::fail(match resize {
            Some(_) => format!("the storage of an argument cannot be made {bytes} bytes"),
            None => "makes the storage of an argument another size: the caller has to say how, by terrace_rt_set_resize".into(),
        });
        let instead = memory::terrace_rt_alloc(bytes, memory::ALIGNMENT as i64);
        INSTEAD.with_borrow_mut(|all| all.push(instead));
        new = instead.cast();
    }
    // SAFETY: the caller's.
    unsafe { row.write(Bytes::new(storage, new, bytes)) }
}

/// Frees what stood in for memory that was not to be had.
pub(crate) fn forget() {
    for instead in INSTEAD.take() {
        // SAFETY: it was allocated so, and the call is over.
        unsafe { memory::terrace_rt_free(instead) }
    }
}
