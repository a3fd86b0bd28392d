//! The memory that this process holds: an allocator that counts, and what the system says of all of it; and
//! processor time.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

/// The system's allocator. MLIR's own memory is not counted.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: all is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps to the contract of `alloc`, which is the system's too.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the pointer came from `alloc` above, which is the system's, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// How long this thread has had a processor: other work on the machine does not count.
pub fn processor_time() -> Duration {
    #[repr(C)]
    struct Time {
        seconds: i64,
        nanoseconds: i64,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    const THREAD: i32 = 3;
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    // SAFETY: the clock of a thread writes a time of two numbers.
    unsafe { clock_gettime(THREAD, &mut time) };
    Duration::new(time.seconds as u64, time.nanoseconds as u32)
}

/// Bytes that are allocated.
pub fn held() -> usize {
    HELD.load(Ordering::Relaxed)
}

/// Bytes of memory of the process: those of now are `VmRSS`, the most since it began or the peak was
/// forgotten `VmHWM`.
///
/// # Errors
/// A system without `/proc`.
pub fn resident(what: &str) -> Result<u64, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|e| e.to_string())?;
    let line = status.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kilobytes.map(|kilobytes| kilobytes * 1024).ok_or_else(|| format!("the system does not say {what}"))
}

unsafe extern "C" {
    fn malloc_trim(pad: usize) -> i32;
}

/// From here on the peak counts. What is free goes back to the system first, so that what is taken again
/// counts too.
///
/// # Errors
/// A system without `/proc`.
pub fn forget_peak() -> Result<(), String> {
    // SAFETY: a function of the C library that is safe to call at any time.
    unsafe { malloc_trim(0) };
    std::fs::write("/proc/self/clear_refs", "5").map_err(|e| e.to_string())
}
