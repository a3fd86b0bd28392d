// Strides that are known when the function runs may suggest that channels are innermost: the boundary says by which rule, and like which
// tensors, a new tensor is laid out.
// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// One of them is enough for a convolution, whatever the bias is.
// CHECK-LABEL: func.func @convolved(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<1x2x4x4xf32> {graph.layout = "any"}, %[[W:[a-z0-9]+]]: !graph.tensor<3x2x2x2xf32>, %[[B:[a-z0-9]+]]
// CHECK: graph.new_storage [1, 3, 3, 3] like %[[X]], %[[W]] {dtype = f32, suggested = "any"}
func.func @convolved(%x: !graph.tensor<1x2x4x4xf32> {graph.layout = "any"}, %w: !graph.tensor<3x2x2x2xf32>, %b: !graph.tensor<3xf32>) -> !graph.tensor<1x3x3x3xf32> {
  %0 = graph.conv2d %x, %w bias %b {padding = array<i64: 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : !graph.tensor<1x2x4x4xf32>, !graph.tensor<3x2x2x2xf32>, !graph.tensor<3xf32>
  return %0 : !graph.tensor<1x3x3x3xf32>
}

// All of them are asked for where tensors are joined.
// CHECK-LABEL: func.func @joined(
// CHECK: graph.new_storage [2, 2, 4, 4] like %{{.*}}, %{{.*}} {dtype = f32, suggested = "all"}
func.func @joined(%x: !graph.tensor<1x2x4x4xf32> {graph.layout = "any"}) -> !graph.tensor<2x2x4x4xf32> {
  %0 = graph.cat %x, %x {dim = 0 : i64} : !graph.tensor<1x2x4x4xf32>, !graph.tensor<1x2x4x4xf32>
  return %0 : !graph.tensor<2x2x4x4xf32>
}
