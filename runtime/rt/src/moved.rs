//! Where storages lie that have been made another size.
//!
//! Compiled code that goes on after a storage has grown has descriptors of it that tell of the memory it had before. Such code asks
//! [`terrace_rt_moved`] for each tensor that it uses. The memory that a storage has had stays where it is until the call from outside is over, so
//! that an address of it means nothing else; who frees it earlier does nothing. What a storage of the program's own has in the end is freed
//! then too, unless it is handed to who called ([`hand_over`]).
//!
//! Each thread has its own: a call comes back on the thread that made it.

use crate::{
    memory::{ALIGNMENT, size_of, terrace_rt_alloc, terrace_rt_free},
    storage::Bytes,
};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ptr,
};

/// A storage that was made another size.
#[derive(Clone, Copy)]
struct Storage {
    /// Where it was at first, and is now.
    first: *mut u8,
    now: *mut u8,
    /// Its size, of memory of the program's own.
    bytes: usize,
    /// Whether its memory is the caller's.
    lent: bool,
}

/// All of them, and which one is or was at a place.
#[derive(Default)]
struct All {
    storages: Vec<Storage>,
    at: BTreeMap<*mut u8, usize>,
}

thread_local! {
    static MOVED: RefCell<All> = const { RefCell::new(All { storages: vec![], at: BTreeMap::new() }) };
    /// Whether there are any.
    static ANY: Cell<bool> = const { Cell::new(false) };
    /// How deep the call is in calls of what was compiled when it was called.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// The storage that is or was at a place.
fn at(place: *mut u8) -> Option<Storage> {
    if !ANY.get() {
        return None;
    }
    MOVED.with_borrow(|all| all.at.get(&place).map(|number| all.storages[*number]))
}

/// Says what is known of a storage from now on.
fn set(storage: Storage) {
    ANY.set(true);
    MOVED.with_borrow_mut(|all| {
        let number = all.at.get(&storage.first).copied().unwrap_or(all.storages.len());
        match all.storages.get_mut(number) {
            Some(own) => *own = storage,
            None => all.storages.push(storage),
        }
        all.at.extend([(storage.first, number), (storage.now, number)]);
    });
}

/// The address by which a storage was known first.
pub(crate) fn first(place: *mut u8) -> *mut u8 {
    at(place).map_or(place, |storage| storage.first)
}

/// What a descriptor of the storage at a place says that was allocated: of the caller's what it was known by first.
pub fn allocated(place: *mut u8) -> *mut u8 {
    at(place).map_or(place, |storage| if storage.lent { storage.first } else { storage.now })
}

/// Says where a storage of the caller's lies now.
pub(crate) fn lies_at(first: *mut u8, now: *mut u8) {
    if at(first).map_or(first, |storage| storage.now) != now {
        set(Storage { first, now, bytes: 0, lent: true });
    }
}

/// Makes memory of the program's own another size; where it lies now. What there is more is zero.
///
/// # Safety
/// `place` came from [`terrace_rt_alloc`], or is where this said that it lies.
pub(crate) unsafe fn resize(place: *mut u8, bytes: usize, at_least: bool) -> *mut u8 {
    // SAFETY: the caller's.
    let room = |place: *mut u8| unsafe { size_of(place) };
    let known = at(place);
    let (now, had) = known.map_or_else(|| (place, room(place)), |own| (own.now, own.bytes));
    let bytes = if at_least { bytes.max(had) } else { bytes };
    let new = if bytes > room(now) { terrace_rt_alloc(bytes as i64, ALIGNMENT as i64) } else { now };
    // SAFETY: there is room for as many bytes at the new place, and there were as many as are copied.
    unsafe {
        if new != now {
            ptr::copy_nonoverlapping(now, new, had.min(bytes));
        }
        if bytes > had {
            ptr::write_bytes(new.add(had), 0, bytes - had);
        }
    }
    set(Storage { first: known.map_or(place, |own| own.first), now: new, bytes, lent: false });
    new
}

/// Leaves memory of the program's own where it is until the call is over, whoever frees it before.
///
/// # Safety
/// As [`resize`].
pub(crate) unsafe fn keep(place: *mut u8) {
    if at(place).is_none() {
        // SAFETY: the caller's.
        let bytes = unsafe { size_of(place) };
        set(Storage { first: place, now: place, bytes, lent: false });
    }
}

/// How many bytes memory of the program's own has.
///
/// # Safety
/// As [`resize`].
pub(crate) unsafe fn bytes(place: *mut u8) -> usize {
    // SAFETY: the caller's.
    at(place).map_or_else(|| unsafe { size_of(place) }, |own| own.bytes)
}

/// Whether memory stays until the call is over: it is or was that of a storage that was made another size.
pub(crate) fn stays(place: *mut u8) -> bool {
    at(place).is_some()
}

/// Whether a storage that was made another size is the program's own.
pub(crate) fn is_own(place: *mut u8) -> bool {
    at(place).is_some_and(|storage| !storage.lent)
}

/// Gives memory of a storage to who made the call from outside, to be freed as any other.
pub fn hand_over(place: *mut u8) {
    if DEPTH.get() == 0 {
        MOVED.with_borrow_mut(|all| all.at.remove(&place));
    }
}

/// Runs what was compiled when it was called.
pub(crate) fn deeper<T>(run: impl FnOnce() -> T) -> T {
    DEPTH.set(DEPTH.get() + 1);
    let came = run();
    DEPTH.set(DEPTH.get() - 1);
    came
}

/// Whether something runs that was compiled when it was called.
pub(crate) fn is_deep() -> bool {
    DEPTH.get() > 0
}

/// Forgets all, where the call from outside is over.
pub(crate) fn forget() {
    if DEPTH.get() > 0 || !ANY.replace(false) {
        return;
    }
    let All { storages, at } = MOVED.take();
    for (place, number) in at {
        if !storages[number].lent {
            // SAFETY: it was allocated so, and whoever wanted to free it did nothing.
            unsafe { terrace_rt_free(place) }
        }
    }
}

/// The memory, now, of the storage that lay at `place`: as the argument's own by its `allocated` where it is the caller's. Its size is not said.
///
/// # Safety
/// `row` can be written.
#[unsafe(export_name = "_mlir_ciface_terrace_rt_moved")]
pub unsafe extern "C" fn terrace_rt_moved(row: *mut Bytes, place: i64) {
    let place = place as *mut u8;
    let now = at(place).map_or(place, |storage| storage.now);
    // SAFETY: the caller's.
    unsafe { row.write(Bytes::new(allocated(place).cast(), now.cast(), 0)) }
}
