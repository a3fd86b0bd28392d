//! What a call of compiled code has beside its arguments, and where its error comes out.
//!
//! Who calls makes a [`Context`], hands it to one call at a time, and reads the error in it afterwards.
//! Compiled code cannot unwind: where an input breaks its contract it writes the error, the first one of a
//! call, leaves, and frees what it allocated. Functions that are called without a context (a null pointer, as
//! other compilers call them) have none to write it to: they call [`terrace_rt_fail`], which a program may
//! define itself.

use crate::{
    memory::{Allocator, Live},
    storage::Storages,
};
use std::{
    ffi::{CStr, CString, c_char, c_void},
    fmt::Arguments,
    io::Write,
    ptr,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicI64, AtomicPtr, Ordering::*},
    },
};

/// What a call has beside its arguments. Compiled code looks whether `error` is null, the rest is the
/// runtime's.
#[repr(C)]
#[derive(Default)]
pub struct Context {
    /// What went wrong first; threads of a parallel loop may all find something.
    error: AtomicPtr<c_char>,
    /// Where it went wrong.
    place: AtomicPtr<c_char>,
    /// Whether the error is a guard's.
    refused: AtomicBool,
    /// Errors whose text is made at run time.
    texts: Mutex<Vec<CString>>,
    /// The threads that a parallel loop uses; 0 for the default.
    pub(crate) threads: AtomicI64,
    /// The state of the generator: see [`crate::generator`].
    pub(crate) generator: [AtomicI64; 2],
    /// Who gives memory, where the runtime does not.
    pub(crate) allocator: Option<Allocator>,
    /// What the call has allocated and not freed.
    pub(crate) live: Mutex<Live>,
    /// Sizes of arguments' storages.
    pub(crate) storages: Mutex<Storages>,
    /// What runs kernels elsewhere; whose it is the functions know that compiled code calls for it.
    pub device: Option<ptr::NonNull<c_void>>,
}

// SAFETY: what is behind the pointers in it is the caller's, who lets one call use it at a time; fields that
// several threads of that call change are atomic or locked.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

/// How a call went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// There are results.
    Done = 0,
    /// An error: results are null, and what was to be written may be written or not.
    Failed = 1,
    /// A guard has refused the call: nothing was written.
    Refused = 2,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

impl Context {
    /// The defaults: memory of the runtime, its number of threads, the generator of seed 0, storages whose
    /// size nobody knows.
    pub fn new() -> Self {
        Self::default()
    }

    /// What went wrong in the last call.
    pub fn error(&self) -> Option<&CStr> {
        let text = self.error.load(Acquire);
        // SAFETY: a text that ends in a zero byte; it stays until the next call, or is the code's.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
    }

    /// Where it went wrong: the location of an operation.
    pub fn place(&self) -> Option<&CStr> {
        let text = self.place.load(Acquire);
        // SAFETY: as above.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
    }

    /// How the last call went.
    pub fn status(&self) -> Status {
        match (self.error.load(Acquire).is_null(), self.refused.load(Relaxed)) {
            (true, _) => Status::Done,
            (false, false) => Status::Failed,
            (false, true) => Status::Refused,
        }
    }

    /// Sets the number of threads of the next calls, the caller's included; 0 is the default.
    pub fn set_threads(&self, threads: usize) {
        self.threads.store(threads as i64, Relaxed);
    }

    /// The state of the generator: its seed, and how many operations have drawn since.
    pub fn generator(&self) -> (u64, u64) {
        let [seed, drawn] = &self.generator;
        (seed.load(Relaxed) as u64, drawn.load(Relaxed) as u64)
    }

    /// Has the generator go on from a state.
    pub fn set_generator(&self, (seed, drawn): (u64, u64)) {
        self.generator[0].store(seed as i64, Relaxed);
        self.generator[1].store(drawn as i64, Relaxed);
    }

    /// Forgets the error of the last call.
    fn begin(&self) {
        if !self.error.load(Relaxed).is_null() {
            self.error.store(ptr::null_mut(), Relaxed);
            self.place.store(ptr::null_mut(), Relaxed);
            self.refused.store(false, Relaxed);
            lock(&self.texts).clear();
        }
    }

    /// Ends a call: what it has allocated belongs to its results, or goes.
    fn finish(&self) -> Status {
        let status = self.status();
        lock(&self.live).finish(status == Status::Done);
        status
    }
}

/// Compiled code: a call begins, the only one that uses the context.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_begin(context: &Context) {
    context.begin();
}

/// Compiled code: a call has ended. What it has allocated and not freed belongs to its results, or is freed
/// where there are none.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_finish(context: &Context) -> i32 {
    context.finish() as i32
}

