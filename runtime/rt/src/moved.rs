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
    ptr,
};

/// A storage that was made another size.
struct Storage {
    /// Where it has been, in order; now it is at the last place.
    places: Vec<*mut u8>,
    /// Its size, of memory of the program's own.
    bytes: usize,
    /// Whether its memory is the caller's.
    lent: bool,
}

impl Storage {
    fn now(&self) -> *mut u8 {
        self.places[self.places.len() - 1]
    }
}

thread_local! {
    static MOVED: RefCell<Vec<Storage>> = const { RefCell::new(vec![]) };
    /// Whether there are any.
    static ANY: Cell<bool> = const { Cell::new(false) };
    /// How deep the call is in calls of what was compiled when it was called.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

fn with<T>(place: *mut u8, found: impl FnOnce(&mut Storage) -> T) -> Option<T> {
    if !ANY.get() {
        return None;
    }
    MOVED.with_borrow_mut(|all| all.iter_mut().find(|own| own.places.contains(&place)).map(found))
}

fn add(storage: Storage) {
    ANY.set(true);
    MOVED.with_borrow_mut(|all| all.push(storage));
}

/// The address by which a storage was known first.
pub(crate) fn first(place: *mut u8) -> *mut u8 {
    with(place, |storage| storage.places[0]).unwrap_or(place)
}

/// Says where a storage of the caller's lies now.
pub(crate) fn lies_at(first: *mut u8, now: *mut u8) {
    if with(first, |storage| storage.places.push(now)).is_none() && now != first {
        add(Storage { places: vec![first, now], bytes: 0, lent: true });
    }
}

/// Makes memory of the program's own another size; where it lies now. What there is more is zero.
///
/// # Safety
/// `place` came from [`terrace_rt_alloc`], or is where this said that it lies.
pub(crate) unsafe fn resize(place: *mut u8, bytes: usize, at_least: bool) -> *mut u8 {
    // SAFETY: the caller's.
    let room = |place: *mut u8| unsafe { size_of(place) };
    let (now, had) =
        with(place, |storage| (storage.now(), storage.bytes)).unwrap_or_else(|| (place, room(place)));
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
    let known = with(place, |storage| {
        storage.bytes = bytes;
        if new != now {
            storage.places.push(new);
        }
    });
    if known.is_none() {
        let places = if new == now { vec![now] } else { vec![now, new] };
        add(Storage { places, bytes, lent: false });
    }
    new
}

/// Whether memory stays until the call is over: it is or was that of a storage that was made another size.
pub(crate) fn stays(place: *mut u8) -> bool {
    with(place, |_| ()).is_some()
}

/// Whether a storage that was made another size is the program's own.
pub(crate) fn is_own(place: *mut u8) -> bool {
    with(place, |storage| !storage.lent).unwrap_or(false)
}

/// Gives memory of a storage to who made the call from outside, to be freed as any other.
pub fn hand_over(place: *mut u8) {
    if DEPTH.get() == 0 {
        with(place, |storage| storage.places.retain(|own| *own != place));
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
    for storage in MOVED.take().into_iter().filter(|storage| !storage.lent) {
        for place in storage.places {
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
    let lies = |own: &mut Storage| (if own.lent { own.places[0] } else { own.now() }, own.now());
    let (allocated, aligned) = with(place, lies).unwrap_or((place, place));
    // SAFETY: the caller's.
    unsafe { row.write(Bytes::new(allocated.cast(), aligned.cast(), 0)) }
}
