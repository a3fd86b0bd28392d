// RUN: terrace-run %s --arg '[[[[-2, 3, 1, -1, 4], [2, 0, -2, 3, 1], [-1, 4, 2, 0, -2], [3, 1, -1, 4, 2], [0, -2, 3, 1, -1]], [[4, 2, 0, -2, 3], [1, -1, 4, 2, 0], [-2, 3, 1, -1, 4], [2, 0, -2, 3, 1], [-1, 4, 2, 0, -2]]]]' --arg '[[[[1, -1], [4, 2]], [[0, -2], [3, 1]]], [[[-1, 4], [2, 0]], [[-2, 3], [1, -1]]]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[[-2, 3, 1, -1, 4], [2, 0, -2, 3, 1], [-1, 4, 2, 0, -2], [3, 1, -1, 4, 2], [0, -2, 3, 1, -1]], [[4, 2, 0, -2, 3], [1, -1, 4, 2, 0], [-2, 3, 1, -1, 4], [2, 0, -2, 3, 1], [-1, 4, 2, 0, -2]]]]' --arg '[[[[1, -1], [4, 2]], [[0, -2], [3, 1]]], [[[-1, 4], [2, 0]], [[-2, 3], [1, -1]]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-8.0, 32.0, 2.0, 10.0, 8.0, -8.0, 0.0, 12.0, 10.0, -7.0, -5.0, 25.0, 10.0, 19.0, -7.0, 13.0, -13.0, 10.0]
func.func @main(%a0: tensor<1x2x5x5xf32>, %a1: tensor<2x2x2x2xf32>) -> tensor<1x2x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x3x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>} ins(%a0, %a1 : tensor<1x2x5x5xf32>, tensor<2x2x2x2xf32>) outs(%f : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  return %r : tensor<1x2x3x3xf32>
}
