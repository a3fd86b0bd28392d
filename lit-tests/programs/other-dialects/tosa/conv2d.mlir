// RUN: terrace-run %s --arg '[[[[-2, 3], [1, -1], [4, 2], [0, -2]], [[3, 1], [-1, 4], [2, 0], [-2, 3]], [[1, -1], [4, 2], [0, -2], [3, 1]], [[-1, 4], [2, 0], [-2, 3], [1, -1]]]]' --arg '[[[[1, -1], [4, 2], [0, -2]], [[3, 1], [-1, 4], [2, 0]], [[-2, 3], [1, -1], [4, 2]]], [[[0, -2], [3, 1], [-1, 4]], [[2, 0], [-2, 3], [1, -1]], [[4, 2], [0, -2], [3, 1]]]]' --arg '[4, 2]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [21.0, 20.0, 39.0, 33.0, 30.0, 2.0, 6.0, 22.0]
func.func @main(%a0: tensor<1x4x4x2xf32>, %a1: tensor<2x3x3x2xf32>, %a2: tensor<2xf32>) -> tensor<1x2x2x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.conv2d %a0, %a1, %a2, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x3x3x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x2xf32>
  return %r : tensor<1x2x2x2xf32>
}
