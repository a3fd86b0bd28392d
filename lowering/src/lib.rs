//! Kernel to upstream dialects to LLVM to x86 and NVPTX
