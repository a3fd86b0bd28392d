// RUN: terrace-run %s --arg '[[[-2, 3, 1], [-1, 4, 2]]]' --arg '[[[1, -1], [4, 2], [0, -2]]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[-2, 3, 1], [-1, 4, 2]]]' --arg '[[[1, -1], [4, 2], [0, -2]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [10.0, 6.0, 15.0, 5.0]
func.func @main(%a0: tensor<1x2x3xf32>, %a1: tensor<1x3x2xf32>) -> tensor<1x2x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.matmul %a0, %a1, %z, %z : (tensor<1x2x3xf32>, tensor<1x3x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}
