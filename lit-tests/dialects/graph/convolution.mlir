// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @convolution
func.func @convolution(%x: !graph.tensor<2x4x9x9xf32>, %w: !graph.tensor<6x2x3x3xf32>, %b: !graph.tensor<6xf32>, %v: !graph.tensor<4x3x2x2xf32>) {
  // CHECK: %[[C:.*]] = graph.convolution %{{.*}}, %{{.*}} bias %{{.*}} {{.*}}groups = 2
  %0 = graph.convolution %x, %w bias %b {stride = array<i64: 2, 2>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 2 : i64} : !graph.tensor<2x4x9x9xf32>, !graph.tensor<6x2x3x3xf32>, !graph.tensor<6xf32>
  // CHECK: graph.relu_ %[[C]] : !graph.tensor<2x6x5x5xf32>
  %1 = graph.relu_ %0 : !graph.tensor<2x6x5x5xf32>
  // CHECK: %[[T:.*]] = graph.convolution {{.*}}transposed = true
  %2 = graph.convolution %x, %v {stride = array<i64: 2, 2>, padding = array<i64: 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 1, 1>, transposed = true} : !graph.tensor<2x4x9x9xf32>, !graph.tensor<4x3x2x2xf32>
  // CHECK: graph.neg %[[T]] : !graph.tensor<2x3x19x19xf32>
  %3 = graph.neg %2 : !graph.tensor<2x3x19x19xf32>
  return
}
