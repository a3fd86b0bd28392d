// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @item(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.item' op a Tensor with 6 elements cannot be converted to Scalar}}
  %0 = graph.item %x : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @first(%x: !graph.tensor<0xf32>) {
  // expected-error @+1 {{'graph._local_scalar_dense' op _local_scalar_dense: Empty tensor not supported}}
  %0 = graph._local_scalar_dense %x : !graph.tensor<0xf32>
  return
}

// -----

func.func @size(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.sym_size' op Dimension out of range (expected to be in range of [-2, 1], but got 2)}}
  %0 = graph.sym_size %x {dim = 2 : i64} : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @stride(%x: !graph.tensor<f32>) {
  // expected-error @+1 {{'graph.sym_stride' op Dimension specified as 0 but tensor has no dimensions}}
  %0 = graph.sym_stride %x {dim = 0 : i64} : !graph.tensor<f32>
  return
}
