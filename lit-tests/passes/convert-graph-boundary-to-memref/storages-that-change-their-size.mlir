// RUN: terrace-opt %s --pass-pipeline="builtin.module(func.func(graph-resolve-views),graph-functionalize,convert-graph-boundary-to-memref)" | FileCheck %s

// CHECK: func.func private @terrace_rt_resize_storage(i64, i64, i64) -> memref<?xui8> attributes {llvm.emit_c_interface}

// Memory for all that there ever is comes first, and everything is seen there; the size in the end is said at last.
// CHECK-LABEL: func.func @grows_and_is_freed(
// CHECK-SAME: %[[X:.*]]: memref<3xf32>)
// CHECK: %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: %[[WORD:.*]] = arith.index_cast %[[BASE]] : index to i64
// CHECK: %[[ROW:.*]] = call @terrace_rt_resize_storage(%[[WORD]], %c20{{.*}}, %c1{{.*}})
// CHECK: %[[ELEMENTS:.*]] = kernel.reinterpret %[[ROW]] : memref<?xui8> to memref<?xf32>
// CHECK: memref.reinterpret_cast %[[ELEMENTS]] to offset: [0], sizes: [3], strides: [1]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [5], strides: [1]
// CHECK: call @terrace_rt_resize_storage(%{{.*}}, %c0{{.*}}, %c0{{.*}})
func.func @grows_and_is_freed(%x: !graph.tensor<3xf32>) -> !graph.tensor<5xf32> {
  %0 = graph.resize_ %x size [5] : !graph.tensor<3xf32>
  %1 = graph.neg %0 : !graph.tensor<5xf32>
  %2 = graph.neg_ %0 : !graph.tensor<5xf32>
  graph.resize_storage %2 bytes [0] : !graph.tensor<5xf32>
  return %1 : !graph.tensor<5xf32>
}
