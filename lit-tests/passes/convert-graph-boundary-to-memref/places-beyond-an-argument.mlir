// A storage that has not what a view by strides reaches is refused, and the call goes on in other memory.
// RUN: terrace-opt %s --pass-pipeline="builtin.module(graph-functionalize,convert-graph-boundary-to-memref)" | FileCheck %s

// CHECK: func.func private @terrace_rt_out_of_bounds(index, index, index) -> memref<?xui8> attributes {llvm.emit_c_interface}
// CHECK: func.func private @terrace_rt_storage_bytes(index) -> index

// CHECK-LABEL: func.func @always(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>)
// CHECK: %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: %[[THERE:.*]] = call @terrace_rt_storage_bytes(%[[BASE]])
// CHECK: %[[HAS:.*]] = arith.cmpi sle, %c28{{.*}}, %[[THERE]]
// CHECK: %[[OWN:.*]] = scf.if %[[HAS]] -> (memref<4xf32>)
// CHECK: scf.yield %[[X]]
// CHECK: else
// CHECK: %[[ROW:.*]] = func.call @terrace_rt_out_of_bounds(%{{.*}}, %c28{{.*}}, %c28{{.*}})
// CHECK: %[[ELEMENTS:.*]] = kernel.reinterpret %[[ROW]] : memref<?xui8> to memref<?xf32>
// CHECK: memref.reinterpret_cast %[[ELEMENTS]] to offset: [0], sizes: [4], strides: [1]
// CHECK: memref.reinterpret_cast %[[OWN]] to offset: [5], sizes: [2], strides: [1]
func.func @always(%x: !graph.tensor<4xf32>) -> !graph.tensor<2xf32> {
  %0 = graph.as_strided %x size [2] stride [1] storage_offset [5] : !graph.tensor<4xf32>
  %1 = graph.neg %0 : !graph.tensor<2xf32>
  return %1 : !graph.tensor<2xf32>
}

// Where some calls make the view a guard asks.
// CHECK-LABEL: func.func @some_calls(
// CHECK: call @terrace_rt_storage_bytes
// CHECK: %[[HAS:.*]] = arith.cmpi sle
// CHECK: graph.guard %[[HAS]], "the storage of argument 0 has what views by strides name of it"
func.func @some_calls(%x: !graph.tensor<4xf32>, %c: i1) {
  scf.if %c {
    %2 = graph.as_strided %x size [2] stride [1] storage_offset [5] : !graph.tensor<4xf32>
    %3 = graph.neg_ %2 : !graph.tensor<2xf32>
  }
  return
}
