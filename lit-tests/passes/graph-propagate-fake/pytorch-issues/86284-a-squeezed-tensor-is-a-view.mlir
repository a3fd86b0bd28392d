// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/86284
// Where sizes were symbols, squeeze gave a tensor with a storage of its own. It is a view.
// CHECK-LABEL: func.func @squeezed
func.func @squeezed(%x: !graph.tensor<1x?xf32>) -> !graph.tensor<?xf32> {
  // CHECK: graph.squeeze {{.*}}"f32[s0] strides [1] storage 0 object 1"
  %0 = graph.squeeze %x {dim = array<i64: 0>} : !graph.tensor<1x?xf32>
  return %0 : !graph.tensor<?xf32>
}
