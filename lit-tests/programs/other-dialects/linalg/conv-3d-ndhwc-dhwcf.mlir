// RUN: terrace-run %s --arg '[[[[[-2, 3], [1, -1], [4, 2]], [[0, -2], [3, 1], [-1, 4]], [[2, 0], [-2, 3], [1, -1]]], [[[4, 2], [0, -2], [3, 1]], [[-1, 4], [2, 0], [-2, 3]], [[1, -1], [4, 2], [0, -2]]], [[[3, 1], [-1, 4], [2, 0]], [[-2, 3], [1, -1], [4, 2]], [[0, -2], [3, 1], [-1, 4]]]]]' --arg '[[[[[1, -1], [4, 2]], [[0, -2], [3, 1]]], [[[-1, 4], [2, 0]], [[-2, 3], [1, -1]]]], [[[[4, 2], [0, -2]], [[3, 1], [-1, 4]]], [[[2, 0], [-2, 3]], [[1, -1], [4, 2]]]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [8.0, 19.0, 30.0, 15.0, 18.0, -21.0, 19.0, 17.0, 3.0, 25.0, 18.0, -21.0, 13.0, -1.0, 42.0, 51.0]
func.func @main(%a0: tensor<1x3x3x3x2xf32>, %a1: tensor<2x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %r = linalg.conv_3d_ndhwc_dhwcf ins(%a0, %a1 : tensor<1x3x3x3x2xf32>, tensor<2x2x2x2x2xf32>) outs(%f : tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  return %r : tensor<1x2x2x2x2xf32>
}
