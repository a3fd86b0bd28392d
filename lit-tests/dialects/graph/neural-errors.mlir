// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @one_state_for_two(%x: !graph.tensor<5x2x3xf32>, %h: !graph.tensor<1x2x4xf32>, %w: !graph.tensor<16x3xf32>, %u: !graph.tensor<16x4xf32>) {
  // expected-error @+1 {{lstm expects two hidden states, got 1}}
  %0:3 = graph.lstm.input %x state %h params %w, %u {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false, batch_first = false}
      : !graph.tensor<5x2x3xf32> state !graph.tensor<1x2x4xf32> params !graph.tensor<16x3xf32>, !graph.tensor<16x4xf32>
  return
}

// -----

func.func @gates_of_another_cell(%x: !graph.tensor<5x2x3xf32>, %h: !graph.tensor<1x2x4xf32>, %w: !graph.tensor<16x3xf32>, %u: !graph.tensor<16x4xf32>) {
  // expected-error @+1 {{expects a parameter of shape [12, 3], got [16, 3]}}
  %0:2 = graph.gru.input %x state %h params %w, %u {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false, batch_first = false}
      : !graph.tensor<5x2x3xf32> state !graph.tensor<1x2x4xf32> params !graph.tensor<16x3xf32>, !graph.tensor<16x4xf32>
  return
}

// -----

func.func @parameters_of_a_layer_that_is_not_there(%x: !graph.tensor<5x2x3xf32>, %h: !graph.tensor<1x2x4xf32>, %w: !graph.tensor<4x3xf32>) {
  // expected-error @+1 {{expects 2 parameters for each of 1 layers in 1 directions, got 3}}
  %0:2 = graph.rnn_relu.input %x state %h params %w, %w, %w {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false, batch_first = false}
      : !graph.tensor<5x2x3xf32> state !graph.tensor<1x2x4xf32> params !graph.tensor<4x3xf32>, !graph.tensor<4x3xf32>, !graph.tensor<4x3xf32>
  return
}

// -----

func.func @dropout_between_layers(%x: !graph.tensor<5x2x4xf32>, %h: !graph.tensor<2x2x4xf32>, %w: !graph.tensor<4x4xf32>) {
  // expected-error @+1 {{expects no dropout between layers}}
  %0:2 = graph.rnn_tanh.input %x state %h params %w, %w, %w, %w {has_biases = false, num_layers = 2, dropout = 0.5, train = true, bidirectional = false, batch_first = false}
      : !graph.tensor<5x2x4xf32> state !graph.tensor<2x2x4xf32> params !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>
  return
}

// -----

func.func @bags_of_integers(%w: !graph.tensor<5x3xi64>, %i: !graph.tensor<4xi64>, %o: !graph.tensor<2xi64>) {
  // expected-error @+1 {{Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, Float, Double; but got torch.LongTensor instead}}
  %0:4 = graph.embedding_bag %w, %i, %o : !graph.tensor<5x3xi64>, !graph.tensor<4xi64>, !graph.tensor<2xi64>
  return
}

// -----

func.func @weights_of_samples_for_means(%w: !graph.tensor<5x3xf32>, %i: !graph.tensor<4xi64>, %o: !graph.tensor<2xi64>, %s: !graph.tensor<4xf32>) {
  // expected-error @+1 {{per_sample_weights is only supported for mode='sum'}}
  %0:4 = graph.embedding_bag %w, %i, %o weights %s : !graph.tensor<4xf32> {mode = 1} : !graph.tensor<5x3xf32>, !graph.tensor<4xi64>, !graph.tensor<2xi64>
  return
}

// -----

func.func @sparse_gradients(%g: !graph.tensor<2x3xf32>, %i: !graph.tensor<2xi64>) {
  // expected-error @+1 {{there are no sparse tensors here}}
  %0 = graph.embedding_backward %g, %i {num_weights = 4, padding_idx = -1, scale_grad_by_freq = false, sparse = true} : !graph.tensor<2x3xf32>, !graph.tensor<2xi64>
  return
}

// -----

func.func @floats_counted(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{prims.iota only supports integer dtypes}}
  %0 = graph.prims.iota {length = 2, start = 0, step = 1, dtype = f32}
  return
}

