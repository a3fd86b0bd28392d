//! The sizes of storages, and storages that change them.
//!
//! Memory that a call is given belongs to its caller, who alone can make it another size: who calls a function that does so says how, by
//! [`terrace_rt_set_resize`], for this thread. Compiled code asks before it reads anything, and once more, for what is less in the end, when
//! it has written everything.

use crate::{
    hook::{self, Hook},
    memory::Zeros,
    status,
};
use std::{cell::RefCell, ffi::c_void, ptr};

/// Makes a storage another size: of the caller's own, the address of its first byte when the call began, so many bytes, and whether it may
/// have more. Gives the address of its first byte from now on, at which it has as many of its bytes as there were, or null where it is none of the
/// caller's storages, or none that can become another size.
///
/// Memory that it had, and memory where it may not have more, stays where it is until the call has come back: tensors may lie in it. What it
/// loses and gets back is zero.
pub type Resize =
    extern "C" fn(caller: *mut c_void, storage: *mut c_void, bytes: i64, at_least: bool) -> *mut c_void;

/// How many bytes a storage of the caller's own has, by the address of its first byte when the call began; a negative number where it is
/// none of the caller's.
pub type SizeOf = extern "C" fn(caller: *mut c_void, storage: *mut c_void) -> i64;

/// The bytes of a storage of which nobody says how many it has: only what stands for more than any storage has, the largest number, is more.
pub const ENOUGH: i64 = i64::MAX - 1;

/// Memory in place of that of a storage.
struct Instead {
    memory: Zeros,
    storage: *mut u8,
}

thread_local! {
    static SIZE_OF: Hook<SizeOf> = const { Hook::new() };
    static RESIZE: Hook<Resize> = const { Hook::new() };
    /// Where storages of the caller's lie that have been made another size, and where they lay when the call began.
    static MOVED: RefCell<Vec<[*mut u8; 2]>> = const { RefCell::new(vec![]) };
    /// What stands in for memory that was not to be had, until the error is taken.
    static INSTEAD: RefCell<Vec<Instead>> = const { RefCell::new(vec![]) };
}

/// Says how this thread's calls make storages of their arguments another size, and what of the caller's it is given; null takes it back.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_set_resize(resize: Option<Resize>, caller: *mut c_void) {
    RESIZE.with(|hook| hook.set(resize, caller));
}

/// Says how many bytes storages of the arguments of this thread's calls have, and what of the caller's it is given; null takes it back.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_set_storage_bytes(size_of: Option<SizeOf>, caller: *mut c_void) {
    SIZE_OF.with(|hook| hook.set(size_of, caller));
}

/// Runs something that calls compiled code on storages of these sizes, which become another size so; who called before says it again afterwards.
pub fn on_storages<T>(
    (size_of, resize): (SizeOf, Resize),
    caller: *mut c_void,
    run: impl FnOnce() -> T,
) -> T {
    hook::lend(&SIZE_OF, size_of, caller, || hook::lend(&RESIZE, resize, caller, run))
}

/// How many bytes the storage of an argument has that begins, or began, at `storage`: [`ENOUGH`] where nobody says.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_storage_bytes(storage: i64) -> i64 {
    let place = storage as *mut u8;
    if let Some((_, bytes)) = stands_for(place) {
        return bytes;
    }
    let (size_of, caller) = SIZE_OF.with(Hook::get);
    match size_of.map_or(ENOUGH, |size_of| size_of(caller, first(place).cast())) {
        ..0 => ENOUGH,
        bytes => bytes,
    }
}

/// Where the storage that lies at a place lay when the call began.
fn first(place: *mut u8) -> *mut u8 {
    MOVED
        .with_borrow(|all| all.iter().rev().find(|[now, _]| *now == place).map_or(place, |[_, first]| *first))
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

/// Makes the storage that begins, or began, at `storage` so many bytes, or where `at_least` is not 0 at least so many: `row` is its memory from now on,
/// an argument's by its `allocated`. Where it cannot be an error is recorded, and the memory is other one, so that the call can go on.
///
/// # Safety
/// `row` can be written, and `storage` is the address of an argument's storage.
#[unsafe(export_name = "_mlir_ciface_terrace_rt_resize_storage")]
pub unsafe extern "C" fn terrace_rt_resize_storage(row: *mut Bytes, storage: i64, bytes: i64, at_least: i64) {
    let (resize, caller) = RESIZE.with(Hook::get);
    let place = storage as *mut u8;
    let first = first(stands_for(place).map_or(place, |(storage, _)| storage));
    let new = resize.map_or(ptr::null_mut(), |resize| resize(caller, first.cast(), bytes, at_least != 0));
    if !new.is_null() {
        MOVED.with_borrow_mut(|all| all.push([new.cast(), first]));
        // SAFETY: the caller's.
        return unsafe { row.write(Bytes::new(first.cast(), new, bytes)) };
    }
    status::fail(match resize {
        Some(_) => format!("the storage of an argument cannot be made {bytes} bytes"),
        None => "makes the storage of an argument another size: the caller has to say how, by terrace_rt_set_resize".into(),
    });
    // SAFETY: the caller's.
    unsafe { row.write(instead(first, bytes)) }
}

/// Records that a storage has not so many bytes, unless another error is recorded: `row` is other memory, of `room` bytes, so that the call can go on.
///
/// # Safety
/// `row` can be written, and `storage` is as in [`terrace_rt_storage_bytes`].
#[unsafe(export_name = "_mlir_ciface_terrace_rt_out_of_bounds")]
pub unsafe extern "C" fn terrace_rt_out_of_bounds(row: *mut Bytes, storage: i64, bytes: i64, room: i64) {
    status::fail(format!(
        "setStorage: as_strided requiring a storage size of {bytes} is out of bounds for storage of size {}",
        terrace_rt_storage_bytes(storage)
    ));
    // SAFETY: the caller's.
    unsafe { row.write(instead(storage as *mut u8, room)) }
}

/// The storage that memory stands for, if it stands for one, and how many bytes of it.
fn stands_for(place: *mut u8) -> Option<(*mut u8, i64)> {
    let of = |own: &Instead| (own.storage, own.memory.bytes as i64);
    INSTEAD.with_borrow(|all| all.iter().find(|own| own.memory.start == place).map(of))
}

/// Memory in place of that which was not to be had of a storage, until the error is taken: the storage's by its `allocated`, as nobody else is to
/// free it.
fn instead(storage: *mut u8, bytes: i64) -> Bytes {
    let storage = stands_for(storage).map_or(storage, |(storage, _)| storage);
    let memory = Zeros::new(bytes);
    let row = Bytes::new(storage.cast(), memory.start.cast(), bytes);
    INSTEAD.with_borrow_mut(|all| all.push(Instead { memory, storage }));
    row
}

/// Frees what stood in for memory that was not to be had, and forgets where storages lie.
pub(crate) fn forget() {
    INSTEAD.take();
    MOVED.take();
}
