// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// One row of the view is written.
// CHECK-LABEL: func.func @overlapping(
// CHECK-NOT: functional.in_place = 0 : i64} : tensor<4x4xf32>
// CHECK: functional.slice %arg0
func.func @overlapping(%x: tensor<4x4xf32> {functional.donated = 0 : i64}, %r: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<3x4xf32>) {
  %0 = functional.select_scatter %x, %r index [1] : tensor<4x4xf32>, tensor<4xf32>
  %1 = functional.slice %x start [1] end [4] step [1] : tensor<4x4xf32>
  %2 = functional.neg %1 : tensor<3x4xf32>
  return %0, %2 : tensor<4x4xf32>, tensor<3x4xf32>
}

// -----

// A view that was made before is read when it is used.
// CHECK-LABEL: func.func @made_before(
// CHECK-NOT: functional.in_place = 0 : i64} : tensor<4x4xf32>
// CHECK: return
func.func @made_before(%x: tensor<4x4xf32> {functional.donated = 0 : i64}, %r: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<4x4xf32>
  %0 = functional.select_scatter %x, %r index [1] : tensor<4x4xf32>, tensor<4xf32>
  %1 = functional.neg %t : tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Which row is written is not known: any may be.
// CHECK-LABEL: func.func @unknown_region(
// CHECK-NOT: functional.in_place = 0 : i64} : tensor<4x4xf32>
// CHECK: return
func.func @unknown_region(%x: tensor<4x4xf32> {functional.donated = 0 : i64}, %r: tensor<4xf32>, %i: i64) -> (tensor<4x4xf32>, tensor<3x4xf32>) {
  %0 = functional.select_scatter %x, %r index [%i] : tensor<4x4xf32>, tensor<4xf32>
  %1 = functional.slice %x start [1] end [4] step [1] : tensor<4x4xf32>
  %2 = functional.neg %1 : tensor<3x4xf32>
  return %0, %2 : tensor<4x4xf32>, tensor<3x4xf32>
}