// -----

func.func @groups_of_other_matrices(%a: !graph.tensor<2x3xf32>, %w: !graph.tensor<4x3x5xf32>, %o: !graph.tensor<3xi32>) {
  // expected-error @+1 {{offs length 3 must match number of experts 4}}
  %0 = graph.transformers.grouped_mm_fallback %a, %w, %o : !graph.tensor<2x3xf32>, !graph.tensor<4x3x5xf32>, !graph.tensor<3xi32>
  return
}

// -----

func.func @grid_of_three_coordinates(%x: !graph.tensor<1x2x4x4xf32>, %g: !graph.tensor<1x3x5x3xf32>) {
  // expected-error @+1 {{grid_sampler(): expected grid to have size 2 in last dimension, but got grid with sizes [1, 3, 5, 3]}}
  %0 = graph.grid_sampler_2d %x, %g {interpolation_mode = 0, padding_mode = 0, align_corners = false} : !graph.tensor<1x2x4x4xf32>, !graph.tensor<1x3x5x3xf32>
  return
}

// -----

func.func @gradient_of_other_windows(%g: !graph.tensor<1x3x3xf32>, %x: !graph.tensor<1x4x4xf32>) {
  // expected-error @+1 {{expects a gradient of the result's type !graph.tensor<1x2x2xf32>}}
  %0 = graph.avg_pool2d_backward %g, %x {kernel_size = array<i64: 2>, stride = array<i64: 2>, padding = array<i64: 0>, ceil_mode = false, count_include_pad = true} : !graph.tensor<1x3x3xf32>, !graph.tensor<1x4x4xf32>
  return
}

// -----

func.func @gradient_of_another_size(%g: !graph.tensor<1x2x3x3xf32>) {
  // expected-error @+1 {{Expected grad_output to have the same shape as output; output.size(2) = 4 but got grad_output.size(2) = 3}}
  %0 = graph.upsample_nearest2d_backward %g output_size [4, 3] input_size [1, 2, 2, 2] : !graph.tensor<1x2x3x3xf32>
  return
}

// -----

func.func @statistics_of_training_that_are_not_there(%x: !graph.tensor<2x4xf32>) {
  // expected-error @+1 {{expects save_mean, which its statistics come from}}
  %0:3 = graph.native_batch_norm_backward %x, %x {train = true, eps = 1.0e-5, output_mask = array<i1: true, true, true>} : !graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>
  return
}

// -----

func.func @lengths_of_another_dimension(%v: !graph.tensor<2x4xf32>, %g: !graph.tensor<2x1xf32>) {
  // expected-error @+1 {{expects lengths of shape [1, 4], got [2, 1]}}
  %0 = graph._weight_norm %v, %g {dim = 1} : !graph.tensor<2x4xf32>, !graph.tensor<2x1xf32>
  return
}

// -----

func.func @gradient_from_a_result_with_a_negative_slope(%g: !graph.tensor<2xf32>) {
  %k = arith.constant -0.5 : f64
  // expected-error @+1 {{In-place leakyReLu backward calculation is triggered with a negative slope which is not supported.}}
  %0 = graph.leaky_relu_backward %g, %g, %k {self_is_result = true} : !graph.tensor<2xf32>, !graph.tensor<2xf32>, f64
  return
}

// -----

func.func @logarithms_of_half_precision(%q: !graph.tensor<1x2x3x4xf16>, %l: !graph.tensor<1x2x3xf16>) {
  // expected-error @+1 {{expects logsumexp of the type !graph.tensor<1x2x3xf32>}}
  %0:3 = graph._scaled_dot_product_flash_attention_for_cpu_backward %q, %q, %q, %q, %q, %l {dropout_p = 0.0, is_causal = true}
      : !graph.tensor<1x2x3x4xf16>, !graph.tensor<1x2x3x4xf16>, !graph.tensor<1x2x3x4xf16>, !graph.tensor<1x2x3x4xf16>, !graph.tensor<1x2x3x4xf16>, !graph.tensor<1x2x3xf16>
  return
}

// -----

