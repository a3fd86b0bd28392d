//! Aligned buffers, with the large ones kept for reuse.
//!
//! The system's allocator maps a large buffer anew each time, or gives its pages back when it is freed, and the page faults of
//! its first use cost more than most kernels. Freed blocks of [`CACHED_FROM`] bytes or more therefore stay, up to
//! [`CACHE_LIMIT`] bytes and [`CACHED_BLOCKS`] blocks in all, oldest out first. Sizes of such blocks are rounded up by at most
//! an eighth, so that similar requests find each other.
//!
//! Blocks of [`HUGE_FROM`] bytes or more start where a huge page can, and ask the system for huge pages: a page fault and an entry of
//! the translation buffer for 2 MiB instead of for 4 KiB. Where the system has none nothing changes.
//!
//! A header of one alignment unit in front of each buffer remembers how it was allocated.

use std::{
    alloc::{Layout, alloc, dealloc},
    collections::VecDeque,
    ffi::c_void,
    mem, ptr,
    sync::{Mutex, MutexGuard},
};

/// The least alignment of a buffer in bytes: a cache line, and an AVX-512 register.
pub const ALIGNMENT: usize = 64;
/// Blocks from this many bytes on are kept when they are freed.
pub const CACHED_FROM: usize = 1 << 16;
/// A huge page of x86-64.
const HUGE_PAGE: usize = 2 << 20;
/// Blocks from this many bytes on are of huge pages, where the system has them.
pub const HUGE_FROM: usize = 2 * HUGE_PAGE;
/// The cache holds at most this many bytes.
pub const CACHE_LIMIT: usize = 1 << 30;
/// The cache holds at most so many blocks: they are looked through, the youngest first.
pub const CACHED_BLOCKS: usize = 1 << 10;

/// A block as the system gave it; the buffer starts one alignment unit into it.
#[derive(Clone, Copy)]
struct Block {
    start: *mut u8,
    layout: Layout,
}
// SAFETY: a block in the cache belongs to nobody else.
unsafe impl Send for Block {}

const _: () = assert!(mem::size_of::<Block>() <= ALIGNMENT);

struct Cache {
    blocks: VecDeque<Block>,
    bytes: usize,
}

static CACHE: Mutex<Cache> = Mutex::new(Cache { blocks: VecDeque::new(), bytes: 0 });

fn cache() -> MutexGuard<'static, Cache> {
    CACHE.lock().unwrap_or_else(|e| e.into_inner())
}

/// Allocates `size` bytes (at least one), aligned to `align` (a power of two; at least [`ALIGNMENT`]), uninitialized.
///
/// Ends the process with a message when there is no memory: compiled code has no way to go on without it.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_alloc(size: i64, align: i64) -> *mut u8 {
    match usize::try_from(size).ok().zip(usize::try_from(align).ok()).and_then(|(s, a)| allocate(s, a)) {
        Some(buffer) => buffer,
        None => end(size),
    }
}

/// The bytes of so many times as many; the largest number where it does not hold them.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_room(bytes: i64, size: i64) -> i64 {
    bytes.saturating_mul(size)
}

/// Ends the process where no memory has so many bytes, with room for a header and to align beside them.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_check_room(bytes: i64) {
    if bytes > i64::MAX >> 1 {
        end(bytes)
    }
}

/// Ends the process for want of memory, and says what went wrong before, if something has.
fn end(bytes: i64) -> ! {
    crate::status::warn(format_args!("no memory for {bytes} bytes"));
    if let Some(error) = crate::status::recorded() {
        crate::status::warn(format_args!("after an error: {}", error.to_string_lossy()));
    }
    std::process::abort()
}

/// Frees a buffer of [`terrace_rt_alloc`]; null is ignored.
///
/// # Safety
/// `buffer` is null or came from [`terrace_rt_alloc`], and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_free(buffer: *mut u8) {
    if buffer.is_null() {
        return;
    }
    // SAFETY: `allocate` wrote the header right in front of the buffer.
    let block = unsafe { *buffer.sub(ALIGNMENT).cast::<Block>() };
    if block.layout.size() < CACHED_FROM {
        return release(block);
    }
    let mut cache = cache();
    cache.bytes += block.layout.size();
    cache.blocks.push_back(block);
    while (cache.bytes > CACHE_LIMIT || cache.blocks.len() > CACHED_BLOCKS)
        && let Some(oldest) = cache.blocks.pop_front()
    {
        cache.bytes -= oldest.layout.size();
        release(oldest);
    }
}

/// Gives all cached blocks back to the system.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_trim() {
    let mut cache = cache();
    cache.bytes = 0;
    cache.blocks.drain(..).for_each(release);
}

