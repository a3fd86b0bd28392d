// RUN: terrace-opt %s --functional-verify-contiguous | FileCheck %s

// CHECK-LABEL: func.func @f(
func.func @f(%x: tensor<2x3xf32>, %c: i1) -> tensor<3x2xf32> {
  %t = functional.permute_copy %x {dims = array<i64: 1, 0>} : tensor<2x3xf32>
  %k = arith.constant dense<1.0> : tensor<3x2xf32>
  %0 = scf.if %c -> tensor<3x2xf32> {
    scf.yield %t : tensor<3x2xf32>
  } else {
    %a = functional.add %t, %k : tensor<3x2xf32>, tensor<3x2xf32>
    scf.yield %a : tensor<3x2xf32>
  }
  return %0 : tensor<3x2xf32>
}
