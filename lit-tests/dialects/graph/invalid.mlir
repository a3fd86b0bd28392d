// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @broadcast(%x: !graph.tensor<2x3xf32>, %y: !graph.tensor<4xf32>) {
  // expected-error @+1 {{'graph.add' op The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1}}
  %0 = graph.add %x, %y : !graph.tensor<2x3xf32>, !graph.tensor<4xf32>
  return
}

// -----

func.func @grow(%x: !graph.tensor<3xf32>, %y: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.mul_' op output with shape [3] doesn't match the broadcast shape [2, 3]}}
  %0 = graph.mul_ %x, %y : !graph.tensor<3xf32>, !graph.tensor<2x3xf32>
  return
}

// -----

func.func @cast(%x: !graph.tensor<3xi32>, %y: !graph.tensor<3xf32>) {
  // expected-error @+1 {{'graph.add_' op result type Float can't be cast to the desired output type Int}}
  %0 = graph.add_ %x, %y : !graph.tensor<3xi32>, !graph.tensor<3xf32>
  return
}

// -----

func.func @dim(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.softmax' op Dimension out of range (expected to be in range of [-2, 1], but got 5)}}
  %0 = graph.softmax %x {dim = 5} : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @view(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.view' op shape '[4, 2]' is invalid for input of size 6}}
  %0 = graph.view %x size [4, 2] : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @mm(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.mm' op mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)}}
  %0 = graph.mm %x, %x : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  return
}

// -----

func.func @select(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.select' op select(): index 3 out of range for tensor of size [2, 3] at dimension 1}}
  %0 = graph.select %x index [3] {dim = 1} : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @bool_minus(%x: !graph.tensor<2xi1>) {
  // expected-error @+1 {{'graph.sub' op Subtraction, the `-` operator, with two bool tensors is not supported}}
  %0 = graph.sub %x, %x : !graph.tensor<2xi1>, !graph.tensor<2xi1>
  return
}

// -----

func.func @devices(%x: !graph.tensor<2xf32>, %y: !graph.tensor<2xf32, "cuda:0">) {
  // expected-error @+1 {{'graph.add' op Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!}}
  %0 = graph.add %x, %y : !graph.tensor<2xf32>, !graph.tensor<2xf32, "cuda:0">
  return
}

// -----

func.func @alpha_beyond_the_dtype(%x: !graph.tensor<2xi32>) {
  %k = arith.constant 1099511627776 : i64
  // expected-error @+1 {{'graph.add' op value cannot be converted to type int without overflow}}
  %0 = graph.add %x, %x alpha %k : !graph.tensor<2xi32>, !graph.tensor<2xi32>, i64
  return
}

// -----

func.func @fill_value_beyond_the_dtype(%x: !graph.tensor<2xf32>) {
  %k = arith.constant 1.0e300 : f64
  // expected-error @+1 {{'graph.fill_' op value cannot be converted to type float without overflow}}
  %0 = graph.fill_ %x, %k : !graph.tensor<2xf32>, f64
  return
}

// -----

func.func @negative_power_of_integers(%x: !graph.tensor<2xi32>) {
  %k = arith.constant -1 : i64
  // expected-error @+1 {{'graph.pow' op Integers to negative integer powers are not allowed.}}
  %0 = graph.pow %x, %k : !graph.tensor<2xi32>, i64
  return
}

// -----

func.func @copy_grows(%x: !graph.tensor<3xf32>, %y: !graph.tensor<1x3xf32>) {
  // expected-error @+1 {{'graph.copy_' op output with shape [3] doesn't match the broadcast shape [1, 3]}}
  %0 = graph.copy_ %x, %y : !graph.tensor<3xf32>, !graph.tensor<1x3xf32>
  return
}

// -----

func.func @write_back(%v: tensor<2xf32>, %x: !graph.tensor<3xf32>) {
  // expected-error @+1 {{'graph.write_back' op expects a value of the view's shape and dtype}}
  graph.write_back %v into %x : tensor<2xf32>, !graph.tensor<3xf32>
  return
}

// -----

// expected-error @+1 {{element type is one of f16, bf16, f32, f64, complex<f32>, complex<f64>, i64, i32, i16, i8, ui8 and i1, got 'index'}}
func.func private @element(!graph.tensor<2xindex>)

// -----

func.func @operands(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.mm' op expected 2 operands, but found 1}}
  %0 = "graph.mm"(%x) : (!graph.tensor<2xf32>) -> !graph.tensor<2xf32>
  return
}

// -----

func.func @unknown(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{unregistered operation 'graph.frobnicate' found in dialect ('graph') that does not allow unknown operations}}
  %0 = "graph.frobnicate"(%x) : (!graph.tensor<2xf32>) -> !graph.tensor<2xf32>
  return
}

// -----

func.func @rounding_mode(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{div expected rounding_mode to be one of None, 'trunc', or 'floor' but found 'up'}}
  %0 = graph.div %x, %x {rounding_mode = "up"} : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  return
}

// -----

func.func @bools_have_no_rest(%x: !graph.tensor<2xi1>) {
  // expected-error @+1 {{not implemented for 'Bool'}}
  %0 = graph.remainder %x, %x : !graph.tensor<2xi1>, !graph.tensor<2xi1>
  return
}

// -----

func.func @silu_is_of_floats(%x: !graph.tensor<2xi64>) {
  // expected-error @+1 {{not implemented for 'Long'}}
  %0 = graph.silu %x : !graph.tensor<2xi64>
  return
}

// -----

func.func @copy_of_another_size(%x: !graph.tensor<2x3xf32>, %y: !graph.tensor<4xf32>) {
  // expected-error @+1 {{'graph.copy_' op The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1}}
  %0 = graph.copy_ %x, %y : !graph.tensor<2x3xf32>, !graph.tensor<4xf32>
  return
}

// -----

func.func @copy_does_not_grow(%x: !graph.tensor<3xf32>, %y: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.copy_' op output with shape [3] doesn't match the broadcast shape [2, 3]}}
  %0 = graph.copy_ %x, %y : !graph.tensor<3xf32>, !graph.tensor<2x3xf32>
  return
}

// -----

func.func @floats_have_no_bits(%x: !graph.tensor<3xf32>) {
  // expected-error @+1 {{'graph.bitwise_not_' op "bitwise_not_cpu" not implemented for 'Float'}}
  %0 = graph.bitwise_not_ %x : !graph.tensor<3xf32>
  return
}

// -----

func.func @mask_of_numbers(%x: !graph.tensor<2xf32>, %m: !graph.tensor<2xi64>, %v: f64) {
  // expected-error @+1 {{masked_fill_ only supports boolean masks, but got mask with dtype long int}}
  %0 = graph.masked_fill %x, %m, %v : !graph.tensor<2xf32>, !graph.tensor<2xi64>, f64
  return
}

// -----

func.func @integers_are_not_divided(%x: !graph.tensor<2xi64>) {
  // expected-error @+1 {{Integer division with addcdiv is no longer supported}}
  %0 = graph.addcdiv %x, %x, %x : !graph.tensor<2xi64>, !graph.tensor<2xi64>, !graph.tensor<2xi64>
  return
}

// -----

func.func @another_dtype_in_place(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{Bad in-place call: input tensor dtype float and output tensor dtype double should match}}
  %0 = graph.cumsum_ %x {dim = 0 : i64, dtype = f64} : !graph.tensor<2xf32>
  return
}
