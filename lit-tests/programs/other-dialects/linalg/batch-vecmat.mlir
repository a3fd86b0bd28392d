// RUN: terrace-run %s --arg '[[-2, 3, 1], [-1, 4, 2]]' --arg '[[[1, -1, 4, 2], [0, -2, 3, 1], [-1, 4, 2, 0]], [[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]]]' --arg '[[4, 2, 0, -2], [3, 1, -1, 4]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1], [-1, 4, 2]]' --arg '[[[1, -1, 4, 2], [0, -2, 3, 1], [-1, 4, 2, 0]], [[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]]]' --arg '[[4, 2, 0, -2], [3, 1, -1, 4]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [1.0, 2.0, 3.0, -3.0, 27.0, 8.0, -4.0, 5.0]
func.func @main(%a0: tensor<2x3xf32>, %a1: tensor<2x3x4xf32>, %a2: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = linalg.batch_vecmat ins(%a0, %a1 : tensor<2x3xf32>, tensor<2x3x4xf32>) outs(%a2 : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
