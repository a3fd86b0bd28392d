// RUN: terrace-opt %s --pass-pipeline='builtin.module(func.func(convert-functional-to-loop))' | FileCheck %s

// A copy is one pass over its elements into a tensor of its own; what reads it reads that.
// CHECK-LABEL: func.func @realized(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK: %[[T:.*]] = loop.pointwise (%[[I:.*]] = 3, %[[J:.*]] = 2)
// CHECK: loop.load %[[X]][%[[J]], %[[I]]]
// CHECK: loop.pointwise
// CHECK: loop.load %[[T]][
func.func @realized(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %t = functional.permute_copy %x {dims = array<i64: 1, 0>} : tensor<2x3xf32>
  %0 = functional.neg %t : tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// Other sizes over the same elements move nothing.
// CHECK-LABEL: func.func @reshaped(
// CHECK: tensor.collapse_shape
// CHECK-NOT: loop.pointwise
// CHECK: return
func.func @reshaped(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = functional.view_copy %x size [6] : tensor<2x3xf32>
  return %0 : tensor<6xf32>
}

// The same sizes: memory of its own is all that is asked for.
// CHECK-LABEL: func.func @same(
// CHECK: loop.pointwise
func.func @same(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = functional.view_copy %x size [2, 3] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
