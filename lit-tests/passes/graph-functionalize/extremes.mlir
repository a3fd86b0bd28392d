// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// The smallest and the largest elements are two reductions, which run together.
// CHECK-LABEL: func.func private @both.core
// CHECK: functional.amin %{{.*}} {dim = array<i64: 1>, keepdim = true} : tensor<4x3xf32>
// CHECK: functional.amax %{{.*}} {dim = array<i64: 1>, keepdim = true} : tensor<4x3xf32>
func.func @both(%x: !graph.tensor<4x3xf32>) -> (!graph.tensor<4x1xf32>, !graph.tensor<4x1xf32>) {
  %0:2 = graph.aminmax %x {dim = 1, keepdim = true} : !graph.tensor<4x3xf32>
  return %0#0, %0#1 : !graph.tensor<4x1xf32>, !graph.tensor<4x1xf32>
}
