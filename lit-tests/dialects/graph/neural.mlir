// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @networks(
func.func @networks(%x: !graph.tensor<5x2x3xf32>, %h: !graph.tensor<1x2x4xf32>, %w: !graph.tensor<16x3xf32>, %u: !graph.tensor<16x4xf32>, %v: !graph.tensor<4x3xf32>, %s: !graph.tensor<4x4xf32>)
    -> (!graph.tensor<5x2x4xf32>, !graph.tensor<1x2x4xf32>) {
  // CHECK: graph.lstm.input %{{.*}} state %{{.*}}, %{{.*}} params %{{.*}}, %{{.*}} {
  %0:3 = graph.lstm.input %x state %h, %h params %w, %u {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false, batch_first = false}
      : !graph.tensor<5x2x3xf32> state !graph.tensor<1x2x4xf32>, !graph.tensor<1x2x4xf32> params !graph.tensor<16x3xf32>, !graph.tensor<16x4xf32>
  // CHECK: graph.rnn_tanh.input %{{.*}} state %{{.*}} params %{{.*}}, %{{.*}} {
  %1:2 = graph.rnn_tanh.input %x state %h params %v, %s {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false, batch_first = false}
      : !graph.tensor<5x2x3xf32> state !graph.tensor<1x2x4xf32> params !graph.tensor<4x3xf32>, !graph.tensor<4x4xf32>
  return %0#0, %0#2 : !graph.tensor<5x2x4xf32>, !graph.tensor<1x2x4xf32>
}

// CHECK-LABEL: func.func @bags(
func.func @bags(%w: !graph.tensor<5x3xf32>, %i: !graph.tensor<4xi64>, %o: !graph.tensor<2xi64>) {
  // Of sums without padding it is not known which bag an index is of.
  // CHECK: graph._embedding_bag %{{.*}}, %{{.*}}, %{{.*}} : !graph.tensor<5x3xf32>
  %0:4 = graph._embedding_bag %w, %i, %o : !graph.tensor<5x3xf32>, !graph.tensor<4xi64>, !graph.tensor<2xi64>
  %1:4 = graph.embedding_bag %w, %i, %o {mode = 2, padding_idx = -1} : !graph.tensor<5x3xf32>, !graph.tensor<4xi64>, !graph.tensor<2xi64>
  // CHECK: graph._embedding_bag_dense_backward
  %2 = graph._embedding_bag_dense_backward %1#0, %i, %1#1, %1#2, %1#3 {num_weights = 5, scale_grad_by_freq = false, mode = 2}
      : !graph.tensor<2x3xf32>, !graph.tensor<4xi64>, !graph.tensor<4xi64>, !graph.tensor<2xi64>, !graph.tensor<2x3xi64>
  return
}

// CHECK-LABEL: func.func @others(
func.func @others(%a: !graph.tensor<2x3xf32>, %c: !graph.tensor<3xf32>, %w: !graph.tensor<4x3x5xf32>, %o: !graph.tensor<4xi32>)
    -> (!graph.tensor<4xi64>, !graph.tensor<2x3xf32>, !graph.tensor<2x5xf32>) {
  // CHECK: graph.prims.iota {dtype = i64, length = 4 : i64, start = 0 : i64, step = 2 : i64}
  %0 = graph.prims.iota {length = 4, start = 0, step = 2, dtype = i64}
  // CHECK: graph.prims.fma %{{.*}}, %{{.*}}, %{{.*}} :
  %1 = graph.prims.fma %a, %a, %c : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>, !graph.tensor<3xf32>
  // CHECK: graph.transformers.grouped_mm_fallback
  %2 = graph.transformers.grouped_mm_fallback %a, %w, %o : !graph.tensor<2x3xf32>, !graph.tensor<4x3x5xf32>, !graph.tensor<4xi32>
  return %0, %1, %2 : !graph.tensor<4xi64>, !graph.tensor<2x3xf32>, !graph.tensor<2x5xf32>
}

// The gradient of the grid is a result whether it is asked for or not.
// CHECK-LABEL: func.func @sampling(
func.func @sampling(%x: !graph.tensor<1x2x4x4xf32>, %g: !graph.tensor<1x3x5x2xf32>) -> (!graph.tensor<1x2x3x5xf32>, !graph.tensor<1x3x5x2xf32>) {
  // CHECK: graph.grid_sampler
  %0 = graph.grid_sampler %x, %g {interpolation_mode = 0, padding_mode = 2, align_corners = false} : !graph.tensor<1x2x4x4xf32>, !graph.tensor<1x3x5x2xf32>
  // CHECK: graph.grid_sampler_2d_backward
  %1 = graph.grid_sampler_2d_backward %0, %x, %g {interpolation_mode = 2, padding_mode = 0, align_corners = true, output_mask = array<i1: false, false>}
      : !graph.tensor<1x2x3x5xf32>, !graph.tensor<1x2x4x4xf32>, !graph.tensor<1x3x5x2xf32>
  return %0, %1 : !graph.tensor<1x2x3x5xf32>, !graph.tensor<1x3x5x2xf32>
}

