// Where parts begin is known when the program runs.

// RUN: terrace-opt %s --functional-grow-concatenations | FileCheck %s

// CHECK-NOT: slice_scatter
// CHECK-COUNT-3: functional.cat
func.func @sizes(%a: tensor<?xf32>, %b: tensor<1xf32>) -> tensor<?xf32> {
  %1 = functional.cat %a, %b : tensor<?xf32>, tensor<1xf32>
  %c = functional.sin %1 : tensor<?xf32>
  %2 = functional.cat %a, %b, %c : tensor<?xf32>, tensor<1xf32>, tensor<?xf32>
  %d = functional.sin %2 : tensor<?xf32>
  %3 = functional.cat %a, %b, %c, %d : tensor<?xf32>, tensor<1xf32>, tensor<?xf32>, tensor<?xf32>
  return %3 : tensor<?xf32>
}
