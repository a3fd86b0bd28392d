//! The sizes of storages, and storages that change them.
//!
//! Memory that a call is given belongs to its caller, who alone can make it another size: who calls a function that does so says how, by
//! [`terrace_rt_set_resize`], for this thread. Compiled code asks before it reads anything, and once more, for what is less in the end, when
//! it has written everything. What runs operation by operation asks at each, also for storages of its own, which [`moved`] knows.

use crate::{
    buffer::Words,
    hook::{self, Hook},
    memory::Zeros,
    moved, status,
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

/// How many bytes the storage has that begins, or began, at `storage`: [`ENOUGH`] where nobody says how many a caller's have. Memory of the
/// program's own may have some more than the tensor that it was allocated for.
///
/// # Safety
/// `storage` is the address of an argument's storage or of one of the program's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_storage_bytes(storage: i64) -> i64 {
    let place = storage as *mut u8;
    if let Some((_, bytes)) = stands_for(place) {
        return bytes;
    }
    match bytes_of_callers(place) {
        // SAFETY: it is none of the caller's.
        ..0 => unsafe { moved::bytes(place) as i64 },
        bytes => bytes,
    }
}

/// How many bytes a storage of the caller's has: [`ENOUGH`] where it does not say, a negative one of what is the program's own.
fn bytes_of_callers(place: *mut u8) -> i64 {
    let (size_of, caller) = SIZE_OF.with(Hook::get);
    size_of.map_or(ENOUGH, |size_of| size_of(caller, moved::first(place).cast()))
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

/// The storage may have more bytes than is said.
const AT_LEAST: i64 = 1;
/// It may be the program's own, and not an argument's.
const OWN: i64 = 2;

/// Makes the storage that begins, or began, at `storage` at least so many bytes, or just so many, as `how` says: `row` is its memory from now on,
/// an argument's by its `allocated`. Where it cannot be an error is recorded, and the memory is other one, so that the call can go on.
///
/// # Safety
/// `row` can be written, and `storage` is the address of an argument's storage, or of one of the program's where `how` says that it may be.
#[unsafe(export_name = "_mlir_ciface_terrace_rt_resize_storage")]
pub unsafe extern "C" fn terrace_rt_resize_storage(row: *mut Bytes, storage: i64, bytes: i64, how: i64) {
    let (resize, caller) = RESIZE.with(Hook::get);
    let (place, at_least) = (storage as *mut u8, how & AT_LEAST != 0);
    let place = stands_for(place).map_or(place, |(storage, _)| storage);
    let first = moved::first(place);
    let new = resize.map_or(ptr::null_mut(), |resize| resize(caller, first.cast(), bytes, at_least));
    if !new.is_null() {
        moved::lies_at(first, new.cast());
        // SAFETY: the caller's.
        return unsafe { row.write(Bytes::new(first.cast(), new, bytes)) };
    }
    if moved::is_own(place) || resize.is_some() && (how & OWN != 0 || moved::is_deep()) {
        // SAFETY: it is none of the caller's.
        let new = unsafe { moved::resize(place, bytes.max(0) as usize, at_least) }.cast();
        // SAFETY: the caller's.
        return unsafe { row.write(Bytes::new(new, new, bytes)) };
    }
    status::fail(match resize {
        Some(_) => format!("the storage of an argument cannot be made {bytes} bytes"),
        None => "makes the storage of an argument another size: the caller has to say how, by terrace_rt_set_resize".into(),
    });
    // SAFETY: the caller's.
    unsafe { row.write(instead(first, bytes)) }
}

/// How many bytes of its storage a tensor reaches: 0 of one without elements, the largest number where no memory has so many. The words: the bytes of
/// an element, rank, sizes, strides, offset. None is negative.
///
/// # Safety
/// They are as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_reach(words: *const i64) -> i64 {
    // SAFETY: the caller's.
    let mut words = unsafe { Words::new(words) };
    let (bytes, rank) = (i128::from(words.word()), words.word() as usize);
    let (sizes, strides) = (words.list(rank), words.list(rank));
    let dims =
        sizes.iter().zip(strides).map(|(size, stride)| (i128::from(*size) - 1).saturating_mul(stride.into()));
    let last = dims.fold(i128::from(words.word()), i128::saturating_add);
    match sizes.iter().all(|size| *size > 0) {
        true => last.saturating_add(1).saturating_mul(bytes).clamp(0, i64::MAX.into()) as i64,
        false => 0,
    }
}

/// Records that a storage has not so many bytes, unless another error is recorded: `row` is other memory, of `room` bytes, so that the call can go on.
///
/// # Safety
/// `row` can be written, and `storage` is as in [`terrace_rt_storage_bytes`].
#[unsafe(export_name = "_mlir_ciface_terrace_rt_out_of_bounds")]
pub unsafe extern "C" fn terrace_rt_out_of_bounds(row: *mut Bytes, storage: i64, bytes: i64, room: i64) {
    let place = storage as *mut u8;
    let own = bytes_of_callers(place) < 0 && stands_for(place).is_none();
    // SAFETY: the caller's; what is none of the caller's is the program's.
    unsafe {
        status::fail(format!(
            "setStorage: as_strided requiring a storage size of {bytes} is out of bounds for storage of size {}",
            terrace_rt_storage_bytes(storage)
        ));
        if own {
            moved::keep(place);
        }
        row.write(instead(place, room));
    }
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

/// Frees what stood in for memory that was not to be had.
pub(crate) fn forget() {
    INSTEAD.take();
}
