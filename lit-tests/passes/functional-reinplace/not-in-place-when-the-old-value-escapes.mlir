// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @returned(
// CHECK-NOT: functional.in_place
// CHECK: return
func.func @returned(%x: tensor<4xf32> {functional.donated = 0 : i64}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = functional.neg %x : tensor<4xf32>
  return %0, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// What a function does with it is not looked at: its result may be its argument.
func.func private @other(tensor<4xf32>) -> tensor<4xf32>
// CHECK-LABEL: func.func @called(
// CHECK-NOT: functional.in_place
// CHECK: return
func.func @called(%x: tensor<4xf32> {functional.donated = 0 : i64}) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = call @other(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %0 = functional.neg %x : tensor<4xf32>
  return %0, %y : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @selected(
// CHECK-NOT: functional.in_place
// CHECK: return
func.func @selected(%x: tensor<4xf32> {functional.donated = 0 : i64}, %z: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = arith.select %c, %x, %z : tensor<4xf32>
  %0 = functional.neg %x : tensor<4xf32>
  return %0, %y : tensor<4xf32>, tensor<4xf32>
}
