// A rank that upstream's passes find, zero points that they read at run time, softmax on tensors: nothing to refuse.

// RUN: terrace-opt %s --verify-inputs | FileCheck %s
// RUN: terrace-opt %s --terrace-to-loop -o /dev/null

// CHECK-LABEL: func.func @rank_of_a_result(
//       CHECK:   tosa.log %{{.*}} : (tensor<*xf32>)
func.func @rank_of_a_result(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.exp %x : (tensor<4xf32>) -> tensor<*xf32>
  %1 = tosa.log %0 : (tensor<*xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @zero_point_of_the_run(
func.func @zero_point_of_the_run(%x: tensor<4xi8>, %z: tensor<1xi8>) -> tensor<4xi8> {
  %0 = tosa.negate %x, %z, %z : (tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// CHECK-LABEL: func.func @constant_of_arith(
func.func @constant_of_arith(%x: tensor<1x4x4xi8>) -> tensor<1x4x4xi32> {
  %c = arith.constant dense<1> : tensor<1xi8>
  %0 = tosa.matmul %x, %x, %c, %c : (tensor<1x4x4xi8>, tensor<1x4x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4xi32>
  return %0 : tensor<1x4x4xi32>
}

// CHECK-LABEL: func.func @softmax_of_tensors(
func.func @softmax_of_tensors(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