func.func @means_over_two_dimensions_of_volumes(%x: !graph.tensor<2x4x4x4xf32>) {
  // expected-error @+1 {{adaptive_avg_pool3d: output_size must be 3}}
  %0 = graph.adaptive_avg_pool3d %x {output_size = array<i64: 2, 2>} : !graph.tensor<2x4x4x4xf32>
  return
}

// -----

func.func @batch_sizes_as_a_matrix(%x: !graph.tensor<7x3xf32>, %n: !graph.tensor<3x1xi64>, %h: !graph.tensor<1x3x4xf32>, %v: !graph.tensor<4x3xf32>, %s: !graph.tensor<4x4xf32>) {
  // expected-error @+1 {{batch_sizes tensor should be 1D}}
  %0:2 = graph.rnn_relu.data %x, %n state %h params %v, %s {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false} : !graph.tensor<7x3xf32>, !graph.tensor<3x1xi64> state !graph.tensor<1x3x4xf32> params !graph.tensor<4x3xf32>, !graph.tensor<4x4xf32>
  return
}

// -----

func.func @batch_sizes_as_i32(%x: !graph.tensor<7x3xf32>, %n: !graph.tensor<3xi32>, %h: !graph.tensor<1x3x4xf32>, %v: !graph.tensor<4x3xf32>, %s: !graph.tensor<4x4xf32>) {
  // expected-error @+1 {{expected scalar type Long but found Int}}
  %0:2 = graph.rnn_relu.data %x, %n state %h params %v, %s {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false} : !graph.tensor<7x3xf32>, !graph.tensor<3xi32> state !graph.tensor<1x3x4xf32> params !graph.tensor<4x3xf32>, !graph.tensor<4x4xf32>
  return
}

// -----

func.func @packed_sequences_of_three_dimensions(%x: !graph.tensor<7x1x3xf32>, %n: !graph.tensor<3xi64>, %h: !graph.tensor<1x3x4xf32>, %v: !graph.tensor<4x3xf32>, %s: !graph.tensor<4x4xf32>) {
  // expected-error @+1 {{expects packed sequences of 2 dimensions and states of 3, got [7, 1, 3] and [1, 3, 4]}}
  %0:2 = graph.rnn_relu.data %x, %n state %h params %v, %s {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false} : !graph.tensor<7x1x3xf32>, !graph.tensor<3xi64> state !graph.tensor<1x3x4xf32> params !graph.tensor<4x3xf32>, !graph.tensor<4x4xf32>
  return
}

// -----

func.func @states_of_two_layers(%x: !graph.tensor<7x3xf32>, %n: !graph.tensor<3xi64>, %h: !graph.tensor<2x3x4xf32>, %v: !graph.tensor<4x3xf32>, %s: !graph.tensor<4x4xf32>) {
  // expected-error @+1 {{Expected hidden size [1, 3, 4], got [2, 3, 4]}}
  %0:2 = graph.rnn_relu.data %x, %n state %h params %v, %s {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false} : !graph.tensor<7x3xf32>, !graph.tensor<3xi64> state !graph.tensor<2x3x4xf32> params !graph.tensor<4x3xf32>, !graph.tensor<4x4xf32>
  return
}

// -----

func.func @no_steps(%x: !graph.tensor<7x3xf32>, %n: !graph.tensor<0xi64>, %h: !graph.tensor<1x3x4xf32>, %v: !graph.tensor<4x3xf32>, %s: !graph.tensor<4x4xf32>) {
  // expected-error @+1 {{Expected sequence length to be larger than 0 in RNN}}
  %0:2 = graph.rnn_relu.data %x, %n state %h params %v, %s {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false} : !graph.tensor<7x3xf32>, !graph.tensor<0xi64> state !graph.tensor<1x3x4xf32> params !graph.tensor<4x3xf32>, !graph.tensor<4x4xf32>
  return
}

// -----

