// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @negative_beta(%x: !graph.tensor<3xf32>) {
  // expected-error @+1 {{smooth_l1_loss does not support negative values for beta.}}
  %0 = graph.smooth_l1_loss %x, %x {beta = -1.0} : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}

// -----

func.func @delta_of_zero(%x: !graph.tensor<3xf32>) {
  // expected-error @+1 {{huber_loss does not support non-positive values for delta.}}
  %0 = graph.huber_loss %x, %x {delta = 0.0} : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}

// -----

func.func @squares_of_integers(%x: !graph.tensor<3xi64>) {
  // expected-error @+1 {{"mse_cpu" not implemented for 'Long'}}
  %0 = graph.mse_loss %x, %x : !graph.tensor<3xi64>, !graph.tensor<3xi64>
  return
}

// -----

func.func @mean_of_integers(%x: !graph.tensor<3xi64>) {
  // expected-error @+1 {{mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long}}
  %0 = graph.l1_loss %x, %x : !graph.tensor<3xi64>, !graph.tensor<3xi64>
  return
}

// -----

func.func @no_such_reduction(%x: !graph.tensor<3xf32>) {
  // expected-error @+1 {{3 is not a valid value for reduction}}
  %0 = graph.mse_loss %x, %x {reduction = 3} : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}

// -----

func.func @divergence_of_integers(%x: !graph.tensor<3xi64>) {
  // expected-error @+1 {{kl_div: Integral inputs not supported.}}
  %0 = graph.kl_div %x, %x : !graph.tensor<3xi64>, !graph.tensor<3xi64>
  return
}

// -----

func.func @target_of_another_dtype(%x: !graph.tensor<3xf32>, %t: !graph.tensor<3xf64>) {
  // expected-error @+1 {{Found dtype Double but expected Float}}
  %0 = graph.binary_cross_entropy %x, %t : !graph.tensor<3xf32>, !graph.tensor<3xf64>
  return
}

// -----

func.func @weight_that_would_make_it_grow(%x: !graph.tensor<3xf32>, %w: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{output with shape [3] doesn't match the broadcast shape [2, 3]}}
  %0 = graph.binary_cross_entropy_with_logits %x, %x weight %w : !graph.tensor<2x3xf32> : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}

// -----

func.func @targets_of_another_size(%x: !graph.tensor<2x3x4xf32>, %t: !graph.tensor<2x5xi64>) {
  // expected-error @+1 {{Expected target size [2, 4], got [2, 5]}}
  %0 = graph.nll_loss_nd %x, %t : !graph.tensor<2x3x4xf32>, !graph.tensor<2x5xi64>
  return
}

// -----

func.func @targets_that_are_no_integers(%x: !graph.tensor<2x3x4x4xf32>, %t: !graph.tensor<2x4x4xi32>) {
  // expected-error @+1 {{expected target dtype to be Long or Byte, but got Int}}
  %0:2 = graph.nll_loss2d_forward %x, %t {reduction = 0, ignore_index = 0} : !graph.tensor<2x3x4x4xf32>, !graph.tensor<2x4x4xi32>
  return
}

// -----

func.func @smoothing_beyond_one(%x: !graph.tensor<2x3xf32>, %t: !graph.tensor<2xi64>) {
  // expected-error @+1 {{label_smoothing must be between 0.0 and 1.0. Got: 1.5}}
  %0 = graph.cross_entropy_loss %x, %t {label_smoothing = 1.5} : !graph.tensor<2x3xf32>, !graph.tensor<2xi64>
  return
}

// -----

func.func @probabilities_that_are_ignored(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{ignore_index is not supported for floating point target}}
  %0 = graph.cross_entropy_loss %x, %x {ignore_index = 1} : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  return
}
