// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @flatten(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.flatten.using_ints' op flatten() has invalid args: start_dim cannot come after end_dim}}
  %0 = graph.flatten.using_ints %x {start_dim = 1 : i64, end_dim = 0 : i64} : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @reshape(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.reshape' op shape '[4, -1]' is invalid for input of size 6}}
  %0 = graph.reshape %x shape [4, -1] : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @rank(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.contiguous' op required rank 4 tensor to use channels_last format}}
  %0 = graph.contiguous %x {memory_format = "channels_last"} : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @format(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.clone' op memory_format is contiguous_format, preserve_format, channels_last or channels_last_3d, got fortran}}
  %0 = graph.clone %x {memory_format = "fortran"} : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @dtypes(%x: !graph.tensor<2xf32>, %y: !graph.tensor<2xi64>) {
  // expected-error @+1 {{'graph.meshgrid' op meshgrid expects all tensors to have the same dtype}}
  %0:2 = graph.meshgrid %x, %y : !graph.tensor<2xf32>, !graph.tensor<2xi64>
  return
}

// -----

func.func @sections(%x: !graph.tensor<2x5xf32>) {
  // expected-error @+1 {{'graph.hsplit.int' op torch.hsplit attempted to split along dimension 1, but the size of the dimension 5 is not divisible by the split_size 2!}}
  %0:2 = graph.hsplit.int %x {sections = 2 : i64} : !graph.tensor<2x5xf32>
  return
}

// -----

func.func @vector(%x: !graph.tensor<5xf32>) {
  // expected-error @+1 {{'graph.adjoint' op tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor.}}
  %0 = graph.adjoint %x : !graph.tensor<5xf32>
  return
}
