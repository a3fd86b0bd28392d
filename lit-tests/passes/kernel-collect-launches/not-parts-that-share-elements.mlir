// RUN: terrace-opt %s --kernel-collect-launches | FileCheck %s

// Columns 0 to 15 and columns 15 to 30.
kernel.func @a(%w: memref<64x16xf32, strided<[64, 1], offset: 0>>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<1.0> : tensor<16xf32>
  kernel.store %t, %w[%i, %c0 : 16] : tensor<16xf32>, memref<64x16xf32, strided<[64, 1], offset: 0>>
  kernel.return
}
kernel.func @b(%w: memref<64x16xf32, strided<[64, 1], offset: 15>>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<1.0> : tensor<16xf32>
  kernel.store %t, %w[%i, %c0 : 16] : tensor<16xf32>, memref<64x16xf32, strided<[64, 1], offset: 15>>
  kernel.return
}

// CHECK-LABEL: func.func @main(
// CHECK-NOT: kernel.concurrent
func.func @main() -> memref<64x64xf32> {
  %y = memref.alloc() : memref<64x64xf32>
  %0 = memref.subview %y[0, 0] [64, 16] [1, 1] : memref<64x64xf32> to memref<64x16xf32, strided<[64, 1], offset: 0>>
  kernel.launch @a grid [64](%0) : memref<64x16xf32, strided<[64, 1], offset: 0>>
  %1 = memref.subview %y[0, 15] [64, 16] [1, 1] : memref<64x64xf32> to memref<64x16xf32, strided<[64, 1], offset: 15>>
  kernel.launch @b grid [64](%1) : memref<64x16xf32, strided<[64, 1], offset: 15>>
  return %y : memref<64x64xf32>
}
