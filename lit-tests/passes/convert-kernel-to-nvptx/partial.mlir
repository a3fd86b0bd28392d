// With partial a kernel that has no form on threads stays, its launches too, and a warning says which and why.
// RUN: terrace-opt %s -kernel-assign-layouts -convert-kernel-to-nvptx=partial=true -verify-diagnostics | FileCheck %s

// CHECK: gpu.func @copy
// CHECK: kernel.func @large
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch @large
// CHECK: gpu.launch_func @kernels::@copy
// expected-warning @+1 {{'kernel.func' op 'large' stays behind, it is not in the code for the GPU: 'memref.alloca' is scratch memory, 65536 bytes with what else the kernel has: a block shares 49152}}
kernel.func @large(%x: memref<32xf32>) grid() {
  %room = memref.alloca() : memref<16384xf32>
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 32] : memref<32xf32>
  kernel.store %a, %room[%c0 : 32] : tensor<32xf32>, memref<16384xf32>
  %b = kernel.load %room[%c0 : 32] : memref<16384xf32>
  kernel.store %b, %x[%c0 : 32] : tensor<32xf32>, memref<32xf32>
  kernel.return
}
kernel.func @copy(%x: memref<32xf32>, %y: memref<32xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 32] : memref<32xf32>
  kernel.store %a, %y[%c0 : 32] : tensor<32xf32>, memref<32xf32>
  kernel.return
}
func.func @main(%x: memref<32xf32>, %u: memref<32xf32>, %v: memref<32xf32>) {
  kernel.launch @large grid [] (%x) : memref<32xf32>
  kernel.launch @copy grid [] (%u, %v) : memref<32xf32>, memref<32xf32>
  return
}
