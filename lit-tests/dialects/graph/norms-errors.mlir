// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @without_statistics(%x: !graph.tensor<2x3x4xf32>) {
  // expected-error @+1 {{running_mean must be defined in evaluation mode}}
  %0:3 = graph.native_batch_norm %x {training = false, momentum = 0.1, eps = 1.0e-5} : !graph.tensor<2x3x4xf32>
  return
}

// -----

func.func @half_of_the_statistics(%x: !graph.tensor<2x3x4xf32>, %m: !graph.tensor<3xf32>) {
  // expected-error @+1 {{running_mean and running_var must either both be None or neither be None}}
  %0:3 = graph.native_batch_norm %x running_mean %m : !graph.tensor<3xf32> {training = true, momentum = 0.1, eps = 1.0e-5} : !graph.tensor<2x3x4xf32>
  return
}

// -----

func.func @parameter_per_channel(%x: !graph.tensor<2x3x4xf32>, %w: !graph.tensor<2xf32>) {
  // expected-error @+1 {{weight should contain 3 elements not 2}}
  %0:3 = graph.native_batch_norm %x weight %w : !graph.tensor<2xf32> {training = true, momentum = 0.1, eps = 1.0e-5} : !graph.tensor<2x3x4xf32>
  return
}

// -----

func.func @mixed_dtypes(%x: !graph.tensor<2x3x4xf64>, %w: !graph.tensor<3xf32>) {
  // expected-error @+1 {{mixed dtype (CPU): all inputs must share same datatype.}}
  %0:3 = graph.native_batch_norm %x weight %w : !graph.tensor<3xf32> {training = true, momentum = 0.1, eps = 1.0e-5} : !graph.tensor<2x3x4xf64>
  return
}

// -----

func.func @no_integers(%x: !graph.tensor<2x3x4xi64>) {
  // expected-error @+1 {{"batch_norm" not implemented for 'Long'}}
  %0:3 = graph.native_batch_norm %x {training = true, momentum = 0.1, eps = 1.0e-5} : !graph.tensor<2x3x4xi64>
  return
}

// -----

func.func @whole_groups(%x: !graph.tensor<2x4x3xf32>) {
  // expected-error @+1 {{Expected number of channels in input to be divisible by num_groups, but got input of shape [2, 4, 3] and num_groups=3}}
  %0 = graph.group_norm %x {num_groups = 3} : !graph.tensor<2x4x3xf32>
  return
}

// -----

func.func @instance_statistics(%x: !graph.tensor<2x4x3xf32>) {
  // expected-error @+1 {{Expected running_mean and running_var to be defined when use_input_stats is false}}
  %0 = graph.instance_norm %x {use_input_stats = false, momentum = 0.1, eps = 1.0e-5, cudnn_enabled = false} : !graph.tensor<2x4x3xf32>
  return
}

// -----

func.func @normalized_shape(%x: !graph.tensor<2x4x3xf32>) {
  // expected-error @+1 {{Given normalized_shape=[4], expected input with shape [*4], but got input of size[2, 4, 3]}}
  %0 = graph.rms_norm %x {normalized_shape = array<i64: 4>} : !graph.tensor<2x4x3xf32>
  return
}
