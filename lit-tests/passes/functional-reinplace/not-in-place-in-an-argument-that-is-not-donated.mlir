// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// The caller may read it.
// CHECK-LABEL: func.func @argument(
// CHECK-NOT: functional.in_place
// CHECK: return
func.func @argument(%x: tensor<2xf32>, %r: tensor<f32>) -> tensor<2xf32> {
  %0 = functional.select_scatter %x, %r index [0] : tensor<2xf32>, tensor<f32>
  return %0 : tensor<2xf32>
}

// -----

// Nor does a loop that begins with it own its memory.
// CHECK-LABEL: func.func @loop(
// CHECK-NOT: functional.in_place
// CHECK: return
func.func @loop(%x: tensor<2xf32>, %r: tensor<f32>, %n: index) -> tensor<2xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> tensor<2xf32> {
    %1 = functional.select_scatter %a, %r index [0] : tensor<2xf32>, tensor<f32>
    scf.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}
