// %y has three elements. The program is right where %n is 2 or less, for nothing is stored then; a loop operation would read all six places
// of what it combines.

// RUN: terrace-opt %s --convert-affine-to-loop | FileCheck %s

// CHECK-LABEL: func.func @beyond(
//   CHECK-NOT:   loop.
//       CHECK:   affine.for
func.func @beyond(%y: memref<3xi16>, %n: index) {
  %c1 = arith.constant 1 : i16
  affine.for %i = 0 to 6 {
    affine.for %j = 2 to %n {
      %a = affine.load %y[%i] : memref<3xi16>
      %b = arith.addi %a, %c1 : i16
      affine.store %b, %y[%i] : memref<3xi16>
    }
  }
  return
}

// CHECK-LABEL: func.func @within(
//       CHECK:   loop.
//   CHECK-NOT:   affine.for
func.func @within(%y: memref<6xi16>, %n: index) {
  %c1 = arith.constant 1 : i16
  affine.for %i = 0 to 6 {
    affine.for %j = 2 to %n {
      %a = affine.load %y[%i] : memref<6xi16>
      %b = arith.addi %a, %c1 : i16
      affine.store %b, %y[%i] : memref<6xi16>
    }
  }
  return
}