// CHECK-LABEL: func.func @gradients(
func.func @gradients(%q: !graph.tensor<1x2x3x4xf32>, %l: !graph.tensor<1x2x3xf32>, %x: !graph.tensor<2x4xf32>, %m: !graph.tensor<4xf32>) {
  // CHECK: graph._scaled_dot_product_flash_attention_for_cpu_backward
  %0:3 = graph._scaled_dot_product_flash_attention_for_cpu_backward %q, %q, %q, %q, %q, %l {dropout_p = 0.0, is_causal = true}
      : !graph.tensor<1x2x3x4xf32>, !graph.tensor<1x2x3x4xf32>, !graph.tensor<1x2x3x4xf32>, !graph.tensor<1x2x3x4xf32>, !graph.tensor<1x2x3x4xf32>, !graph.tensor<1x2x3xf32>
  // CHECK: graph.native_batch_norm_backward %{{.*}}, %{{.*}} save_mean %{{.*}} : !graph.tensor<4xf32> save_invstd
  %1:2 = graph.native_batch_norm_backward %x, %x save_mean %m : !graph.tensor<4xf32> save_invstd %m : !graph.tensor<4xf32> {train = true, eps = 1.0e-5, output_mask = array<i1: true, false, true>} : !graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>
  // CHECK: graph._weight_norm_interface
  %lengths = graph.view %m size [1, 4] : !graph.tensor<4xf32>
  %2:2 = graph._weight_norm_interface %x, %lengths {dim = 1} : !graph.tensor<2x4xf32>, !graph.tensor<1x4xf32>
  return
}

// CHECK-LABEL: func.func @sampling_of_volumes(
func.func @sampling_of_volumes(%x: !graph.tensor<1x2x4x4x4xf32>, %g: !graph.tensor<1x3x5x2x3xf32>)
    -> (!graph.tensor<1x2x3x5x2xf32>, !graph.tensor<1x2x4x4x4xf32>, !graph.tensor<1x3x5x2x3xf32>) {
  // CHECK: graph.grid_sampler %
  %0 = graph.grid_sampler %x, %g {interpolation_mode = 2, padding_mode = 1, align_corners = false} : !graph.tensor<1x2x4x4x4xf32>, !graph.tensor<1x3x5x2x3xf32>
  // CHECK: graph.grid_sampler_3d_backward
  %1:2 = graph.grid_sampler_3d_backward %0, %x, %g {interpolation_mode = 0, padding_mode = 0, align_corners = true, output_mask = array<i1: true, true>}
      : !graph.tensor<1x2x3x5x2xf32>, !graph.tensor<1x2x4x4x4xf32>, !graph.tensor<1x3x5x2x3xf32>
  return %0, %1#0, %1#1 : !graph.tensor<1x2x3x5x2xf32>, !graph.tensor<1x2x4x4x4xf32>, !graph.tensor<1x3x5x2x3xf32>
}

// Seven steps of sequences of three, two and two steps.
// CHECK-LABEL: func.func @packed(
func.func @packed(%x: !graph.tensor<7x3xf32>, %n: !graph.tensor<3xi64>, %h: !graph.tensor<1x3x4xf32>, %w: !graph.tensor<16x3xf32>, %u: !graph.tensor<16x4xf32>, %v: !graph.tensor<4x3xf32>, %s: !graph.tensor<4x4xf32>)
    -> (!graph.tensor<7x4xf32>, !graph.tensor<1x3x4xf32>) {
  // CHECK: graph.lstm.data %{{.*}}, %{{.*}} state %{{.*}}, %{{.*}} params %{{.*}}, %{{.*}} {
  %0:3 = graph.lstm.data %x, %n state %h, %h params %w, %u {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false}
      : !graph.tensor<7x3xf32>, !graph.tensor<3xi64> state !graph.tensor<1x3x4xf32>, !graph.tensor<1x3x4xf32> params !graph.tensor<16x3xf32>, !graph.tensor<16x4xf32>
  // CHECK: graph.rnn_relu.data %{{.*}}, %{{.*}} state %{{.*}} params %{{.*}}, %{{.*}} {
  %1:2 = graph.rnn_relu.data %x, %n state %h params %v, %s {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false}
      : !graph.tensor<7x3xf32>, !graph.tensor<3xi64> state !graph.tensor<1x3x4xf32> params !graph.tensor<4x3xf32>, !graph.tensor<4x4xf32>
  return %0#0, %1#1 : !graph.tensor<7x4xf32>, !graph.tensor<1x3x4xf32>
}

// Groups of rows, of columns, of what is summed over; and two batches.
// CHECK-LABEL: func.func @groups(
func.func @groups(%a: !graph.tensor<4x8xf32>, %b: !graph.tensor<8x4xf32>, %as: !graph.tensor<2x4x8xf32>, %bs: !graph.tensor<2x8x4xf32>, %o: !graph.tensor<2xi32>)
    -> (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>, !graph.tensor<2x4x4xf32>, !graph.tensor<2x4x4xf32>) {
  // CHECK: graph._grouped_mm %{{.*}}, %{{.*}} offs %{{.*}} : !graph.tensor<2xi32> : !graph.tensor<4x8xf32>, !graph.tensor<2x8x4xf32>
  %0 = graph._grouped_mm %a, %bs offs %o : !graph.tensor<2xi32> : !graph.tensor<4x8xf32>, !graph.tensor<2x8x4xf32>
  %1 = graph._grouped_mm %as, %b offs %o : !graph.tensor<2xi32> : !graph.tensor<2x4x8xf32>, !graph.tensor<8x4xf32>
  %2 = graph._grouped_mm %a, %b offs %o : !graph.tensor<2xi32> {out_dtype = f32} : !graph.tensor<4x8xf32>, !graph.tensor<8x4xf32>
  // CHECK: graph._grouped_mm %{{.*}}, %{{.*}} : !graph.tensor<2x4x8xf32>, !graph.tensor<2x8x4xf32>
  %3 = graph._grouped_mm %as, %bs : !graph.tensor<2x4x8xf32>, !graph.tensor<2x8x4xf32>
  return %0, %1, %2, %3 : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>, !graph.tensor<2x4x4xf32>, !graph.tensor<2x4x4xf32>
}
