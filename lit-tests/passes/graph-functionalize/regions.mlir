// RUN: terrace-opt %s --graph-functionalize --split-input-file | FileCheck %s

// A region is written back once, however often it was written, and not as a part of another.
// CHECK-LABEL: func.func @once(
// CHECK: %[[R:.*]] = call
// CHECK-NEXT: %[[V:.*]] = graph.as_strided %{{.*}} size [2, 4] stride [4, 1] storage_offset [4]
// CHECK-NEXT: graph.write_back %[[R]] into %[[V]]
// CHECK-NEXT: return
func.func @once(%x: !graph.tensor<4x4xf32>) {
  %s = graph.slice %x start [1] end [3] step [1] : !graph.tensor<4x4xf32>
  %a = graph.relu_ %s : !graph.tensor<2x4xf32>
  %t = graph.t %s : !graph.tensor<2x4xf32>
  %b = graph.neg_ %t : !graph.tensor<4x2xf32>
  %r = graph.select %x index [2] : !graph.tensor<4x4xf32>
  %c = graph.abs_ %r : !graph.tensor<4xf32>
  return
}

// -----

// Rows that make up the argument are the argument.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: !graph.tensor<2x4xf32>
// CHECK: %[[R:.*]] = call
// CHECK-NEXT: graph.write_back %[[R]] into %[[X]]
// CHECK-NEXT: return
func.func @rows(%x: !graph.tensor<2x4xf32>) {
  %r:2 = graph.unbind %x : !graph.tensor<2x4xf32>
  %a = graph.relu_ %r#0 : !graph.tensor<4xf32>
  %b = graph.neg_ %r#1 : !graph.tensor<4xf32>
  return
}

// -----

// Two regions of one storage.
// CHECK-LABEL: func.func @two(
// CHECK: %[[R:.*]]:2 = call
// CHECK: %[[A:.*]] = graph.as_strided %{{.*}} size [4] stride [4] storage_offset [0]
// CHECK: graph.write_back %[[R]]#0 into %[[A]]
// CHECK: %[[B:.*]] = graph.as_strided %{{.*}} size [4] stride [4] storage_offset [3]
// CHECK: graph.write_back %[[R]]#1 into %[[B]]
func.func @two(%x: !graph.tensor<4x4xf32>) {
  %r:4 = graph.unbind %x {dim = 1 : i64} : !graph.tensor<4x4xf32>
  %a = graph.relu_ %r#0 : !graph.tensor<4xf32>
  %b = graph.neg_ %r#3 : !graph.tensor<4xf32>
  return
}
