// RUN: terrace-run %s --arg '[[[-2, 3], [1, -1], [4, 2], [0, -2], [3, 1], [-1, 4]]]' --arg '[[[1, -1, 4], [2, 0, -2]], [[3, 1, -1], [4, 2, 0]], [[-2, 3, 1], [-1, 4, 2]]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[-2, 3], [1, -1], [4, 2], [0, -2], [3, 1], [-1, 4]]]' --arg '[[[1, -1, 4], [2, 0, -2]], [[3, 1, -1], [4, 2, 0]], [[-2, 3, 1], [-1, 4, 2]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-7.0, 21.0, -7.0, 21.0, -1.0, -2.0, -7.0, 5.0, 17.0, 7.0, 18.0, 8.0]
func.func @main(%a0: tensor<1x6x2xf32>, %a1: tensor<3x2x3xf32>) -> tensor<1x4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%a0, %a1 : tensor<1x6x2xf32>, tensor<3x2x3xf32>) outs(%f : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  return %r : tensor<1x4x3xf32>
}
