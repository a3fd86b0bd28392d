// RUN: terrace-opt %s --graph-functionalize --cse --split-input-file | FileCheck %s

// What was read before a write stays old, and a clone does; a view that is used after it is read again.
// CHECK-LABEL: func.func private @stale.core
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<4xf32>)
// CHECK: %[[OLD:.*]] = functional.exp %[[X]]
// CHECK: %[[NEW:.*]] = functional.neg %[[X]]
// CHECK: %[[S:.*]] = functional.slice %[[NEW]] start [0] end [2]
// CHECK: %[[E:.*]] = functional.exp %[[S]]
// CHECK: return %[[OLD]], %[[X]], %[[E]], %[[NEW]]
func.func @stale(%x: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<2xf32>) {
  %s = graph.slice %x start [0] end [2] step [1] : !graph.tensor<4xf32>
  %old = graph.exp %x : !graph.tensor<4xf32>
  %clone = graph.clone %x : !graph.tensor<4xf32>
  %n = graph.neg_ %x : !graph.tensor<4xf32>
  %e = graph.exp %s : !graph.tensor<2xf32>
  return %old, %clone, %e : !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<2xf32>
}

// -----

// An alias that dies leaves its mutation; a view that nobody uses leaves nothing.
// CHECK-LABEL: func.func private @dead.core
// CHECK-SAME: (%[[X:.*]]: tensor<4x2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[S:.*]] = functional.select %[[X]] index [0]
// CHECK-NEXT: %[[N:.*]] = functional.neg %[[S]]
// CHECK-NEXT: return %[[N]]
// CHECK: func.func @dead
// CHECK: %[[R:.*]] = call
// CHECK: %[[W:.*]] = graph.as_strided %arg0 size [2] stride [1] storage_offset [0]
// CHECK: graph.write_back %[[R]] into %[[W]]
func.func @dead(%x: !graph.tensor<4x2xf32>) {
  %r = graph.select %x index [0] : !graph.tensor<4x2xf32>
  %n = graph.neg_ %r : !graph.tensor<2xf32>
  %t = graph.t %x : !graph.tensor<4x2xf32>
  %u = graph.exp %t : !graph.tensor<2x4xf32>
  return
}

// -----

// The same tensor stays one value: an argument, what an in-place operation returns. An alias is a view of its own.
// CHECK-LABEL: func.func @same(
// CHECK-SAME: %[[X:.*]]: !graph.tensor<4xf32>
// CHECK: %[[A:.*]] = graph.alias %[[X]]
// CHECK: return %[[X]], %[[X]], %[[A]], %[[A]]
func.func @same(%x: !graph.tensor<4xf32>)
    -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %r = graph.relu_ %x : !graph.tensor<4xf32>
  %a = graph.alias %x : !graph.tensor<4xf32>
  return %x, %r, %a, %a : !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

// -----

// Tensors of one layout stay apart where equal views are merged.
// CHECK-LABEL: func.func @"not-merged"(
// CHECK-SAME: %[[X:.*]]: !graph.tensor<2x2xf32>
// CHECK: %[[T:.*]] = graph.as_strided %[[X]] size [2, 2] stride [1, 2] storage_offset [0]
// CHECK: %[[U:.*]] = graph.alias %[[T]]
// CHECK: %[[V:.*]] = graph.alias %[[U]]
// CHECK: return %[[T]], %[[U]], %[[V]], %[[T]]
func.func @"not-merged"(%x: !graph.tensor<2x2xf32>)
    -> (!graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>) {
  %t = graph.t %x : !graph.tensor<2x2xf32>
  %u = graph.mT %x : !graph.tensor<2x2xf32>
  %v = graph.detach %t : !graph.tensor<2x2xf32>
  return %t, %u, %v, %t : !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
}

// -----

// An output that views an argument at an offset has that offset, counted in the storage.
// CHECK-LABEL: func.func @offset(
// CHECK-SAME: %[[X:.*]]: !graph.tensor<2x3xf32>
// CHECK: %[[V:.*]] = graph.as_strided %[[X]] size [3] stride [1] storage_offset [7]
// CHECK: return %[[V]]
func.func @offset(%x: !graph.tensor<2x3xf32> {graph.layout = strided<[5, 1], offset: 2>}) -> !graph.tensor<3xf32> {
  %v = graph.select %x index [1] : !graph.tensor<2x3xf32>
  return %v : !graph.tensor<3xf32>
}

// -----

// A new tensor keeps the order of its operand's dimensions in memory, and its storage is returned whole.
// CHECK-LABEL: func.func private @strides.core
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[T:.*]] = functional.permute %[[X]]
// CHECK: %[[E:.*]] = functional.exp %[[T]]
// CHECK: %[[P:.*]] = functional.permute %[[E]]
// CHECK: return %[[P]]
// CHECK: func.func @strides
// CHECK: %[[F:.*]] = graph.fresh
// CHECK: %[[V:.*]] = graph.as_strided %[[F]] size [2] stride [3] storage_offset [1]
// CHECK: return %[[V]]
func.func @strides(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<2xf32> {
  %t = graph.t %x : !graph.tensor<2x3xf32>
  %e = graph.exp %t : !graph.tensor<3x2xf32>
  %v = graph.select %e index [1] : !graph.tensor<3x2xf32>
  return %v : !graph.tensor<2xf32>
}
