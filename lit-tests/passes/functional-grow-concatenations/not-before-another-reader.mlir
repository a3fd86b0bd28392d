// The first one is read once more behind the second one.

// RUN: terrace-opt %s --functional-grow-concatenations | FileCheck %s

// CHECK-NOT: slice_scatter
// CHECK-COUNT-3: functional.cat
func.func @f(%a: tensor<3xf32>, %b: tensor<1xf32>) -> (tensor<16xf32>, tensor<4xf32>) {
  %1 = functional.cat %a, %b {dim = 0 : i64} : tensor<3xf32>, tensor<1xf32>
  %c = functional.sin %1 : tensor<4xf32>
  %2 = functional.cat %a, %b, %c : tensor<3xf32>, tensor<1xf32>, tensor<4xf32>
  %d = functional.sin %2 : tensor<8xf32>
  %e = functional.neg %1 : tensor<4xf32>
  %3 = functional.cat %a, %b, %c, %d : tensor<3xf32>, tensor<1xf32>, tensor<4xf32>, tensor<8xf32>
  return %3, %e : tensor<16xf32>, tensor<4xf32>
}
