//! Buffers: alignment, reuse, and the run-time error slot.

use std::{
    ffi::{CStr, c_void},
    mem::MaybeUninit,
    ptr,
    sync::Mutex,
};
use terrace_rt::{memory::*, status::*, storage::*};

/// The cache is a global: tests that look at reuse take turns.
static TURN: Mutex<()> = Mutex::new(());

#[test]
fn buffers_are_aligned_and_apart() {
    let _turn = TURN.lock();
    let requests: Vec<(i64, i64)> = [0, 1, 63, 64, 65, 4096, (1 << 20) - 65, 1 << 20, 3 << 20]
        .iter()
        .flat_map(|&size| [1, 8, 64, 128, 4096].map(|align| (size, align)))
        .collect();
    let buffers: Vec<_> = requests.iter().map(|&(size, align)| terrace_rt_alloc(size, align)).collect();
    for (i, (&b, &(size, align))) in buffers.iter().zip(&requests).enumerate() {
        assert_eq!(b as usize % align.max(64) as usize, 0);
        unsafe { b.write_bytes(i as u8, size as usize) };
    }
    for (i, (&b, &(size, _))) in buffers.iter().zip(&requests).enumerate() {
        assert!((0..size as usize).all(|k| unsafe { *b.add(k) } == i as u8));
        unsafe { terrace_rt_free(b) };
    }
    unsafe { terrace_rt_free(std::ptr::null_mut()) };
    terrace_rt_trim();
}

#[test]
fn a_large_block_comes_back_for_a_similar_request() {
    let _turn = TURN.lock();
    terrace_rt_trim();
    let first = terrace_rt_alloc(40 << 20, 64);
    unsafe { terrace_rt_free(first) };
    let second = terrace_rt_alloc((40 << 20) + 100_000, 64);
    assert_eq!(first, second);
    let third = terrace_rt_alloc(40 << 20, 64);
    assert_ne!(second, third);
    unsafe {
        terrace_rt_free(second);
        terrace_rt_free(third);
    }
    terrace_rt_trim();
}

#[test]
fn so_many_blocks_are_kept_and_no_more() {
    let _turn = TURN.lock();
    terrace_rt_trim();
    // The oldest that is kept is the only one of its size.
    let keep = |others: usize| {
        let first = terrace_rt_alloc(CACHED_FROM as i64, 64);
        // SAFETY: nobody uses them any more.
        unsafe { terrace_rt_free(first) };
        let others: Vec<_> = (0..others).map(|_| terrace_rt_alloc(3 * CACHED_FROM as i64, 64)).collect();
        others.into_iter().for_each(|buffer| unsafe { terrace_rt_free(buffer) });
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
    let buffer = terrace_rt_alloc(size, 64);
    unsafe { buffer.write_bytes(1, size as usize) };
    assert!(flags(buffer as usize).contains(" hg"), "{}", flags(buffer as usize));
    unsafe { terrace_rt_free(buffer) };
    terrace_rt_trim();
}

#[test]
fn the_names_of_mlirs_memref_lowering_agree() {
    let plain = _mlir_memref_to_llvm_alloc(100);
    let aligned = _mlir_memref_to_llvm_aligned_alloc(256, 100);
    assert_eq!((plain as usize % 64, aligned as usize % 256), (0, 0));
    unsafe {
        _mlir_memref_to_llvm_free(plain);
        _mlir_memref_to_llvm_free(aligned);
    }
}

#[test]
fn the_first_error_wins_and_is_taken_once() {
    assert!(terrace_rt_take_error().is_null());
    terrace_rt_set_error(c"index 7 is outside".as_ptr());
    terrace_rt_set_error(c"another".as_ptr());
    let message = unsafe { CStr::from_ptr(terrace_rt_take_error()) };
    assert_eq!(message, c"index 7 is outside");
    assert!(terrace_rt_take_error().is_null());
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
    let _turn = TURN.lock();
    let mut row = vec![1u8];
    let mut ask = |resize: Option<Resize>| {
        let mut made = MaybeUninit::<[*mut u8; 5]>::uninit();
        let storage = row.as_mut_ptr();
        terrace_rt_set_resize(resize, ptr::from_mut(&mut row).cast());
        // SAFETY: five words can be written, and the others are numbers.
        let words = unsafe {
            terrace_rt_resize_storage(made.as_mut_ptr().cast(), storage as i64, 1 << 16, 1);
            made.assume_init()
        };
        // It is the argument's, and there are as many bytes, whether or not they are the caller's.
        assert_eq!(words[0], storage);
        // SAFETY: there are so many.
        unsafe { words[1].add((1 << 16) - 1).write(9) };
        (words[1], terrace_rt_take_error())
    };
    let (made, error) = ask(Some(larger));
    assert!(error.is_null());
    let (_, error) = ask(None);
    // SAFETY: the message lives as long as the process.
    let said = unsafe { CStr::from_ptr(error) }.to_string_lossy();
    assert!(said.contains("the caller has to say how, by terrace_rt_set_resize"), "{said}");
    assert_eq!((row.len(), row.as_mut_ptr(), row[0], row[(1 << 16) - 1]), (1 << 16, made, 1, 9));
}
