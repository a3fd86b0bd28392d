// Loops that were tiled are read as what they were before: tiles are decided later on.

// RUN: terrace-opt %s --convert-affine-to-loop=distinct-arguments --verify-diagnostics -o - | FileCheck %s

// Both dimensions, the second of them of a size that the tiles divide.
// CHECK-LABEL: func.func @two(
//       CHECK:   loop.pointwise (%[[I:.*]] = 100, %[[J:.*]] = 64) into
//  CHECK-NEXT:     loop.load %{{.*}}[%[[J]], %[[I]]]
func.func @two(%x: memref<64x100xf32>, %y: memref<100x64xf32>) {
  affine.for %t = 0 to 100 step 32 {
    affine.for %u = 0 to 64 step 16 {
      affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0) -> (d0 + 32, 100)>(%t) {
        affine.for %j = affine_map<(d0) -> (d0)>(%u) to affine_map<(d0) -> (d0 + 16)>(%u) {
          %v = affine.load %x[%j, %i] : memref<64x100xf32>
          affine.store %v, %y[%i, %j] : memref<100x64xf32>
        }
      }
    }
  }
  return
}

// From a number on, by a step, up to a value.
// CHECK-LABEL: func.func @steps(
//  CHECK-SAME:   %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>, %[[N:.*]]: index
//       CHECK:   %[[R:.*]] = affine.apply #{{.*}}(%[[N]])
//       CHECK:   %[[S:.*]] = arith.maxsi %[[R]], %{{.*}} : index
//       CHECK:   loop.scatter (%[[I:.*]] = %[[S]]) into %[[Y]]
//  CHECK-NEXT:     loop.load %[[X]][%[[I]] * 2 + 3]
func.func @steps(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  affine.for %t = 3 to %n step 8 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0)[n] -> (n, d0 + 8)>(%t)[%n] step 2 {
      %v = affine.load %x[%i] : memref<?xf32>
      affine.store %v, %y[%i] : memref<?xf32>
    }
  }
  return
}

// What else ends the inner loop ends the whole one.
// CHECK-LABEL: func.func @shorter(
//  CHECK-SAME:   %[[M:[^:]*]]: index
//       CHECK:   %[[E:.*]] = affine.min #{{.*}}(%[[M]])
//       CHECK:   %[[R:.*]] = affine.apply #{{.*}}(%[[E]])
//       CHECK:   %[[S:.*]] = arith.maxsi %[[R]], %{{.*}} : index
//       CHECK:   loop.scatter (%{{.*}} = %[[S]])
func.func @shorter(%m: index, %x: memref<100xf32>, %y: memref<100xf32>) {
  affine.for %t = 0 to 100 step 32 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0)[m] -> (d0 + 32, 100, m)>(%t)[%m] {
      %v = affine.load %x[%i] : memref<100xf32>
      affine.store %v, %y[%i] : memref<100xf32>
    }
  }
  return
}

// The tiles of parallel loops.
// CHECK-LABEL: func.func @parallel(
//       CHECK:   loop.pointwise (%{{.*}} = 100, %{{.*}} = 64)
func.func @parallel(%x: memref<100x64xf32>, %y: memref<100x64xf32>) {
  affine.parallel (%t, %u) = (0, 0) to (100, 64) step (32, 16) {
    affine.parallel (%i, %j) = (%t, %u) to (min(%t + 32, 100), %u + 16) {
      %v = affine.load %x[%i, %j] : memref<100x64xf32>
      affine.store %v, %y[%i, %j] : memref<100x64xf32>
    }
  }
  return
}
