// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// Rows move up by one: what is written is read.
// CHECK-LABEL: func.func @shifted(
// CHECK-NOT: functional.in_place
// CHECK: return
func.func @shifted(%x: tensor<4x4xf32> {functional.donated = 0 : i64}) -> tensor<4x4xf32> {
  %0 = functional.slice %x start [0] end [3] step [1] : tensor<4x4xf32>
  %1 = functional.slice_scatter %x, %0 start [1] end [4] step [1] : tensor<4x4xf32>, tensor<3x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// An element is read at another place than it is written at.
// CHECK-LABEL: func.func @transposed(
// CHECK-NOT: functional.in_place
// CHECK: return
func.func @transposed(%x: tensor<4x4xf32> {functional.donated = 0 : i64}) -> tensor<4x4xf32> {
  %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<4x4xf32>
  %0 = functional.add %x, %t : tensor<4x4xf32>, tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
