// With partial a kernel that has no form on threads stays, its launches too, and a warning says which and why.
// RUN: terrace-opt %s -kernel-assign-layouts -convert-kernel-to-nvptx=partial=true -verify-diagnostics | FileCheck %s

// CHECK: gpu.func @copy
// CHECK: kernel.func @product
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch @product
// CHECK: gpu.launch_func @kernels::@copy
// expected-warning @+1 {{'kernel.func' op 'product' stays behind, it is not in the code for the GPU: 'kernel.dot' has no form on the threads of a GPU}}
kernel.func @product(%x: memref<8x4xf32>, %w: memref<4x32xf32>, %y: memref<8x32xf32>) grid() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<8x32xf32>
  %a = kernel.load %x[%c0 : 8, %c0 : 1] : memref<8x4xf32>
  %b = kernel.load %w[%c0 : 1, %c0 : 32] : memref<4x32xf32>
  %d = kernel.dot %a, %b, %zero : tensor<8x1xf32>, tensor<1x32xf32>, tensor<8x32xf32>
  kernel.store %d, %y[%c0 : 8, %c0 : 32] : tensor<8x32xf32>, memref<8x32xf32>
  kernel.return
}
kernel.func @copy(%x: memref<32xf32>, %y: memref<32xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 32] : memref<32xf32>
  kernel.store %a, %y[%c0 : 32] : tensor<32xf32>, memref<32xf32>
  kernel.return
}
func.func @main(%x: memref<8x4xf32>, %w: memref<4x32xf32>, %y: memref<8x32xf32>, %u: memref<32xf32>, %v: memref<32xf32>) {
  kernel.launch @product grid [] (%x, %w, %y) : memref<8x4xf32>, memref<4x32xf32>, memref<8x32xf32>
  kernel.launch @copy grid [] (%u, %v) : memref<32xf32>, memref<32xf32>
  return
}
