// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// The next turn reads the value of before the loop.
// CHECK-LABEL: func.func @again(
// CHECK-NOT: functional.in_place
// CHECK: functional.select_scatter
// CHECK-NOT: functional.in_place = 0 : i64} : tensor<4x4xf32>, tensor<4xf32>
// CHECK: scf.yield
func.func @again(%y: tensor<4x4xf32>, %r: tensor<4xf32>, %n: index, %s: tensor<4x4xf32> {functional.donated = 0 : i64}) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = functional.permute_copy %y {dims = array<i64: 1, 0>} : tensor<4x4xf32>
  %0 = scf.for %i = %zero to %n step %one iter_args(%a = %s) -> tensor<4x4xf32> {
    %1 = functional.select_scatter %x, %r index [0] : tensor<4x4xf32>, tensor<4xf32>
    %2 = functional.add %a, %1 : tensor<4x4xf32>, tensor<4x4xf32>
    scf.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
