// Points of a group tell their own elements by an index. The elements at 19 are others, but no kernel says so.

// RUN: terrace-opt %s --convert-affine-to-loop --verify-diagnostics -o - | FileCheck %s
// RUN: terrace-opt %s --terrace-x86 -o /dev/null

// CHECK-LABEL: func.func @elsewhere(
//       CHECK:   affine.for
func.func @elsewhere(%x: memref<24xi32>) {
  // expected-remark @+1 {{stays: combines what 'affine.load' reads elsewhere in what is written}}
  affine.for %i = 0 to 4 {
    %a = affine.load %x[%i + 19] : memref<24xi32>
    %s = affine.for %j = 0 to 4 iter_args(%t = %a) -> (i32) {
      %two = arith.constant 2 : i32
      %u = arith.muli %t, %two : i32
      affine.yield %u : i32
    }
    affine.store %s, %x[%i] : memref<24xi32>
  }
  return
}

// CHECK-LABEL: func.func @own(
//       CHECK:   loop.group
func.func @own(%x: memref<24xi32>) {
  affine.for %i = 0 to 4 {
    %a = affine.load %x[%i] : memref<24xi32>
    %s = affine.for %j = 0 to 4 iter_args(%t = %a) -> (i32) {
      %two = arith.constant 2 : i32
      %u = arith.muli %t, %two : i32
      affine.yield %u : i32
    }
    affine.store %s, %x[%i] : memref<24xi32>
  }
  return
}
