// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @stack(%x: !graph.tensor<2xf32>, %y: !graph.tensor<3xf32>) {
  // expected-error @+1 {{'graph.stack' op stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1}}
  %0 = graph.stack %x, %y : !graph.tensor<2xf32>, !graph.tensor<3xf32>
  return
}

// -----

func.func @flip(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.flip' op dim 0 appears multiple times in the list of dims}}
  %0 = graph.flip %x {dims = array<i64: 0, -2>} : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @roll(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.roll' op shifts and dimensions must align. shifts: 1, dims:2}}
  %0 = graph.roll %x {shifts = array<i64: 1>, dims = array<i64: 0, 1>} : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @repeat(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.repeat' op Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor}}
  %0 = graph.repeat %x {repeats = array<i64: 2>} : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @tril(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.tril' op tril: input tensor must have at least 2 dimensions}}
  %0 = graph.tril %x : !graph.tensor<2xf32>
  return
}

// -----

func.func @diff(%x: !graph.tensor<f32>) {
  // expected-error @+1 {{'graph.diff' op diff expects input to be at least one-dimensional}}
  %0 = graph.diff %x : !graph.tensor<f32>
  return
}

// -----

func.func @pad(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.pad' op Argument #4: Padding size should be less than the corresponding input dimension, but got: padding (3, 1) at dimension 1 of input [2, 3]}}
  %0 = graph.pad %x {pad = array<i64: 3, 1>, mode = "reflect"} : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @mode(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.pad' op Unrecognised padding mode mirror}}
  %0 = graph.pad %x {pad = array<i64: 1, 1>, mode = "mirror"} : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @cut(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.constant_pad_nd' op narrow(): length must be non-negative.}}
  %0 = graph.constant_pad_nd %x {pad = array<i64: -4, 5>} : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @scatter(%x: !graph.tensor<2x3xf32>, %y: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.select_scatter' op expected src to have a size equal to the slice of self. src size = [2], slice size = [3]}}
  %0 = graph.select_scatter %x, %y index [0] : !graph.tensor<2x3xf32>, !graph.tensor<2xf32>
  return
}

// -----

func.func @strides() {
  // expected-error @+1 {{'graph.empty_strided' op dimensionality of sizes (1) must match dimensionality of strides (2)}}
  %0 = graph.empty_strided [2] stride [1, 2]
  return
}

// -----

func.func @order() {
  // expected-error @+1 {{'graph.empty_permuted' op Duplicate dim not allowed}}
  %0 = graph.empty_permuted [2, 3] {physical_layout = array<i64: 1, 1>}
  return
}
