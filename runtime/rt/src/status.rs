//! Run-time errors of compiled code.
//!
//! Compiled code cannot unwind. Where it finds that an input breaks its contract, it sets the error, skips the work that
//! would be wrong, and returns; the caller takes the error after the call. The first error wins, whichever thread of
//! a parallel loop meets it. Messages are static: they live in the compiled object, or for as long as the process.

use std::{
    collections::BTreeSet,
    ffi::{CStr, CString, c_char},
    fmt::Arguments,
    io::Write,
    ptr,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicPtr, Ordering::*},
    },
};

static ERROR: AtomicPtr<c_char> = AtomicPtr::new(ptr::null_mut());

/// Records `message`, a text that ends in a zero byte and outlives the call, unless an error is recorded already.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_set_error(message: *const c_char) {
    _ = ERROR.compare_exchange(ptr::null_mut(), message.cast_mut(), AcqRel, Relaxed);
}

static REFUSED: AtomicBool = AtomicBool::new(false);

/// Records, as an error, that a guard refuses the call: `message` is what does not hold. Nothing has been written, and there are no results.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_refuse(message: *const c_char) {
    REFUSED.store(true, Relaxed);
    terrace_rt_set_error(message);
}

/// Whether a guard has refused the call whose error nobody has taken yet.
pub fn is_refused() -> bool {
    REFUSED.load(Relaxed)
}

/// Returns the recorded error and forgets it; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_take_error() -> *const c_char {
    crate::storage::forget();
    REFUSED.store(false, Relaxed);
    ERROR.swap(ptr::null_mut(), AcqRel)
}

/// The error that nobody has taken.
pub(crate) fn recorded() -> Option<&'static CStr> {
    let message = ERROR.load(Acquire);
    // SAFETY: a text that ends in a zero byte and stays.
    (!message.is_null()).then(|| unsafe { CStr::from_ptr(message) })
}

/// One line to stderr; a closed stderr is no reason to fail.
pub(crate) fn warn(message: Arguments) {
    _ = writeln!(std::io::stderr(), "terrace: {message}");
}

/// Records an error whose text is made at run time. It is kept for as long as the process runs, each text once.
pub fn fail(message: String) {
    static TEXTS: Mutex<BTreeSet<&'static CStr>> = Mutex::new(BTreeSet::new());
    let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
    let mut texts = TEXTS.lock().unwrap_or_else(|e| e.into_inner());
    let known = texts.get(text.as_c_str()).copied();
    let text = known.unwrap_or_else(|| {
        let text: &'static CStr = Box::leak(text.into_boxed_c_str());
        texts.insert(text);
        text
    });
    terrace_rt_set_error(text.as_ptr());
}
