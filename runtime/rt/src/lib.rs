//! The small runtime archive that compiled objects link: `libterrace_rt.a`, with no LLVM in it.
//!
//! A call has a [`context`], which its services are given first. Each is one file: [`pool`] runs the body of
//! a parallel loop on every core, [`memory`] hands out aligned buffers and keeps large ones for reuse,
//! [`generator`] has the state that draws come from, [`storage`] asks the caller to make storages another
//! size. And it calls library functions, [`sort`], [`histogram`] and [`fft`], with [`buffer`]s; [`aliasing`]
//! says how tensors lie to each other. All symbols have the C ABI and the prefix `terrace_rt_`; the names
//! that MLIR's generic memref lowering and its C interface ask for are provided beside them. [`symbols`]
//! lists every one with its address, for a JIT.

pub mod aliasing;
pub mod buffer;
pub mod context;
pub mod fft;
pub mod generator;
pub mod histogram;
pub mod memory;
pub mod pool;
pub mod sort;
pub mod storage;

use std::ffi::c_void;

/// Every symbol that compiled code may ask for, with its address.
pub fn symbols() -> Vec<(&'static str, *const c_void)> {
    use {
        aliasing::*, context::*, fft::*, generator::*, histogram::*, memory::*, pool::*, sort::*, storage::*,
    };
    macro_rules! symbols {
        ($($name:ident),* $(,)?) => { vec![$((stringify!($name), $name as *const c_void)),*] };
    }
    let mut all = symbols![
        terrace_rt_begin,
        terrace_rt_finish,
        terrace_rt_set_error,
        terrace_rt_refuse,
        terrace_rt_locate,
        terrace_rt_parallel_for,
        terrace_rt_alloc,
        terrace_rt_capacity,
        terrace_rt_check_capacity,
        terrace_rt_free,
        terrace_rt_generator_seed,
        terrace_rt_generator_drawn,
        terrace_rt_set_generator,
        terrace_rt_sort,
        terrace_rt_histogram,
        terrace_rt_fft,
        terrace_rt_check_disjoint,
        terrace_rt_check_distinct,
        terrace_rt_check_same,
        terrace_rt_storage_bytes,
        _mlir_memref_to_llvm_alloc,
        _mlir_memref_to_llvm_aligned_alloc,
        _mlir_memref_to_llvm_free,
    ];
    all.push(("_mlir_ciface_terrace_rt_out_of_bounds", terrace_rt_out_of_bounds as *const c_void));
    all.push(("_mlir_ciface_terrace_rt_resize_storage", terrace_rt_resize_storage as *const c_void));
    all
}
