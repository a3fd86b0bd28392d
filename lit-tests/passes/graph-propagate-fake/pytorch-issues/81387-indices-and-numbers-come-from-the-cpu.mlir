// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/81387
// index_put_ on CUDA was refused where its indices or a number to put were on the CPU. Eager takes both; the result is where the tensor is.
// CHECK-LABEL: func.func @put
func.func @put(%x: !graph.tensor<4x5xf32, "cuda:0">, %i: !graph.tensor<3xi64>, %v: !graph.tensor<f32>) {
  // CHECK: graph.index_put_ {{.*}}"f32[4, 5] strides [5, 1] on cuda:0 storage 0 object 0"
  %0 = graph.index_put_ %x[%i], %v {present = array<i1: true, false>}
      : !graph.tensor<4x5xf32, "cuda:0">[!graph.tensor<3xi64>], !graph.tensor<f32>
  return
}
