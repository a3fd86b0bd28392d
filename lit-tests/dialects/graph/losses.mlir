// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @elements(
func.func @elements(%x: !graph.tensor<2x3xf32>, %t: !graph.tensor<2x3xf32>) {
  // CHECK: graph.mse_loss %{{.*}}, %{{.*}} {reduction = 0 : i64}
  %0 = graph.mse_loss %x, %t {reduction = 0} : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  // CHECK: graph.smooth_l1_loss
  // CHECK-SAME: beta = 5.000000e-01
  %1 = graph.smooth_l1_loss %x, %t {beta = 0.5} : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  // CHECK: graph.binary_cross_entropy_with_logits %{{.*}}, %{{.*}} pos_weight %{{.*}} : !graph.tensor<2x3xf32> :
  %2 = graph.binary_cross_entropy_with_logits %x, %t pos_weight %t : !graph.tensor<2x3xf32> : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  // CHECK: graph.mse_loss_backward
  %3 = graph.mse_loss_backward %1, %x, %t {reduction = 1} : !graph.tensor<f32>, !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  return
}

// The mean of all is a tensor without dimensions.
// CHECK-LABEL: func.func @classes(
func.func @classes(%x: !graph.tensor<2x3x4x4xf32>, %t: !graph.tensor<2x4x4xi64>, %w: !graph.tensor<3xf32>) -> (!graph.tensor<f32>, !graph.tensor<2x4x4xf32>) {
  // CHECK: graph.cross_entropy_loss %{{.*}}, %{{.*}} weight %{{.*}} : !graph.tensor<3xf32> {ignore_index = 0 : i64, label_smoothing = 2.500000e-01 : f64}
  %0 = graph.cross_entropy_loss %x, %t weight %w : !graph.tensor<3xf32> {ignore_index = 0, label_smoothing = 0.25} : !graph.tensor<2x3x4x4xf32>, !graph.tensor<2x4x4xi64>
  // CHECK: graph.nll_loss_nd
  %1 = graph.nll_loss_nd %x, %t {reduction = 0} : !graph.tensor<2x3x4x4xf32>, !graph.tensor<2x4x4xi64>
  // CHECK: graph.nll_loss2d_forward
  %2:2 = graph.nll_loss2d_forward %x, %t {reduction = 1, ignore_index = -100} : !graph.tensor<2x3x4x4xf32>, !graph.tensor<2x4x4xi64>
  // CHECK: graph.nll_loss2d_backward %{{.*}}, %{{.*}}, %{{.*}} total %{{.*}} {
  %3 = graph.nll_loss2d_backward %2#0, %x, %t total %2#1 {reduction = 1, ignore_index = -100} : !graph.tensor<f32>, !graph.tensor<2x3x4x4xf32>, !graph.tensor<2x4x4xi64>, !graph.tensor<f32>
  return %0, %1 : !graph.tensor<f32>, !graph.tensor<2x4x4xf32>
}
