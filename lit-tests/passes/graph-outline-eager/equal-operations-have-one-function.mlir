// Operations that are alike, on operands that lie alike, are calls of one function; of another attribute it is another one.
// RUN: terrace-opt %s --graph-outline-eager | FileCheck %s

// CHECK-LABEL: func.func @twice
// CHECK: call @twice.sum(%arg0)
// CHECK: call @twice.sum(%arg0)
// CHECK: call @twice.sum_0(%arg0)
// CHECK-COUNT-2: func.func private @twice.sum
// CHECK-NOT: func.func private
func.func @twice(%a: !graph.tensor<4x4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) attributes {graph.eager} {
  %0 = graph.sum %a {dim = array<i64: 0>} : !graph.tensor<4x4xf32>
  %1 = graph.sum %a {dim = array<i64: 0>} : !graph.tensor<4x4xf32>
  %2 = graph.sum %a {dim = array<i64: 1>} : !graph.tensor<4x4xf32>
  return %0, %1, %2 : !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>
}
