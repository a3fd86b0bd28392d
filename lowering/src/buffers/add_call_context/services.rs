//! The services of the runtime that take a context, and what each does beside its work.

/// What a service of the runtime does beside its work.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It cannot fail.
    Sure,
    /// It can fail, and says itself what went wrong.
    Fails,
    /// It is told what went wrong, and where: the call has failed.
    Reports,
    /// It runs a function, by its address, and fails as that does.
    Runs,
}

/// The services that take a context.
pub(super) const SERVICES: [(&str, Kind); 23] = [
    ("terrace_rt_set_error", Kind::Reports),
    ("terrace_rt_refuse", Kind::Reports),
    (RUNS, Kind::Runs),
    (ALLOC, Kind::Fails),
    (PLAIN_ALLOC, Kind::Fails),
    (ALIGNED_ALLOC, Kind::Fails),
    (FREE, Kind::Sure),
    (PLAIN_FREE, Kind::Sure),
    ("terrace_rt_check_capacity", Kind::Fails),
    ("terrace_rt_generator_seed", Kind::Sure),
    ("terrace_rt_generator_drawn", Kind::Sure),
    ("terrace_rt_set_generator", Kind::Sure),
    ("terrace_rt_sort", Kind::Fails),
    ("terrace_rt_histogram", Kind::Fails),
    ("terrace_rt_fft", Kind::Fails),
    ("terrace_rt_storage_bytes", Kind::Sure),
    ("_mlir_ciface_terrace_rt_out_of_bounds", Kind::Fails),
    ("_mlir_ciface_terrace_rt_resize_storage", Kind::Fails),
    ("terrace_gpu_launch", Kind::Fails),
    ("terrace_gpu_fetch", Kind::Fails),
    ("terrace_gpu_read", Kind::Fails),
    ("terrace_gpu_write", Kind::Fails),
    ("terrace_gpu_constant", Kind::Fails),
];

pub(super) const ALLOC: &str = "terrace_rt_alloc";
pub(super) const FREE: &str = "terrace_rt_free";
/// What upstream's lowering of memrefs calls.
pub(super) const PLAIN_ALLOC: &str = "_mlir_memref_to_llvm_alloc";
pub(super) const ALIGNED_ALLOC: &str = "_mlir_memref_to_llvm_aligned_alloc";
pub(super) const PLAIN_FREE: &str = "_mlir_memref_to_llvm_free";
/// What says where an error came up.
pub(super) const LOCATE: &str = "terrace_rt_locate";
/// What runs a function on threads.
pub(super) const RUNS: &str = "terrace_rt_parallel_for";
