// RUN: terrace-opt %s --kernel-hoist-launches | FileCheck %s

// Numbers of elements may be checked in the loop.
kernel.func @pack(%w: memref<64x16xf32>, %p: memref<64x16xf32>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %t = kernel.load %w[%i, %c0 : 16] : memref<64x16xf32>
  kernel.store %t, %p[%i, %c0 : 16] : tensor<16xf32>, memref<64x16xf32>
  kernel.return
}
kernel.func @pick(%w: memref<64x16xf32>, %n: memref<64x16xi64>, %p: memref<64x16xf32>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %t = kernel.load %n[%i, %c0 : 16] : memref<64x16xi64>
  %k = arith.index_cast %t : tensor<16xi64> to tensor<16xindex>
  %g = kernel.gather %w[%i, %k] : memref<64x16xf32>, index, tensor<16xindex> -> tensor<16xf32>
  kernel.store %g, %p[%i, %c0 : 16] : tensor<16xf32>, memref<64x16xf32>
  kernel.return
}

// CHECK-LABEL: func.func @main(
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: kernel.launch @pick
func.func @main(%w: memref<64x16xf32>, %n: memref<64x16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %z = memref.alloc() : memref<64x16xf32>
  scf.for %t = %c0 to %c9 step %c1 {
    %p = memref.alloc() : memref<64x16xf32>
    kernel.launch @pick grid [64](%w, %n, %p) : memref<64x16xf32>, memref<64x16xi64>, memref<64x16xf32>
    kernel.launch @pack grid [64](%p, %z) : memref<64x16xf32>, memref<64x16xf32>
    memref.dealloc %p : memref<64x16xf32>
  }
  memref.dealloc %z : memref<64x16xf32>
  return
}
