// What the second store writes is read for the first one in the next round.

// RUN: terrace-opt %s --convert-affine-to-loop --verify-diagnostics -o - | FileCheck %s

// CHECK-NOT: loop.
func.func @turns(%k: f32) -> (memref<9xf32>, memref<9xf32>) {
  %x = memref.alloc() : memref<9xf32>
  %y = memref.alloc() : memref<9xf32>
  // expected-remark @+1 {{stays: has 'affine.load' and a later 'affine.store' that may touch one element in turns}}
  affine.for %i = 0 to 8 {
    %a = affine.load %y[%i] : memref<9xf32>
    affine.store %a, %x[%i] : memref<9xf32>
    %b = affine.load %x[%i] : memref<9xf32>
    %c = arith.addf %b, %k : f32
    affine.store %c, %y[%i + 1] : memref<9xf32>
  }
  return %x, %y : memref<9xf32>, memref<9xf32>
}
