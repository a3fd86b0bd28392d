//! Panics inside callbacks: each becomes an error with its message, file and line, and none leaves Rust.

use super::refusal::INTERNAL;
use std::{
    cell::{Cell, RefCell},
    panic::{AssertUnwindSafe, catch_unwind},
};

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Runs `f`; a panic becomes an error with its message and place, and never crosses into C++.
pub fn guard<T>(f: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(f));
    DEPTH.set(DEPTH.get() - 1);
    result.unwrap_or_else(|_| Err(PANIC.take()))
}

pub(crate) fn install_hook() {
    let old = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if DEPTH.get() == 0 {
            return old(info);
        }
        let message = info.payload_as_str().unwrap_or("panic");
        let place = info.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
        PANIC.set(format!("{INTERNAL}: {message}{place}; please report it"));
    }));
}
