// A loop may begin at the largest of several bounds, and end at the least.

// RUN: terrace-opt %s --convert-affine-to-loop=distinct-arguments -o - | FileCheck %s

// CHECK-DAG: #[[$MOST:.*]] = affine_map<(d0, d1) -> (0, d0 - 5, d1)>
// CHECK-DAG: #[[$LEAST:.*]] = affine_map<(d0, d1) -> (100, d0, d1 + 9)>

// CHECK-LABEL: func.func @values(
//  CHECK-SAME:   %[[N:.*]]: index, %[[M:.*]]: index, %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>
//       CHECK:   %[[FROM:.*]] = affine.max #[[$MOST]](%[[N]], %[[M]])
//       CHECK:   %[[TO:.*]] = affine.min #[[$LEAST]](%[[N]], %[[M]])
//       CHECK:   %[[ROUNDS:.*]] = affine.apply #{{.*}}(%[[TO]], %[[FROM]])
//       CHECK:   %[[SIZE:.*]] = arith.maxsi %[[ROUNDS]], %{{.*}} : index
//       CHECK:   loop.scatter (%[[I:.*]] = %[[SIZE]]) into %[[Y]]
//       CHECK:     %[[V:.*]] = loop.load %[[X]][%[[I]] * 2 + %[[FROM]]]
//       CHECK:     loop.yield %[[V]] at [%[[I]] * 2 + %[[FROM]]]
func.func @values(%n: index, %m: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  affine.for %i = max affine_map<()[n, m] -> (n - 5, m, 0)>()[%n, %m] to min affine_map<()[n, m] -> (n, m + 9, 100)>()[%n, %m] step 2 {
    %v = affine.load %x[%i] : memref<?xf32>
    affine.store %v, %y[%i] : memref<?xf32>
  }
  return
}

// Of several numbers one is left.
// CHECK-LABEL: func.func @numbers(
//       CHECK:   loop.pointwise (%{{.*}} = 8)
func.func @numbers(%x: memref<8xf32>, %y: memref<8xf32>) {
  affine.for %i = max affine_map<() -> (-1, 0)>() to min affine_map<() -> (9, 8)>() {
    %v = affine.load %x[%i] : memref<8xf32>
    affine.store %v, %y[%i] : memref<8xf32>
  }
  return
}
