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
