// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/144187
// What constant_pad_nd makes had strides that eager does not give. It keeps the channels innermost.
// CHECK-LABEL: func.func @padded
func.func @padded(%x: !graph.tensor<2x3x4x5xf32> {graph.layout = strided<[60, 1, 15, 3]>}) {
  // CHECK: graph.constant_pad_nd {{.*}}"f32[2, 3, 4, 7] strides [84, 1, 21, 3]
  %0 = graph.constant_pad_nd %x {pad = array<i64: 1, 1>} : !graph.tensor<2x3x4x5xf32>
  return
}
