// An argument that is alone in its storage says that no other pointer leads there.

// RUN: terrace-opt %s --convert-graph-boundary-to-memref | FileCheck %s

// CHECK-LABEL: func.func @alone(
// CHECK-SAME: memref<4xf32> {llvm.noalias}, %{{.*}}: memref<4xf32> {llvm.noalias}
func.func @alone(%x: !graph.tensor<4xf32> {graph.storage = "x"}, %y: !graph.tensor<4xf32> {graph.storage = "y"}) -> tensor<4xf32> {
  %0 = graph.value %x : !graph.tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Two are in one storage, the third is not.
// CHECK-LABEL: func.func @together(
// CHECK-SAME: %{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32> {llvm.noalias})
func.func @together(%x: !graph.tensor<4xf32> {graph.storage = "x"}, %y: !graph.tensor<4xf32> {graph.storage = "x"}, %z: !graph.tensor<4xf32> {graph.storage = "z"}) -> tensor<4xf32> {
  %0 = graph.value %x : !graph.tensor<4xf32>
  return %0 : tensor<4xf32>
}

// An argument that names none may lie anywhere.
// CHECK-LABEL: func.func @"not-beside-a-nameless-one"(
// CHECK-NOT: llvm.noalias
// CHECK: return
func.func @"not-beside-a-nameless-one"(%x: !graph.tensor<4xf32> {graph.storage = "x"}, %y: !graph.tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.value %x : !graph.tensor<4xf32>
  return %0 : tensor<4xf32>
}

// So may a buffer.
// CHECK-LABEL: func.func @"not-beside-a-buffer"(
// CHECK-NOT: llvm.noalias
// CHECK: return
func.func @"not-beside-a-buffer"(%x: !graph.tensor<4xf32> {graph.storage = "x"}, %y: memref<4xf32>) -> tensor<4xf32> {
  %0 = graph.value %x : !graph.tensor<4xf32>
  return %0 : tensor<4xf32>
}
