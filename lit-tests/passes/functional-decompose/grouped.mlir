// RUN: terrace-opt %s --functional-decompose | FileCheck %s

// Every row times every matrix; a row is of the first group that ends behind it.
// CHECK-LABEL: func.func @grouped(
// CHECK: %[[PRODUCTS:.*]] = functional.bmm
// CHECK: %[[BEFORE:.*]] = functional.lt
// CHECK: %[[EARLIER:.*]] = functional.logical_not
// CHECK: functional.logical_and %[[BEFORE]], %[[EARLIER]]
// CHECK: %[[OWN:.*]] = functional.where %{{.*}}, %[[PRODUCTS]]
// CHECK: functional.sum %[[OWN]] {dim = array<i64: 0>
func.func @grouped(%x: tensor<5x3xf32>, %w: tensor<2x3x4xf32>, %o: tensor<2xi32>) -> tensor<5x4xf32> {
  %0 = functional.transformers.grouped_mm_fallback %x, %w, %o : tensor<5x3xf32>, tensor<2x3x4xf32>, tensor<2xi32>
  return %0 : tensor<5x4xf32>
}

// CHECK-LABEL: func.func @gradients(
// CHECK-COUNT-2: functional.bmm
func.func @gradients(%x: tensor<5x3xf32>, %w: tensor<2x3x4xf32>, %o: tensor<2xi32>, %g: tensor<5x4xf32>) -> (tensor<5x3xf32>, tensor<2x3x4xf32>) {
  %0:2 = functional.transformers.grouped_mm_fallback_backward %x, %w, %o, %g : tensor<5x3xf32>, tensor<2x3x4xf32>, tensor<2xi32>, tensor<5x4xf32>
  return %0#0, %0#1 : tensor<5x3xf32>, tensor<2x3x4xf32>
}

// Of two matrices it is what is summed over that has groups: both are 0 outside.
// CHECK-LABEL: func.func @summed_in_groups(
// CHECK: %[[A:.*]] = functional.where
// CHECK: %[[B:.*]] = functional.where
// CHECK: functional.bmm %[[A]], %[[B]]
func.func @summed_in_groups(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %o: tensor<2xi32>) -> tensor<2x4x4xf32> {
  %0 = functional._grouped_mm %a, %b offs %o : tensor<2xi32> : tensor<4x8xf32>, tensor<8x4xf32>
  return %0 : tensor<2x4x4xf32>
}

// CHECK-LABEL: func.func @columns_in_groups(
// CHECK: %[[PRODUCTS:.*]] = functional.bmm
// CHECK: %[[OWN:.*]] = functional.where %{{.*}}, %[[PRODUCTS]]
// CHECK: functional.sum %[[OWN]] {dim = array<i64: 0>
func.func @columns_in_groups(%a: tensor<2x4x8xf32>, %b: tensor<8x4xf32>, %o: tensor<2xi32>) -> tensor<4x4xf32> {
  %0 = functional._grouped_mm %a, %b offs %o : tensor<2xi32> : tensor<2x4x8xf32>, tensor<8x4xf32>
  return %0 : tensor<4x4xf32>
}
