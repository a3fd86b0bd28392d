// RUN: terrace-opt %s --functional-verify-contiguous --split-input-file --verify-diagnostics

func.func @view(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error@+1 {{result 0 is a view of its operand, not provably dense and contiguous: functional.permute_copy is, and functional-view-to-copy makes it so}}
  %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<2x3xf32>
  return %t : tensor<3x2xf32>
}

// -----

func.func @inside(%x: tensor<2x2xf32>, %c: i1) -> tensor<2x2xf32> {
  %0 = scf.if %c -> tensor<2x2xf32> {
    // expected-error@+1 {{is a view of its operand}}
    %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<2x2xf32>
    scf.yield %t : tensor<2x2xf32>
  } else {
    scf.yield %x : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}

// -----

// expected-error@+1 {{argument 0 declares a layout that is not contiguous and is used as it is: functional.view_copy of it would be contiguous}}
func.func @argument(%x: tensor<2x3xf32> {functional.layout = strided<[1, 2]>}) -> tensor<2x3xf32> {
  %0 = functional.neg %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// expected-error@+1 {{result 0 declares a layout that is not contiguous}}
func.func @result(%x: tensor<2x3xf32>) -> (tensor<2x3xf32> {functional.layout = strided<[1, 2]>}) {
  %0 = functional.neg %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @upstream(%x: tensor<4x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{result 0 is not provably dense and contiguous: this operation may make a view, or any strides}}
  %0 = tensor.extract_slice %x[0, 0] [2, 4] [2, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
