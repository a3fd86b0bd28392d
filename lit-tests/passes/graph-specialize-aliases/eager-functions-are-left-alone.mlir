// RUN: terrace-opt %s --pass-pipeline="builtin.module(func.func(graph-resolve-views),graph-functionalize)" | FileCheck %s

// Strides decide what this reshape is, and the arguments may share their storage: refused where values are made of storages,
// and none of it matters to a function that runs as it is written.

// CHECK: func.func @f(
// CHECK-SAME: attributes {graph.eager}
// CHECK-NEXT: graph.reshape
// CHECK-NEXT: graph.add_
// CHECK-NOT: func.func
func.func @f(%x: !graph.tensor<3x4xf32> {graph.layout = "any"}, %y: !graph.tensor<12xf32>) attributes {graph.eager} {
  %v = graph.reshape %x shape [12] : !graph.tensor<3x4xf32>
  %w = graph.add_ %y, %v : !graph.tensor<12xf32>, !graph.tensor<12xf32>
  return
}
