// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// The value of a new storage has as many elements as the storage ever has.
// CHECK-LABEL: func.func private @grows.core
//  CHECK-SAME:   (%[[X:.*]]: tensor<3xf32>) -> tensor<5xf32>
//       CHECK:   %[[E:.*]] = functional.full %{{.*}} to tensor<5xf32>
//       CHECK:   %[[S:.*]] = functional.slice_scatter %[[E]], %[[X]] start [0] end [3]
//       CHECK:   %[[N:.*]] = functional.neg %[[S]]
//       CHECK:   return %[[N]]
func.func @grows(%x: !graph.tensor<3xf32>) -> !graph.tensor<5xf32> {
  %0 = graph.clone %x : !graph.tensor<3xf32>
  graph.resize_storage %0 bytes [20] : !graph.tensor<3xf32>
  %1 = graph.as_strided %0 size [5] stride [1] storage_offset [0] : !graph.tensor<3xf32>
  %2 = graph.neg_ %1 : !graph.tensor<5xf32>
  return %2 : !graph.tensor<5xf32>
}

// An argument's storage has its room before it is read.
// CHECK-LABEL: func.func @argument(
//  CHECK-SAME:   %[[X:.*]]: !graph.tensor<3xf32>)
//       CHECK:   graph.resize_storage %[[X]] bytes [20] {at_least}
//       CHECK:   %[[P:.*]] = graph.as_strided %[[X]] size [5]
//       CHECK:   %[[V:.*]] = graph.value %[[P]]
//       CHECK:   %[[R:.*]] = call @argument.core(%[[V]])
//       CHECK:   graph.write_back %[[R]]
//   CHECK-NOT:   graph.resize_storage
func.func @argument(%x: !graph.tensor<3xf32>) {
  graph.resize_storage %x bytes [20] {at_least} : !graph.tensor<3xf32>
  %1 = graph.as_strided %x size [5] stride [1] storage_offset [0] : !graph.tensor<3xf32>
  %2 = graph.neg_ %1 : !graph.tensor<5xf32>
  return
}

// It has its size in the end after all is written back: what was lost is zero.
// CHECK-LABEL: func.func private @freed.core
//       CHECK:   %[[Z:.*]] = functional.full %{{.*}} to tensor<2xf32>
//       CHECK:   functional.slice_scatter %{{.*}}, %[[Z]] start [1] end [3]
// CHECK-LABEL: func.func @freed(
//  CHECK-SAME:   %[[X:.*]]: !graph.tensor<3xf32>)
//       CHECK:   graph.write_back
//       CHECK:   graph.resize_storage %[[X]] bytes [12]
func.func @freed(%x: !graph.tensor<3xf32>) {
  graph.resize_storage %x bytes [4] : !graph.tensor<3xf32>
  graph.resize_storage %x bytes [12] : !graph.tensor<3xf32>
  %0 = graph.neg_ %x : !graph.tensor<3xf32>
  return
}
