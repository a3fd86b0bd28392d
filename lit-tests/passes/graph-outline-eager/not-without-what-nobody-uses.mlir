// What is compiled when it is called is refused where eager refuses it, used or not: a use keeps it.
// RUN: terrace-opt %s --pass-pipeline="builtin.module(graph-outline-eager,canonicalize)" | FileCheck %s

// CHECK-LABEL: func.func @resized(
// CHECK: graph.resize_
// CHECK-NEXT: %[[NEW:.*]] = graph.linear
// CHECK-NEXT: graph.fake_use %[[NEW]] : !graph.tensor<?xf32>
func.func @resized(%x: !graph.tensor<4xf32>, %w: !graph.tensor<?x?xf32>, %n: i64) attributes {graph.eager, graph.partial} {
  %0 = graph.resize_ %x size [%n] : !graph.tensor<4xf32>
  %1 = graph.linear %0, %w : !graph.tensor<?xf32>, !graph.tensor<?x?xf32>
  return
}
