// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @constant(
// CHECK-NOT: functional.in_place
// CHECK: return
func.func @constant(%r: tensor<f32>) -> tensor<2xf32> {
  %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = functional.select_scatter %k, %r index [0] : tensor<2xf32>, tensor<f32>
  return %0 : tensor<2xf32>
}
