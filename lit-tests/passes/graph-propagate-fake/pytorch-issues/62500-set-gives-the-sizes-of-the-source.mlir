// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/62500
// A meta tensor kept its sizes when it was set to another tensor. It has the other one's sizes, strides and storage from then on, and is
// the object that it was.
// CHECK-LABEL: func.func @set
func.func @set(%x: !graph.tensor<3x3xf32>, %y: !graph.tensor<2x2xf32>) -> !graph.tensor<3x3xf32> {
  // CHECK: graph.set_ {{.*}}"f32[3, 3] strides [3, 1] storage 0 object 1"
  %0 = graph.set_ %y source %x : !graph.tensor<3x3xf32> : !graph.tensor<2x2xf32>
  return %0 : !graph.tensor<3x3xf32>
}
