// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// Where the second argument lies does not matter: nothing of it is read.
// CHECK-LABEL: func.func @sizes
// CHECK: graph.write_back
func.func @sizes(%x: !graph.tensor<2x3xf32>, %y: !graph.tensor<4xf32>) -> i64 {
  %0 = graph.neg_ %x : !graph.tensor<2x3xf32>
  %1 = graph.sym_numel %y : !graph.tensor<4xf32>
  return %1 : i64
}
