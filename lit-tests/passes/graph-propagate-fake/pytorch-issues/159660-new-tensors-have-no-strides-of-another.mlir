// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/159660
// Shape functions used new_empty where they meant empty_like. The first is row-major, the second laid out like its operand.
// CHECK-LABEL: func.func @new
func.func @new(%x: !graph.tensor<23x3xf32>) {
  %0 = graph.t %x : !graph.tensor<23x3xf32>
  // CHECK: graph.new_empty {{.*}}"f32[3, 23] strides [23, 1]
  %1 = graph.new_empty %0 size [3, 23] : !graph.tensor<3x23xf32>
  // CHECK: graph.empty_like {{.*}}"f32[3, 23] strides [1, 3]
  %2 = graph.empty_like %0 : !graph.tensor<3x23xf32>
  return
}
