// RUN: terrace-opt %s --convert-loop-to-kernel | FileCheck %s

// Tiles of a product are stored while others are still read.
// CHECK-NOT: kernel.matmul
// CHECK: kernel.func @square.reduction_0
func.func @square(%x: memref<32x32xf32>, %w: memref<32x32xf32>) {
  loop.reduction add (%i = 32, %j = 32) over (%k = 32) into %x {
    %a = loop.load %x[%i, %k] : memref<32x32xf32>
    %b = loop.load %w[%k, %j] : memref<32x32xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : memref<32x32xf32>
  return
}
