// What has no way into loops is refused before anything changes: the first operation, at its place, and what would be right.

// RUN: terrace-opt %s --verify-inputs --split-input-file --verify-diagnostics

func.func @gather(%x: tensor<4x4xf32>, %at: tensor<3x1xindex>) -> tensor<3x4xf32> {
  // expected-error @+1 {{'tensor.gather' op has no form in loops: expects a 'linalg.generic' that reads by 'tensor.extract'}}
  %0 = tensor.gather %x[%at] gather_dims([0]) : (tensor<4x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  %1 = tensor.gather %0[%at] gather_dims([0]) : (tensor<3x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// -----

func.func @scatter(%v: tensor<1x4xf32>, %x: tensor<4xf32>, %at: tensor<1x4x1xindex>) -> tensor<4xf32> {
  // expected-error @+1 {{'tensor.scatter' op has no form in loops: expects an 'scf.for' that writes by 'tensor.insert'}}
  %0 = tensor.scatter %v into %x[%at] scatter_dims([0]) unique : (tensor<1x4xf32>, tensor<4xf32>, tensor<1x4x1xindex>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @winograd(%x: tensor<2x10x10x5xf32>, %to: tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32> {
  // expected-error @+1 {{'linalg.winograd_input_transform' op has no form in loops: expects 'transform.structured.decompose_winograd_op' in front}}
  %0 = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<2x10x10x5xf32>) outs(%to : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  return %0 : tensor<6x6x2x2x2x5xf32>
}

// -----

func.func @softmax(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  // expected-error @+1 {{'linalg.softmax' op is on memrefs: expects tensors}}
  linalg.softmax dimension(1) ins(%x : memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  return
}

// -----

func.func @custom(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'tosa.custom' op has no form in loops: expects operations of tosa or linalg}}
  %0 = tosa.custom %x {operator_name = "a", domain_name = "b", implementation_attrs = "c"} : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// expected-error @+1 {{'tosa.variable' op has no form in loops: expects an argument and a result of the function}}
tosa.variable @state : tensor<4xf32>

func.func @variable() -> tensor<4xf32> {
  %0 = tosa.variable_read @state : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @block_scaled(%x: tensor<4x32xf32>) -> (tensor<4x32xf8E4M3FN>, tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'tosa.cast_to_block_scaled' op has no form in loops}}
  %0:2 = tosa.cast_to_block_scaled %x {block_size = BLOCK_SIZE_32} : (tensor<4x32xf32>) -> (tensor<4x32xf8E4M3FN>, tensor<4x1xf8E8M0FNU>)
  return %0#0, %0#1 : tensor<4x32xf8E4M3FN>, tensor<4x1xf8E8M0FNU>
}

// -----

func.func @rank(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'tosa.exp' op is on a tensor without a rank: expects a rank}}
  %0 = tosa.exp %x : (tensor<*xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @zero_point_of_a_product(%x: tensor<1x4x4xi8>, %z: tensor<1xi8>) -> tensor<1x4x4xi32> {
  %c = "tosa.const"() {values = dense<1> : tensor<1xi8>} : () -> tensor<1xi8>
  // expected-error @+1 {{'tosa.matmul' op has operand 3, a zero point, that is no constant: expects 'tosa.const'}}
  %0 = tosa.matmul %x, %x, %c, %z : (tensor<1x4x4xi8>, tensor<1x4x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4xi32>
  return %0 : tensor<1x4x4xi32>
}

// -----

func.func @zero_point_of_a_convolution(%x: tensor<1x4x4x3xi8>, %w: tensor<2x1x1x3xi8>, %b: tensor<2xi32>, %z: tensor<1xi8>) -> tensor<1x4x4x2xi32> {
  // expected-error @+1 {{'tosa.conv2d' op has operand 3, a zero point, that is no constant: expects 'tosa.const'}}
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xi8>, tensor<2x1x1x3xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %0 : tensor<1x4x4x2xi32>
}

// -----

func.func @zero_point_of_a_mean(%x: tensor<1x4x4x3xi8>, %z: tensor<1xi8>) -> tensor<1x4x4x3xi8> {
  // expected-error @+1 {{'tosa.avg_pool2d' op has operand 1, a zero point, that is no constant: expects 'tosa.const'}}
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = i32, kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x3xi8>
  return %0 : tensor<1x4x4x3xi8>
}
