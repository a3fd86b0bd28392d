//! What functions are expanded for.

/// What an expansion may count on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Fused multiply-add in hardware; without it `math.fma` is a library call an element.
    pub fma: bool,
    /// AVX-512, for vectors of sixteen elements.
    pub avx512: bool,
    /// A GPU of NVIDIA's, where functions that are single instructions become LLVM's intrinsics: upstream's
    /// lowering to NVVM would call a library for them.
    pub nvptx: bool,
}
