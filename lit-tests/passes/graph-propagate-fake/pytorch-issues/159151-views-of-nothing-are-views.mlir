// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/159151
// The second view of a tensor without elements had a storage of its own: the answer to the same question was kept, and the storage with it.
// CHECK-LABEL: func.func @views
func.func @views(%x: !graph.tensor<0x8xf32>) {
  // CHECK: graph.view {{.*}}"f32[0, 2, 4] strides [8, 4, 1] storage 0 object 1"
  %0 = graph.view %x size [0, 2, 4] : !graph.tensor<0x8xf32>
  // CHECK: graph.view {{.*}}"f32[0, 2, 4] strides [8, 4, 1] storage 0 object 2"
  %1 = graph.view %x size [0, 2, 4] : !graph.tensor<0x8xf32>
  return
}
