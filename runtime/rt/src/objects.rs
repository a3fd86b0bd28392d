//! Which tensors the results of a call are, where that is decided when it runs.
//!
//! Memory does not tell tensors apart that lie alike. A function of which a result is one of several tensors says here, right before it
//! comes back, which tensor each of its results is: by the number of an argument, or by a number that no other tensor has. Who called
//! it asks at once, before it calls anything else. Results of one number are one tensor. Of each thread there is one such list.

use std::cell::{Cell, RefCell};

/// Numbers below it are those of arguments.
const FIRST: i64 = 1 << 32;

thread_local! {
    static NEXT: Cell<i64> = const { Cell::new(FIRST) };
    static TOLD: RefCell<Vec<i64>> = const { RefCell::new(vec![]) };
}

/// A number for a tensor that is none of the arguments.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_new_object() -> i64 {
    NEXT.replace(NEXT.get() + 1)
}

/// Says which tensor result number `result` is.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_tell_object(result: i64, object: i64) {
    let Ok(result) = usize::try_from(result) else { return };
    TOLD.with_borrow_mut(|told| {
        if told.len() <= result {
            told.resize(result + 1, FIRST - 1);
        }
        told[result] = object;
    });
}

/// Which tensor result number `result` of the last call is that says so.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_told_object(result: i64) -> i64 {
    let told = usize::try_from(result).ok();
    TOLD.with_borrow(|all| told.and_then(|result| all.get(result).copied())).unwrap_or(FIRST - 1)
}

/// The argument that a told number is; None of a tensor that is none of them.
pub fn argument(object: i64) -> Option<usize> {
    usize::try_from(object).ok().filter(|_| object < FIRST - 1)
}
