// RUN: terrace-opt %s --convert-functional-to-loop --split-input-file --verify-diagnostics

func.func @half_precision(%x: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{'functional.exp' op has elements in tensor<4xf16>, which loops move and cast but do not compute with; functional-widen casts them first}}
  %0 = functional.exp %x : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @power_of_bools(%x: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error @+1 {{'functional.pow' op "pow" not implemented for 'Bool'}}
  %0 = functional.pow %x, %x : tensor<4xi1>, tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @scatter_overlaps(%x: tensor<4xf32>, %s: tensor<2x2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'functional.as_strided_scatter' op may write an element more than once: sizes [2, 2] and strides [1, 1] overlap}}
  %0 = functional.as_strided_scatter %x, %s size [2, 2] stride [1, 1] storage_offset [0] : tensor<4xf32>, tensor<2x2xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @images_of_sizes_of_the_run(%g: tensor<2x3x?x4xf32>, %x: tensor<2x3x?x8xf32>, %i: tensor<2x3x?x4xi64>) -> tensor<2x3x?x8xf32> {
  // expected-error @+1 {{'functional.max_pool2d_with_indices_backward' op has windows over a size that is only known at run time, of which eager's message speaks}}
  %0 = functional.max_pool2d_with_indices_backward %g, %x, %i {kernel_size = array<i64: 2>, stride = array<i64: 2>, padding = array<i64: 0>, dilation = array<i64: 1>, ceil_mode = false} : tensor<2x3x?x4xf32>, tensor<2x3x?x8xf32>, tensor<2x3x?x4xi64>
  return %0 : tensor<2x3x?x8xf32>
}
