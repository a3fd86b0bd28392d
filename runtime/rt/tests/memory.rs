//! Buffers: alignment, reuse, and what a call leaves.

use std::{
    ffi::{CStr, c_void},
    mem::MaybeUninit,
    ptr,
    sync::Mutex,
};
use terrace_rt::{context::*, memory::*, storage::*};

/// No call's.
const NONE: Option<&Context> = None;

/// The cache is a global: tests that look at reuse take turns.
static TURN: Mutex<()> = Mutex::new(());

#[test]
fn buffers_are_aligned_and_apart() {
    let _turn = TURN.lock();
    let requests: Vec<(i64, i64)> = [0, 1, 63, 64, 65, 4096, (1 << 20) - 65, 1 << 20, 3 << 20]
        .iter()
        .flat_map(|&size| [1, 8, 64, 128, 4096].map(|align| (size, align)))
        .collect();
    let buffers: Vec<_> = requests.iter().map(|&(size, align)| terrace_rt_alloc(NONE, size, align)).collect();
    for (i, (&b, &(size, align))) in buffers.iter().zip(&requests).enumerate() {
        assert_eq!(b as usize % align.max(64) as usize, 0);
        // SAFETY: the buffer has `size` bytes.
        unsafe { b.write_bytes(i as u8, size as usize) };
    }
    for (i, (&b, &(size, _))) in buffers.iter().zip(&requests).enumerate() {
        // SAFETY: the buffer has `size` bytes, and all were written above.
        assert!((0..size as usize).all(|k| unsafe { *b.add(k) } == i as u8));
        // SAFETY: the buffer is the runtime's, and not used any more.
        unsafe { terrace_rt_free(NONE, b) };
    }
    // SAFETY: a null is freed as nothing.
    unsafe { terrace_rt_free(NONE, std::ptr::null_mut()) };
    terrace_rt_trim();
}

#[test]
fn a_large_block_comes_back_for_a_similar_request() {
    let _turn = TURN.lock();
    terrace_rt_trim();
    let first = terrace_rt_alloc(NONE, 40 << 20, 64);
    // SAFETY: the buffer is the runtime's, and not used any more.
    unsafe { terrace_rt_free(NONE, first) };
    let second = terrace_rt_alloc(NONE, (40 << 20) + 100_000, 64);
    assert_eq!(first, second);
    let third = terrace_rt_alloc(NONE, 40 << 20, 64);
    assert_ne!(second, third);
    // SAFETY: the buffers are the runtime's, and not used any more.
    unsafe {
        terrace_rt_free(NONE, second);
        terrace_rt_free(NONE, third);
    }
    terrace_rt_trim();
}

#[test]
fn so_many_blocks_are_kept_and_no_more() {
    let _turn = TURN.lock();
    terrace_rt_trim();
    // The oldest that is kept is the only one of its size.
    let keep = |others: usize| {
        let first = terrace_rt_alloc(NONE, CACHED_FROM as i64, 64);
        // SAFETY: nobody uses them any more.
        unsafe { terrace_rt_free(NONE, first) };
        let others: Vec<_> =
            (0..others).map(|_| terrace_rt_alloc(NONE, 3 * CACHED_FROM as i64, 64)).collect();
        // SAFETY: nobody uses them any more.
        others.into_iter().for_each(|buffer| unsafe { terrace_rt_free(NONE, buffer) });
        let blocks = cached_blocks();
        terrace_rt_trim();
        blocks
    };
    assert_eq!(keep(1), 2);
    assert_eq!(keep(CACHED_BLOCKS), CACHED_BLOCKS);
}

/// What the kernel says of the mapping that an address lies in.
#[cfg(target_os = "linux")]
fn flags(address: usize) -> String {
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut inside = false;
    for line in maps.lines() {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        if let Some((low, high)) = range.and_then(|(low, high)| {
            Some((usize::from_str_radix(low, 16).ok()?, usize::from_str_radix(high, 16).ok()?))
        }) {
            inside = (low..high).contains(&address);
        }
        if inside && line.starts_with("VmFlags:") {
            return line.to_owned();
        }
    }
    String::new()
}

#[test]
#[cfg(target_os = "linux")]
fn large_blocks_are_of_huge_pages() {
    let _turn = TURN.lock();
    terrace_rt_trim();
    // Where the kernel is built without them it takes no advice.
    if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
        return;
    }
    let size = 16 << 20;
    let buffer = terrace_rt_alloc(NONE, size, 64);
    // SAFETY: the buffer has `size` bytes.
    unsafe { buffer.write_bytes(1, size as usize) };
    assert!(flags(buffer as usize).contains(" hg"), "{}", flags(buffer as usize));
    // SAFETY: the buffer is the runtime's, and not used any more.
    unsafe { terrace_rt_free(NONE, buffer) };
    terrace_rt_trim();
}

#[test]
fn the_names_of_mlirs_memref_lowering_agree() {
    let plain = _mlir_memref_to_llvm_alloc(100);
    let aligned = _mlir_memref_to_llvm_aligned_alloc(256, 100);
    assert_eq!((plain as usize % 64, aligned as usize % 256), (0, 0));
    // SAFETY: both are the runtime's, and not used any more.
    unsafe {
        _mlir_memref_to_llvm_free(plain);
        _mlir_memref_to_llvm_free(aligned);
    }
}

