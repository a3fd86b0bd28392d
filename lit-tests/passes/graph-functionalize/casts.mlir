// A cast is the tensor that it is on: what is written through one is seen through the other, and the boundary returns it by the wider type.
// RUN: terrace-opt %s --pass-pipeline="builtin.module(func.func(graph-resolve-views),graph-functionalize)" | FileCheck %s

// CHECK-LABEL: func.func private @main.core(
// CHECK: %[[NEG:.*]] = functional.neg %arg0 : tensor<4xf32>
// CHECK: %[[MUL:.*]] = functional.mul %[[NEG]], %[[NEG]] : tensor<4xf32>, tensor<4xf32>
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<4xf32>
// CHECK: graph.write_back %{{.*}} into %[[X]]
// CHECK: %[[NEW:.*]] = graph.fresh
// CHECK-DAG: %[[A:.*]] = graph.cast %[[X]] : !graph.tensor<4xf32> to !graph.tensor<?xf32>
// CHECK-DAG: %[[B:.*]] = graph.cast %[[NEW]] : !graph.tensor<4xf32> to !graph.tensor<?xf32>
// CHECK: return %[[A]], %[[B]]
func.func @main(%x: !graph.tensor<4xf32>) -> (!graph.tensor<?xf32>, !graph.tensor<?xf32>) {
  %0 = graph.cast %x : !graph.tensor<4xf32> to !graph.tensor<?xf32>
  %1 = graph.neg_ %0 : !graph.tensor<?xf32>
  %2 = graph.mul %x, %0 : !graph.tensor<4xf32>, !graph.tensor<?xf32>
  %3 = graph.cast %2 : !graph.tensor<4xf32> to !graph.tensor<?xf32>
  return %0, %3 : !graph.tensor<?xf32>, !graph.tensor<?xf32>
}
