// RUN: terrace-opt %s --graph-resolve-views | FileCheck %s

// One after another: the second entry reads what the first wrote.
// CHECK-LABEL: func.func @in_order
// CHECK-SAME: (%[[A:.*]]: !graph.tensor<4xf32>, %[[B:.*]]: !graph.tensor<4xf32>, %[[K:.*]]: f64)
func.func @in_order(%a: !graph.tensor<4xf32>, %b: !graph.tensor<4xf32>, %k: f64) -> !graph.tensor<4xf32> {
  // CHECK-NEXT: graph.add_ %[[A]], %[[B]] alpha %[[K]]
  // CHECK-NEXT: graph.add_ %[[A]], %[[A]] alpha %[[K]]
  graph._foreach_add_.List [%a, %a], [%b, %a] alpha %k : f64 : [!graph.tensor<4xf32>, !graph.tensor<4xf32>], [!graph.tensor<4xf32>, !graph.tensor<4xf32>]
  // CHECK-NEXT: %[[M:.*]] = graph.clamp_min %[[A]], %[[K]]
  // CHECK-NEXT: graph.clamp_min %[[B]], %[[K]]
  %0:2 = graph._foreach_maximum.Scalar [%a, %b], %k : [!graph.tensor<4xf32>, !graph.tensor<4xf32>], f64
  // CHECK: return %[[M]]
  return %0#0 : !graph.tensor<4xf32>
}