#[test]
fn the_first_error_of_a_call_counts() {
    let context = Context::new();
    let call = |errors: &[&'static CStr]| {
        terrace_rt_begin(&context);
        for error in errors {
            // SAFETY: both are texts.
            unsafe { terrace_rt_set_error(Some(&context), error.as_ptr(), c"model.py:7".as_ptr()) };
        }
        terrace_rt_finish(&context)
    };
    assert_eq!(call(&[c"index 7 is outside", c"another"]), Status::Failed as i32);
    assert_eq!((context.error(), context.place()), (Some(c"index 7 is outside"), Some(c"model.py:7")));
    assert_eq!(call(&[]), Status::Done as i32);
    assert_eq!((context.error(), context.place()), (None, None));
}

#[test]
fn a_guard_refuses_a_call_and_an_error_at_run_time_is_located_later() {
    let context = Context::new();
    // SAFETY: it is a text.
    unsafe { terrace_rt_refuse(Some(&context), c"sizes are equal".as_ptr(), ptr::null()) };
    assert_eq!(context.status(), Status::Refused);
    terrace_rt_begin(&context);
    terrace_rt_check_capacity(Some(&context), i64::MAX);
    terrace_rt_locate(Some(&context), c"model.py:7".as_ptr());
    terrace_rt_locate(Some(&context), c"model.py:8".as_ptr());
    assert_eq!(context.status(), Status::Failed);
    assert_eq!(context.error(), Some(c"no memory for 9223372036854775807 bytes"));
    assert_eq!(context.place(), Some(c"model.py:7"));
}

/// Counts the buffers that there are, and gives no more than so many.
struct Counted {
    live: usize,
    left: usize,
}

extern "C" fn give(caller: *mut c_void, bytes: i64, align: i64) -> *mut c_void {
    // SAFETY: the caller's.
    let own = unsafe { &mut *caller.cast::<Counted>() };
    if own.left == 0 {
        return ptr::null_mut();
    }
    (own.live, own.left) = (own.live + 1, own.left - 1);
    terrace_rt_alloc(NONE, bytes, align).cast()
}

extern "C" fn take(caller: *mut c_void, memory: *mut c_void) {
    // SAFETY: the caller's; the memory is of `give`.
    unsafe {
        (*caller.cast::<Counted>()).live -= 1;
        terrace_rt_free(NONE, memory.cast());
    }
}

#[test]
fn a_call_that_fails_frees_what_it_has_allocated() {
    let _turn = TURN.lock();
    let mut own = Counted { live: 0, left: 3 };
    let mut context = Context::new();
    let caller = ptr::from_mut(&mut own);
    terrace_rt_context_set_allocator(&mut context, Some(give), Some(take), caller.cast());
    let call = |allocations: usize| {
        // SAFETY: as above; buffers are of the runtime.
        unsafe {
            (*caller).left = 3;
            terrace_rt_begin(&context);
            let all: Vec<_> = (0..allocations).map(|_| terrace_rt_alloc(Some(&context), 100, 64)).collect();
            assert!(all.iter().all(|buffer| (*buffer as usize).is_multiple_of(64)));
            terrace_rt_free(Some(&context), all[1]);
            let status = terrace_rt_finish(&context);
            (status, (*caller).live, all)
        }
    };
    let (status, live, buffers) = call(3);
    assert_eq!((status, live), (Status::Done as i32, 2));
    // Results outlive the call.
    for buffer in [buffers[2], buffers[0]] {
        // SAFETY: they are of the runtime.
        unsafe { terrace_rt_free(NONE, buffer) };
    }
    let (status, live, buffers) = call(4);
    assert_eq!((status, live, buffers[3]), (Status::Failed as i32, 0, ptr::null_mut()));
    assert_eq!(context.error(), Some(c"no memory for 100 bytes"));
}

#[test]
fn a_storage_of_an_argument_is_the_callers_to_make_another_size() {
    extern "C" fn larger(caller: *mut c_void, storage: *mut c_void, bytes: i64, more: bool) -> *mut c_void {
        // SAFETY: the caller is a row of bytes.
        let row = unsafe { &mut *caller.cast::<Vec<u8>>() };
        assert!(more && row.as_mut_ptr().cast() == storage);
        row.resize(bytes as usize, 7);
        row.as_mut_ptr().cast()
    }
    let mut row = vec![1u8];
    let mut ask = |resize: Option<Resize>| {
        let context = Context::new();
        let mut made = MaybeUninit::<[*mut u8; 5]>::uninit();
        let storage = row.as_mut_ptr();
        // SAFETY: the context is this test's; five words can be written.
        let words = unsafe {
            terrace_rt_context_set_storages(&context, None, resize, ptr::from_mut(&mut row).cast());
            terrace_rt_resize_storage(Some(&context), made.as_mut_ptr().cast(), storage as i64, 1 << 16, 1);
            made.assume_init()
        };
        (storage, words, context)
    };
    let (storage, words, context) = ask(Some(larger));
    assert_eq!((context.error(), words[0]), (None, storage));
    // SAFETY: there are so many.
    unsafe { words[1].add((1 << 16) - 1).write(9) };
    let (_, none, context) = ask(None);
    assert!(none[1].is_null());
    let said = context.error().unwrap().to_string_lossy();
    assert!(said.contains("the caller has to say how, by terrace_rt_context_set_storages"), "{said}");
    assert_eq!((row.len(), row.as_mut_ptr(), row[0], row[(1 << 16) - 1]), (1 << 16, words[1], 1, 9));
}