func.func @features_beyond_the_weights(%x: !graph.tensor<7x2xf32>, %n: !graph.tensor<3xi64>, %h: !graph.tensor<1x3x4xf32>, %v: !graph.tensor<4x3xf32>, %s: !graph.tensor<4x4xf32>) {
  // expected-error @+1 {{expects a parameter of shape [4, 2], got [4, 3]}}
  %0:2 = graph.rnn_relu.data %x, %n state %h params %v, %s {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false} : !graph.tensor<7x2xf32>, !graph.tensor<3xi64> state !graph.tensor<1x3x4xf32> params !graph.tensor<4x3xf32>, !graph.tensor<4x4xf32>
  return
}

// -----

func.func @states_of_another_dtype(%x: !graph.tensor<7x3xf32>, %n: !graph.tensor<3xi64>, %h: !graph.tensor<1x3x4xf64>, %v: !graph.tensor<4x3xf32>, %s: !graph.tensor<4x4xf32>) {
  // expected-error @+1 {{Input and parameter tensors are not the same dtype, found input tensor with Float and parameter tensor with Double}}
  %0:2 = graph.rnn_relu.data %x, %n state %h params %v, %s {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false} : !graph.tensor<7x3xf32>, !graph.tensor<3xi64> state !graph.tensor<1x3x4xf64> params !graph.tensor<4x3xf32>, !graph.tensor<4x4xf32>
  return
}

// -----

func.func @volumes_at_a_grid_of_images(%x: !graph.tensor<1x2x4x4x4xf32>, %g: !graph.tensor<1x3x5x3xf32>) {
  // expected-error @+1 {{grid_sampler(): expected 5D input and grid with same number of dimensions, but got input with sizes [1, 2, 4, 4, 4] and grid with sizes [1, 3, 5, 3]}}
  %0 = graph.grid_sampler_3d %x, %g {interpolation_mode = 0, padding_mode = 0, align_corners = false} : !graph.tensor<1x2x4x4x4xf32>, !graph.tensor<1x3x5x3xf32>
  return
}

// -----

func.func @images_as_volumes(%x: !graph.tensor<1x2x4x4xf32>, %g: !graph.tensor<1x3x5x2xf32>) {
  // expected-error @+1 {{grid_sampler(): expected 5D input and grid with same number of dimensions}}
  %0 = graph.grid_sampler_3d %x, %g {interpolation_mode = 0, padding_mode = 0, align_corners = false} : !graph.tensor<1x2x4x4xf32>, !graph.tensor<1x3x5x2xf32>
  return
}

// -----

func.func @volumes_of_integers(%x: !graph.tensor<1x2x4x4x4xi64>, %g: !graph.tensor<1x3x5x2x3xi64>) {
  // expected-error @+1 {{"grid_sampler3d_cpu" not implemented for 'Long'}}
  %0 = graph.grid_sampler %x, %g {interpolation_mode = 0, padding_mode = 0, align_corners = false} : !graph.tensor<1x2x4x4x4xi64>, !graph.tensor<1x3x5x2x3xi64>
  return
}

// -----

func.func @groups_of_f64(%a: !graph.tensor<4x8xf64>, %b: !graph.tensor<2x8x4xf64>, %o: !graph.tensor<2xi32>) {
  // expected-error @+1 {{Expected mat_a to be Float32, BFloat16 or Float16 matrix, got Double}}
  %0 = graph._grouped_mm %a, %b offs %o : !graph.tensor<2xi32> : !graph.tensor<4x8xf64>, !graph.tensor<2x8x4xf64>
  return
}

// -----

func.func @groups_of_vectors(%a: !graph.tensor<4x8xf32>, %b: !graph.tensor<8xf32>, %o: !graph.tensor<2xi32>) {
  // expected-error @+1 {{mat_b has to be 2 or 3d}}
  %0 = graph._grouped_mm %a, %b offs %o : !graph.tensor<2xi32> : !graph.tensor<4x8xf32>, !graph.tensor<8xf32>
  return
}

// -----

func.func @groups_of_other_rows(%a: !graph.tensor<4x8xf32>, %b: !graph.tensor<2x4x4xf32>, %o: !graph.tensor<2xi32>) {
  // expected-error @+1 {{contraction dimension of mat_a and mat_b must match}}
  %0 = graph._grouped_mm %a, %b offs %o : !graph.tensor<2xi32> : !graph.tensor<4x8xf32>, !graph.tensor<2x4x4xf32>
  return
}

