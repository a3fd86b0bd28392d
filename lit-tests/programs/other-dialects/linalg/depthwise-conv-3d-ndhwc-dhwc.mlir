// RUN: terrace-run %s --arg '[[[[[-2, 3], [1, -1], [4, 2]], [[0, -2], [3, 1], [-1, 4]], [[2, 0], [-2, 3], [1, -1]]], [[[4, 2], [0, -2], [3, 1]], [[-1, 4], [2, 0], [-2, 3]], [[1, -1], [4, 2], [0, -2]]], [[[3, 1], [-1, 4], [2, 0]], [[-2, 3], [1, -1], [4, 2]], [[0, -2], [3, 1], [-1, 4]]]]]' --arg '[[[[1, -1], [4, 2]], [[0, -2], [3, 1]]], [[[-1, 4], [2, 0]], [[-2, 3], [1, -1]]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [11.0, 20.0, 14.0, -4.0, 13.0, 18.0, -12.0, 8.0, 10.0, 0.0, 13.0, 18.0, 26.0, 5.0, -6.0, -5.0]
func.func @main(%a0: tensor<1x3x3x3x2xf32>, %a1: tensor<2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc ins(%a0, %a1 : tensor<1x3x3x3x2xf32>, tensor<2x2x2x2xf32>) outs(%f : tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  return %r : tensor<1x2x2x2x2xf32>
}
