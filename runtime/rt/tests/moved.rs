//! Storages that become another size: where they lie then, and what is freed when.

use std::{ffi::c_void, mem::MaybeUninit, ptr, sync::Mutex};
use terrace_rt::{
    memory::{terrace_rt_alloc, terrace_rt_free},
    moved::{hand_over, terrace_rt_moved},
    status::terrace_rt_take_error,
    storage::{Resize, terrace_rt_resize_storage, terrace_rt_set_resize},
};

/// The error is the process's: tests that take it take turns.
static TURN: Mutex<()> = Mutex::new(());

/// Of a row of bytes: its `allocated`, and where it lies.
type Place = [*mut u8; 2];

fn place(row: MaybeUninit<[*mut u8; 5]>) -> Place {
    // SAFETY: it was written.
    let words = unsafe { row.assume_init() };
    [words[0], words[1]]
}

fn moved(at: *mut u8) -> Place {
    let mut row = MaybeUninit::<[*mut u8; 5]>::uninit();
    // SAFETY: it can be written.
    unsafe { terrace_rt_moved(row.as_mut_ptr().cast(), at as i64) };
    place(row)
}

fn resize(at: *mut u8, bytes: i64, how: i64) -> Place {
    let mut row = MaybeUninit::<[*mut u8; 5]>::uninit();
    // SAFETY: it can be written, and the storage is one.
    unsafe { terrace_rt_resize_storage(row.as_mut_ptr().cast(), at as i64, bytes, how) };
    place(row)
}

fn bytes<'a>(at: *mut u8, count: usize) -> &'a [u8] {
    // SAFETY: the tests ask for what is there.
    unsafe { std::slice::from_raw_parts(at, count) }
}

/// Knows no storage.
extern "C" fn none(_: *mut c_void, _: *mut c_void, _: i64, _: bool) -> *mut c_void {
    ptr::null_mut()
}

/// A place, and where it goes.
struct Caller {
    own: *mut c_void,
    new: *mut c_void,
}

extern "C" fn elsewhere(caller: *mut c_void, storage: *mut c_void, _: i64, _: bool) -> *mut c_void {
    // SAFETY: the caller is one.
    let caller = unsafe { &*caller.cast::<Caller>() };
    assert_eq!(caller.own, storage);
    caller.new
}

const OWN: i64 = 2;
const AT_LEAST: i64 = 1;

#[test]
fn memory_of_the_program_moves_and_stays_until_the_call_is_over() {
    let _turn = TURN.lock();
    terrace_rt_set_resize(Some(none as Resize), ptr::null_mut());
    let first = terrace_rt_alloc(4, 64);
    // SAFETY: there are so many bytes.
    unsafe { first.write_bytes(7, 4) };
    assert_eq!(moved(first), [first, first]);
    let [allocated, second] = resize(first, 100, OWN | AT_LEAST);
    assert!(allocated == second && second != first);
    assert_eq!((bytes(second, 4), bytes(second, 100)[4..].iter().max()), (&[7; 4][..], Some(&0)));
    // By any address that it has had, and as often as it is.
    let [_, third] = resize(first, 1000, OWN | AT_LEAST);
    assert_eq!([first, second, third].map(moved), [[third, third]; 3]);
    // Fewer are not asked for.
    assert_eq!(resize(second, 10, OWN | AT_LEAST), [third, third]);
    // What it loses and gets back is zero.
    assert_eq!(resize(third, 2, OWN), [third, third]);
    assert_eq!(resize(third, 4, OWN | AT_LEAST), [third, third]);
    assert_eq!(bytes(third, 4), [7, 7, 0, 0]);
    // Who frees it while the call runs does nothing.
    for at in [first, second, third] {
        // SAFETY: it is memory of the program.
        unsafe { terrace_rt_free(at) };
    }
    assert_eq!((bytes(first, 1), bytes(third, 1)), (&[7][..], &[7][..]));
    hand_over(third);
    assert!(terrace_rt_take_error().is_null());
    assert_eq!(bytes(third, 1), [7]);
    assert_eq!(moved(third), [third, third]);
    // SAFETY: it was handed over.
    unsafe { terrace_rt_free(third) };
    terrace_rt_set_resize(None, ptr::null_mut());
}

#[test]
fn memory_of_the_caller_is_known_by_its_first_address() {
    let _turn = TURN.lock();
    let (mut own, mut new) = ([1u8; 8], [1u8; 16]);
    let mut caller = Caller { own: own.as_mut_ptr().cast(), new: new.as_mut_ptr().cast() };
    terrace_rt_set_resize(Some(elsewhere as Resize), ptr::from_mut(&mut caller).cast());
    let (first, second) = (own.as_mut_ptr(), new.as_mut_ptr());
    assert_eq!(resize(first, 16, AT_LEAST), [first, second]);
    assert_eq!(resize(second, 12, AT_LEAST), [first, second]);
    assert_eq!([moved(first), moved(second)], [[first, second]; 2]);
    // It is not the program's to free.
    for at in [first, second] {
        // SAFETY: nothing is done.
        unsafe { terrace_rt_free(at) };
    }
    assert!(terrace_rt_take_error().is_null());
    assert_eq!(moved(first), [first, first]);
    terrace_rt_set_resize(None, ptr::null_mut());
}

#[test]
fn a_storage_that_nobody_knows_is_an_error() {
    let _turn = TURN.lock();
    let mut own = [1u8; 8];
    terrace_rt_set_resize(Some(none as Resize), ptr::null_mut());
    let [allocated, _] = resize(own.as_mut_ptr(), 16, AT_LEAST);
    assert_eq!(allocated, own.as_mut_ptr());
    assert!(!terrace_rt_take_error().is_null());
    terrace_rt_set_resize(None, ptr::null_mut());
}
