// RUN: terrace-opt %s --graph-functionalize --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func private @triangle.core
// CHECK: %[[D:.*]] = functional.sub
// CHECK: %[[K:.*]] = functional.le %[[D]]
// CHECK: functional.where %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x9x9xi1>, tensor<2x9x9xf32>
func.func @triangle(%x: !graph.tensor<2x9x9xf32>) -> !graph.tensor<2x9x9xf32> {
  %0 = graph.tril %x {diagonal = -1 : i64} : !graph.tensor<2x9x9xf32>
  return %0 : !graph.tensor<2x9x9xf32>
}

// -----

// CHECK-LABEL: func.func private @indices.core
// CHECK: arith.constant dense<{{\[\[}}0, 1, 1], [0, 0, 1]]> : tensor<2x3xi64>
func.func @indices() -> !graph.tensor<2x3xi64> {
  %0 = graph.tril_indices {row = 2 : i64, col = 2 : i64}
  return %0 : !graph.tensor<2x3xi64>
}

// -----

// CHECK-LABEL: func.func private @flip.core
// CHECK: functional.flip %{{.*}} {dims = array<i64: 0>}
// CHECK-LABEL: func.func @flip
func.func @flip(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.flip %x {dims = array<i64: 0>} : !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}
