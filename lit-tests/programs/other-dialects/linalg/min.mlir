// RUN: terrace-run %s --arg '[[-2, 3, 1], [-1, 4, 2]]' --arg '[[1, -1, 4], [2, 0, -2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1], [-1, 4, 2]]' --arg '[[1, -1, 4], [2, 0, -2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-2.0, -1.0, 1.0, -1.0, 0.0, -2.0]
func.func @main(%a0: tensor<2x3xf32>, %a1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.min ins(%a0, %a1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
