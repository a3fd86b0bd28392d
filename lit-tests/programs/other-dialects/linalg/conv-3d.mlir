// RUN: terrace-run %s --arg '[[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4], [2, 0, -2, 3]], [[1, -1, 4, 2], [0, -2, 3, 1], [-1, 4, 2, 0], [-2, 3, 1, -1]], [[4, 2, 0, -2], [3, 1, -1, 4], [2, 0, -2, 3], [1, -1, 4, 2]]]' --arg '[[[1, -1], [4, 2]], [[0, -2], [3, 1]]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4], [2, 0, -2, 3]], [[1, -1, 4, 2], [0, -2, 3, 1], [-1, 4, 2, 0], [-2, 3, 1, -1]], [[4, 2, 0, -2], [3, 1, -1, 4], [2, 0, -2, 3], [1, -1, 4, 2]]]' --arg '[[[1, -1], [4, 2]], [[0, -2], [3, 1]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [15.0, -1.0, 4.0, 21.0, 12.0, 10.0, -1.0, 4.0, -5.0, 4.0, -5.0, 21.0, 10.0, 15.0, -1.0, -5.0, 21.0, 12.0]
func.func @main(%a0: tensor<3x4x4xf32>, %a1: tensor<2x2x2xf32>) -> tensor<2x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %r = linalg.conv_3d ins(%a0, %a1 : tensor<3x4x4xf32>, tensor<2x2x2xf32>) outs(%f : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %r : tensor<2x3x3xf32>
}
