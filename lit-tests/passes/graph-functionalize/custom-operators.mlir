// RUN: terrace-opt %s --graph-functionalize --split-input-file | FileCheck %s

// The operator is called on storages made of values: one for both operands, which lie in it as they do in the argument's.
// CHECK: func.func private @mine_.values(%[[V:.*]]: tensor<4xf32>) -> tensor<4xf32> {
// CHECK:   %[[S:.*]] = graph.fresh %[[V]]
// CHECK:   %[[A:.*]] = graph.as_strided %[[S]] size [2] stride [1] storage_offset [0]
// CHECK:   %[[B:.*]] = graph.as_strided %[[S]] size [2] stride [1] storage_offset [1]
// CHECK:   graph.custom @mine_(%[[A]], %[[B]])
// CHECK:   %[[R:.*]] = graph.value %[[S]]
// CHECK:   return %[[R]]
// CHECK: func.func private @shared.core(%[[X:.*]]: tensor<4xf32>) -> tensor<2xf32>
// CHECK:   %[[NEW:.*]] = call @mine_.values(%[[X]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK:   %[[WRITTEN:.*]] = functional.slice %[[NEW]] start [0] end [2]
// CHECK:   return %[[WRITTEN]]
func.func @shared(%x: !graph.tensor<4xf32>) {
  %a = graph.slice %x start [0] end [2] step [1] : !graph.tensor<4xf32>
  %b = graph.slice %x start [1] end [3] step [1] : !graph.tensor<4xf32>
  graph.custom @mine_(%a, %b) {schema = "(Tensor(a!) x, Tensor y) -> ()"} : (!graph.tensor<2xf32>, !graph.tensor<2xf32>) -> ()
  return
}

// -----

// Global state is read and written in order; a custom operator without a schema stays between.
// CHECK-LABEL: func.func private @in_order.core
//       CHECK:   memref.store
//       CHECK:   call @log.values
//       CHECK:   %[[K:.*]] = memref.load
//       CHECK:   return %[[K]]
memref.global @state : memref<f32>
func.func @in_order(%k: f32) -> f32 {
  %m = memref.get_global @state : memref<f32>
  %z = graph.zeros [2] {dtype = f32}
  memref.store %k, %m[] : memref<f32>
  graph.custom @log(%z) : (!graph.tensor<2xf32>) -> ()
  %l = memref.load %m[] : memref<f32>
  return %l : f32
}
