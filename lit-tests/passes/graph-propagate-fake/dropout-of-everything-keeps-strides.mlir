// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// A product with a zero keeps the stride of a dimension of size 1; one with noise, which is packed, does not.
// CHECK: graph.dropout {{.*}}"f32[2, 1, 3] strides [3, 1, 1]
// CHECK: graph.dropout {{.*}}"f32[2, 1, 3] strides [3, 3, 1]
func.func @f(%x: !graph.tensor<2x3x1xf32>) -> (!graph.tensor<2x1x3xf32>, !graph.tensor<2x1x3xf32>) {
  %0 = graph.movedim %x {source = array<i64: -2>, destination = array<i64: -1>} : !graph.tensor<2x3x1xf32>
  %1 = graph.dropout %0 {p = 1.0 : f64, train = true} : !graph.tensor<2x1x3xf32>
  %2 = graph.dropout %0 {p = 0.5 : f64, train = true} : !graph.tensor<2x1x3xf32>
  return %1, %2 : !graph.tensor<2x1x3xf32>, !graph.tensor<2x1x3xf32>
}
