// Rows of four, every two elements: what one row writes the next one reads.

// RUN: terrace-opt %s --convert-affine-to-loop --verify-diagnostics -o - | FileCheck %s

// CHECK: affine.for
// CHECK:   loop.scatter (%{{.*}} = 4)
func.func @windows(%x: memref<10xf32>) {
  %w = memref.reinterpret_cast %x to offset: [0], sizes: [4, 4], strides: [2, 1] : memref<10xf32> to memref<4x4xf32, strided<[2, 1]>>
  // expected-remark @+1 {{stays: has a store that may write one element several times}}
  affine.for %i = 0 to 4 {
    // Of one row alone every element is another one.
    affine.for %j = 0 to 4 {
      %a = affine.load %w[%i, %j] : memref<4x4xf32, strided<[2, 1]>>
      %b = arith.addf %a, %a : f32
      affine.store %b, %w[%i, %j] : memref<4x4xf32, strided<[2, 1]>>
    }
  }
  return
}
