// Loops are in the order that is said, and tiles are run point by point.

// RUN: terrace-opt %s --convert-loop-to-scf --verify-diagnostics -o - | FileCheck %s

// CHECK-LABEL: func.func @pointwise(
// CHECK-SAME: %[[X:.*]]: memref<64x30xf32>, %[[Y:.*]]: memref<64x30xf32>
// CHECK: scf.parallel (%[[J0:.*]], %[[I0:.*]]) = (%{{.*}}, %{{.*}}) to (%c30, %c64) step (%c8{{.*}}, %c16{{.*}})
// CHECK:   %[[J1:.*]] = arith.addi %[[J0]], %{{.*}}
// CHECK:   %[[JE:.*]] = arith.minsi %[[J1]], %{{.*}}
// CHECK:   scf.for %[[J:.*]] = %[[J0]] to %[[JE]]
// CHECK:     %[[IE:.*]] = arith.addi %[[I0]], %{{.*}}
// CHECK-NOT: arith.minsi
// CHECK:     scf.for %[[I:.*]] = %[[I0]] to %[[IE]]
// CHECK:       %[[V:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK:       memref.store %[[V]], %[[Y]][%[[I]], %[[J]]]
func.func @pointwise(%x: memref<64x30xf32>, %y: memref<64x30xf32>) {
  loop.pointwise (%i = 64, %j = 30) into %y {
    %v = loop.load %x[%i, %j] : memref<64x30xf32>
    loop.yield %v : f32
  } order [1, 0] tile [16, 8] : memref<64x30xf32>
  return
}

// A sum over two dimensions, the second of them outside.
// CHECK-LABEL: func.func @reduction(
// CHECK-SAME: %[[X:.*]]: memref<4x5x6xf32>, %[[Y:.*]]: memref<4xf32>
// CHECK: scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%c4
// CHECK:   scf.for %[[K:.*]] = %{{.*}} to %c6
// CHECK:     scf.for %[[J:.*]] = %{{.*}} to %c5
// CHECK:       memref.load %[[X]][%[[I]], %[[J]], %[[K]]]
func.func @reduction(%x: memref<4x5x6xf32>, %y: memref<4xf32>) {
  loop.reduction add (%i = 4) over (%j = 5, %k = 6) into %y {
    %v = loop.load %x[%i, %j, %k] : memref<4x5x6xf32>
    loop.yield %v : f32
  } order [0, 2, 1] : memref<4xf32>
  return
}

// A sum is a number: its loop stays inside.
// CHECK-LABEL: func.func @inside_out(
// CHECK: scf.parallel (%{{.*}}) = (%{{.*}}) to (%c4
// CHECK:   scf.for %{{.*}} = %{{.*}} to %c5
func.func @inside_out(%x: memref<5x4xf32>, %y: memref<4xf32>) {
  // expected-remark @+1 {{runs its inner domain inside of the outer one, whatever its order says}}
  loop.reduction add (%i = 4) over (%k = 5) into %y {
    %v = loop.load %x[%k, %i] : memref<5x4xf32>
    loop.yield %v : f32
  } order [1, 0] : memref<4xf32>
  return
}
