// RUN: terrace-run %s --arg '[[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]], [[2, 0, -2, 3], [1, -1, 4, 2], [0, -2, 3, 1]]]' --arg '[[1, -1, 4, 2], [0, -2, 3, 1]]' --arg '[[4, 2, 0], [-2, 3, 1]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]], [[2, 0, -2, 3], [1, -1, 4, 2], [0, -2, 3, 1]]]' --arg '[[1, -1, 4, 2], [0, -2, 3, 1]]' --arg '[[4, 2, 0], [-2, 3, 1]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [1.0, 0.0, 6.0, -5.0, 19.0, 15.0]
func.func @main(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4xf32>, %a2: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = linalg.batch_matvec ins(%a0, %a1 : tensor<2x3x4xf32>, tensor<2x4xf32>) outs(%a2 : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
