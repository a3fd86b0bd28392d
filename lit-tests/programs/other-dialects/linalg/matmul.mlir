// RUN: terrace-run %s --arg '[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]]' --arg '[[1, -1], [4, 2], [0, -2], [3, 1]]' --arg '[[4, 2], [0, -2], [3, 1]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]]' --arg '[[1, -1], [4, 2], [0, -2], [3, 1]]' --arg '[[4, 2], [0, -2], [3, 1]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [11.0, 7.0, 6.0, -4.0, 22.0, 6.0]
func.func @main(%a0: tensor<3x4xf32>, %a1: tensor<4x2xf32>, %a2: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %r = linalg.matmul ins(%a0, %a1 : tensor<3x4xf32>, tensor<4x2xf32>) outs(%a2 : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
