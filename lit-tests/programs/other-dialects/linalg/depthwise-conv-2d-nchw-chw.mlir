// RUN: terrace-run %s --arg '[[[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4], [2, 0, -2, 3]], [[1, -1, 4, 2], [0, -2, 3, 1], [-1, 4, 2, 0], [-2, 3, 1, -1]]]]' --arg '[[[1, -1, 4], [2, 0, -2], [3, 1, -1]], [[4, 2, 0], [-2, 3, 1], [-1, 4, 2]]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4], [2, 0, -2, 3]], [[1, -1, 4, 2], [0, -2, 3, 1], [-1, 4, 2, 0], [-2, 3, 1, -1]]]]' --arg '[[[1, -1, 4], [2, 0, -2], [3, 1, -1]], [[4, 2, 0], [-2, 3, 1], [-1, 4, 2]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [18.0, 4.0, 18.0, -17.0, 20.0, 22.0, 28.0, -5.0]
func.func @main(%a0: tensor<1x2x4x4xf32>, %a1: tensor<2x3x3xf32>) -> tensor<1x2x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%a0, %a1 : tensor<1x2x4x4xf32>, tensor<2x3x3xf32>) outs(%f : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %r : tensor<1x2x2x2xf32>
}
