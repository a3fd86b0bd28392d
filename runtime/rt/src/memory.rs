//! Aligned buffers, with the large ones kept for reuse.
//!
//! The system's allocator maps a large buffer anew each time, or gives its pages back when it is freed, and
//! the page faults of its first use cost more than most kernels. Freed blocks of [`CACHED_FROM`] bytes or
//! more therefore stay, up to [`CACHE_LIMIT`] bytes and [`CACHED_BLOCKS`] blocks in all, oldest out first.
//! Sizes of such blocks are rounded up by at most an eighth, so that similar requests find each other.
//!
//! Blocks of [`HUGE_FROM`] bytes or more start where a huge page can, and ask the system for huge pages: a
//! page fault and an entry of the translation buffer for 2 MiB instead of for 4 KiB. Where the system has
//! none nothing changes.
//!
//! A header in front of each buffer, of at most one alignment unit, remembers how it was allocated, and by
//! which call: what a call that fails has allocated is freed when it ends.

use crate::context::{Context, fail, lock};
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
pub const HUGE_PAGE: usize = 2 << 20;
/// Blocks from this many bytes on are of huge pages, where the system has them.
pub const HUGE_FROM: usize = 2 * HUGE_PAGE;
/// The cache holds at most this many bytes.
pub const CACHE_LIMIT: usize = 1 << 30;
/// The cache holds at most so many blocks: they are looked through, the youngest first.
pub const CACHED_BLOCKS: usize = 1 << 10;

/// Gives so many bytes, aligned so, of the caller's own; null where there are none.
pub type Allocate = extern "C" fn(caller: *mut c_void, bytes: i64, align: i64) -> *mut c_void;

/// Takes them back.
pub type Free = extern "C" fn(caller: *mut c_void, memory: *mut c_void);

/// Who gives memory in the place of the runtime.
#[derive(Clone, Copy)]
pub(crate) struct Allocator {
    pub allocate: Allocate,
    pub free: Free,
    pub caller: *mut c_void,
}

/// A block as the system gave it; the buffer starts within it, behind its header.
#[derive(Clone, Copy)]
struct Block {
    start: *mut u8,
    layout: Layout,
}
// SAFETY: a block in the cache belongs to nobody else.
unsafe impl Send for Block {}

/// What stands in front of a buffer.
struct Header {
    block: Block,
    /// What gave it, where the runtime did not: what takes it back, and what of the caller's that is given.
    free: Option<(Free, *mut c_void)>,
    /// The call that it goes with if that fails; null where it is nobody's.
    context: *const Context,
    /// Its neighbours in the list of that call.
    previous: *mut Header,
    next: *mut Header,
}

const _: () = assert!(mem::size_of::<Header>() <= ALIGNMENT);

/// The buffers that a call has allocated and not freed, the last one first.
pub(crate) struct Live(*mut Header);

impl Default for Live {
    fn default() -> Self {
        Self(ptr::null_mut())
    }
}

impl Live {
    /// Takes in a buffer that a call has allocated.
    ///
    /// # Safety
    /// It is a header, of no list.
    unsafe fn add(&mut self, header: *mut Header, context: *const Context) {
        // SAFETY: the caller's; the list's are headers.
        unsafe {
            (*header).context = context;
            (*header).next = self.0;
            if let Some(next) = self.0.as_mut() {
                next.previous = header;
            }
        }
        self.0 = header;
    }

    /// Takes out a buffer.
    ///
    /// # Safety
    /// It is one of the list.
    unsafe fn remove(&mut self, header: *mut Header) {
        // SAFETY: the caller's; the list's are headers.
        unsafe {
            let [previous, next] = [(*header).previous, (*header).next];
            match previous.as_mut() {
                Some(previous) => previous.next = next,
                None => self.0 = next,
            }
            if let Some(next) = next.as_mut() {
                next.previous = previous;
            }
        }
    }

    /// The call has ended: its buffers stay with its results, or are freed.
    pub fn finish(&mut self, stay: bool) {
        let mut next = mem::replace(&mut self.0, ptr::null_mut());
        // SAFETY: the list's are headers.
        while let Some(header) = unsafe { next.as_mut() } {
            next = header.next;
            (header.context, header.previous, header.next) = (ptr::null(), ptr::null_mut(), ptr::null_mut());
            if !stay {
                // SAFETY: a buffer that no result has.
                unsafe { terrace_rt_free(None, ptr::from_mut(header).cast::<u8>().add(ALIGNMENT)) };
            }
        }
    }
}

struct Cache {
    blocks: VecDeque<Block>,
    bytes: usize,
}

static CACHE: Mutex<Cache> = Mutex::new(Cache { blocks: VecDeque::new(), bytes: 0 });

fn cache() -> MutexGuard<'static, Cache> {
    lock(&CACHE)
}

