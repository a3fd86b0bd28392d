// Each element needs the new value of the one before it.

// RUN: terrace-opt %s --convert-affine-to-loop --verify-diagnostics -o - | FileCheck %s

// CHECK-NOT: loop.
func.func @sums(%x: memref<8xf32>) {
  // expected-remark @+1 {{stays: has 'affine.load' of an element that another point may write}}
  affine.for %i = 1 to 8 {
    %a = affine.load %x[%i - 1] : memref<8xf32>
    %b = affine.load %x[%i] : memref<8xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %x[%i] : memref<8xf32>
  }
  return
}