/// Compiled code: what went wrong, and where; both texts end in a zero byte and stay. The first error of a
/// call counts.
///
/// # Safety
/// They do, and the place may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_set_error(
    context: Option<&Context>,
    text: *const c_char,
    place: *const c_char,
) {
    let Some(context) = context else {
        // SAFETY: the caller's.
        unsafe { end(place, text) }
    };
    if context.error.compare_exchange(ptr::null_mut(), text.cast_mut(), AcqRel, Relaxed).is_ok() {
        context.place.store(place.cast_mut(), Release);
    }
}

/// Compiled code: a guard that does not hold refuses the call; `text` is what does not hold.
///
/// # Safety
/// As [`terrace_rt_set_error`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_refuse(
    context: Option<&Context>,
    text: *const c_char,
    place: *const c_char,
) {
    if let Some(context) = context {
        context.refused.store(true, Relaxed);
    }
    // SAFETY: the caller's.
    unsafe { terrace_rt_set_error(context, text, place) };
}

/// Compiled code: says where an error came up, where what found it did not know.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_locate(context: Option<&Context>, place: *const c_char) {
    if let Some(context) = context {
        _ = context.place.compare_exchange(ptr::null_mut(), place.cast_mut(), AcqRel, Relaxed);
    }
}

/// Sets an error whose text is made at run time.
pub fn fail(context: Option<&Context>, text: String) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    let Some(own) = context else {
        // SAFETY: a text.
        unsafe { end(ptr::null(), text.as_ptr()) }
    };
    let address = text.as_ptr();
    lock(&own.texts).push(text);
    // SAFETY: the text stays in the context.
    unsafe { terrace_rt_set_error(context, address, ptr::null()) };
}

unsafe extern "C" {
    /// What happens on an error of a call without a context. A program may have its own; when that comes back
    /// the process ends.
    fn terrace_rt_fail(text: *const c_char);
}

// A weak definition, which a program's own one replaces.
#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(".weak terrace_rt_fail", "terrace_rt_fail:", "jmp {}", sym print_and_abort);
#[cfg(target_arch = "aarch64")]
std::arch::global_asm!(".weak terrace_rt_fail", "terrace_rt_fail:", "b {}", sym print_and_abort);

/// Prints an error and ends the process.
///
/// # Safety
/// The text ends in a zero byte.
unsafe extern "C" fn print_and_abort(text: *const c_char) -> ! {
    // SAFETY: the caller's.
    warn(format_args!("{}", unsafe { CStr::from_ptr(text) }.to_string_lossy()));
    std::process::abort()
}

/// Ends the process for an error that nobody hears.
///
/// # Safety
/// Texts end in a zero byte; the place may be null.
unsafe fn end(place: *const c_char, text: *const c_char) -> ! {
    let mut all = vec![];
    if !place.is_null() {
        // SAFETY: the caller's.
        all.extend_from_slice(unsafe { CStr::from_ptr(place) }.to_bytes());
        all.extend(b": ");
    }
    // SAFETY: the caller's.
    all.extend_from_slice(unsafe { CStr::from_ptr(text) }.to_bytes());
    let all = CString::new(all).unwrap_or_default();
    // SAFETY: a text.
    unsafe { terrace_rt_fail(all.as_ptr()) };
    std::process::abort()
}

/// One line to stderr; a closed stderr is no reason to fail.
pub(crate) fn warn(message: Arguments) {
    _ = writeln!(std::io::stderr(), "terrace: {message}");
}

/// A new context for a C program; see [`Context::new`].
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_context_create() -> Box<Context> {
    Box::default()
}

/// Frees a context that nobody uses any more; null is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_context_destroy(_: Option<Box<Context>>) {}

/// What went wrong in the last call, until the next one; null where nothing did.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_context_error(context: &Context) -> *const c_char {
    context.error().map_or(ptr::null(), CStr::as_ptr)
}

/// Where it went wrong, as far as that is known; null where nothing did.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_context_place(context: &Context) -> *const c_char {
    context.place().map_or(ptr::null(), CStr::as_ptr)
}

/// Sets the number of threads of the next calls; 0 or less is the default: `TERRACE_THREADS`, else the number
/// of cores.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_context_set_threads(context: &Context, threads: i64) {
    context.set_threads(threads.max(0) as usize);
}

/// Sets who gives memory to the next calls; a null pointer for the runtime. Results lie in it, too, and
/// [`crate::memory::terrace_rt_free`] gives it back. Threads of the call may ask at once.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_context_set_allocator(
    context: &mut Context,
    allocate: Option<crate::memory::Allocate>,
    free: Option<crate::memory::Free>,
    caller: *mut c_void,
) {
    context.allocator = allocate.zip(free).map(|(allocate, free)| Allocator { allocate, free, caller });
}