/// Allocates `size` bytes (at least one), aligned to `align` (a power of two; at least [`ALIGNMENT`]),
/// uninitialized. Where there is no memory it gives null, and that is the call's error.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_alloc(context: Option<&Context>, size: i64, align: i64) -> *mut u8 {
    let allocator = context.and_then(|context| context.allocator);
    let numbers = usize::try_from(size).ok().zip(usize::try_from(align).ok());
    let Some(buffer) = numbers.and_then(|(size, align)| allocate(size, align, allocator)) else {
        fail(context, format!("no memory for {size} bytes"));
        return ptr::null_mut();
    };
    if let Some(context) = context {
        // SAFETY: `allocate` wrote a header.
        unsafe { lock(&context.live).add(header(buffer), context) };
    }
    buffer
}

/// The header of a buffer of [`terrace_rt_alloc`].
fn header(buffer: *mut u8) -> *mut Header {
    buffer.wrapping_sub(ALIGNMENT).cast()
}

/// The bytes of so many times as many; the largest number where it does not hold them.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_capacity(bytes: i64, size: i64) -> i64 {
    bytes.saturating_mul(size)
}

/// An error where no memory has so many bytes, with room for a header and to align beside them.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_check_capacity(context: Option<&Context>, bytes: i64) {
    if bytes > i64::MAX >> 1 {
        fail(context, format!("no memory for {bytes} bytes"));
    }
}

/// Frees a buffer of [`terrace_rt_alloc`], in the call that allocated it, or after it with or without a
/// context; null is ignored.
///
/// # Safety
/// `buffer` is null or came from [`terrace_rt_alloc`], and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_free(_: Option<&Context>, buffer: *mut u8) {
    if buffer.is_null() {
        return;
    }
    let own = header(buffer);
    // SAFETY: `allocate` wrote the header right in front of the buffer, and its call has not ended where it
    // is of one.
    let block = unsafe {
        if let Some(context) = (*own).context.as_ref() {
            lock(&context.live).remove(own);
        }
        if let Some((free, caller)) = (*own).free {
            return free(caller, (*own).block.start.cast());
        }
        (*own).block
    };
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

/// What `memref.alloc` calls where nobody adds a context, with room to align what it gets.
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_memref_to_llvm_alloc(size: u64) -> *mut u8 {
    terrace_rt_alloc(None, size as i64, ALIGNMENT as i64)
}

/// What `memref.alloc` calls that leaves alignment to us: it asks for a multiple of that.
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_memref_to_llvm_aligned_alloc(align: u64, size: u64) -> *mut u8 {
    terrace_rt_alloc(None, size as i64, align as i64)
}

/// What `memref.dealloc` calls.
///
/// # Safety
/// As [`terrace_rt_free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_memref_to_llvm_free(buffer: *mut u8) {
    // SAFETY: the caller's.
    unsafe { terrace_rt_free(None, buffer) }
}

fn allocate(size: usize, align: usize, allocator: Option<Allocator>) -> Option<*mut u8> {
    let align = align.max(ALIGNMENT);
    let whole = size.checked_add(align)?.checked_add(ALIGNMENT)?;
    let (block, free) = match allocator {
        Some(Allocator { allocate, free, caller }) => {
            let start: *mut u8 = allocate(caller, whole as i64, align as i64).cast();
            let layout = Layout::from_size_align(whole, align).ok()?;
            if start.is_null() {
                return None;
            }
            (Block { start, layout }, Some((free, caller)))
        }
        None => (of_the_system(round_up(whole)?, align)?, None),
    };
    let [previous, next] = [ptr::null_mut(); 2];
    let room = (block.start.addr() + ALIGNMENT).next_multiple_of(align) - block.start.addr();
    // SAFETY: so many bytes are at most `align` and ALIGNMENT, by which the block is longer than the buffer,
    // and the header fits in the last of them.
    unsafe {
        let buffer = block.start.add(room);
        header(buffer).write(Header { block, free, context: ptr::null(), previous, next });
        Some(buffer)
    }
}

/// A block of the cache, or of the system.
fn of_the_system(whole: usize, align: usize) -> Option<Block> {
    // Small blocks as the allocator has them, which is several times faster than at a boundary.
    let start = match whole {
        HUGE_FROM.. => HUGE_PAGE.max(align),
        CACHED_FROM.. => align,
        _ => 16,
    };
    let layout = Layout::from_size_align(whole, start).ok()?;
    take_cached(layout).or_else(|| {
        // SAFETY: the layout has a size above zero.
        let start = unsafe { alloc(layout) };
        if !start.is_null() && whole >= HUGE_FROM {
            ask_for_huge_pages(start, whole);
        }
        (!start.is_null()).then_some(Block { start, layout })
    })
}

/// Says that memory of the caller's own, from the start of a page on, may be of huge pages; what the system
/// makes of it is its own.
#[cfg(target_os = "linux")]
pub fn ask_for_huge_pages(start: *mut u8, bytes: usize) {
    const MADV_HUGEPAGE: i32 = 14;
    unsafe extern "C" {
        fn madvise(start: *mut std::ffi::c_void, bytes: usize, advice: i32) -> i32;
    }
    // SAFETY: the advice changes nothing of what is in them, and is refused where there are none.
    unsafe { madvise(start.cast(), bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE) };
}

/// Says nothing where no such pages are known.
#[cfg(not(target_os = "linux"))]
pub fn ask_for_huge_pages(_: *mut u8, _: usize) {}

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
