// RUN: terrace-opt %s --functional-decompose | FileCheck %s

// Half a turn where a real number is negative; nan stays.
// CHECK-LABEL: func.func @angle
// CHECK: %[[NEGATIVE:.*]] = functional.lt %arg0
// CHECK: %[[TURNED:.*]] = functional.where %[[NEGATIVE]]
// CHECK: %[[NAN:.*]] = functional.isnan %arg0
// CHECK: %[[R:.*]] = functional.where %[[NAN]], %arg0, %[[TURNED]]
// CHECK: return %[[R]]
func.func @angle(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.angle %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @sgn
// CHECK-NEXT: functional.sign %arg0
func.func @sgn(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.sgn %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Spellings are of real numbers: complex ones stay as they are.
// CHECK-LABEL: func.func @complex
// CHECK-NEXT: functional.sgn %arg0
// CHECK-NEXT: functional.logaddexp
func.func @complex(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = functional.sgn %z : tensor<4xcomplex<f32>>
  %1 = functional.logaddexp %0, %z : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}
