// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/142024
// The strides of a product could not be found where a size depends on elements: whether it is larger than another one was asked.
// CHECK-LABEL: func.func @product
func.func @product(%x: !graph.tensor<8xf32>, %y: !graph.tensor<2x1xf32>) {
  %0 = graph.nonzero %x : !graph.tensor<8xf32>
  %1 = graph.expand %0 size [2, -1, -1] : !graph.tensor<?x1xi64>
  %2 = graph.squeeze %1 {dim = array<i64: 2>} : !graph.tensor<2x?x1xi64>
  // CHECK: graph.mul {{.*}}"f32[2, s0] strides [s0, 1]
  %3 = graph.mul %2, %y : !graph.tensor<2x?xi64>, !graph.tensor<2x1xf32>
  return
}
