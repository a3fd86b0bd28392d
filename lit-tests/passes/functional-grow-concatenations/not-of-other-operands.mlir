// Operands in another order are other parts.

// RUN: terrace-opt %s --functional-grow-concatenations | FileCheck %s

// CHECK-NOT: slice_scatter
// CHECK-COUNT-3: functional.cat
func.func @f(%a: tensor<3xf32>, %b: tensor<1xf32>) -> (tensor<12xf32>) {
  %1 = functional.cat %a, %b {dim = 0 : i64} : tensor<3xf32>, tensor<1xf32>
  %c = functional.sin %1 : tensor<4xf32>
  %2 = functional.cat %b, %a, %c : tensor<1xf32>, tensor<3xf32>, tensor<4xf32>
  %d = functional.sin %2 : tensor<8xf32>
  %3 = functional.cat %b, %a, %d : tensor<1xf32>, tensor<3xf32>, tensor<8xf32>
  return %3 : tensor<12xf32>
}