/// How many freed blocks are kept.
pub fn cached_blocks() -> usize {
    cache().blocks.len()
}

/// What `memref.alloc` calls, with room to align what it gets.
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_memref_to_llvm_alloc(size: u64) -> *mut u8 {
    terrace_rt_alloc(size as i64, ALIGNMENT as i64)
}

/// What `memref.alloc` calls that leaves alignment to us: it asks for a multiple of that.
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_memref_to_llvm_aligned_alloc(align: u64, size: u64) -> *mut u8 {
    terrace_rt_alloc(size as i64, align as i64)
}

/// What `memref.dealloc` calls.
///
/// # Safety
/// As [`terrace_rt_free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_memref_to_llvm_free(buffer: *mut u8) {
    // SAFETY: the caller's.
    unsafe { terrace_rt_free(buffer) }
}

fn allocate(size: usize, align: usize) -> Option<*mut u8> {
    let align = align.max(ALIGNMENT);
    let whole = round_up(size.checked_add(align)?)?;
    let start = if whole >= HUGE_FROM { HUGE_PAGE.max(align) } else { align };
    let layout = Layout::from_size_align(whole, start).ok()?;
    let block = take_cached(layout).or_else(|| {
        // SAFETY: the layout has a size above zero.
        let start = unsafe { alloc(layout) };
        if !start.is_null() && whole >= HUGE_FROM {
            ask_for_huge_pages(start, whole);
        }
        (!start.is_null()).then_some(Block { start, layout })
    })?;
    // SAFETY: the block is `align` bytes longer than the buffer, and the header fits ALIGNMENT <= align bytes.
    unsafe {
        let buffer = block.start.add(align);
        buffer.sub(ALIGNMENT).cast::<Block>().write(block);
        Some(buffer)
    }
}

/// Says that memory may be of huge pages; what the system makes of it is its own.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(start: *mut u8, bytes: usize) {
    const MADV_HUGEPAGE: i32 = 14;
    unsafe extern "C" {
        fn madvise(start: *mut std::ffi::c_void, bytes: usize, advice: i32) -> i32;
    }
    // SAFETY: whole pages of a block that is owned here; the advice changes nothing of what is in them.
    unsafe { madvise(start.cast(), bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_: *mut u8, _: usize) {}

/// Zeros that take memory only where they are touched, however many there are.
pub(crate) struct Zeros {
    pub start: *mut u8,
    pub bytes: usize,
}

unsafe extern "C" {
    fn mmap(start: *mut c_void, bytes: usize, access: i32, how: i32, file: i32, offset: i64) -> *mut c_void;
    fn munmap(start: *mut c_void, bytes: usize) -> i32;
}

impl Zeros {
    /// At least one. Ends the process as [`terrace_rt_alloc`] does where there are no addresses for so many.
    pub fn new(bytes: i64) -> Self {
        const READ_AND_WRITE: i32 = 3;
        // MAP_PRIVATE, MAP_ANONYMOUS and MAP_NORESERVE.
        #[cfg(target_os = "linux")]
        const HOW: i32 = 0x2 | 0x20 | 0x4000;
        #[cfg(not(target_os = "linux"))]
        const HOW: i32 = 0x2 | 0x1000 | 0x40;
        let count = usize::try_from(bytes).unwrap_or(0).max(1);
        // SAFETY: it is new memory.
        let start = unsafe { mmap(ptr::null_mut(), count, READ_AND_WRITE, HOW, -1, 0) };
        if start.addr() == usize::MAX {
            end(bytes)
        }
        Self { start: start.cast(), bytes: count }
    }
}

impl Drop for Zeros {
    fn drop(&mut self) {
        // SAFETY: nobody else has it.
        unsafe { munmap(self.start.cast(), self.bytes) };
    }
}

/// Sizes of cached blocks have four significant bits.
fn round_up(size: usize) -> Option<usize> {
    if size < CACHED_FROM {
        return Some(size);
    }
    let unit = 1 << (size.ilog2() - 3);
    size.checked_next_multiple_of(unit)
}

fn take_cached(layout: Layout) -> Option<Block> {
    if layout.size() < CACHED_FROM {
        return None;
    }
    let mut cache = cache();
    // The youngest is the most likely to be in a processor's cache still.
    let i = cache.blocks.iter().rposition(|b| b.layout == layout)?;
    let block = cache.blocks.remove(i)?;
    cache.bytes -= block.layout.size();
    Some(block)
}

fn release(block: Block) {
    // SAFETY: the block came from `alloc` with this layout, and its owner gave it up.
    unsafe { dealloc(block.start, block.layout) }
}
