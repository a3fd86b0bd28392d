// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// Both values of the next turn are one.
// CHECK-LABEL: func.func @twice(
// CHECK-NOT: functional.in_place
// CHECK: return
func.func @twice(%x: tensor<2xf32> {functional.donated = 0 : i64}, %y: tensor<2xf32> {functional.donated = 1 : i64}, %r: tensor<f32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %y) -> (tensor<2xf32>, tensor<2xf32>) {
    %1 = functional.select_scatter %a, %r index [0] : tensor<2xf32>, tensor<f32>
    scf.yield %1, %1 : tensor<2xf32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// The loop begins with a value that is read after it.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT: functional.in_place
// CHECK: return
func.func @kept(%x: tensor<2xf32> {functional.donated = 0 : i64}, %r: tensor<f32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> tensor<2xf32> {
    %1 = functional.select_scatter %a, %r index [0] : tensor<2xf32>, tensor<f32>
    scf.yield %1 : tensor<2xf32>
  }
  return %0, %x : tensor<2xf32>, tensor<2xf32>
}
