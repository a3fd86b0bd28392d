// RUN: terrace-run %s --arg '[[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]], [[2, 0, -2, 3], [1, -1, 4, 2], [0, -2, 3, 1]]]' --arg '[[[1, -1], [4, 2], [0, -2], [3, 1]], [[-1, 4], [2, 0], [-2, 3], [1, -1]]]' --arg '[[4, 2], [0, -2], [3, 1]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]], [[2, 0, -2, 3], [1, -1, 4, 2], [0, -2, 3, 1]]]' --arg '[[[1, -1], [4, 2], [0, -2], [3, 1]], [[-1, 4], [2, 0], [-2, 3], [1, -1]]]' --arg '[[4, 2], [0, -2], [3, 1]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [16.0, 6.0, -3.0, 10.0, 13.0, 14.0]
func.func @main(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x2xf32>, %a2: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %r = linalg.batch_reduce_matmul ins(%a0, %a1 : tensor<2x3x4xf32>, tensor<2x4x2xf32>) outs(%a2 : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
