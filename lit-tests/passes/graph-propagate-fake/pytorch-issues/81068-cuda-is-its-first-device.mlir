// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/81068
// A tensor made on `cuda` and one made on `cuda:0` were on two devices. They are on one.
// CHECK-LABEL: func.func @one_device
func.func @one_device() {
  // CHECK: graph.empty {{.*}}"f32[1] strides [1] on cuda:0 storage 0
  %0 = graph.empty [1] {device = "cuda"}
  // CHECK: graph.empty {{.*}}"f32[1] strides [1] on cuda:0 storage 1
  %1 = graph.empty [1] {device = "cuda:0"}
  // CHECK: graph.add {{.*}}"f32[1] strides [1] on cuda:0 storage 2
  %2 = graph.add %0, %1 : !graph.tensor<1xf32, "cuda:0">, !graph.tensor<1xf32, "cuda:0">
  return
}