// -----

func.func @groups_without_ends(%a: !graph.tensor<4x8xf32>, %b: !graph.tensor<2x8x4xf32>) {
  // expected-error @+1 {{Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d}}
  %0 = graph._grouped_mm %a, %b : !graph.tensor<4x8xf32>, !graph.tensor<2x8x4xf32>
  return
}

// -----

func.func @batches_with_ends(%a: !graph.tensor<2x4x8xf32>, %b: !graph.tensor<2x8x4xf32>, %o: !graph.tensor<2xi32>) {
  // expected-error @+1 {{Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d}}
  %0 = graph._grouped_mm %a, %b offs %o : !graph.tensor<2xi32> : !graph.tensor<2x4x8xf32>, !graph.tensor<2x8x4xf32>
  return
}

// -----

func.func @ends_as_i64(%a: !graph.tensor<4x8xf32>, %b: !graph.tensor<2x8x4xf32>, %o: !graph.tensor<2xi64>) {
  // expected-error @+1 {{Offsets have to be int32}}
  %0 = graph._grouped_mm %a, %b offs %o : !graph.tensor<2xi64> : !graph.tensor<4x8xf32>, !graph.tensor<2x8x4xf32>
  return
}

// -----

func.func @ends_as_a_matrix(%a: !graph.tensor<4x8xf32>, %b: !graph.tensor<2x8x4xf32>, %o: !graph.tensor<2x1xi32>) {
  // expected-error @+1 {{offs has to be 1D}}
  %0 = graph._grouped_mm %a, %b offs %o : !graph.tensor<2x1xi32> : !graph.tensor<4x8xf32>, !graph.tensor<2x8x4xf32>
  return
}

// -----

func.func @groups_with_a_bias(%a: !graph.tensor<4x8xf32>, %b: !graph.tensor<2x8x4xf32>, %o: !graph.tensor<2xi32>, %c: !graph.tensor<4xf32>) {
  // expected-error @+1 {{Bias not supported yet}}
  %0 = graph._grouped_mm %a, %b offs %o : !graph.tensor<2xi32> bias %c : !graph.tensor<4xf32> : !graph.tensor<4x8xf32>, !graph.tensor<2x8x4xf32>
  return
}

// -----

func.func @groups_as_another_dtype(%a: !graph.tensor<4x8xf32>, %b: !graph.tensor<2x8x4xf32>, %o: !graph.tensor<2xi32>) {
  // expected-error @+1 {{Grouped gemm output dtype must match `mat_a` dtype}}
  %0 = graph._grouped_mm %a, %b offs %o : !graph.tensor<2xi32> {out_dtype = f16} : !graph.tensor<4x8xf32>, !graph.tensor<2x8x4xf32>
  return
}

// -----

func.func @ends_of_three_groups(%a: !graph.tensor<4x8xf32>, %b: !graph.tensor<2x8x4xf32>, %o: !graph.tensor<3xi32>) {
  // expected-error @+1 {{matrix batch sizes have to match}}
  %0 = graph._grouped_mm %a, %b offs %o : !graph.tensor<3xi32> : !graph.tensor<4x8xf32>, !graph.tensor<2x8x4xf32>
  return
}

// -----

func.func @batches_of_other_sizes(%a: !graph.tensor<2x4x8xf32>, %b: !graph.tensor<3x8x4xf32>) {
  // expected-error @+1 {{batched dimension has to match}}
  %0 = graph._grouped_mm %a, %b : !graph.tensor<2x4x8xf32>, !graph.tensor<3x8x4xf32>
  return
}

// -----

func.func @groups_of_two_dtypes(%a: !graph.tensor<4x8xf32>, %b: !graph.tensor<2x8x4xf16>, %o: !graph.tensor<2xi32>) {
  // expected-error @+1 {{Expected mat_a and mat_b to have the same dtype, got Float and Half}}
  %0 = graph._grouped_mm %a, %b offs %o : !graph.tensor<2xi32> : !graph.tensor<4x8xf32>, !graph.tensor<2x8x4xf16>
  return
}
