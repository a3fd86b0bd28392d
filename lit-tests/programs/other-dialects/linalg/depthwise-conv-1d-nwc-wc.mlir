// RUN: terrace-run %s --arg '[[[-2, 3], [1, -1], [4, 2], [0, -2], [3, 1], [-1, 4]]]' --arg '[[1, -1], [4, 2], [0, -2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[-2, 3], [1, -1], [4, 2], [0, -2], [3, 1], [-1, 4]]]' --arg '[[1, -1], [4, 2], [0, -2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [2.0, -9.0, 17.0, 9.0, 4.0, -8.0, 12.0, -4.0]
func.func @main(%a0: tensor<1x6x2xf32>, %a1: tensor<3x2xf32>) -> tensor<1x4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  %r = linalg.depthwise_conv_1d_nwc_wc ins(%a0, %a1 : tensor<1x6x2xf32>, tensor<3x2xf32>) outs(%f : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  return %r : tensor<1x4x2xf32>
}
