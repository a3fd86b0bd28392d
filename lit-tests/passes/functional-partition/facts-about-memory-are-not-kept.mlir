// RUN: terrace-opt %s --functional-partition | FileCheck %s

// %y is saved: its memory is not free any more.
// CHECK-NOT: functional.in_place
func.func @f(%x: tensor<4xf32>, %g: tensor<4xf32> {functional.tangent}) -> (tensor<4xf32>, tensor<4xf32> {functional.gradient}) {
  %y = functional.cumsum %x {dim = 0 : i64} : tensor<4xf32>
  %d = functional.mul %g, %y : tensor<4xf32>, tensor<4xf32>
  %z = functional.neg %y {functional.in_place = 0 : i64} : tensor<4xf32>
  return %z, %d : tensor<4xf32>, tensor<4xf32>
}
