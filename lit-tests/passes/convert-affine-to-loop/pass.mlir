// Each store is an operation: at each point, or over the loops that do not move its element.

// RUN: terrace-opt %s --convert-affine-to-loop='distinct-arguments reassociate-floats' | FileCheck %s

// Zeros, then sums.
// CHECK-LABEL: func.func @row_sums(
//  CHECK-SAME: %[[X:.*]]: memref<4x8xf32>, %[[Y:.*]]: memref<4xf32>)
//   CHECK-NOT:   affine.for
//       CHECK:   loop.pointwise (%{{.*}} = 4) into %[[Y]]
//       CHECK:   loop.group (%[[I:.*]] = 4) into (%[[Y]] as %[[P:.*]] : memref<4xf32>)
//       CHECK:     %[[R:.*]] = loop.reduction add over (%[[J:.*]] = 8)
//       CHECK:       loop.load %[[X]][%[[I]], %[[J]]]
//       CHECK:     %[[S:.*]] = loop.load %[[Y]][%[[I]]]
//       CHECK:     %[[T:.*]] = arith.addf %[[S]], %[[R]]
//       CHECK:       loop.insert %[[T]] into %[[P]] at [%[[I]]]
func.func @row_sums(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.store %zero, %y[%i] : memref<4xf32>
    affine.for %j = 0 to 8 {
      %a = affine.load %x[%i, %j] : memref<4x8xf32>
      %s = affine.load %y[%i] : memref<4xf32>
      %t = arith.addf %s, %a : f32
      affine.store %t, %y[%i] : memref<4xf32>
    }
  }
  return
}

// The domain is the destination's, whichever loop is outside.
// CHECK-LABEL: func.func @columns_first(
//  CHECK-SAME: %[[X:.*]]: memref<?x?xf32>, %[[Y:.*]]: memref<?x?xf32>)
//       CHECK:   loop.pointwise (%[[I:.*]] = %{{.*}}, %[[J:.*]] = %{{.*}}) into %[[Y]]
//       CHECK:     loop.load %[[X]][%[[J]], %[[I]]]
func.func @columns_first(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?x?xf32>
  %m = memref.dim %y, %c1 : memref<?x?xf32>
  affine.for %j = 0 to %m {
    affine.for %i = 0 to %n {
      %a = affine.load %x[%j, %i] : memref<?x?xf32>
      affine.store %a, %y[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// Indices in the arithmetic, bounds that symbols say, a step.
// CHECK-LABEL: func.func @from(
//  CHECK-SAME: %[[Y:.*]]: memref<?xi64>, %[[A:.*]]: index, %[[B:.*]]: index)
//       CHECK:   %[[N:.*]] = affine.apply #{{.*}}(%[[B]], %[[A]])
//       CHECK:   %[[SIZE:.*]] = arith.maxsi %[[N]], %{{.*}}
//       CHECK:   loop.scatter (%[[I:.*]] = %[[SIZE]]) into %[[Y]]
//       CHECK:     arith.index_cast %{{.*}} : index to i64
//       CHECK:     loop.yield %{{.*}} at [%[[I]] * 2 + %[[A]]]
func.func @from(%y: memref<?xi64>, %a: index, %b: index) {
  affine.for %i = affine_map<()[s] -> (s)>()[%a] to affine_map<()[s] -> (s)>()[%b] step 2 {
    %k = arith.index_cast %i : index to i64
    affine.store %k, %y[%i] : memref<?xi64>
  }
  return
}

// What loops carry; what is read at a place that was read.
// CHECK-LABEL: func.func @carried(
//       CHECK:   loop.group (%[[I:.*]] = 4)
//       CHECK:     %[[R:.*]] = loop.reduction mul over (%[[J:.*]] = 8)
//       CHECK:       %[[AT:.*]] = loop.load %{{.*}}[%[[J]]] : memref<8xindex>
//       CHECK:       loop.load %{{.*}}[%[[I]], %[[AT]]]
//       CHECK:     arith.mulf %{{.*}}, %[[R]]
func.func @carried(%x: memref<4x8xf32>, %at: memref<8xindex>, %y: memref<4xf32>, %k: f32) {
  affine.for %i = 0 to 4 {
    %p = affine.for %j = 0 to 8 iter_args(%q = %k) -> f32 {
      %n = affine.load %at[%j] : memref<8xindex>
      %a = memref.load %x[%i, %n] : memref<4x8xf32>
      %r = arith.mulf %q, %a : f32
      affine.yield %r : f32
    }
    affine.store %p, %y[%i] : memref<4xf32>
  }
  return
}
