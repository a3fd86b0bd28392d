//! What a caller lends the code that it calls: a function, and what of the caller's own that is given. Each thread has its own.

use std::{cell::Cell, ffi::c_void, ptr, thread::LocalKey};

/// A function of the caller's, and what it is given; none where the caller lends nothing.
pub struct Hook<F>(Cell<(Option<F>, *mut c_void)>);

impl<F: Copy> Hook<F> {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self(Cell::new((None, ptr::null_mut())))
    }

    /// Says what is lent from now on.
    pub fn set(&self, function: Option<F>, caller: *mut c_void) {
        self.0.set((function, caller));
    }

    /// What is lent.
    pub fn get(&self) -> (Option<F>, *mut c_void) {
        self.0.get()
    }
}

impl<F: Copy> Default for Hook<F> {
    fn default() -> Self {
        Self::new()
    }
}

/// Lends a function while something runs; what was lent before is lent again afterwards.
pub fn lend<F: Copy, T>(
    hook: &'static LocalKey<Hook<F>>,
    function: F,
    caller: *mut c_void,
    run: impl FnOnce() -> T,
) -> T {
    /// Puts back what was said before, after a panic too.
    struct Back<F: Copy + 'static>(&'static LocalKey<Hook<F>>, (Option<F>, *mut c_void));
    impl<F: Copy> Drop for Back<F> {
        fn drop(&mut self) {
            self.0.with(|hook| hook.set(self.1.0, self.1.1));
        }
    }
    let _back = Back(hook, hook.with(|hook| hook.0.replace((Some(function), caller))));
    run()
}
