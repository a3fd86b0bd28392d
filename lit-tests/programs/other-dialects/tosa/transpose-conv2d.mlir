// RUN: terrace-run %s --arg '[[[[-2, 3], [1, -1]], [[4, 2], [0, -2]]]]' --arg '[[[[1, -1], [4, 2]], [[0, -2], [3, 1]]], [[[-1, 4], [2, 0]], [[-2, 3], [1, -1]]]]' --arg '[4, 2]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[[-2, 3], [1, -1]], [[4, 2], [0, -2]]]]' --arg '[[[[1, -1], [4, 2]], [[0, -2], [3, 1]]], [[[-1, 4], [2, 0]], [[-2, 3], [1, -1]]]]' --arg '[4, 2]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-1.0, 16.0, 2.0, -2.0, 6.0, -3.0, 6.0, 4.0, -2.0, 15.0, 1.0, -3.0, 6.0, -3.0, 6.0, 4.0, 6.0, 6.0, 24.0, 10.0, 6.0, -6.0, 0.0, 2.0, 0.0, 0.0, 18.0, 4.0, 8.0, -4.0, 2.0, 4.0]
func.func @main(%a0: tensor<1x2x2x2xf32>, %a1: tensor<2x2x2x2xf32>, %a2: tensor<2xf32>) -> tensor<1x4x4x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.transpose_conv2d %a0, %a1, %a2, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x2x2x2xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
  return %r : tensor<1x4x4x2xf32>
}
