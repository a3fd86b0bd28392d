// RUN: terrace-opt %s --graph-outline-eager | FileCheck %s

// Where it is not known how a tensor lies, what changes it is an operation like any other, which writes no elements: its result is a new view, and it may be
// compiled when it is called.
// CHECK-LABEL: func.func @resized(
// CHECK-SAME: %[[X:.*]]: !graph.tensor<?xf32>, %[[Y:.*]]: !graph.tensor<?x?xf32>
// CHECK-NOT: graph.assert_writable
// CHECK: %[[NEW:.*]] = call @resized.resize_as_(%[[X]], %[[Y]])
// CHECK: call @resized.sin(%[[NEW]])
func.func @resized(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?x?xf32>) -> !graph.tensor<?x?xf32> attributes {graph.eager} {
  %0 = graph.resize_as_ %x, %y : !graph.tensor<?xf32>, !graph.tensor<?x?xf32>
  %1 = graph.sin %0 : !graph.tensor<?x?xf32>
  return %1 : !graph.tensor<?x?xf32>
}

// Storages become larger anywhere.
// CHECK-LABEL: func.func @grows(
// CHECK: call @grows.resize_storage
// CHECK: call @grows.sin
func.func @grows(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> attributes {graph.eager} {
  graph.resize_storage %x bytes [32] : !graph.tensor<3xf32>
  %0 = graph.sin %x : !graph.tensor<3xf32>
  return %0 : !graph.tensor<3xf32>
}

// CHECK: func.func private @resized.resize_as_({{.*}}) -> !graph.tensor<?x?xf32> attributes {graph.partial, no_inline}
// CHECK: graph.resize_as_
