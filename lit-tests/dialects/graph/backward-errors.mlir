// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @integers(%g: !graph.tensor<2xi32>) {
  // expected-error @+1 {{"tanh_backward_cpu" not implemented for 'Int'}}
  %0 = graph.tanh_backward %g, %g : !graph.tensor<2xi32>, !graph.tensor<2xi32>
  return
}

// -----

func.func @softmax(%g: !graph.tensor<3xf32>, %y: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{Expected tensor for argument #1 'grad' to have same size as tensor for argument #2 'output'; but [3] does not equal [2, 3] (while checking arguments for softmax_backward)}}
  %0 = graph._softmax_backward_data %g, %y {dim = 0, input_dtype = f32} : !graph.tensor<3xf32>, !graph.tensor<2x3xf32>
  return
}

// -----

func.func @targets(%x: !graph.tensor<4x5xf32>, %t: !graph.tensor<3xi64>) {
  // expected-error @+1 {{size mismatch (got input: [4, 5], target: [3])}}
  %0:2 = graph.nll_loss_forward %x, %t {reduction = 1, ignore_index = -100} : !graph.tensor<4x5xf32>, !graph.tensor<3xi64>
  return
}

// -----

func.func @total(%g: !graph.tensor<f32>, %x: !graph.tensor<4x5xf32>, %t: !graph.tensor<4xi64>, %w: !graph.tensor<2xf32>) {
  // expected-error @+1 {{expected total_weight to be a  single element tensor, got: [2] (2 elements)}}
  %0 = graph.nll_loss_backward %g, %x, %t total %w {reduction = 1, ignore_index = -100} : !graph.tensor<f32>, !graph.tensor<4x5xf32>, !graph.tensor<4xi64>, !graph.tensor<2xf32>
  return
}

// -----

func.func @shape(%g: !graph.tensor<2x6x4xf32>, %x: !graph.tensor<2x4x5xf32>, %w: !graph.tensor<6x4x3xf32>) {
  // expected-error @+1 {{Expected grad_output of the shape [2, 6, 3] of the result, but got [2, 6, 4]}}
  %0:2 = graph.convolution_backward %g, %x, %w {stride = array<i64: 1>, padding = array<i64: 0>, dilation = array<i64: 1>, output_padding = array<i64: 0>, output_mask = array<i1: false, true, true>} : !graph.tensor<2x6x4xf32>, !graph.tensor<2x4x5xf32>, !graph.tensor<6x4x3xf32>
  return
}

// -----

func.func @indices(%g: !graph.tensor<4x5xf32>, %i: !graph.tensor<4xf32>) {
  // expected-error @+1 {{Expected tensor for argument #2 'indices' to have one of the following scalar types: Long, Int; but got}}
  %0 = graph.embedding_dense_backward %g, %i {num_weights = 7, padding_idx = -1, scale_grad_by_freq = false} : !graph.tensor<4x5xf32>, !graph.tensor<4xf32>
  return
}
