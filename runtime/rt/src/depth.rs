//! How deep calls of functions are that come to call themselves.
//!
//! Compiled code asks before each such call: where they nest too deep, as where recursion never ends, that is an error, and the call is left out. So
//! are all after an error. Each thread counts its own.

use crate::status;
use std::cell::Cell;

/// Calls may nest this deep, as in the interpreter.
const MOST: usize = 200;

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Whether there may be one more call, which is one deeper; else 0.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_enter() -> i64 {
    if DEPTH.get() >= MOST {
        status::fail(format!("calls nest more than {MOST} deep"));
    }
    if status::recorded().is_some() {
        return 0;
    }
    DEPTH.set(DEPTH.get() + 1);
    1
}

/// Says that it has come back.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_leave() {
    DEPTH.set(DEPTH.get() - 1);
}
