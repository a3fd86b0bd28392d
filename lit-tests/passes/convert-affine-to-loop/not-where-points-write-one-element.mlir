// The last one wins, by the order of the loop; so it does in a reduction that is none.

// RUN: terrace-opt %s --convert-affine-to-loop --verify-diagnostics -o - | FileCheck %s

// CHECK-NOT: loop.
func.func @last(%x: memref<8xf32>) -> memref<4xf32> {
  %y = memref.alloc() : memref<4xf32>
  // expected-remark @+1 {{stays: has a store that may write one element several times}}
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf32>
    affine.store %a, %y[0] : memref<4xf32>
  }
  // expected-remark @+1 {{stays: has a store that may write one element several times}}
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf32>
    %s = affine.load %y[1] : memref<4xf32>
    %d = arith.subf %a, %s : f32
    affine.store %d, %y[1] : memref<4xf32>
  }
  return %y : memref<4xf32>
}
