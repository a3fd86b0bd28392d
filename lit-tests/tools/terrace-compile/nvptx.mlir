// A GPU module becomes PTX, its math expanded.
// RUN: terrace-compile %s --target=nvptx --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: terrace-compile %s --target=nvptx --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: not terrace-compile %s --target=nvptx --arch=sm_9 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: not terrace-compile %s --target=nvptx --emit=obj 2>&1 | FileCheck %s --check-prefix=OBJ

// PTX: .target sm_90
// PTX: .visible .entry gelu(
// PTX: fma.rn.f32
// PTX-NOT: call
// LLVM: target triple = "nvptx64-nvidia-cuda"
// LLVM: define ptx_kernel void @gelu(
// ARCH: terrace-compile: unknown gpu architecture "sm_9", expected one of sm_70,
// OBJ: terrace-compile: --target=nvptx has --emit=ptx, --emit=llvm and --emit=bundle
gpu.module @kernels {
  gpu.func @gelu(%x: memref<?xf32>, %y: memref<?xf32>) kernel {
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %threads = gpu.block_dim x
    %first = arith.muli %block, %threads : index
    %i = arith.addi %first, %thread : index
    %v = memref.load %x[%i] : memref<?xf32>
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %scale = arith.constant 0.70710678 : f32
    %s = arith.mulf %v, %scale : f32
    %e = math.erf %s : f32
    %p = arith.addf %e, %one : f32
    %h = arith.mulf %v, %half : f32
    %r = arith.mulf %h, %p : f32
    memref.store %r, %y[%i] : memref<?xf32>
    gpu.return
  }
}
