// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @cube(%x: !graph.tensor<2x3x4xf32>) {
  // expected-error @+1 {{'graph.t_' op t_() expects a tensor with <= 2 dimensions, but self is 3D}}
  %0 = graph.t_ %x : !graph.tensor<2x3x4xf32>
  return
}

// -----

func.func @negative(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.resize_' op numel: integer multiplication overflow: -1 is no size}}
  %0 = graph.resize_ %x size [-1, 2] : !graph.tensor<2xf32>
  return
}

// -----

func.func @too_many(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.resize_' op numel: integer multiplication overflow}}
  %0 = graph.resize_ %x size [1099511627776, 1099511627776] : !graph.tensor<2xf32>
  return
}

// -----

func.func @format(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.resize_' op required rank 4 tensor to use channels_last format}}
  %0 = graph.resize_ %x size [2, 3] {memory_format = "channels_last"} : !graph.tensor<2xf32>
  return
}

// -----

func.func @dtypes(%x: !graph.tensor<2xf32>, %y: !graph.tensor<2xi64>) {
  // expected-error @+1 {{'graph.set_' op Could not set tensor of type long int to a tensor of type float}}
  %0 = graph.set_ %x source %y : !graph.tensor<2xi64> : !graph.tensor<2xf32>
  return
}

// -----

func.func @part_of_nothing(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.set_' op has an offset or sizes but no source whose storage they are of}}
  %0 = graph.set_ %x {storage_offset = 1 : i64, size = array<i64: 2>} : !graph.tensor<2xf32>
  return
}

// -----

func.func @strides(%x: !graph.tensor<2xf32>, %y: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.set_' op unequal size length (1) and stride length (2)}}
  %0 = graph.set_ %x source %y : !graph.tensor<2xf32> {storage_offset = 0 : i64, size = array<i64: 2>, stride = array<i64: 1, 1>} : !graph.tensor<2xf32>
  return
}

// -----

func.func @"not-a-storage-of-fewer-than-no-bytes"(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{asks for a storage of -1 bytes: 0 is the least}}
  graph.resize_storage %x bytes [-1] : !graph.tensor<4xf32>
  return
}
