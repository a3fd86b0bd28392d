// RUN: terrace-run %s --arg '[[[[[-2, 3, 1], [-1, 4, 2], [0, -2, 3]], [[1, -1, 4], [2, 0, -2], [3, 1, -1]], [[4, 2, 0], [-2, 3, 1], [-1, 4, 2]]], [[[0, -2, 3], [1, -1, 4], [2, 0, -2]], [[3, 1, -1], [4, 2, 0], [-2, 3, 1]], [[-1, 4, 2], [0, -2, 3], [1, -1, 4]]]]]' --arg '[[[[[1, -1], [4, 2]], [[0, -2], [3, 1]]], [[[-1, 4], [2, 0]], [[-2, 3], [1, -1]]]], [[[[4, 2], [0, -2]], [[3, 1], [-1, 4]]], [[[2, 0], [-2, 3]], [[1, -1], [4, 2]]]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [0.0, 21.0, -7.0, 21.0, 28.0, -7.0, 7.0, 28.0, 7.0, 23.0, 13.0, 15.0, 25.0, 13.0, 45.0, 12.0]
func.func @main(%a0: tensor<1x2x3x3x3xf32>, %a1: tensor<2x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %r = linalg.conv_3d_ncdhw_fcdhw ins(%a0, %a1 : tensor<1x2x3x3x3xf32>, tensor<2x2x2x2x2xf32>) outs(%f : tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  return %r : tensor<1x2x2x2x2xf32>
}
