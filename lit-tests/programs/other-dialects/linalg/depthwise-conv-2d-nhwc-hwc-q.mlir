// RUN: terrace-run %s --arg '[[[[0, 5], [3, 1], [6, 4], [2, 0]], [[5, 3], [1, 6], [4, 2], [0, 5]], [[3, 1], [6, 4], [2, 0], [5, 3]], [[1, 6], [4, 2], [0, 5], [3, 1]]]]' --arg '[[[3, 1], [6, 4], [2, 0]], [[5, 3], [1, 6], [4, 2]], [[0, 5], [3, 1], [6, 4]]]' --arg '[[[[4, 2], [0, -2]], [[3, 1], [-1, 4]]]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[[0, 5], [3, 1], [6, 4], [2, 0]], [[5, 3], [1, 6], [4, 2], [0, 5]], [[3, 1], [6, 4], [2, 0], [5, 3]], [[1, 6], [4, 2], [0, 5], [3, 1]]]]' --arg '[[[3, 1], [6, 4], [2, 0]], [[5, 3], [1, 6], [4, 2]], [[0, 5], [3, 1], [6, 4]]]' --arg '[[[[4, 2], [0, -2]], [[3, 1], [-1, 4]]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [34, 9, 24, 29, 9, 41, 34, -9]
func.func @main(%a0: tensor<1x4x4x2xi8>, %a1: tensor<3x3x2xi8>, %a2: tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xi32> {
  %p = arith.constant 1 : i32
  %q = arith.constant 2 : i32
  %r = linalg.depthwise_conv_2d_nhwc_hwc_q ins(%a0, %a1, %p, %q : tensor<1x4x4x2xi8>, tensor<3x3x2xi8>, i32, i32) outs(%a2 : tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xi32>
  return %r : tensor<1x2x2x2xi32>
}
