//! The sizes of storages, and storages that change them.
//!
//! Memory that a call is given belongs to its caller, who alone can make it another size: who calls a
//! function that does so says how in the context. Compiled code asks before it reads anything, and once more,
//! for what is less in the end, when it has written everything.

use crate::context::{Context, fail, lock};
use std::{ffi::c_void, ptr};

/// Makes a storage another size: of the caller's own, the address of its first byte when the call began, so
/// many bytes, and whether it may have more. Gives the address of its first byte from now on, at which it has
/// as many of its bytes as there were, or null where it is none of the caller's storages, or none that can
/// become another size.
///
/// Memory that it had, and memory where it may not have more, stays where it is until the call has come back:
/// tensors may lie in it. What it loses and gets back is zero.
pub type Resize =
    extern "C" fn(caller: *mut c_void, storage: *mut c_void, bytes: i64, at_least: bool) -> *mut c_void;

/// How many bytes a storage of the caller's own has, by the address of its first byte when the call began; a
/// negative number where it is none of the caller's.
pub type SizeOf = extern "C" fn(caller: *mut c_void, storage: *mut c_void) -> i64;

/// The bytes of a storage of which nobody says how many it has: only what stands for more than any storage
/// has, the largest number, is more.
pub const ENOUGH: i64 = i64::MAX - 1;

/// Who knows the storages of a call's arguments.
#[derive(Default)]
pub(crate) struct Storages {
    size_of: Option<SizeOf>,
    resize: Option<Resize>,
    caller: Option<ptr::NonNull<c_void>>,
    /// Where storages lie that have been made another size, and where they lay when the call began.
    moved: Vec<[*mut u8; 2]>,
}

impl Storages {
    fn caller(&self) -> *mut c_void {
        self.caller.map_or(ptr::null_mut(), ptr::NonNull::as_ptr)
    }

    /// Where the storage that lies at a place lay when the call began.
    fn first(&self, place: *mut u8) -> *mut u8 {
        self.moved.iter().rev().find(|[now, _]| *now == place).map_or(place, |[_, first]| *first)
    }
}

/// Says how many bytes storages of arguments of the next calls have, and how they become another size;
/// `caller` is what both are given. A null pointer takes one back.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_context_set_storages(
    context: &Context,
    size_of: Option<SizeOf>,
    resize: Option<Resize>,
    caller: *mut c_void,
) {
    let storages = Storages { size_of, resize, caller: ptr::NonNull::new(caller), moved: vec![] };
    *lock(&context.storages) = storages;
}

/// How many bytes the storage of an argument has that begins, or began, at `storage`: [`ENOUGH`] where nobody
/// says.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_storage_bytes(context: Option<&Context>, storage: i64) -> i64 {
    let Some(context) = context else { return ENOUGH };
    let own = lock(&context.storages);
    let first = own.first(storage as *mut u8).cast();
    match own.size_of.map_or(ENOUGH, |size_of| size_of(own.caller(), first)) {
        ..0 => ENOUGH,
        bytes => bytes,
    }
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
    fn new(allocated: *mut c_void, aligned: *mut c_void, size: i64) -> Self {
        Self { allocated, aligned, offset: 0, size, stride: 1 }
    }
}

/// Makes the storage that begins, or began, at `storage` so many bytes, or where `at_least` is not 0 at least
/// so many: `row` is its memory from now on, an argument's by its `allocated`. Where it cannot be that is an
/// error.
///
/// # Safety
/// `row` can be written, and `storage` is the address of an argument's storage.
#[unsafe(export_name = "_mlir_ciface_terrace_rt_resize_storage")]
pub unsafe extern "C" fn terrace_rt_resize_storage(
    context: Option<&Context>,
    row: *mut Bytes,
    storage: i64,
    bytes: i64,
    at_least: i64,
) {
    let own = context.map(|context| lock(&context.storages));
    let resize = own.as_ref().and_then(|own| own.resize);
    if let Some((mut own, resize)) = own.zip(resize) {
        let first = own.first(storage as *mut u8);
        let new = resize(own.caller(), first.cast(), bytes, at_least != 0);
        if !new.is_null() {
            own.moved.push([new.cast(), first]);
            // SAFETY: the caller's.
            return unsafe { row.write(Bytes::new(first.cast(), new, bytes)) };
        }
    }
    // SAFETY: the caller's.
    unsafe { row.write(Bytes::new(ptr::null_mut(), ptr::null_mut(), 0)) };
    fail(
        context,
        match resize {
            Some(_) => format!("the storage of an argument cannot be made {bytes} bytes"),
            None => "makes the storage of an argument another size: the caller has to say how, by terrace_rt_context_set_storages".into(),
        },
    );
}

/// Says that a storage has not so many bytes, in the place of memory: there is none.
///
/// # Safety
/// `row` can be written.
#[unsafe(export_name = "_mlir_ciface_terrace_rt_out_of_bounds")]
pub unsafe extern "C" fn terrace_rt_out_of_bounds(
    context: Option<&Context>,
    row: *mut Bytes,
    storage: i64,
    bytes: i64,
    _: i64,
) {
    // SAFETY: the caller's.
    unsafe { row.write(Bytes::new(ptr::null_mut(), ptr::null_mut(), 0)) };
    let has = terrace_rt_storage_bytes(context, storage);
    let what = format!(
        "setStorage: as_strided requiring a storage size of {bytes} is out of bounds for storage of size {has}"
    );
    fail(context, what);
}
