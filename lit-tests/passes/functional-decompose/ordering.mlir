// RUN: terrace-opt %s --functional-decompose | FileCheck %s

// The least of the places at which the largest element stands; a nan is the largest.
// CHECK-LABEL: func.func @max
// CHECK-SAME: (%[[X:.*]]: tensor<4x3xf32>)
// CHECK: %[[M:.*]] = functional.amax %[[X]] {dim = array<i64: 1>, keepdim = true}
// CHECK: %[[E:.*]] = functional.expand %[[M]] size [4, 3]
// CHECK: %[[Q:.*]] = functional.eq %[[X]], %[[E]]
// CHECK: %[[N:.*]] = functional.isnan %[[X]]
// CHECK: %[[S:.*]] = functional.bitwise_or %[[Q]], %[[N]]
// CHECK: %[[W:.*]] = functional.where %[[S]]
// CHECK: %[[P:.*]] = functional.amin %[[W]] {dim = array<i64: 1>, keepdim = true}
// CHECK: functional.view %[[M]] size [4]
// CHECK: functional.view %[[P]] size [4]
func.func @max(%x: tensor<4x3xf32>) -> (tensor<4xf32>, tensor<4xi64>) {
  %0:2 = functional.max.dim %x {dim = -1 : i64} : tensor<4x3xf32>
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi64>
}

// CHECK-LABEL: func.func @argmin
// CHECK: functional.view %{{.*}} size [12]
// CHECK-NOT: functional.isnan
// CHECK: functional.view %{{.*}} size []
func.func @argmin(%x: tensor<4x3xi32>) -> tensor<i64> {
  %0 = functional.argmin %x : tensor<4x3xi32>
  return %0 : tensor<i64>
}
