// RUN: terrace-opt %s --inline | FileCheck %s

func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @caller
// CHECK-NEXT: functional.relu
// CHECK-NEXT: return
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
