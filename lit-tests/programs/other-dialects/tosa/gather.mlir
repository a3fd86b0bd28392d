// RUN: terrace-run %s --arg '[[[-2, 3], [1, -1], [4, 2], [0, -2]]]' --arg '[[0, 1, 2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[-2, 3], [1, -1], [4, 2], [0, -2]]]' --arg '[[0, 1, 2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-2.0, 3.0, 1.0, -1.0, 4.0, 2.0]
func.func @main(%a0: tensor<1x4x2xf32>, %a1: tensor<1x3xi32>) -> tensor<1x3x2xf32> {
  %r = tosa.gather %a0, %a1 : (tensor<1x4x2xf32>, tensor<1x3xi32>) -> tensor<1x3x2xf32>
  return %r : tensor<1x3x2xf32>
}
