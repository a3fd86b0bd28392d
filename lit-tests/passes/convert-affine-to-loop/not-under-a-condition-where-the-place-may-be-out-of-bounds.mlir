// A store under a condition becomes one of the old value elsewhere: the place has to be there.

// RUN: terrace-opt %s --convert-affine-to-loop --verify-diagnostics -o - | FileCheck %s

#after = affine_set<(i) : (i - 1 >= 0)>

// CHECK-LABEL: func.func @before
//   CHECK-NOT:   loop.
func.func @before(%x: memref<8xf32>, %k: f32) {
  // expected-remark @+1 {{stays: has a store under a condition, at a place that may be out of bounds elsewhere}}
  affine.for %i = 0 to 8 {
    affine.if #after(%i) {
      affine.store %k, %x[%i - 1] : memref<8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @at
//       CHECK:   loop.pointwise
//       CHECK:     arith.select
func.func @at(%x: memref<8xf32>, %k: f32) {
  affine.for %i = 0 to 8 {
    affine.if #after(%i) {
      affine.store %k, %x[%i] : memref<8xf32>
    } else {
    }
  }
  return
}
