// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// Types of results are inferred; gradients that the mask leaves out are no results.
// CHECK-LABEL: func.func @gradients
// CHECK: graph.threshold_backward %{{.*}}, %{{.*}}, %{{.*}} : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>, f64
// CHECK: graph.tanh_backward %{{.*}}, %{{.*}} : !graph.tensor<2x3xf32>, !graph.tensor<3xf32>
// CHECK: graph.sigmoid_backward
// CHECK: graph._softmax_backward_data %{{.*}}, %{{.*}} {dim = 1 : i64, input_dtype = f32} : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
// CHECK: graph._log_softmax_backward_data
// CHECK: %{{.*}}:2 = graph.native_layer_norm_backward %{{.*}}, %{{.*}} mean %{{.*}} rstd %{{.*}} weight %{{.*}} : !graph.tensor<3xf32> bias %{{.*}} : !graph.tensor<3xf32> {normalized_shape = array<i64: 3>, output_mask = array<i1: true, false, true>}
func.func @gradients(%g: !graph.tensor<2x3xf32>, %x: !graph.tensor<2x3xf32>, %p: !graph.tensor<3xf32>, %m: !graph.tensor<2x1xf32>) -> (!graph.tensor<2x3xf32>, !graph.tensor<3xf32>) {
  %k = arith.constant 0.0 : f64
  %0 = graph.threshold_backward %g, %x, %k : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>, f64
  %1 = graph.tanh_backward %0, %p : !graph.tensor<2x3xf32>, !graph.tensor<3xf32>
  %2 = graph.sigmoid_backward %1, %x : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  %3 = graph._softmax_backward_data %2, %x {dim = 1, input_dtype = f32} : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  %4 = graph._log_softmax_backward_data %3, %x {dim = 1, input_dtype = f32} : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  %5:2 = graph.native_layer_norm_backward %4, %x mean %m rstd %m weight %p : !graph.tensor<3xf32> bias %p : !graph.tensor<3xf32> {normalized_shape = array<i64: 3>, output_mask = array<i1: true, false, true>} : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>, !graph.tensor<2x1xf32>, !graph.tensor<2x1xf32>
  return %5#0, %5#1 : !graph.tensor<2x3xf32>, !graph.tensor<3xf32>
}

// CHECK-LABEL: func.func @losses
// CHECK: graph.nll_loss_forward %{{.*}}, %{{.*}} {ignore_index = -100 : i64, reduction = 1 : i64} : !graph.tensor<4x5xf32>, !graph.tensor<4xi64>
// CHECK: graph.nll_loss_backward %{{.*}}, %{{.*}}, %{{.*}} total %{{.*}}
// CHECK: graph.embedding_dense_backward
// CHECK-SAME: num_weights = 7
func.func @losses(%x: !graph.tensor<4x5xf32>, %t: !graph.tensor<4xi64>) -> !graph.tensor<7x5xf32> {
  %0:2 = graph.nll_loss_forward %x, %t {reduction = 1, ignore_index = -100} : !graph.tensor<4x5xf32>, !graph.tensor<4xi64>
  %1 = graph.nll_loss_backward %0#0, %x, %t total %0#1 {reduction = 1, ignore_index = -100} : !graph.tensor<f32>, !graph.tensor<4x5xf32>, !graph.tensor<4xi64>, !graph.tensor<f32>
  %2 = graph.embedding_dense_backward %1, %t {num_weights = 7, padding_idx = -1, scale_grad_by_freq = false} : !graph.tensor<4x5xf32>, !graph.tensor<4xi64>
  return %2 : !graph.tensor<7x5xf32>
}

// CHECK-LABEL: func.func @convolution
// CHECK: %{{.*}}:2 = graph.convolution_backward
func.func @convolution(%g: !graph.tensor<2x6x3xf32>, %x: !graph.tensor<2x4x5xf32>, %w: !graph.tensor<6x4x3xf32>) -> (!graph.tensor<6x4x3xf32>, !graph.tensor<6xf32>) {
  %0:2 = graph.convolution_backward %g, %x, %w {stride = array<i64: 1>, padding = array<i64: 0>, dilation = array<i64: 1>, output_padding = array<i64: 0>, output_mask = array<i1: false, true, true>} : !graph.tensor<2x6x3xf32>, !graph.tensor<2x4x5xf32>, !graph.tensor<6x4x3xf32>
  return %0#0, %0#1 : !graph.tensor<6x4x3xf32>, !graph.tensor<6xf32>
}
