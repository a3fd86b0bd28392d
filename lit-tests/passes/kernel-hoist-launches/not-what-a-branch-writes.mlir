// RUN: terrace-opt %s --kernel-hoist-launches | FileCheck %s

// What a branch writes is written in some rounds only.
kernel.func @pack(%w: memref<64x16xf32>, %p: memref<64x16xf32>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %t = kernel.load %w[%i, %c0 : 16] : memref<64x16xf32>
  kernel.store %t, %p[%i, %c0 : 16] : tensor<16xf32>, memref<64x16xf32>
  kernel.return
}

// CHECK-LABEL: func.func @main(
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: scf.if
// CHECK: kernel.launch @pack
func.func @main(%w: memref<64x16xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %z = memref.alloc() : memref<64x16xf32>
  scf.for %t = %c0 to %c9 step %c1 {
    %p = memref.alloc() : memref<64x16xf32>
    scf.if %c {
      kernel.launch @pack grid [64](%w, %p) : memref<64x16xf32>, memref<64x16xf32>
    }
    kernel.launch @pack grid [64](%p, %z) : memref<64x16xf32>, memref<64x16xf32>
    memref.dealloc %p : memref<64x16xf32>
  }
  memref.dealloc %z : memref<64x16xf32>
  return
}
