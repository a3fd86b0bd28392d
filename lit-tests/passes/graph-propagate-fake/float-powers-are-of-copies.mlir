// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// Both operands are cast to f64 first, and the copies are without gaps.
// CHECK-LABEL: func.func @power
func.func @power(%x: !graph.tensor<1x2xf32> {graph.layout = strided<[1, 2], offset: 2>}) {
  // CHECK: graph.pow {{.*}}"f32[1, 2] strides [1, 1]
  %0 = graph.pow %x, %x : !graph.tensor<1x2xf32>, !graph.tensor<1x2xf32>
  // CHECK: graph.float_power {{.*}}"f64[1, 2] strides [2, 1]
  %1 = graph.float_power %x, %x : !graph.tensor<1x2xf32>, !graph.tensor<1x2xf32>
  return
}
