// RUN: terrace-opt %s --kernel-collect-launches | FileCheck %s

// Columns 0 to 15 and columns 16 to 31.
kernel.func @a(%w: memref<64x16xf32, strided<[64, 1], offset: 0>>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<1.0> : tensor<16xf32>
  kernel.store %t, %w[%i, %c0 : 16] : tensor<16xf32>, memref<64x16xf32, strided<[64, 1], offset: 0>>
  kernel.return
}
kernel.func @b(%w: memref<64x16xf32, strided<[64, 1], offset: 16>>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<1.0> : tensor<16xf32>
  kernel.store %t, %w[%i, %c0 : 16] : tensor<16xf32>, memref<64x16xf32, strided<[64, 1], offset: 16>>
  kernel.return
}

// CHECK-LABEL: func.func @main(
// CHECK: kernel.concurrent {
// CHECK-NEXT: kernel.launch @a
// CHECK-NEXT: kernel.launch @b
func.func @main() -> memref<64x64xf32> {
  %y = memref.alloc() : memref<64x64xf32>
  %0 = memref.subview %y[0, 0] [64, 16] [1, 1] : memref<64x64xf32> to memref<64x16xf32, strided<[64, 1], offset: 0>>
  kernel.launch @a grid [64](%0) : memref<64x16xf32, strided<[64, 1], offset: 0>>
  %1 = memref.subview %y[0, 16] [64, 16] [1, 1] : memref<64x64xf32> to memref<64x16xf32, strided<[64, 1], offset: 16>>
  kernel.launch @b grid [64](%1) : memref<64x16xf32, strided<[64, 1], offset: 16>>
  return %y : memref<64x64xf32>
}
