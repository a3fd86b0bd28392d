// RUN: terrace-run %s --arg '[[[[[-2, 3], [1, -1]], [[4, 2], [0, -2]]]]]' --arg '[[[[[1, -1], [4, 2]], [[0, -2], [3, 1]]], [[[-1, 4], [2, 0]], [[-2, 3], [1, -1]]]]]' --arg '[[[[[4, 2], [0, -2]], [[3, 1], [-1, 4]]]]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[[[-2, 3], [1, -1]], [[4, 2], [0, -2]]]]]' --arg '[[[[[1, -1], [4, 2]], [[0, -2], [3, 1]]], [[[-1, 4], [2, 0]], [[-2, 3], [1, -1]]]]]' --arg '[[[[[4, 2], [0, -2]], [[3, 1], [-1, 4]]]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-5.0, 14.0, 6.0, -2.0, 15.0, -1.0, -12.0, 8.0]
func.func @main(%a0: tensor<1x1x2x2x2xf32>, %a1: tensor<1x2x2x2x2xf32>, %a2: tensor<1x1x2x2x2xf32>) -> tensor<1x1x2x2x2xf32> {
  %r = linalg.batch_mmt4d ins(%a0, %a1 : tensor<1x1x2x2x2xf32>, tensor<1x2x2x2x2xf32>) outs(%a2 : tensor<1x1x2x2x2xf32>) -> tensor<1x1x2x2x2xf32>
  return %r : tensor<1x1x2x2x2xf32>
}
