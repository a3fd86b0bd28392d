// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// What changes its sizes, strides or storage stays the object that it was.
// CHECK-LABEL: func.func @metadata
func.func @metadata(%x: !graph.tensor<2x3xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  // CHECK: graph.t_ {{.*}}graph.fake = ["f32[3, 2] strides [1, 3] storage 0 object 0"]
  %0 = graph.t_ %x : !graph.tensor<2x3xf32>
  // CHECK: graph.resize_ {{.*}}graph.fake = ["f32[2, 2] strides [2, 1] storage 0 object 0"]
  %1 = graph.resize_ %0 size [2, 2] : !graph.tensor<3x2xf32>
  // CHECK: graph.set_ {{.*}}graph.fake = ["f32[4] strides [1] storage 1 object 0"]
  %2 = graph.set_ %1 source %y : !graph.tensor<4xf32> : !graph.tensor<2x2xf32>
  return %2 : !graph.tensor<4xf32>
}
