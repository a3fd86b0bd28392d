// Parallel loops say that their rounds have nothing to do with each other, and sums of them have no order.

// RUN: terrace-opt %s --convert-affine-to-loop --verify-diagnostics -o - | FileCheck %s

// Nothing is known of the arguments.
// CHECK-LABEL: func.func @points(
//       CHECK:   loop.pointwise (%[[I:.*]] = 8, %[[J:.*]] = 9)
//  CHECK-NEXT:     loop.load %{{.*}}[%[[J]], %[[I]]]
func.func @points(%x: memref<9x8xf32>, %y: memref<8x9xf32>) {
  affine.parallel (%i, %j) = (0, 0) to (8, 9) {
    %v = affine.load %x[%j, %i] : memref<9x8xf32>
    affine.store %v, %y[%i, %j] : memref<8x9xf32>
  }
  return
}

// A sum of nothing is zero, not minus zero.
// CHECK-LABEL: func.func @sums(
//       CHECK:   loop.group (%[[I:.*]] = 8) into
//       CHECK:     %[[S:.*]] = loop.reduction add over (%[[J:.*]] = 9)
//       CHECK:     arith.addf %{{.*}}, %[[S]]
func.func @sums(%x: memref<8x9xf32>, %y: memref<8xf32> {llvm.noalias}) {
  affine.parallel (%i) = (0) to (8) {
    %s = affine.parallel (%j) = (0) to (9) reduce ("addf") -> f32 {
      %v = affine.load %x[%i, %j] : memref<8x9xf32>
      affine.yield %v : f32
    }
    affine.store %s, %y[%i] : memref<8xf32>
  }
  return
}

// The loop inside has an order.
// CHECK-LABEL: func.func @outside_alone(
//       CHECK:   affine.parallel
func.func @outside_alone(%x: memref<8x9xf32>, %y: memref<8xf32>) {
  // expected-remark @+1 {{stays: has a store that may write one element several times}}
  affine.parallel (%i) = (0) to (8) {
    // expected-remark @+1 {{stays: has a store that may write one element several times}}
    affine.for %j = 0 to 9 {
      %v = affine.load %x[%i, %j] : memref<8x9xf32>
      affine.store %v, %y[%i] : memref<8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @not_by_the_last(
//       CHECK:   affine.parallel
func.func @not_by_the_last(%x: memref<8x9xf32>, %y: memref<8xf32>) {
  // expected-remark @+1 {{stays: has a loop that combines by something else than a sum, product, maximum, minimum, 'and' or 'or'}}
  affine.parallel (%i) = (0) to (8) {
    %s = affine.parallel (%j) = (0) to (9) reduce ("assign") -> f32 {
      %v = affine.load %x[%i, %j] : memref<8x9xf32>
      affine.yield %v : f32
    }
    affine.store %s, %y[%i] : memref<8xf32>
  }
  return
}
