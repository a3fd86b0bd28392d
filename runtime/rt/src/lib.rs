//! The small runtime archive that compiled objects link: `libterrace_rt.a`, with no LLVM in it.
//!
//! Compiled code calls services, each one file: [`pool`] runs the body of a parallel loop on every core, [`memory`] hands
//! out aligned buffers and keeps large ones for reuse, [`status`] carries the first run-time error back to the caller,
//! [`generator`] has the state that draws come from, [`storage`] asks the caller to make storages another size, and [`moved`] knows where they lie then, [`recompile`] to compile what was not;
//! [`objects`] says which tensors results are, [`depth`] counts calls of functions that come to call themselves.
//! And it calls library functions, [`sort`], [`histogram`] and [`fft`], with [`buffer`]s; [`aliasing`] says how tensors lie to
//! each other. All symbols have the C ABI and the prefix `terrace_rt_`; the names that MLIR's generic memref lowering and its C
//! interface ask for are provided beside them. [`symbols`] lists every one with its address, for a JIT.

pub mod aliasing;
pub mod buffer;
pub mod depth;
pub mod fft;
pub mod generator;
pub mod histogram;
pub mod hook;
pub mod memory;
pub mod moved;
pub mod objects;
pub mod pool;
pub mod recompile;
pub mod sort;
pub mod status;
pub mod storage;

use std::ffi::c_void;

/// Every symbol that compiled code may ask for, with its address.
pub fn symbols() -> [(&'static str, *const c_void); 43] {
    use {
        aliasing::*, depth::*, fft::*, generator::*, histogram::*, memory::*, moved::*, objects::*, pool::*,
        recompile::*, sort::*, status::*, storage::*,
    };
    [
        ("terrace_rt_parallel_for", terrace_rt_parallel_for as *const c_void),
        ("terrace_rt_set_threads", terrace_rt_set_threads as *const c_void),
        ("terrace_rt_threads", terrace_rt_threads as *const c_void),
        ("terrace_rt_alloc", terrace_rt_alloc as *const c_void),
        ("terrace_rt_room", terrace_rt_room as *const c_void),
        ("terrace_rt_check_room", terrace_rt_check_room as *const c_void),
        ("terrace_rt_free", terrace_rt_free as *const c_void),
        ("terrace_rt_trim", terrace_rt_trim as *const c_void),
        ("terrace_rt_set_error", terrace_rt_set_error as *const c_void),
        ("terrace_rt_take_error", terrace_rt_take_error as *const c_void),
        ("terrace_rt_generator_seed", terrace_rt_generator_seed as *const c_void),
        ("terrace_rt_generator_drawn", terrace_rt_generator_drawn as *const c_void),
        ("terrace_rt_set_generator", terrace_rt_set_generator as *const c_void),
        ("terrace_rt_sort", terrace_rt_sort as *const c_void),
        ("terrace_rt_histogram", terrace_rt_histogram as *const c_void),
        ("terrace_rt_fft", terrace_rt_fft as *const c_void),
        ("terrace_rt_check_disjoint", terrace_rt_check_disjoint as *const c_void),
        ("terrace_rt_check_distinct", terrace_rt_check_distinct as *const c_void),
        ("terrace_rt_check_same", terrace_rt_check_same as *const c_void),
        ("terrace_rt_assert_writable", terrace_rt_assert_writable as *const c_void),
        ("terrace_rt_view", terrace_rt_view as *const c_void),
        ("terrace_rt_set_storage_bytes", terrace_rt_set_storage_bytes as *const c_void),
        ("terrace_rt_storage_bytes", terrace_rt_storage_bytes as *const c_void),
        ("terrace_rt_reach", terrace_rt_reach as *const c_void),
        ("_mlir_ciface_terrace_rt_out_of_bounds", terrace_rt_out_of_bounds as *const c_void),
        ("terrace_rt_set_resize", terrace_rt_set_resize as *const c_void),
        ("_mlir_ciface_terrace_rt_resize_storage", terrace_rt_resize_storage as *const c_void),
        ("_mlir_ciface_terrace_rt_moved", terrace_rt_moved as *const c_void),
        ("terrace_rt_set_recompile", terrace_rt_set_recompile as *const c_void),
        ("terrace_rt_recompile", terrace_rt_recompile as *const c_void),
        ("_mlir_ciface_terrace_rt_recompiled", terrace_rt_recompiled as *const c_void),
        ("terrace_rt_enter", terrace_rt_enter as *const c_void),
        ("terrace_rt_leave", terrace_rt_leave as *const c_void),
        ("terrace_rt_new_object", terrace_rt_new_object as *const c_void),
        ("terrace_rt_tell_object", terrace_rt_tell_object as *const c_void),
        ("terrace_rt_told_object", terrace_rt_told_object as *const c_void),
        ("terrace_rt_tell_flags", terrace_rt_tell_flags as *const c_void),
        ("terrace_rt_told_flags", terrace_rt_told_flags as *const c_void),
        ("terrace_rt_pass_flags", terrace_rt_pass_flags as *const c_void),
        ("terrace_rt_passed_flags", terrace_rt_passed_flags as *const c_void),
        ("_mlir_memref_to_llvm_alloc", _mlir_memref_to_llvm_alloc as *const c_void),
        ("_mlir_memref_to_llvm_aligned_alloc", _mlir_memref_to_llvm_aligned_alloc as *const c_void),
        ("_mlir_memref_to_llvm_free", _mlir_memref_to_llvm_free as *const c_void),
    ]
}
