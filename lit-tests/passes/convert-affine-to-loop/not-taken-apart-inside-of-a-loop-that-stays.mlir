// Stores of one loop become operations one after the other, each of which reads what they have in common. Inside of a loop that stays
// nobody fuses them again as the loop was.

// RUN: terrace-opt %s --convert-affine-to-loop='distinct-arguments reassociate-floats' --verify-diagnostics -o - | FileCheck %s

// CHECK-LABEL: func.func @inside(
//   CHECK-NOT:   loop.
func.func @inside(%a: memref<8x8xf32>, %x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-remark @+1 {{stays: has a loop whose bounds depend on another one}}
  affine.for %i = 0 to 8 {
    // expected-remark @+1 {{stays: has several stores in one loop, inside of another loop that stays}}
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %v = affine.load %a[%j, %i] : memref<8x8xf32>
      affine.store %v, %x[%j] : memref<8xf32>
      %w = arith.negf %v : f32
      affine.store %w, %y[%j] : memref<8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @outside(
//       CHECK:   loop.pointwise
//       CHECK:   loop.pointwise
func.func @outside(%a: memref<8xf32>, %x: memref<8xf32>, %y: memref<8xf32>) {
  affine.for %j = 0 to 8 {
    %v = affine.load %a[%j] : memref<8xf32>
    affine.store %v, %x[%j] : memref<8xf32>
    %w = arith.negf %v : f32
    affine.store %w, %y[%j] : memref<8xf32>
  }
  return
}
