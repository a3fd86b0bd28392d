// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize | FileCheck %s

// Of 64 rows 2 parts have 32 each: an element lies at a multiple, and no part lacks it.
// CHECK-LABEL: func.func @alike(
// CHECK: loop.reduction add (%[[N:.*]] = 4, %[[C:.*]] = 3, %[[I:.*]] = 2, %[[J:.*]] = 5) over (%[[A:.*]] = 32, %[[B:.*]] = 4)
// CHECK-NEXT: %[[X:.*]] = loop.load %{{.*}}[%[[N]], %[[C]], %[[I]] * 32 + %[[A]], %[[J]] * 4 + %[[B]]] : tensor<4x3x64x20xf32>
// CHECK-NEXT: loop.yield %[[X]]
func.func @alike(%x: tensor<4x3x64x20xf32>) -> tensor<4x3x2x5xf32> {
  %0 = functional._adaptive_avg_pool2d %x {output_size = array<i64: 2, 5>} : tensor<4x3x64x20xf32>
  return %0 : tensor<4x3x2x5xf32>
}

// Of 7 rows 2 parts have 4 each, and meet in the middle.
// CHECK-LABEL: func.func @not_alike(
// CHECK: loop.reduction add (%{{.*}} = 4, %{{.*}} = 3, %{{.*}} = 2, %{{.*}} = 5) over (%{{.*}} = 4, %{{.*}} = 4)
// CHECK: arith.divui
// CHECK: loop.load {{.*}} if
func.func @not_alike(%x: tensor<4x3x7x20xf32>) -> tensor<4x3x2x5xf32> {
  %0 = functional._adaptive_avg_pool2d %x {output_size = array<i64: 2, 5>} : tensor<4x3x7x20xf32>
  return %0 : tensor<4x3x2x5xf32>
}
