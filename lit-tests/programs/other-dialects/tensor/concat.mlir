// RUN: terrace-run %s --arg '[[-2, 3, 1], [-1, 4, 2]]' --arg '[[1], [-1]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1], [-1, 4, 2]]' --arg '[[1], [-1]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-2.0, 3.0, 1.0, 1.0, -1.0, 4.0, 2.0, -1.0]
func.func @main(%a0: tensor<2x3xf32>, %a1: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %r = tensor.concat dim(1) %a0, %a1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
