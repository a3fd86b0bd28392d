// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// A write to one argument may be a write to another one that names no storage.
// CHECK-LABEL: func.func @unnamed(
// CHECK-LABEL: func.func @unnamed.materialize_0
// CHECK: graph.neg_ %arg1
// CHECK: graph.exp %arg0
func.func @unnamed(%x: !graph.tensor<2xf32>, %y: !graph.tensor<2xf32> {graph.storage = "y"}) -> !graph.tensor<2xf32> {
  %0 = graph.neg_ %y : !graph.tensor<2xf32>
  %a = graph.exp %x : !graph.tensor<2xf32>
  return %a : !graph.tensor<2xf32>
}

// CHECK-LABEL: func.func @named(
// CHECK-LABEL: func.func @named.materialize_0
// CHECK-NOT: graph.neg_
// CHECK: graph.exp %arg0
func.func @named(%x: !graph.tensor<2xf32> {graph.storage = "x"}, %y: !graph.tensor<2xf32> {graph.storage = "y"}) -> !graph.tensor<2xf32> {
  %0 = graph.neg_ %y : !graph.tensor<2xf32>
  %a = graph.exp %x : !graph.tensor<2xf32>
  return %a : !graph.tensor<2xf32>
}
