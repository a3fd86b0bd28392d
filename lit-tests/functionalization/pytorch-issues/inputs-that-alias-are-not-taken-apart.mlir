// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-check %t/shared.mlir
// RUN: terrace-check %t/open.mlir --pipeline='graph-specialize-aliases,func.func(graph-resolve-views),graph-functionalize'
// RUN: not terrace-opt %t/open.mlir --graph-functionalize 2>&1 | FileCheck %s

// torch.func.functionalize takes inputs for disjoint that share a storage. Here they are declared to share it, or tested, or refused.
// CHECK: writes argument 0, which may share its storage with argument 1

//--- shared.mlir
func.func @f(%x: !graph.tensor<4xf32> {graph.storage = "s"}, %y: !graph.tensor<2xf32> {graph.storage = "s", graph.layout = strided<[2], offset: 1>}) -> !graph.tensor<2xf32> {
  %w = graph.exp_ %x : !graph.tensor<4xf32>
  %v = graph.neg_ %y : !graph.tensor<2xf32>
  %r = graph.add %y, %y : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  return %r : !graph.tensor<2xf32>
}

//--- open.mlir
func.func @f(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %w = graph.exp_ %x : !graph.tensor<4xf32>
  %r = graph.add %y, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}
