// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/93805
// A copy of nothing could not be resized in place when sizes were followed through a program. The copy is the object that grows.
// CHECK-LABEL: func.func @resized
func.func @resized(%x: !graph.tensor<0xf32, "cuda:0">) -> !graph.tensor<20xf32, "cuda:0"> {
  // CHECK: graph.clone {{.*}}"f32[0] strides [1] on cuda:0 storage 1 object 1"
  %0 = graph.clone %x : !graph.tensor<0xf32, "cuda:0">
  // CHECK: graph.resize_ {{.*}}"f32[20] strides [1] on cuda:0 storage 1 object 1"
  %1 = graph.resize_ %0 size [20] : !graph.tensor<0xf32, "cuda:0">
  %c = arith.constant 2.0 : f64
  // CHECK: graph.fill_ {{.*}}"f32[20] strides [1] on cuda:0 storage 1 object 1"
  %2 = graph.fill_ %1, %c : !graph.tensor<20xf32, "cuda:0">, f64
  return %2 : !graph.tensor<20xf32, "cuda:0">
}
