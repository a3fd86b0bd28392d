// RUN: terrace-run %s --arg '[[[[-2, 3], [1, -1], [4, 2], [0, -2]], [[3, 1], [-1, 4], [2, 0], [-2, 3]], [[1, -1], [4, 2], [0, -2], [3, 1]], [[-1, 4], [2, 0], [-2, 3], [1, -1]]]]' --arg '[[[[1], [-1]], [[4], [2]], [[0], [-2]]], [[[3], [1]], [[-1], [4]], [[2], [0]]], [[[-2], [3]], [[1], [-1]], [[4], [2]]]]' --arg '[4, 2]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[[-2, 3], [1, -1], [4, 2], [0, -2]], [[3, 1], [-1, 4], [2, 0], [-2, 3]], [[1, -1], [4, 2], [0, -2], [3, 1]], [[-1, 4], [2, 0], [-2, 3], [1, -1]]]]' --arg '[[[[1], [-1]], [[4], [2]], [[0], [-2]]], [[[3], [1]], [[-1], [4]], [[2], [0]]], [[[-2], [3]], [[1], [-1]], [[4], [2]]]]' --arg '[4, 2]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [22.0, 1.0, 16.0, 25.0, -2.0, 34.0, 27.0, -19.0]
func.func @main(%a0: tensor<1x4x4x2xf32>, %a1: tensor<3x3x2x1xf32>, %a2: tensor<2xf32>) -> tensor<1x2x2x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.depthwise_conv2d %a0, %a1, %a2, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<3x3x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x2xf32>
  return %r : tensor<1x2x2x2xf32>
}
