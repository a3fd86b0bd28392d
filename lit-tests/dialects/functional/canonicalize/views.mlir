// RUN: terrace-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @permutes
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
// CHECK: %[[P:.*]] = functional.permute %[[X]] {dims = array<i64: 1, 2, 0>}
// CHECK: return %[[P]], %[[X]]
func.func @permutes(%x: tensor<2x3x4xf32>) -> (tensor<3x4x2xf32>, tensor<2x3x4xf32>) {
  %0 = functional.permute %x {dims = array<i64: 2, 0, 1>} : tensor<2x3x4xf32>
  %1 = functional.permute %0 {dims = array<i64: -1, 0, 1>} : tensor<4x2x3xf32>
  %2 = functional.permute %1 {dims = array<i64: 2, 0, 1>} : tensor<3x4x2xf32>
  return %1, %2 : tensor<3x4x2xf32>, tensor<2x3x4xf32>
}

// A chain of reshapes is one view, or none.
// CHECK-LABEL: func.func @reshapes
// CHECK-SAME: (%[[X:.*]]: tensor<2x6xf32>)
// CHECK: %[[V:.*]] = functional.view %[[X]] size [4, 3]
// CHECK: return %[[V]], %[[X]]
func.func @reshapes(%x: tensor<2x6xf32>) -> (tensor<4x3xf32>, tensor<2x6xf32>) {
  %0 = functional.unsqueeze %x {dim = 1 : i64} : tensor<2x6xf32>
  %1 = functional.view %0 size [4, 1, 3] : tensor<2x1x6xf32>
  %2 = functional.squeeze %1 : tensor<4x1x3xf32>
  %3 = functional.view %2 size [2, 6] : tensor<4x3xf32>
  return %2, %3 : tensor<4x3xf32>, tensor<2x6xf32>
}

// A size that is not known may be another.
// CHECK-LABEL: func.func @"not-the-same-size"
// CHECK: %[[V:.*]] = functional.view
// CHECK: return %[[V]]
func.func @"not-the-same-size"(%x: tensor<?xf32>, %n: i64) -> tensor<?xf32> {
  %0 = functional.view %x size [%n] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @expands
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>)
// CHECK: %[[E:.*]] = functional.expand %[[X]] size [2, 4, 3]
// CHECK: return %[[E]], %[[X]]
func.func @expands(%x: tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>) {
  %0 = functional.expand %x size [4, 3] : tensor<3xf32>
  %1 = functional.expand %0 size [2, -1, -1] : tensor<4x3xf32>
  %2 = functional.expand %x size [-1] : tensor<3xf32>
  return %1, %2 : tensor<2x4x3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @constants
// CHECK-SAME: (%[[K:.*]]: f64)
// CHECK-DAG: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[F:.*]] = functional.full %[[K]] : f64 to tensor<3x2xf32>
// CHECK: return %[[C]], %[[F]]
func.func @constants(%k: f64) -> (tensor<4xf32>, tensor<3x2xf32>) {
  %c = arith.constant dense<2.0> : tensor<2x4xf32>
  %0 = functional.select %c index [1] : tensor<2x4xf32>
  %f = functional.full %k : f64 to tensor<2x6xf32>
  %1 = functional.slice %f start [0] end [6] step [2] {dim = 1 : i64} : tensor<2x6xf32>
  %2 = functional.permute %1 {dims = array<i64: 1, 0>} : tensor<2x3xf32>
  return %0, %2 : tensor<4xf32>, tensor<3x2xf32>
}
