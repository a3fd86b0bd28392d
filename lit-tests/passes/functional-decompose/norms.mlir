// RUN: terrace-opt %s --functional-decompose | FileCheck %s

// By the running statistics there is nothing to sum.
// CHECK-LABEL: func.func @evaluation(
// CHECK-NOT: functional.sum
// CHECK: functional.rsqrt
// CHECK: functional.sub
// CHECK: functional.mul
// CHECK-NOT: functional.native_batch_norm
// CHECK: return
func.func @evaluation(%x: tensor<2x3x4xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<2x3x4xf32> {
  %0:3 = functional.native_batch_norm %x running_mean %m : tensor<3xf32> running_var %v : tensor<3xf32>
    {training = false, momentum = 0.1, eps = 1.0e-5} : tensor<2x3x4xf32>
  return %0#0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @training(
// CHECK: functional.sum %{{.*}} {dim = array<i64: 0, 2>
// CHECK: functional.sum %{{.*}} {dim = array<i64: 0, 2>
// CHECK: functional.rsqrt
func.func @training(%x: tensor<2x3x4xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>) {
  %0:5 = functional.native_batch_norm %x running_mean %m : tensor<3xf32> running_var %v : tensor<3xf32>
    {training = true, momentum = 0.1, eps = 1.0e-5} : tensor<2x3x4xf32>
  return %0#0, %0#3 : tensor<2x3x4xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @groups(
// CHECK: functional.view %{{.*}} size [2, 2, 2, 3]
// CHECK: functional.rsqrt
func.func @groups(%x: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  %0:3 = functional.native_group_norm %x {N = 2, C = 4, HxW = 3, group = 2, eps = 1.0e-5} : tensor<2x4x3xf32>
  return %0#0 : tensor<2x4x3xf32>
}

// Without eps that of f32.
// CHECK-LABEL: func.func @rms(
// CHECK: arith.constant 1.1920928955078125E-7 : f64
// CHECK: functional.rsqrt
func.func @rms(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = functional.rms_norm %x {normalized_shape = array<i64: 4>} : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
