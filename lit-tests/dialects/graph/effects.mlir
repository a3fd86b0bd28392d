// RUN: terrace-opt %s --cse --canonicalize | FileCheck %s

// Unused operators go; a write stays.
// CHECK-LABEL: func.func @dead_code
// CHECK-NEXT: graph.relu_
// CHECK-NEXT: return
func.func @dead_code(%x: !graph.tensor<2xf32>) {
  %0 = graph.neg %x : !graph.tensor<2xf32>
  %1 = graph.alias %x : !graph.tensor<2xf32>
  %2 = graph.relu_ %x : !graph.tensor<2xf32>
  return
}

// A result has a storage of its own: two of the same are not one.
// CHECK-LABEL: func.func @"not-merged-each-allocates"
// CHECK-COUNT-2: graph.neg
func.func @"not-merged-each-allocates"(%x: !graph.tensor<2xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %0 = graph.neg %x : !graph.tensor<2xf32>
  %1 = graph.neg %x : !graph.tensor<2xf32>
  return %0, %1 : !graph.tensor<2xf32>, !graph.tensor<2xf32>
}
