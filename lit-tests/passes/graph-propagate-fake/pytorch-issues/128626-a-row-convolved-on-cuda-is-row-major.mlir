// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/128626
// A permuted row of one channel suggests channels innermost, and the fake result of a convolution on CUDA had them there. Eager makes
// the row contiguous before it asks.
// CHECK-LABEL: func.func @row
func.func @row(%x: !graph.tensor<10x100x1xf32, "cuda:0">, %w: !graph.tensor<16x1x3xf32, "cuda:0">) {
  %0 = graph.permute %x {dims = array<i64: 0, 2, 1>} : !graph.tensor<10x100x1xf32, "cuda:0">
  // CHECK: graph.conv1d {{.*}}"f32[10, 16, 100] strides [1600, 100, 1] on cuda:0
  %1 = graph.conv1d %0, %w {padding = array<i64: 1>} : !graph.tensor<10x1x100xf32, "cuda:0">, !graph.tensor<16x1x3xf32, "cuda:0">
  return
}
