// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/161010
// The copy of every second column kept their strides. A copy has the strides of what it copies only where that has no gaps.
// CHECK-LABEL: func.func @copies
func.func @copies(%x: !graph.tensor<8x16xf32>) {
  %0 = graph.slice %x start [0] end [16] step [2] {dim = 1} : !graph.tensor<8x16xf32>
  // CHECK: graph.clone {{.*}}"f32[8, 8] strides [8, 1]
  %1 = graph.clone %0 : !graph.tensor<8x8xf32>
  %2 = graph.t %x : !graph.tensor<8x16xf32>
  // CHECK: graph.clone {{.*}}"f32[16, 8] strides [1, 16]
  %3 = graph.clone %2 : !graph.tensor<16x8xf32>
  return
}
