// RUN: terrace-opt %s --graph-functionalize=input-mutations=results --split-input-file --verify-diagnostics | FileCheck %s

// What the argument holds in the end is one more result, and the view that is returned is one of that.
// CHECK-LABEL: func.func @written
//  CHECK-SAME:   (%[[X:.*]]: !graph.tensor<2x3xf32> {{.*}}) -> (!graph.tensor<3xf32>, !graph.tensor<2x3xf32>)
//   CHECK-NOT:   graph.write_back
//       CHECK:   %[[R:.*]] = call @written.core
//       CHECK:   %[[S:.*]] = graph.fresh %[[R]] : tensor<3x2xf32>
//       CHECK:   %[[NEW:.*]] = graph.as_strided %[[S]] size [2, 3] stride [1, 2] storage_offset [0]
//       CHECK:   %[[ROW:.*]] = graph.as_strided %[[S]] size [3] stride [2] storage_offset [1]
//       CHECK:   return %[[ROW]], %[[NEW]]
func.func @written(%x: !graph.tensor<2x3xf32> {graph.layout = strided<[1, 2], offset: 4>}) -> !graph.tensor<3xf32> {
  %row = graph.select %x index [1] : !graph.tensor<2x3xf32>
  %w = graph.neg_ %row : !graph.tensor<3xf32>
  return %row : !graph.tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @not_written
//  CHECK-SAME:   -> !graph.tensor<2xf32>
func.func @not_written(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> {
  return %x : !graph.tensor<2xf32>
}

// -----

// expected-error @+1 {{arguments 0 and 1 share a storage that is written: input-mutations=results would make two of it}}
func.func @"not-two-results-of-one-storage"(%x: !graph.tensor<4xf32> {graph.storage = "s"}, %y: !graph.tensor<4xf32> {graph.storage = "s"}) {
  %w = graph.neg_ %x : !graph.tensor<4xf32>
  %v = graph.neg %y : !graph.tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{returns a view of a written argument that is no part of it}}
func.func @"not-a-view-beyond-the-argument"(%x: !graph.tensor<4xf32>) -> !graph.tensor<2xf32> {
  %w = graph.neg_ %x : !graph.tensor<4xf32>
  %v = graph.as_strided %x size [2] stride [4] storage_offset [0] : !graph.tensor<4xf32>
  return %v : !graph.tensor<2xf32>
}
