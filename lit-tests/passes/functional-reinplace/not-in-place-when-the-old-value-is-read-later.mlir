// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @read_later(
// CHECK: functional.select_scatter
// CHECK-NOT: functional.in_place
// CHECK: functional.neg %arg0
func.func @read_later(%x: tensor<4x4xf32> {functional.donated = 0 : i64}, %r: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = functional.select_scatter %x, %r index [0] : tensor<4x4xf32>, tensor<4xf32>
  %1 = functional.neg %x : tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// The first of two scatters into one value leaves it to the second.
// CHECK-LABEL: func.func @read_by_another(
// CHECK: functional.select_scatter {{.*}} index [0] : tensor
// CHECK: functional.select_scatter {{.*}} index [1] {functional.in_place = 0 : i64}
func.func @read_by_another(%x: tensor<4x4xf32> {functional.donated = 0 : i64}, %r: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = functional.select_scatter %x, %r index [0] : tensor<4x4xf32>, tensor<4xf32>
  %1 = functional.select_scatter %x, %r index [1] : tensor<4x4xf32>, tensor<4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}
