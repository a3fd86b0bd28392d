// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts
// RUN: terrace-opt %s --pass-pipeline='builtin.module(func.func(graph-resolve-views),graph-functionalize)' | FileCheck %s

// An argument that was written keeps its strides, and what is made of it has those that eager gives (pytorch/pytorch issue 133512).
// CHECK-LABEL: func.func @"column-major"(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<2x3xf32>
// CHECK: graph.as_strided %{{.*}} size [2, 3] stride [1, 2] storage_offset [0]
// CHECK: return %[[X]], %{{.*}}
func.func @"column-major"(%x: !graph.tensor<2x3xf32> {graph.layout = strided<[1, 2]>}) -> (!graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>) {
  %w = graph.exp_ %x : !graph.tensor<2x3xf32>
  %y = graph.neg %x : !graph.tensor<2x3xf32>
  return %w, %y : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
}

func.func @"with-gaps"(%x: !graph.tensor<2x2xf32> {graph.layout = strided<[6, 2], offset: 1>}) -> (!graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>) {
  %w = graph.exp_ %x : !graph.tensor<2x2xf32>
  %y = graph.neg %x : !graph.tensor<2x2xf32>
  return %x, %y : !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
}

func.func @"of-a-new-tensor"(%x: !graph.tensor<2x3xf32>) -> (!graph.tensor<3x2xf32>, !graph.tensor<3x2xf32>) {
  %t = graph.t %x : !graph.tensor<2x3xf32>
  %e = graph.exp %t : !graph.tensor<3x2xf32>
  %w = graph.neg_ %e : !graph.tensor<3x2xf32>
  %s = graph.sin %w : !graph.tensor<3x2xf32>
  return %w, %s : !graph.tensor<3x2xf32>, !graph.tensor<3x2xf32>
}
