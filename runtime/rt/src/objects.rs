//! Which tensors the results of a call are, and how they are seen, where that is decided when it runs.
//!
//! Memory does not tell tensors apart that lie alike. A function of which a result is one of several tensors says here, right before it
//! comes back, which tensor each of its results is: by the number of an argument, or by a number that no other tensor has. Who called
//! it asks at once, before it calls anything else. Results of one number are one tensor. Whether a result is a conjugate or a negative of what is
//! stored, as control flow decides, is told likewise. Of each thread there is one such list.

use std::cell::{Cell, RefCell};

/// Numbers below it are those of arguments.
const FIRST: i64 = 1 << 32;

thread_local! {
    static NEXT: Cell<i64> = const { Cell::new(FIRST) };
    static TOLD: RefCell<Vec<i64>> = const { RefCell::new(vec![]) };
    static FLAGS: RefCell<Vec<i64>> = const { RefCell::new(vec![]) };
    static PASSED: RefCell<Vec<i64>> = const { RefCell::new(vec![]) };
}

/// Sets an entry of a list of what is told; those before it that nobody has told are `other`.
fn tell(list: &RefCell<Vec<i64>>, result: i64, told: i64, other: i64) {
    let Ok(result) = usize::try_from(result) else { return };
    let mut list = list.borrow_mut();
    if list.len() <= result {
        list.resize(result + 1, other);
    }
    list[result] = told;
}

/// An entry of a list of what is told.
fn told(list: &RefCell<Vec<i64>>, result: i64) -> Option<i64> {
    list.borrow().get(usize::try_from(result).ok()?).copied()
}

/// A number for a tensor that is none of the arguments.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_new_object() -> i64 {
    NEXT.replace(NEXT.get() + 1)
}

/// Says which tensor result number `result` is.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_tell_object(result: i64, object: i64) {
    TOLD.with(|list| tell(list, result, object, FIRST - 1));
}

/// Which tensor result number `result` of the last call is that says so.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_told_object(result: i64) -> i64 {
    TOLD.with(|list| told(list, result)).unwrap_or(FIRST - 1)
}

/// Says how result number `result` is seen: 1 of a conjugate and 2 of a negative of what is stored, together 3.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_tell_flags(result: i64, flags: i64) {
    FLAGS.with(|list| tell(list, result, flags, 0));
}

/// How result number `result` of the last call is seen that says so.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_told_flags(result: i64) -> i64 {
    FLAGS.with(|list| told(list, result)).unwrap_or(0)
}

/// Says, before a call, how argument number `argument` of it is seen, in bits as in [`terrace_rt_tell_flags`].
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_pass_flags(argument: i64, flags: i64) {
    PASSED.with(|list| tell(list, argument, flags, 0));
}

/// How argument number `argument` is seen, which is asked once, at the start of what is called: 0 where who called has not said it.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_passed_flags(argument: i64) -> i64 {
    let flags = PASSED.with(|list| told(list, argument)).unwrap_or(0);
    if flags != 0 {
        terrace_rt_pass_flags(argument, 0);
    }
    flags
}

/// The argument that a told number is; None of a tensor that is none of them.
pub fn argument(object: i64) -> Option<usize> {
    usize::try_from(object).ok().filter(|_| object < FIRST - 1)
}
