// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// Behind the branch there is no new value for the other row to be read from.
// CHECK-LABEL: func.func @behind_a_branch(
// CHECK: functional.select_scatter
// CHECK-NOT: functional.in_place = 0 : i64} : tensor<4x4xf32>, tensor<4xf32>
// CHECK: functional.select %arg0
func.func @behind_a_branch(%x: tensor<4x4xf32> {functional.donated = 0 : i64}, %r: tensor<4xf32>, %c: i1) -> (tensor<4x4xf32>, tensor<4xf32>) {
  %0 = scf.if %c -> tensor<4x4xf32> {
    %1 = functional.select_scatter %x, %r index [0] : tensor<4x4xf32>, tensor<4xf32>
    %e = functional.neg %1 : tensor<4x4xf32>
    scf.yield %e : tensor<4x4xf32>
  } else {
    %2 = functional.neg %x : tensor<4x4xf32>
    scf.yield %2 : tensor<4x4xf32>
  }
  %3 = functional.select %x index [1] : tensor<4x4xf32>
  %4 = functional.neg %3 : tensor<4xf32>
  return %0, %4 : tensor<4x4xf32>, tensor<4xf32>
}

// -----

// A loop has taken the new value before the other row is read, and writes that row.
// CHECK-LABEL: func.func @behind_a_loop(
// CHECK: functional.select_scatter %arg0, %{{.*}} index [0] : tensor<4x4xf32>
// CHECK: scf.for
// CHECK: functional.select_scatter {{.*}}functional.in_place = 0 : i64
// CHECK: functional.select %arg0 index [1]
func.func @behind_a_loop(%x: tensor<4x4xf32> {functional.donated = 0 : i64}, %r: tensor<4xf32>, %n: index) -> (tensor<4x4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = functional.select_scatter %x, %r index [0] : tensor<4x4xf32>, tensor<4xf32>
  %1 = scf.for %i = %zero to %n step %one iter_args(%a = %0) -> tensor<4x4xf32> {
    %2 = functional.select_scatter %a, %r index [1] : tensor<4x4xf32>, tensor<4xf32>
    scf.yield %2 : tensor<4x4xf32>
  }
  %3 = functional.select %x index [1] : tensor<4x4xf32>
  %4 = functional.neg %3 : tensor<4xf32>
  return %1, %4 : tensor<4x4xf32>, tensor<4xf32>
}
