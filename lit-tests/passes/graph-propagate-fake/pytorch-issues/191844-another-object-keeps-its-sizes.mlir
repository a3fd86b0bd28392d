// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/191844
// A tensor was resized where an alias of it had been. The alias shares the storage, but is another object. (A pull request.)
// CHECK-LABEL: func.func @alias
func.func @alias(%x: !graph.tensor<1xf32>) -> !graph.tensor<1xf32> {
  %0 = graph.neg %x : !graph.tensor<1xf32>
  // CHECK: graph.detach {{.*}}"f32[1] strides [1] storage 1 object 2"
  %1 = graph.detach %0 : !graph.tensor<1xf32>
  // CHECK: graph.resize_ {{.*}}"f32[12] strides [1] storage 1 object 2"
  %2 = graph.resize_ %1 size [12] : !graph.tensor<1xf32>
  // CHECK: graph.neg {{.*}}"f32[1] strides [1] storage 2 object 3"
  %3 = graph.neg %0 : !graph.tensor<1xf32>
  return %3 : !graph.tensor<1xf32>
}
